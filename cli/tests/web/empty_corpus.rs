//! The pages of a corpus without games.

use super::with_empty_corpus;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn every_page_about_games_tells_how_to_add_some() {
    with_empty_corpus(|web| {
        for path in ["/", "/explore", "/search", "/search?query=capture", "/puzzles", "/reports"] {
            web.browser.open(path);
            web.browser
                .wait_until("document.querySelector('.empty')?.innerText.includes('has no games yet')");
            let text = web.browser.text("main");
            assert!(text.contains("tafl import CORPUS") && !text.contains('`'), "{path}: {text}");
        }
        web.browser.screenshot("empty-corpus");
        web.browser.open("/play");
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        web.browser.assert_console_is_empty();
    });
}
