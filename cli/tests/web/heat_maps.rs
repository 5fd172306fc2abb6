//! Heat maps of the explorer.

use super::browser::Key;
use super::with_browser;

/// Opens the heat maps of the explorer.
const OPEN: &str = "document.querySelector('.heatpanel summary').click()";

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn heat_maps_have_the_numbers_of_the_api() {
    with_browser(|web| {
        let answer = web.server.api("/api/heat-maps?variant=brandubh7");
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("table.moves");
        web.browser.evaluate(OPEN);
        web.browser.find(".heatpanel .heat");
        let kinds = web.browser.evaluate(
            "[...document.querySelectorAll('.heatpanel select option')].map(option => option.value)",
        );
        let expected: Vec<_> =
            answer["maps"].as_array().unwrap().iter().map(|map| map["kind"].clone()).collect();
        assert_eq!(kinds, serde_json::Value::from(expected));
        for (kind, map) in ["king", "attackers-moves"]
            .map(|kind| (kind, answer["maps"].as_array().unwrap().iter().find(|map| map["kind"] == kind)))
        {
            let map = map.unwrap();
            web.browser.evaluate(&format!(
                "(() => {{ const list = document.querySelector('.heatpanel select'); list.value = '{kind}'; \
                 list.dispatchEvent(new Event('change')); }})()"
            ));
            let cells = map["cells"].as_array().unwrap().len();
            web.browser
                .wait_until(&format!("document.querySelectorAll('.heatpanel .heat').length === {cells}"));
            let note = web.browser.text(".heatpanel p.dim").replace('\u{202f}', "");
            let (total, games) = (&map["total"], &answer["games"]);
            assert!(
                note.contains(&format!("n = {total} ")) && note.contains(&format!(" in {games} games")),
                "{note}"
            );
            assert!(web.browser.text(".heatlegend").contains('%'));
        }
        web.browser.screenshot("heat-maps");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn heat_maps_are_read_with_the_keyboard_and_as_a_table() {
    with_browser(|web| {
        web.browser.set_viewport(360, 740);
        web.browser.open("/explore?variant=hexentafl4");
        web.browser.find("table.moves");
        web.browser.evaluate(OPEN);
        web.browser.find(".heatpanel .heat");
        web.browser.evaluate("document.querySelector('.heatpanel [role=gridcell][tabindex=\"0\"]').focus()");
        let label = "document.activeElement.getAttribute('aria-label')";
        let first = web.browser.evaluate(label);
        // The first cell of the table has the greatest percentage; its label has it, too.
        web.browser.evaluate("document.querySelector('.heatpanel details summary').click()");
        let row = web.browser.evaluate(
            "[...document.querySelector('.heatpanel tbody tr').cells].map(cell => cell.textContent)",
        );
        let (cell, percent) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
        let of_cell = web.browser.evaluate(&format!(
            "document.querySelector('.heatpanel [data-cell={cell}]').getAttribute('aria-label')"
        ));
        assert!(of_cell.as_str().unwrap().ends_with(&format!(", {percent} %")), "{of_cell}, {percent}");
        web.browser.press(&Key::Right.to_string());
        assert_ne!(web.browser.evaluate(label), first);
        // The keys of the heat map don't go through the moves of the position.
        assert_eq!(web.browser.evaluate("location.search"), "?variant=hexentafl4");
        web.browser.assert_fits_width();
        web.browser.evaluate("document.querySelector('.heatpanel').scrollIntoView()");
        web.browser.screenshot("heat-maps-hex-phone");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn heat_maps_follow_the_filter() {
    with_browser(|web| {
        let games = |query: &str| {
            web.server.api(&format!("/api/heat-maps?variant=brandubh7{query}"))["games"].as_u64().unwrap()
        };
        let (all, won) = (games(""), games("&query=result:attackers"));
        assert!(won < all);
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("table.moves");
        web.browser.evaluate(OPEN);
        web.browser.wait_until(&format!(
            "document.querySelector('.heatpanel').textContent.includes(' in {all} games')"
        ));
        web.browser.click(".filterbox summary");
        web.browser.click(".filterbox option[value=attackers]");
        web.browser.wait_until(&format!(
            "document.querySelector('.heatpanel').textContent.includes(' in {won} games')"
        ));
        web.browser.assert_console_is_empty();
    });
}
