//! Tests of the pages of `tafl serve`, in a real browser.
//!
//! They need Chromium and its driver; without the driver, every test is ignored. Each page that is opened leaves a picture in
//! `target/web-screenshots`.

mod analysis;
mod browser;
mod explorer;
mod frame;
mod game;
mod http;
mod search;
mod served;
mod upload;

use browser::Browser;
use served::Server;

/// A browser and a server with a small corpus, for one test.
struct Stage {
    browser: Browser,
    server: Server,
}

/// Runs a test with a browser and a server, one test at a time: browsers are large.
///
/// # Panics
///
/// Panics if Chromium or its driver is missing.
fn on_stage(test: impl FnOnce(&mut Stage)) {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    assert_eq!(browser::missing(), None, "install it with its driver");
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let server = Server::start();
    let browser = Browser::start(server.base());
    test(&mut Stage { browser, server });
}
