//! The pages for uploads and for reports.

use super::with_browser;

const BROKEN: &str = "d6-a6 d5-a5xa6 d2-g2 d3-a3xa4 d1-d7,0,2,White";

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_broken_record_is_shown_with_a_caret_at_the_column() {
    with_browser(|web| {
        web.browser.open("/upload?variant=brandubh7");
        let area = web.browser.find(".left textarea");
        area.send_keys(BROKEN);
        web.browser.click(".left button.main");
        web.browser.wait_until("document.querySelector('[data-code=L001] mark')");
        assert_eq!(web.browser.text("[data-code=L001] mark"), "d1-d7");
        assert_eq!(
            web.browser.evaluate("document.querySelector('[data-code=L001] pre').dataset.column"),
            "31"
        );
        let lines =
            web.browser.evaluate("document.querySelector('[data-code=L001] pre').textContent.split('\\n')");
        let (text, carets) = (lines[0].as_str().unwrap(), lines[1].as_str().unwrap());
        let column_of = |line: &str, part: &str| line.split(part).next().map(|before| before.chars().count());
        assert_eq!(column_of(text, "d1-d7"), column_of(carets, "^^^^^"), "{text}\n{carets}");
        assert_eq!(carets.trim(), "^^^^^");
        web.browser.click(".gamebox summary");
        web.browser.wait_until("document.querySelectorAll('.gamebox [data-at]').length > 0");
        web.browser.screenshot("upload");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_suggested_repair_changes_the_text() {
    with_browser(|web| {
        web.browser.open("/upload?as=opentafl");
        let area = web.browser.find(".left textarea");
        area.send_keys(
            "[variant:brandubh7]\n\n1. d2-c2 e4-e1\n2. b4-b9 d4-e4\n3. d1-b1 d5-c5\n4. c2-c4 d3-a3\n",
        );
        web.browser.click(".left button.main");
        web.browser
            .wait_until("document.querySelector('.excerpt.error .repairs li')?.textContent.includes('b4-b')");
        web.browser.screenshot("upload-repair");
        web.browser.click(".repairs button");
        web.browser.wait_until("document.querySelector('.left textarea').value.length > 0 && !document.querySelector('.left textarea').value.includes('2. b4-b9')");
        web.browser.wait_until("document.querySelector('.sums')?.textContent.includes('1 record') && !document.querySelector('.excerpt.error')");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_game_with_custom_rules_has_a_board() {
    with_browser(|web| {
        web.browser.open("/upload?as=opentafl");
        let area = web.browser.find(".left textarea");
        area.send_keys(
            "[rules:dim:7 name:Own ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d2-c2 e4-e1\n",
        );
        web.browser.click(".left button.main");
        web.browser.click(".gamebox summary");
        web.browser.wait_until("document.querySelectorAll('.gamebox [data-at]').length > 0");
        web.browser.wait_until("document.querySelector('.gamebox a')?.href.includes('rules=')");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn records_are_converted_with_a_list_of_losses() {
    with_browser(|web| {
        web.browser.open("/upload?variant=brandubh7");
        let area = web.browser.find(".left textarea");
        area.send_keys("d6-a6 d5-a5xa6 d2-g2 d3-a3xa4,0,2,White");
        web.browser.click(".convert button");
        web.browser.wait_until("document.querySelector('.convert pre.record')");
        assert!(web.browser.text(".convert pre.record").contains("d6-a6"));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_report_url_without_a_kind_keeps_its_variant() {
    with_browser(|web| {
        web.browser.open("/reports?variant=hexentafl4");
        web.browser.wait_until("location.search.includes('kind=balance')");
        web.browser.wait_until("location.search.includes('variant=hexentafl4')");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_report_is_shown_in_a_frame_without_console_messages() {
    with_browser(|web| {
        web.browser.open("/reports?kind=balance&variant=brandubh7");
        web.browser.find("iframe");
        web.browser.wait_until("document.querySelector('iframe').offsetHeight > 100");
        web.browser.screenshot("reports");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_selected_file_is_validated_under_its_name() {
    with_browser(|web| {
        web.browser.open("/upload");
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/brandubh-broken.csv");
        web.browser.find("#picker").send_keys(file);
        web.browser.wait_until("document.querySelector('[data-code=L001] mark')");
        assert_eq!(web.browser.text("[data-code=L001] mark"), "d1-d7");
        assert_eq!(web.browser.text(".checked h2"), "brandubh-broken.csv");
        // The changed text keeps the name, which tells the variant of all records.
        web.browser.find(".repairs button").click();
        web.browser.wait_until("document.querySelector('.sums')?.textContent.includes('1 without errors')");
        assert_eq!(web.browser.text(".checked h2"), "brandubh-broken.csv");
        assert_eq!(web.browser.evaluate("document.querySelectorAll('[data-code=P003]').length"), 0);
        assert!(web.browser.text(".checked").contains("Download the changed brandubh-broken.csv"));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn advice_names_fields_and_not_options_of_the_command_line() {
    with_browser(|web| {
        let is_plain =
            |text: &str| !["tafl ", "--", "`", "/api/", ".md"].iter().any(|part| text.contains(part));
        web.browser.open("/upload");
        let area = web.browser.find(".left textarea");
        // An illegal move, a record without rules, an unknown variant, and a text in no notation.
        for (text, code) in [
            ("[variant:brandubh7]\n\n1. d1-d7 e4-e1\n", "L001"),
            ("1. a1-a2 a3-a4\n", "P003"),
            ("[variant:nope]\n\n1. d2-c2\n", "H004"),
            ("hello", "T016"),
        ] {
            web.browser.evaluate("document.querySelector('.left textarea').value = ''");
            area.send_keys(text);
            web.browser.click(".left button.main");
            web.browser.wait_until(&format!("document.querySelector('[data-code={code}]')"));
            let advice = web.browser.text("section[aria-label=Findings]");
            assert!(is_plain(&advice), "{code}: {advice}");
        }
        for (path, selector) in [
            ("/explore?variant=nope", ".failure"),
            ("/game/xyz", ".failure"),
            ("/search?query=variant:nope", ".right .excerpt"),
            ("/explore?query=plyer:x", ".failure"),
        ] {
            web.browser.open(path);
            web.browser.find(selector);
            let text = web.browser.text(selector);
            assert!(is_plain(&text), "{path}: {text}");
        }
        web.browser.open("/about");
        web.browser.find("#T001");
        let codes =
            web.browser.evaluate("[...document.querySelectorAll('h2')].at(-1).nextElementSibling.innerText");
        for command in ["tafl repair", "tafl rules", "tafl validate", "--"] {
            assert!(!codes.as_str().unwrap().contains(command), "{command}: {codes}");
        }
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_game_that_the_other_side_began_is_analyzed_with_its_moves() {
    with_browser(|web| {
        web.browser.open("/upload?as=opentafl");
        web.browser.find(".left textarea").send_keys("[variant:brandubh7]\n\n1. d3-c3 d1-b1\n");
        web.browser.click(".left button.main");
        web.browser.click(".gamebox summary");
        web.browser.click(".gamebox a[href*='side=defenders']");
        web.browser.wait_until("document.querySelectorAll('.sheethost .ply').length === 3");
        // A record of the analysis begins with the same side.
        let rules = web.browser.evaluate(
            "import('/assets/app.js').then(({ default: modules }) => modules['record.js'].recordHead( \
             { rules: 'dim:7 ks:c start:/7/', first: 'attackers' }, { variant: 'brandubh7', side: 'defenders' }).rules)",
        );
        assert_eq!(rules, "dim:7 ks:c atkf:n start:/7/");
        web.browser.assert_console_is_empty();
    });
}
