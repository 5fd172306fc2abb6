//! Tests of the pages of `tafl serve`, in a real browser.
//!
//! They need Chromium and chromedriver; without chromedriver, every test is ignored. The tests write screenshots to
//! `target/web-screenshots`.

mod analysis;
mod browser;
mod drawing;
mod empty_corpus;
mod explorer;
mod game;
mod heat_maps;
mod http;
mod layout;
mod opening_names;
mod own_rules;
mod people;
mod pictures;
mod play;
mod puzzles;
mod search;
mod server;
mod upload;
mod writing;

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
    with_browser_and(&[], test);
}

/// Runs a test with a browser and a server that has more options.
fn with_browser_and(args: &[&str], test: impl FnOnce(&mut WebFixture)) {
    run(|| SampleServer::start(args), test);
}

/// Runs a test as [`with_browser`] does, with a table of opening names and games with names and dates.
///
/// # Panics
///
/// As [`with_browser`].
fn with_names(test: impl FnOnce(&mut WebFixture)) {
    run(SampleServer::with_names, test);
}

/// Runs a test as [`with_browser`] does, with a corpus that has no games.
///
/// # Panics
///
/// As [`with_browser`].
fn with_empty_corpus(test: impl FnOnce(&mut WebFixture)) {
    run(SampleServer::empty, test);
}

/// Runs a test. Tests run one at a time, because each browser needs much memory.
fn run(server: impl FnOnce() -> SampleServer, test: impl FnOnce(&mut WebFixture)) {
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    assert_eq!(browser::missing_program(), None, "install Chromium and chromedriver");
    let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let server = server();
    let browser = Browser::start(server.base_url());
    test(&mut WebFixture { browser, server });
}
