//! Checking files, and reports.

use super::on_stage;

const BROKEN: &str = "d6-a6 d5-a5xa6 d2-g2 d3-a3xa4 d1-d7,0,2,White";

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_broken_record_is_shown_with_a_caret_at_the_column() {
    on_stage(|stage| {
        stage.browser.open("/upload?variant=brandubh7");
        let area = stage.browser.find(".left textarea");
        area.send_keys(BROKEN);
        stage.browser.click(".left button.main");
        stage.browser.until("document.querySelector('[data-code=L001] mark')");
        assert_eq!(stage.browser.words("[data-code=L001] mark"), "d1-d7");
        assert_eq!(stage.browser.js("document.querySelector('[data-code=L001] pre').dataset.column"), "31");
        let lines =
            stage.browser.js("document.querySelector('[data-code=L001] pre').textContent.split('\\n')");
        let (text, carets) = (lines[0].as_str().unwrap(), lines[1].as_str().unwrap());
        let room = |line: &str, part: &str| line.split(part).next().map(|before| before.chars().count());
        assert_eq!(room(text, "d1-d7"), room(carets, "^^^^^"), "{text}\n{carets}");
        assert_eq!(carets.trim(), "^^^^^");
        stage.browser.click(".gamebox summary");
        stage.browser.until("document.querySelectorAll('.gamebox [data-at]').length > 0");
        stage.browser.picture("upload");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_game_with_custom_rules_has_a_board() {
    on_stage(|stage| {
        stage.browser.open("/upload?as=opentafl");
        let area = stage.browser.find(".left textarea");
        area.send_keys(
            "[rules:dim:7 name:Own ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d2-c2 e4-e1\n",
        );
        stage.browser.click(".left button.main");
        stage.browser.click(".gamebox summary");
        stage.browser.until("document.querySelectorAll('.gamebox [data-at]').length > 0");
        stage.browser.until("document.querySelector('.gamebox a')?.href.includes('rules=')");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn records_are_converted_with_a_list_of_losses() {
    on_stage(|stage| {
        stage.browser.open("/upload?variant=brandubh7");
        let area = stage.browser.find(".left textarea");
        area.send_keys("d6-a6 d5-a5xa6 d2-g2 d3-a3xa4,0,2,White");
        stage.browser.click(".convert button");
        stage.browser.until("document.querySelector('.convert pre.record')");
        assert!(stage.browser.words(".convert pre.record").contains("d6-a6"));
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_variant_of_an_address_without_a_kind_of_report_is_kept() {
    on_stage(|stage| {
        stage.browser.open("/reports?variant=hexentafl4");
        stage.browser.until("location.search.includes('kind=balance')");
        stage.browser.until("location.search.includes('variant=hexentafl4')");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_report_is_shown_in_a_frame_without_a_message_on_the_console() {
    on_stage(|stage| {
        stage.browser.open("/reports?kind=balance&variant=brandubh7");
        stage.browser.find("iframe");
        stage.browser.until("document.querySelector('iframe').offsetHeight > 100");
        stage.browser.picture("reports");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_file_that_is_chosen_is_read_by_its_name() {
    on_stage(|stage| {
        stage.browser.open("/upload");
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/brandubh-broken.csv");
        stage.browser.find("#picker").send_keys(file);
        stage.browser.until("document.querySelector('[data-code=L001] mark')");
        assert_eq!(stage.browser.words("[data-code=L001] mark"), "d1-d7");
        assert_eq!(stage.browser.words(".checked h2"), "brandubh-broken.csv");
        stage.browser.is_quiet();
    });
}
