//! The search.

use super::browser::Key;

use super::{http, on_stage};

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_pattern_that_is_drawn_finds_what_its_text_finds() {
    on_stage(|stage| {
        stage.browser.open("/search?query=variant:cyngesheall7");
        stage.browser.until("document.querySelectorAll('.drawing [role=gridcell]').length === 49");
        stage.browser.click("[data-tool=t]");
        for cell in ["c1", "b2", "a3"] {
            stage.browser.click(&format!(".drawing [data-cell={cell}]"));
        }
        stage.browser.click(".drawbox option[value=corner]");
        let wanted = "variant:cyngesheall7 and pattern corner \"??t/?t?/t??\"";
        stage.browser.until(&format!(
            "document.querySelector('.filters textarea').value === {}",
            serde_json::json!(wanted)
        ));
        let found = stage.server.api(&format!("/api/search?query={}", http::escaped(wanted)));
        let hits = found["hits"].as_array().unwrap().len();
        assert!(hits > 0, "{found}");
        stage.browser.until(&format!("document.querySelectorAll('.cards .card').length === {hits}"));
        stage.browser.until("document.querySelectorAll('.card .wallline').length > 0");
        let first = &found["hits"][0];
        let card = stage
            .browser
            .js("(card => [card.dataset.game, Number(card.dataset.ply)])(document.querySelector('.card'))");
        assert_eq!(card, serde_json::json!([first["game"], first["at"]["ply"]]));
        stage.browser.picture("search");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_pattern_that_is_written_is_drawn() {
    on_stage(|stage| {
        let query = "variant:brandubh7 and pattern as_is at c3 \"tx/.[^T]\"";
        stage.browser.open(&format!("/search?query={}", http::escaped(query)));
        stage.browser.until("document.querySelectorAll('.drawing .badge').length === 3");
        let painted = stage.browser.js(
            "['c3','d3','c4','d4'].map(cell => document.querySelector(`.drawing [data-cell=${cell}]`).getAttribute('aria-label'))",
        );
        assert_eq!(
            painted,
            serde_json::json!([
                "c3, attacker, attacker",
                "d3, attacker, any attacker",
                "c4, empty, no piece",
                "d4, defender, throne, not defender"
            ])
        );
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_error_in_a_query_is_marked() {
    on_stage(|stage| {
        stage.browser.open(&format!("/search?query={}", http::escaped("plyer:Sven")));
        stage.browser.find(".right .excerpt mark");
        assert_eq!(stage.browser.words(".right .excerpt mark"), "plyer");
        stage.browser.picture("search-bad-question");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_pattern_is_painted_with_the_keyboard() {
    on_stage(|stage| {
        stage.browser.open("/search?query=variant:brandubh7");
        stage.browser.until("document.querySelectorAll('.drawing [role=gridcell]').length === 49");
        stage.browser.js("document.querySelector('.drawing [tabindex=\"0\"]').focus()");
        stage.browser.press("K");
        stage.browser.press(&Key::Right.to_string());
        stage.browser.press("x");
        let wanted = "variant:brandubh7 and pattern \\\"Kx\\\"";
        stage.browser.until(&format!("document.querySelector('.filters textarea').value === \"{wanted}\""));
        stage.browser.until("document.querySelector('.cards .card, .right .empty')");
        stage.browser.is_quiet();
    });
}
