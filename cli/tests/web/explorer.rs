//! The explorer.

use super::browser::Key;

use super::{Stage, on_stage};

const START: &str = "/explore?variant=brandubh7";

/// The rows of the table of moves in JavaScript: moves and numbers of games.
const ROWS: &str = "[...document.querySelectorAll('table.moves tbody tr')]\
                    .map(row => [row.dataset.move, Number(row.cells[1].innerText)])";

/// Returns the rows of the table of moves: moves and numbers of games.
fn rows(stage: &Stage) -> serde_json::Value {
    stage.browser.find("table.moves tbody tr");
    stage.browser.js(ROWS)
}

/// Returns the same from the API, for a position or a query given as parameters.
fn counted(stage: &Stage, parameters: &str) -> serde_json::Value {
    let found = stage.server.api(&format!("/api/explore?variant=brandubh7&limit=40{parameters}"));
    found["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| serde_json::json!([line["move"], line["games"]]))
        .collect()
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn moves_that_are_clicked_are_played_and_counted_as_the_api_counts_them() {
    on_stage(|stage| {
        stage.browser.open(START);
        assert_eq!(rows(stage), counted(stage, ""));
        stage.browser.click("tr[data-move='d2-b2'] button.move");
        stage.browser.until("document.querySelector('[data-at=b2]')");
        stage.browser.until("document.querySelectorAll('.trail li').length === 2");
        stage.browser.until(
            "!document.querySelector(\"tr[data-move='d2-b2']\") && document.querySelector('table.moves')",
        );
        assert_eq!(rows(stage), counted(stage, "&moves=d2-b2"));
        stage.browser.back();
        stage.browser.until("document.querySelector(\"tr[data-move='d2-b2']\")");
        assert_eq!(rows(stage), counted(stage, ""));
        stage.browser.is_quiet();
        stage.browser.picture("explore");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn games_are_opened_at_a_ply_only_where_moves_lead_there_from_the_start() {
    const SET: &str = "&position=/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    on_stage(|stage| {
        for (set, is_at_a_ply) in [("", true), (SET, false)] {
            stage.browser.open(&format!("{START}{set}&moves=d2-b2"));
            stage.browser.find("ul.games a");
            let link = stage.browser.js("document.querySelector('ul.games a').getAttribute('href')");
            assert_eq!(link.as_str().unwrap().ends_with("#1"), is_at_a_ply, "{set}: {link}");
        }
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_piece_is_moved_by_two_clicks_on_the_board() {
    on_stage(|stage| {
        stage.browser.open(START);
        stage.browser.find("[data-at=d1]");
        stage.browser.click("[data-cell=d1]");
        stage.browser.until("document.querySelectorAll('.target').length > 0");
        stage.browser.click("[data-cell=b1]");
        stage
            .browser
            .until("document.querySelector('[data-at=b1]') && location.search.includes('moves=d1-b1')");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_keyboard_alone_plays_a_move() {
    on_stage(|stage| {
        stage.browser.open(START);
        stage.browser.find("[data-at=d1]");
        stage.browser.js("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
        let start = stage.browser.js("document.activeElement.dataset.cell");
        assert_eq!(start, "a1");
        for _ in 0..3 {
            stage.browser.press(&Key::Right.to_string());
        }
        assert_eq!(stage.browser.js("document.activeElement.getAttribute('aria-label')"), "d1, attacker");
        stage.browser.press(&Key::Enter.to_string());
        stage.browser.until("document.getElementById('announcements').textContent.includes('d1 picked up')");
        stage.browser.press(&Key::Escape.to_string());
        stage.browser.until("document.getElementById('announcements').textContent === 'Put down'");
        stage.browser.press(&Key::Enter.to_string());
        stage.browser.press(&Key::Left.to_string());
        stage.browser.press(&Key::Left.to_string());
        stage.browser.press(&Key::Enter.to_string());
        stage.browser.until("location.search.includes('moves=d1-b1')");
        stage
            .browser
            .until("document.getElementById('announcements').textContent.includes('attackers d1 to b1')");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn conditions_of_the_form_are_written_as_a_question_and_obeyed() {
    on_stage(|stage| {
        stage.browser.open(START);
        rows(stage);
        stage.browser.click(".filterbox summary");
        stage.browser.click(".filterbox option[value=attackers]");
        stage.browser.until("location.search.includes('query=result:attackers')");
        assert_eq!(
            stage.browser.js("document.querySelector('.filterbox textarea').value"),
            "result:attackers"
        );
        let expected = counted(stage, "&query=result:attackers");
        assert_ne!(expected, counted(stage, ""));
        stage.browser.until(&format!("JSON.stringify({ROWS}) === JSON.stringify({expected})"));
        stage.browser.js("document.querySelector('.filterbox textarea').select()");
        stage.browser.find(".filterbox textarea").send_keys("plyer:x");
        stage.browser.until("document.querySelector('.filterbox .excerpt mark')");
        assert_eq!(stage.browser.words(".filterbox .excerpt mark"), "plyer");
        stage.browser.picture("explore-bad-question");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn hexagonal_boards_are_played_on_as_well() {
    on_stage(|stage| {
        stage.browser.open("/explore?variant=hexentafl4");
        rows(stage);
        assert_eq!(stage.browser.js("document.querySelectorAll('[role=gridcell]').length"), 37);
        let first = stage.browser.js("document.querySelector('table.moves tbody tr').dataset.move");
        let first = first.as_str().unwrap();
        let (from, to) = first.split_once('-').unwrap();
        stage.browser.click(&format!("[data-cell={from}]"));
        stage.browser.until("document.querySelectorAll('.target').length > 0");
        stage.browser.click(&format!("[data-cell={to}]"));
        stage.browser.until(&format!("location.search.includes('moves={first}')"));
        stage.browser.until("document.querySelectorAll('.trail li').length === 2");
        rows(stage);
        stage.browser.picture("explore-hex");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn another_variant_is_chosen_with_the_keyboard() {
    on_stage(|stage| {
        stage.browser.open(START);
        rows(stage);
        stage.browser.js("document.querySelector('.opener').focus()");
        stage.browser.press(&Key::Enter.to_string());
        stage.browser.until("document.activeElement.type === 'search'");
        stage.browser.until("document.querySelectorAll('.options button').length > 1");
        stage.browser.press("hexentafl4");
        stage.browser.press(&Key::Enter.to_string());
        stage.browser.until("location.search === '?variant=hexentafl4'");
        stage.browser.until("document.querySelectorAll('[role=gridcell]').length === 37");
        stage.browser.is_quiet();
    });
}
