//! Tests of the pages of `tafl serve`, in a real browser.
//!
//! They need Chromium and its driver; where these are missing, every test says that it was skipped. Each page that is
//! looked at leaves a picture in `target/web-screenshots`.

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

/// Runs a test with a browser and a server; says so where there is no browser.
///
/// The tests of this binary run one after another: browsers are large.
fn on_stage(test: impl FnOnce(&mut Stage)) {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    if let Some(missing) = browser::missing() {
        eprintln!("skipped: {missing} is not installed, so no page was opened");
        return;
    }
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let server = Server::start();
    let browser = Browser::start(server.base());
    test(&mut Stage { browser, server });
}
