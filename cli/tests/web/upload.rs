//! Checking files, and reports.

use super::on_stage;

const BROKEN: &str = "d6-a6 d5-a5xa6 d2-g2 d3-a3xa4 d1-d7,0,2,White";

#[test]
fn a_broken_record_is_shown_with_a_caret_at_the_column() {
    on_stage(async |stage| {
        stage.browser.open("/upload?variant=brandubh7").await;
        let area = stage.browser.find(".left textarea").await;
        area.send_keys(BROKEN).await.unwrap();
        stage.browser.click(".left button.main").await;
        stage.browser.until("document.querySelector('[data-code=L001] mark')").await;
        assert_eq!(stage.browser.words("[data-code=L001] mark").await, "d1-d7");
        assert_eq!(
            stage.browser.js("document.querySelector('[data-code=L001] pre').dataset.column").await,
            "31"
        );
        let lines =
            stage.browser.js("document.querySelector('[data-code=L001] pre').textContent.split('\\n')").await;
        let (text, carets) = (lines[0].as_str().unwrap(), lines[1].as_str().unwrap());
        let room = |line: &str, part: &str| line.split(part).next().map(|before| before.chars().count());
        assert_eq!(room(text, "d1-d7"), room(carets, "^^^^^"), "{text}\n{carets}");
        assert_eq!(carets.trim(), "^^^^^");
        stage.browser.click(".gamebox summary").await;
        stage.browser.until("document.querySelectorAll('.gamebox [data-at]').length > 0").await;
        stage.browser.picture("upload").await;
        stage.browser.is_quiet();
    });
}

#[test]
fn records_are_converted_with_a_list_of_losses() {
    on_stage(async |stage| {
        stage.browser.open("/upload?variant=brandubh7").await;
        let area = stage.browser.find(".left textarea").await;
        area.send_keys("d6-a6 d5-a5xa6 d2-g2 d3-a3xa4,0,2,White").await.unwrap();
        stage.browser.click(".convert button").await;
        stage.browser.until("document.querySelector('.convert pre.record')").await;
        assert!(stage.browser.words(".convert pre.record").await.contains("d6-a6"));
        stage.browser.is_quiet();
    });
}

#[test]
fn a_report_is_shown_in_a_frame_without_a_message_on_the_console() {
    on_stage(async |stage| {
        stage.browser.open("/reports?kind=balance&variant=brandubh7").await;
        stage.browser.find("iframe").await;
        stage.browser.until("document.querySelector('iframe').offsetHeight > 100").await;
        stage.browser.picture("reports").await;
        stage.browser.is_quiet();
    });
}

#[test]
fn a_file_that_is_chosen_is_read_by_its_name() {
    on_stage(async |stage| {
        stage.browser.open("/upload").await;
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/brandubh-broken.csv");
        stage.browser.find("#picker").await.send_keys(file).await.unwrap();
        stage.browser.until("document.querySelector('[data-code=L001] mark')").await;
        assert_eq!(stage.browser.words("[data-code=L001] mark").await, "d1-d7");
        assert_eq!(stage.browser.words(".checked h2").await, "brandubh-broken.csv");
        stage.browser.is_quiet();
    });
}
