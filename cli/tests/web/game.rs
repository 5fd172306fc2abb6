//! The page of a game.

use super::browser::Key;

use super::on_stage;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn keys_step_through_a_game_and_clicks_explain_captures() {
    on_stage(|stage| {
        let game = stage.server.game("variant:copenhagen11");
        let known = stage.server.api(&format!("/api/game/{game}"));
        let plies = known["plies"].as_array().unwrap();
        let capture =
            plies.iter().position(|ply| !ply["captured"].as_array().unwrap().is_empty()).unwrap() + 1;
        stage.browser.open(&format!("/game/{game}"));
        stage.browser.find(".sheet");
        for _ in 0..capture {
            stage.browser.press(&Key::Right.to_string());
        }
        stage.browser.until(&format!("location.hash === '#{capture}'"));
        let fell = plies[capture - 1]["captured"][0].as_str().unwrap();
        stage.browser.until("document.querySelectorAll('.board .captured').length > 0");
        stage.browser.click(&format!("[data-cell={fell}]"));
        stage.browser.until("document.querySelector('.explain[aria-pressed=true]')");
        stage.browser.until("document.querySelectorAll('.tint').length > 0");
        stage.browser.picture("game-capture");
        stage.browser.js("document.activeElement.blur()");
        stage.browser.press(&Key::End.to_string());
        stage.browser.until(&format!("location.hash === '#{}'", plies.len()));
        stage.browser.until("document.querySelector('.end')");
        stage.browser.press(&Key::Home.to_string());
        stage.browser.until("location.hash === '#0'");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_address_with_a_ply_opens_the_game_there() {
    on_stage(|stage| {
        let game = stage.server.game("variant:hexentafl4");
        stage.browser.open(&format!("/game/{game}#4"));
        stage.browser.until("document.querySelector('.sheet [aria-current]')?.dataset.place === '#4'");
        stage.browser.picture("game-hex");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_game_is_annotated_and_its_errors_can_be_chosen() {
    on_stage(|stage| {
        let game = stage.server.game("variant:brandubh7 result:attackers plies>=20");
        stage.browser.open(&format!("/game/{game}"));
        stage.browser.find(".offer button").click();
        stage.browser.until("document.querySelector('.graph .curve')");
        stage.browser.until("document.querySelectorAll('.graph .mark').length > 0");
        stage.browser.js("document.querySelector('.graph .mark').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
        stage.browser.until("location.hash.length > 1 && location.hash !== '#0'");
        stage.browser.picture("game-annotated");
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn names_that_look_like_html_are_shown_as_they_are() {
    on_stage(|stage| {
        let game = stage.server.game("variant:tablut9_wtf plies<=4");
        stage.browser.open(&format!("/game/{game}"));
        stage.browser.find(".sheet");
        let title = stage.browser.words("h1");
        assert!(title.contains("<script>document.title='run'</script>"), "{title}");
        assert!(stage.browser.words(".sheet").contains("<script>"));
        assert_eq!(stage.browser.js("document.querySelectorAll('main script, main img, main b').length"), 0);
        for path in ["/search?query=variant:tablut9_wtf%20and%20plies:..4", "/explore?variant=tablut9_wtf"] {
            stage.browser.open(path);
            stage.browser.until("document.querySelector('main').innerText.includes('<script>')");
            assert_ne!(stage.browser.js("document.title"), "run");
        }
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_unknown_game_shows_game_not_found() {
    on_stage(|stage| {
        stage.browser.open("/game/0123456789abcdef");
        stage.browser.until("document.querySelector('.failure')");
        assert_eq!(stage.browser.words("h1"), "Game not found");
        assert_eq!(stage.browser.js("document.querySelector('.failure').dataset.code"), "unknown-game");
        stage.browser.picture("game-unknown");
    });
}
