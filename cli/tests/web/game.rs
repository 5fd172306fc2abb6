//! The page of a game.

use super::browser::Key;

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn keys_step_through_a_game_and_clicks_explain_captures() {
    with_browser(|web| {
        let game = web.server.game("variant:copenhagen11");
        let page = web.server.api(&format!("/api/game/{game}"));
        let plies = page["plies"].as_array().unwrap();
        let capture =
            plies.iter().position(|ply| !ply["captured"].as_array().unwrap().is_empty()).unwrap() + 1;
        web.browser.open(&format!("/game/{game}"));
        web.browser.find(".sheet");
        for _ in 0..capture {
            web.browser.press(&Key::Right.to_string());
        }
        web.browser.wait_until(&format!("location.hash === '#{capture}'"));
        let captured = plies[capture - 1]["captured"][0].as_str().unwrap();
        web.browser.wait_until("document.querySelectorAll('.board .captured').length > 0");
        web.browser.click(&format!("[data-cell={captured}]"));
        web.browser.wait_until("document.querySelector('.explain[aria-pressed=true]')");
        web.browser.wait_until("document.querySelectorAll('.tint').length > 0");
        web.browser.screenshot("game-capture");
        web.browser.evaluate("document.activeElement.blur()");
        web.browser.press(&Key::End.to_string());
        web.browser.wait_until(&format!("location.hash === '#{}'", plies.len()));
        web.browser.wait_until("document.querySelector('.end')");
        web.browser.press(&Key::Home.to_string());
        web.browser.wait_until("location.hash === '#0'");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_url_with_a_ply_opens_the_game_there() {
    with_browser(|web| {
        let game = web.server.game("variant:hexentafl4");
        web.browser.open(&format!("/game/{game}#4"));
        web.browser.wait_until("document.querySelector('.sheet [aria-current]')?.dataset.place === '#4'");
        web.browser.screenshot("game-hex");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_game_is_annotated_and_its_errors_can_be_selected() {
    with_browser(|web| {
        let game = web.server.game("variant:brandubh7 result:attackers plies>=20");
        web.browser.open(&format!("/game/{game}"));
        web.browser.find(".offer button").click();
        web.browser.wait_until("document.querySelector('.graph .curve')");
        web.browser.wait_until("document.querySelectorAll('.graph .mark').length > 0");
        web.browser.evaluate("document.querySelector('.graph .mark').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
        web.browser.wait_until("location.hash.length > 1 && location.hash !== '#0'");
        web.browser.screenshot("game-annotated");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_error_is_explained_and_can_be_tried_again() {
    with_browser(|web| {
        let game = web.server.game("variant:brandubh7 result:attackers plies>=20");
        web.browser.open(&format!("/game/{game}?annotate=1000"));
        web.browser.wait_until("document.querySelectorAll('.review tbody tr').length === 5");
        web.browser.set_viewport(360, 800);
        web.browser.assert_fits_width();
        web.browser.screenshot("review-360");
        web.browser.set_viewport(1200, 900);
        let next = "[...document.querySelectorAll('.controls button')].find(one => one.textContent === 'Next error')";
        web.browser.wait_until(&format!("{next} && !{next}.disabled"));
        web.browser.evaluate(&format!("{next}.click()"));
        let remark = web.browser.find(".remark button");
        assert!(web.browser.text(".remark").contains("better "), "{}", web.browser.text(".remark"));
        web.browser.wait_until("document.querySelectorAll('.arrow.best').length === 1");
        web.browser.screenshot("game-error");
        let hash = web.browser.evaluate("location.hash");
        remark.click();
        web.browser.find(".retry");
        web.browser.wait_until(
            "document.querySelector('.retry .status').innerText.startsWith('Find a better move')",
        );
        web.browser.wait_until("document.querySelectorAll('.arrow').length === 0");
        let solution =
            "[...document.querySelectorAll('.retry button')].find(one => one.textContent === 'Solution')";
        web.browser.evaluate(&format!("{solution}.click()"));
        web.browser.wait_until("document.querySelectorAll('.arrow.best').length === 1");
        let solved = web.browser.text(".retry .status");
        let best = solved.trim_start_matches("The best move is ").trim_end_matches('.').to_owned();
        let (from, to) = best.split('x').next().unwrap().split_once('-').expect("a move");
        web.browser.click(".retry button:last-child");
        web.browser.find(".remark button").click();
        web.browser.find(".retry");
        web.browser.wait_until(&format!("document.querySelector('[data-at={from}]')"));
        web.browser.wait_until(
            "document.querySelector('.retry .status').innerText.startsWith('Find a better move')",
        );
        web.browser.click(&format!("[data-cell={from}]"));
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click(&format!("[data-cell={to}]"));
        web.browser
            .wait_until("document.querySelector('.retry .status').innerText === 'That is the best move.'");
        let buttons = web
            .browser
            .evaluate("[...document.querySelectorAll('.retry button')].map(one => one.textContent)");
        assert_eq!(buttons, serde_json::json!(["Next error", "Back to the game"]));
        web.browser.screenshot("game-retry");
        web.browser.click(".retry button:last-child");
        web.browser.wait_until("!document.querySelector('.retry')");
        assert_eq!(web.browser.evaluate("location.hash"), hash);
        web.browser.evaluate("[...document.querySelectorAll('.graph .mark')].at(-1).dispatchEvent(new MouseEvent('click', { bubbles: true }))");
        web.browser.wait_until(&format!("{next}.disabled"));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn names_with_html_are_escaped() {
    with_browser(|web| {
        let game = web.server.game("variant:tablut9_wtf plies<=4");
        web.browser.open(&format!("/game/{game}"));
        web.browser.find(".sheet");
        let title = web.browser.text("h1");
        assert!(title.contains("<script>document.title='run'</script>"), "{title}");
        assert!(web.browser.text(".sheet").contains("<script>"));
        assert_eq!(
            web.browser.evaluate("document.querySelectorAll('main script, main img, main b').length"),
            0
        );
        for path in ["/search?query=variant:tablut9_wtf%20and%20plies:..4", "/explore?variant=tablut9_wtf"] {
            web.browser.open(path);
            web.browser.wait_until("document.querySelector('main').innerText.includes('<script>')");
            assert_ne!(web.browser.evaluate("document.title"), "run");
        }
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_unknown_game_shows_game_not_found() {
    with_browser(|web| {
        web.browser.open("/game/0123456789abcdef");
        web.browser.wait_until("document.querySelector('.failure')");
        assert_eq!(web.browser.text("h1"), "Game not found");
        assert_eq!(web.browser.evaluate("document.querySelector('.failure').dataset.code"), "unknown-game");
        web.browser.screenshot("game-unknown");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_for_frames_have_the_board_only() {
    with_browser(|web| {
        web.browser.open("/");
        let id =
            web.browser.evaluate("(async () => (await (await fetch('/api/games')).json()).games[0].game)()");
        web.browser.open(&format!("/embed/game/{}", id.as_str().unwrap()));
        web.browser.wait_until("document.querySelectorAll('.board .pieces [data-at]').length > 0");
        assert_eq!(web.browser.evaluate("getComputedStyle(document.querySelector('.top')).display"), "none");
        assert!(web.browser.text("#footer").contains("Open in Taflbase"));
        web.browser.screenshot("frame-game");
        web.browser.open("/embed/position?variant=brandubh7&moves=d2-c2");
        web.browser.wait_until("document.querySelector('[data-at=c2]')");
        web.browser.click("[data-cell=d5]");
        web.browser.click("[data-cell=b5]");
        web.browser.wait_until(
            "location.search.includes('d5-b5') && document.querySelectorAll('.trail .ply').length === 3",
        );
        let page = web.browser.evaluate("document.querySelector('#footer a').getAttribute('href')");
        assert!(page.as_str().unwrap().starts_with("/analysis?variant=brandubh7"), "{page}");
        web.browser.screenshot("frame-position");
        web.browser.assert_console_is_empty();
    });
}
