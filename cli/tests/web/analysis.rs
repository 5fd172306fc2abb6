//! The analysis.

use super::on_stage;

#[test]
fn the_engine_is_started_writes_lines_and_is_stopped() {
    on_stage(async |stage| {
        stage.browser.open("/analysis?variant=brandubh7&lines=2").await;
        stage.browser.find("[data-at=d1]").await;
        stage.browser.click(".engine button.main").await;
        stage.browser.until("document.querySelectorAll('.lines li').length === 2").await;
        assert!(stage.browser.words(".expect").await.contains('%'));
        stage.browser.picture("analysis").await;
        stage.browser.click(".engine button.main").await;
        stage.browser.until("document.querySelector('.enginestate').textContent.startsWith('Stopped')").await;
        let running = "fetch('/metrics').then(answer => answer.text())";
        let _ = stage.browser.js(running).await;
        let move_ = stage.browser.js("document.querySelector('.lines .ply').textContent").await;
        stage.browser.click(".lines .ply").await;
        stage.browser.until(&format!("location.search.includes('moves={}')", move_.as_str().unwrap())).await;
        stage.browser.is_quiet();
    });
}

#[test]
fn a_position_is_set_up_and_taken_into_the_address() {
    on_stage(async |stage| {
        stage.browser.open("/analysis?variant=brandubh7").await;
        stage.browser.find("[data-at=d1]").await;
        stage.browser.js("[...document.querySelectorAll('button')].find(one => one.textContent === 'Set up a position').click()").await;
        stage.browser.click(".setup [data-tool='']").await;
        stage.browser.click("[data-cell=d1]").await;
        stage.browser.until("!document.querySelector('[data-at=d1]')").await;
        stage.browser.picture("analysis-setup").await;
        stage.browser.click(".setup button.main").await;
        stage.browser.until("location.search.includes('position=/7/3t3/3T3/ttTKTtt/3T3/3t3/3t3/')").await;
        stage.browser.until("document.querySelectorAll('.pieces [data-at]').length === 12").await;
        stage.browser.is_quiet();
    });
}
