//! The explorer page.

use super::browser::Key;

use super::{WebFixture, with_browser};

const START: &str = "/explore?variant=brandubh7";

/// A JavaScript expression for the rows of the move table: moves with numbers of games.
const ROWS: &str = "[...document.querySelectorAll('table.moves tbody tr')]\
                    .map(row => [row.dataset.move, Number(row.cells[1].innerText)])";

/// Returns the rows of the move table: moves with numbers of games.
fn table_rows(web: &WebFixture) -> serde_json::Value {
    web.browser.find("table.moves tbody tr");
    web.browser.evaluate(ROWS)
}

/// Returns the same rows from the API, for parameters with a position or a query.
fn api_rows(web: &WebFixture, parameters: &str) -> serde_json::Value {
    let found = web.server.api(&format!("/api/explore?variant=brandubh7&limit=40{parameters}"));
    found["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| serde_json::json!([line["move"], line["games"]]))
        .collect()
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn clicked_moves_are_played_with_the_counts_of_the_api() {
    with_browser(|web| {
        web.browser.open(START);
        assert_eq!(table_rows(web), api_rows(web, ""));
        web.browser.click("tr[data-move='d2-b2'] button.move");
        web.browser.wait_until("document.querySelector('[data-at=b2]')");
        web.browser.wait_until("document.querySelectorAll('.trail li').length === 2");
        web.browser.wait_until(
            "!document.querySelector(\"tr[data-move='d2-b2']\") && document.querySelector('table.moves')",
        );
        assert_eq!(table_rows(web), api_rows(web, "&moves=d2-b2"));
        web.browser.go_back();
        web.browser.wait_until("document.querySelector(\"tr[data-move='d2-b2']\")");
        assert_eq!(table_rows(web), api_rows(web, ""));
        web.browser.assert_console_is_empty();
        web.browser.screenshot("explore");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn game_links_name_a_ply_only_for_lines_from_the_start() {
    const SETUP: &str = "&position=/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    with_browser(|web| {
        for (setup, has_ply) in [("", true), (SETUP, false)] {
            web.browser.open(&format!("{START}{setup}&moves=d2-b2"));
            web.browser.find("ul.games a");
            let link = web.browser.evaluate("document.querySelector('ul.games a').getAttribute('href')");
            assert_eq!(link.as_str().unwrap().ends_with("#1"), has_ply, "{setup}: {link}");
        }
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn two_clicks_move_a_piece() {
    with_browser(|web| {
        web.browser.open(START);
        web.browser.find("[data-at=d1]");
        web.browser.click("[data-cell=d1]");
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click("[data-cell=b1]");
        web.browser
            .wait_until("document.querySelector('[data-at=b1]') && location.search.includes('moves=d1-b1')");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_keyboard_plays_a_move() {
    with_browser(|web| {
        web.browser.open(START);
        web.browser.find("[data-at=d1]");
        web.browser.evaluate("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
        let start = web.browser.evaluate("document.activeElement.dataset.cell");
        assert_eq!(start, "a1");
        for _ in 0..3 {
            web.browser.press(&Key::Right.to_string());
        }
        assert_eq!(web.browser.evaluate("document.activeElement.getAttribute('aria-label')"), "d1, attacker");
        web.browser.press(&Key::Enter.to_string());
        web.browser
            .wait_until("document.getElementById('announcements').textContent.includes('d1 picked up')");
        web.browser.press(&Key::Escape.to_string());
        web.browser.wait_until("document.getElementById('announcements').textContent === 'Piece put back'");
        web.browser.press(&Key::Enter.to_string());
        web.browser.press(&Key::Left.to_string());
        web.browser.press(&Key::Left.to_string());
        web.browser.press(&Key::Enter.to_string());
        web.browser.wait_until("location.search.includes('moves=d1-b1')");
        web.browser.wait_until(
            "document.getElementById('announcements').textContent.includes('attackers d1 to b1')",
        );
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn filters_are_written_as_a_query_and_applied() {
    with_browser(|web| {
        web.browser.open(START);
        table_rows(web);
        web.browser.click(".filterbox summary");
        web.browser.click(".filterbox option[value=attackers]");
        web.browser.wait_until("location.search.includes('query=result:attackers')");
        assert_eq!(
            web.browser.evaluate("document.querySelector('.filterbox textarea').value"),
            "result:attackers"
        );
        let expected = api_rows(web, "&query=result:attackers");
        assert_ne!(expected, api_rows(web, ""));
        web.browser.wait_until(&format!("JSON.stringify({ROWS}) === JSON.stringify({expected})"));
        web.browser.evaluate("document.querySelector('.filterbox textarea').select()");
        web.browser.find(".filterbox textarea").send_keys("plyer:x");
        web.browser.wait_until("document.querySelector('.filterbox .excerpt mark')");
        assert_eq!(web.browser.text(".filterbox .excerpt mark"), "plyer");
        web.browser.screenshot("explore-bad-query");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn moves_are_played_on_hexagonal_boards() {
    with_browser(|web| {
        web.browser.open("/explore?variant=hexentafl4");
        table_rows(web);
        assert_eq!(web.browser.evaluate("document.querySelectorAll('[role=gridcell]').length"), 37);
        let first = web.browser.evaluate("document.querySelector('table.moves tbody tr').dataset.move");
        let first = first.as_str().unwrap();
        let (from, to) = first.split_once('-').unwrap();
        web.browser.click(&format!("[data-cell={from}]"));
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click(&format!("[data-cell={to}]"));
        web.browser.wait_until(&format!("location.search.includes('moves={first}')"));
        web.browser.wait_until("document.querySelectorAll('.trail li').length === 2");
        table_rows(web);
        web.browser.screenshot("explore-hex");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_keyboard_selects_another_variant() {
    with_browser(|web| {
        web.browser.open(START);
        table_rows(web);
        web.browser.evaluate("document.querySelector('.opener').focus()");
        web.browser.press(&Key::Enter.to_string());
        web.browser.wait_until("document.activeElement.type === 'search'");
        web.browser.wait_until("document.querySelectorAll('.options button').length > 1");
        web.browser.press("hexentafl4");
        web.browser.press(&Key::Enter.to_string());
        web.browser.wait_until("location.search === '?variant=hexentafl4'");
        web.browser.wait_until("document.querySelectorAll('[role=gridcell]').length === 37");
        web.browser.assert_console_is_empty();
    });
}
