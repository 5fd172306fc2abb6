//! The analysis.

use super::on_stage;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_engine_is_started_writes_lines_and_is_stopped() {
    on_stage(|stage| {
        stage.browser.open("/analysis?variant=brandubh7&lines=2");
        stage.browser.find("[data-at=d1]");
        stage.browser.click(".engine button.main");
        stage.browser.until("document.querySelectorAll('.lines li').length === 2");
        assert!(stage.browser.words(".evalbar").contains('%'));
        stage.browser.picture("analysis");
        stage.browser.click(".engine button.main");
        stage.browser.until("document.querySelector('.enginestate').textContent.startsWith('Stopped')");
        let running = "fetch('/metrics').then(answer => answer.text())";
        let _ = stage.browser.js(running);
        let move_ = stage.browser.js("document.querySelector('.lines .ply').textContent");
        stage.browser.click(".lines .ply");
        stage.browser.until(&format!("location.search.includes('moves={}')", move_.as_str().unwrap()));
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_position_that_is_set_up_is_in_the_address() {
    on_stage(|stage| {
        stage.browser.open("/analysis?variant=brandubh7");
        stage.browser.find("[data-at=d1]");
        stage.browser.js("[...document.querySelectorAll('button')].find(one => one.textContent === 'Set up a position').click()");
        stage.browser.click(".setup [data-tool='']");
        stage.browser.click("[data-cell=d1]");
        stage.browser.until("!document.querySelector('[data-at=d1]')");
        stage.browser.picture("analysis-setup");
        stage.browser.click(".setup button.main");
        stage.browser.until("location.search.includes('position=/7/3t3/3T3/ttTKTtt/3T3/3t3/3t3/')");
        stage.browser.until("document.querySelectorAll('.pieces [data-at]').length === 12");
        stage.browser.is_quiet();
    });
}
