//! The analysis page.

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_engine_starts_shows_lines_and_stops() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=brandubh7&lines=2");
        web.browser.find("[data-at=d1]");
        web.browser.click(".engine button.main");
        web.browser.wait_until("document.querySelectorAll('.lines li').length === 2");
        assert!(web.browser.text(".evalbar").contains('%'));
        web.browser.screenshot("analysis");
        web.browser.click(".engine button.main");
        web.browser.wait_until("document.querySelector('.enginestate').textContent.startsWith('Stopped')");
        let running = "fetch('/metrics').then(answer => answer.text())";
        let _ = web.browser.evaluate(running);
        let move_ = web.browser.evaluate("document.querySelector('.lines .ply').textContent");
        web.browser.click(".lines .ply");
        web.browser.wait_until(&format!("location.search.includes('moves={}')", move_.as_str().unwrap()));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_position_set_up_on_the_board_is_in_the_url() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=brandubh7");
        web.browser.find("[data-at=d1]");
        web.browser.evaluate("[...document.querySelectorAll('button')].find(one => one.textContent === 'Set up a position').click()");
        web.browser.click(".setup [data-tool='']");
        web.browser.click("[data-cell=d1]");
        web.browser.wait_until("!document.querySelector('[data-at=d1]')");
        web.browser.screenshot("analysis-setup");
        web.browser.click(".setup button.main");
        web.browser.wait_until("location.search.includes('position=/7/3t3/3T3/ttTKTtt/3T3/3t3/3t3/')");
        web.browser.wait_until("document.querySelectorAll('.pieces [data-at]').length === 12");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_pasted_record_is_shown_and_can_be_downloaded() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=copenhagen11");
        web.browser.find("[data-at=f6]");
        let paste = |text: &str| {
            web.browser.evaluate(
                "(document.querySelector('textarea').closest('details').open = true, document.querySelector('textarea').value = '')",
            );
            web.browser.find("textarea").send_keys(text);
            web.browser.evaluate(
                "[...document.querySelectorAll('button')].find(one => one.textContent === 'Show').click()",
            );
        };
        paste("[variant:brandubh7]\n[attackers:A]\n\n1. d2-c2 d3-b3\n2. b4-b5\n");
        web.browser.wait_until("location.search.includes('variant=brandubh7')");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 4");
        paste("d2-c2");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 2");
        paste("no record");
        web.browser.find("details .failure");
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.downloads button').length"), 3);
        web.browser.screenshot("analysis-paste");
    });
}
