//! Names of openings, and the accuracy of players.

use super::with_names;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_explorer_a_game_and_a_player_have_the_name_of_the_opening() {
    with_names(|web| {
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("tr[data-move='d2-c2']");
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.opening').length"), 0);
        // A mirror image of the named position.
        web.browser.open("/explore?variant=brandubh7&moves=d2-e2");
        web.browser.find(".opening");
        assert_eq!(web.browser.text(".opening strong"), "Alpha <b>");
        let source = web.browser.evaluate("document.querySelector('.opening a').href");
        assert_eq!(source, "https://example.org/openings");
        for (game, has_name) in [("Ann defenders:Bo", true), ("Bo", true), ("Ann defenders:Cy", false)] {
            let id = web.server.game(&format!("attackers:{game}"));
            web.browser.open(&format!("/game/{id}"));
            web.browser.find(".sheet");
            assert_eq!(web.browser.text("p.opening").contains("Alpha <b>"), has_name, "{game}");
        }
        web.browser.open("/player/Ann");
        web.browser.wait_until("document.querySelector('main').textContent.includes('By opening')");
        let rows = web.browser.evaluate(
            "[...[...document.querySelectorAll('.figures')].find(one => one.caption.textContent === 'By opening').tBodies[0].rows] \
             .map(row => [row.cells[0].textContent.includes('Alpha <b>'), row.cells[0].textContent.split(', ').pop(), row.cells[3].textContent])",
        );
        assert_eq!(rows, serde_json::json!([[true, "attackers", "1"], [true, "defenders", "1"]]));
        web.browser.screenshot("opening-names");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_page_of_a_player_has_accuracy_and_errors_if_games_are_evaluated() {
    with_names(|web| {
        web.browser.open("/player/Ann");
        web.browser.find(".errorrates");
        assert!(web.browser.text(".errorrates").contains("tafl annotate"));
        web.server.annotate("player:Ann");
        let answer = || web.server.api("/api/player?name=Ann");
        // The server notices the change of the corpus within seconds.
        for _ in 0..100 {
            if !answer()["errors"].is_null() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        let answer = answer();
        assert_eq!(answer["errors"]["games"], 3);
        web.browser.open("/player/Ann");
        web.browser.find(".errorrates table");
        let rows = web.browser.evaluate(
            "[...document.querySelector('.errorrates tbody').rows].map(row => [row.cells[0].textContent.toLowerCase(), row.cells[5].textContent])",
        );
        let sides = answer["errors"]["sides"].as_array().unwrap().iter();
        let expected: Vec<_> = sides
            .map(|side| serde_json::json!([side["side"], format!("{} ({})", side["plies"], side["games"])]))
            .collect();
        assert_eq!(rows, serde_json::Value::from(expected));
        web.browser.screenshot("player-errors");
        web.browser.assert_console_is_empty();
    });
}
