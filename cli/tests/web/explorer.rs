//! The explorer.

use fantoccini::key::Key;

use super::{Stage, on_stage};

const START: &str = "/explore?variant=brandubh7";

/// Returns the rows of the table of moves: moves and numbers of games.
async fn rows(stage: &Stage) -> serde_json::Value {
    stage.browser.find("table.moves tbody tr").await;
    stage
        .browser
        .js("[...document.querySelectorAll('table.moves tbody tr')].map(row => [row.dataset.move, Number(row.cells[1].innerText)])")
        .await
}

/// Returns the same from the API.
fn counted(stage: &Stage, moves: &str) -> serde_json::Value {
    let found = stage.server.api(&format!("/api/explore?variant=brandubh7&moves={moves}&limit=40"));
    found["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| serde_json::json!([line["move"], line["games"]]))
        .collect()
}

#[test]
fn moves_that_are_clicked_are_played_and_counted_as_the_api_counts_them() {
    on_stage(async |stage| {
        stage.browser.open(START).await;
        assert_eq!(rows(stage).await, counted(stage, ""));
        stage.browser.click("tr[data-move='d2-b2'] button.move").await;
        stage.browser.until("document.querySelector('[data-at=b2]')").await;
        stage.browser.until("document.querySelectorAll('.trail li').length === 2").await;
        stage
            .browser
            .until(
                "!document.querySelector(\"tr[data-move='d2-b2']\") && document.querySelector('table.moves')",
            )
            .await;
        assert_eq!(rows(stage).await, counted(stage, "d2-b2"));
        stage.browser.back().await;
        stage.browser.until("document.querySelector(\"tr[data-move='d2-b2']\")").await;
        assert_eq!(rows(stage).await, counted(stage, ""));
        stage.browser.is_quiet();
        stage.browser.picture("explore").await;
    });
}

#[test]
fn a_piece_is_moved_by_two_clicks_on_the_board() {
    on_stage(async |stage| {
        stage.browser.open(START).await;
        stage.browser.find("[data-at=d1]").await;
        stage.browser.click("[data-cell=d1]").await;
        stage.browser.until("document.querySelectorAll('.target').length > 0").await;
        stage.browser.click("[data-cell=b1]").await;
        stage
            .browser
            .until("document.querySelector('[data-at=b1]') && location.search.includes('moves=d1-b1')")
            .await;
        stage.browser.is_quiet();
    });
}

#[test]
fn the_keyboard_alone_plays_a_move() {
    on_stage(async |stage| {
        stage.browser.open(START).await;
        stage.browser.find("[data-at=d1]").await;
        stage.browser.js("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()").await;
        let start = stage.browser.js("document.activeElement.dataset.cell").await;
        assert_eq!(start, "a1");
        for _ in 0..3 {
            stage.browser.press(&Key::Right.to_string()).await;
        }
        assert_eq!(
            stage.browser.js("document.activeElement.getAttribute('aria-label')").await,
            "d1, attacker"
        );
        stage.browser.press(&Key::Enter.to_string()).await;
        stage.browser.until("document.getElementById('said').textContent.includes('d1 picked up')").await;
        stage.browser.press(&Key::Escape.to_string()).await;
        stage.browser.until("document.getElementById('said').textContent === 'Put down'").await;
        stage.browser.press(&Key::Enter.to_string()).await;
        stage.browser.press(&Key::Left.to_string()).await;
        stage.browser.press(&Key::Left.to_string()).await;
        stage.browser.press(&Key::Enter.to_string()).await;
        stage.browser.until("location.search.includes('moves=d1-b1')").await;
        stage
            .browser
            .until("document.getElementById('said').textContent.includes('attackers d1 to b1')")
            .await;
        stage.browser.is_quiet();
    });
}

#[test]
fn conditions_of_the_form_are_written_as_a_question_and_obeyed() {
    on_stage(async |stage| {
        stage.browser.open(START).await;
        rows(stage).await;
        stage.browser.click(".filterbox summary").await;
        stage.browser.click(".filterbox option[value=attackers]").await;
        stage.browser.until("location.search.includes('where=result:attackers')").await;
        assert_eq!(
            stage.browser.js("document.querySelector('.filterbox textarea').value").await,
            "result:attackers"
        );
        stage.browser.until("document.querySelector('.found .empty')").await;
        stage.browser.js("document.querySelector('.filterbox textarea').select()").await;
        stage.browser.find(".filterbox textarea").await.send_keys("plyer:x").await.unwrap();
        stage.browser.until("document.querySelector('.filterbox .pointed mark')").await;
        assert_eq!(stage.browser.words(".filterbox .pointed mark").await, "plyer");
        stage.browser.picture("explore-bad-question").await;
    });
}

#[test]
fn hexagonal_boards_are_played_on_as_well() {
    on_stage(async |stage| {
        stage.browser.open("/explore?variant=hexentafl4").await;
        rows(stage).await;
        assert_eq!(stage.browser.js("document.querySelectorAll('[role=gridcell]').length").await, 37);
        let first = stage.browser.js("document.querySelector('table.moves tbody tr').dataset.move").await;
        let first = first.as_str().unwrap();
        let (from, to) = first.split_once('-').unwrap();
        stage.browser.click(&format!("[data-cell={from}]")).await;
        stage.browser.until("document.querySelectorAll('.target').length > 0").await;
        stage.browser.click(&format!("[data-cell={to}]")).await;
        stage.browser.until(&format!("location.search.includes('moves={first}')")).await;
        stage.browser.until("document.querySelectorAll('.trail li').length === 2").await;
        rows(stage).await;
        stage.browser.picture("explore-hex").await;
        stage.browser.is_quiet();
    });
}

#[test]
fn another_variant_is_chosen_with_the_keyboard() {
    on_stage(async |stage| {
        stage.browser.open(START).await;
        rows(stage).await;
        stage.browser.js("document.querySelector('.opener').focus()").await;
        stage.browser.press(&Key::Enter.to_string()).await;
        stage.browser.until("document.activeElement.type === 'search'").await;
        stage.browser.until("document.querySelectorAll('.options button').length > 1").await;
        stage.browser.press("hexentafl4").await;
        stage.browser.press(&Key::Enter.to_string()).await;
        stage.browser.until("location.search === '?variant=hexentafl4'").await;
        stage.browser.until("document.querySelectorAll('[role=gridcell]').length === 37").await;
        stage.browser.is_quiet();
    });
}
