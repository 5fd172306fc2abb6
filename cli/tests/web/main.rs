//! Tests of the pages of `tafl serve`, in a real browser.
//!
//! They need Chromium and chromedriver; without chromedriver, every test is ignored. The tests write screenshots to
//! `target/web-screenshots`.

mod analysis;
mod browser;
mod explorer;
mod game;
mod heat_maps;
mod http;
mod layout;
mod opening_names;
mod people;
mod pictures;
mod play;
mod puzzles;
mod search;
mod server;
mod upload;

use browser::Browser;
use server::SampleServer;

/// A browser and a server with a small corpus, for one test.
struct WebFixture {
    browser: Browser,
    server: SampleServer,
}

/// Runs a test with a browser and a server with the samples.
///
/// # Panics
///
/// Panics if Chromium or chromedriver is missing.
fn with_browser(test: impl FnOnce(&mut WebFixture)) {
    run(false, test);
}

/// Runs a test as [`with_browser`] does, with a table of opening names and games with names and dates.
///
/// # Panics
///
/// As [`with_browser`].
fn with_names(test: impl FnOnce(&mut WebFixture)) {
    run(true, test);
}

/// Runs a test. Tests run one at a time, because each browser needs much memory.
fn run(has_names: bool, test: impl FnOnce(&mut WebFixture)) {
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    assert_eq!(browser::missing_program(), None, "install Chromium and chromedriver");
    let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let server = SampleServer::start(has_names);
    let browser = Browser::start(server.base_url());
    test(&mut WebFixture { browser, server });
}
