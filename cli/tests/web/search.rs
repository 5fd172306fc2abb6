//! The search.

use fantoccini::key::Key;

use super::{http, on_stage};

#[test]
fn a_pattern_that_is_drawn_finds_what_its_text_finds() {
    on_stage(async |stage| {
        stage.browser.open("/search?query=variant:cyngesheall7").await;
        stage.browser.until("document.querySelectorAll('.drawing [role=gridcell]').length === 49").await;
        stage.browser.click("[data-tool=t]").await;
        for cell in ["c1", "b2", "a3"] {
            stage.browser.click(&format!(".drawing [data-cell={cell}]")).await;
        }
        stage.browser.click(".drawbox option[value=corner]").await;
        let wanted = "variant:cyngesheall7 and pattern corner \"??t/?t?/t??\"";
        stage
            .browser
            .until(&format!(
                "document.querySelector('.filters textarea').value === {}",
                serde_json::json!(wanted)
            ))
            .await;
        let found = stage.server.api(&format!("/api/search?query={}", http::escaped(wanted)));
        let hits = found["hits"].as_array().unwrap().len();
        assert!(hits > 0, "{found}");
        stage.browser.until(&format!("document.querySelectorAll('.cards .card').length === {hits}")).await;
        stage.browser.until("document.querySelectorAll('.card .wallline').length > 0").await;
        let first = &found["hits"][0];
        let card = stage
            .browser
            .js("(card => [card.dataset.game, Number(card.dataset.ply)])(document.querySelector('.card'))")
            .await;
        assert_eq!(card, serde_json::json!([first["game"], first["at"]["ply"]]));
        stage.browser.picture("search").await;
        stage.browser.is_quiet();
    });
}

#[test]
fn a_pattern_that_is_written_is_drawn() {
    on_stage(async |stage| {
        let query = "variant:brandubh7 and pattern as_is at c3 \"tx/.[^T]\"";
        stage.browser.open(&format!("/search?query={}", http::escaped(query))).await;
        stage.browser.until("document.querySelectorAll('.drawing .badge').length === 3").await;
        let painted = stage.browser.js(
            "['c3','d3','c4','d4'].map(cell => document.querySelector(`.drawing [data-cell=${cell}]`).getAttribute('aria-label'))",
        );
        assert_eq!(
            painted.await,
            serde_json::json!([
                "c3, attacker, attacker",
                "d3, attacker, any attacker",
                "c4, empty, nothing",
                "d4, defender, throne, not defender"
            ])
        );
        stage.browser.is_quiet();
    });
}

#[test]
fn a_question_that_cannot_be_read_is_pointed_at() {
    on_stage(async |stage| {
        stage.browser.open(&format!("/search?query={}", http::escaped("plyer:Sven"))).await;
        stage.browser.find(".right .pointed mark").await;
        assert_eq!(stage.browser.words(".right .pointed mark").await, "plyer");
        stage.browser.picture("search-bad-question").await;
    });
}

#[test]
fn a_pattern_is_painted_with_the_keyboard() {
    on_stage(async |stage| {
        stage.browser.open("/search?query=variant:brandubh7").await;
        stage.browser.until("document.querySelectorAll('.drawing [role=gridcell]').length === 49").await;
        stage.browser.js("document.querySelector('.drawing [tabindex=\"0\"]').focus()").await;
        stage.browser.press("K").await;
        stage.browser.press(&Key::Right.to_string()).await;
        stage.browser.press("x").await;
        let wanted = "variant:brandubh7 and pattern \\\"Kx\\\"";
        stage
            .browser
            .until(&format!("document.querySelector('.filters textarea').value === \"{wanted}\""))
            .await;
        stage.browser.until("document.querySelector('.cards .card, .right .empty')").await;
        stage.browser.is_quiet();
    });
}
