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
