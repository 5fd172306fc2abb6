//! The page for playing.

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_engine_answers_and_moves_can_be_taken_back() {
    with_browser(|web| {
        // A stranger starts on the home page; the defenders are the default side, so the engine begins.
        web.browser.open("/");
        web.browser.click("nav a[href='/play']");
        web.browser.wait_until("location.search.includes('variant=brandubh7')");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 2");
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        web.browser.screenshot("play");
        // The defender on d3 can move sideways from every position after one ply.
        web.browser.click("[data-cell=d3]");
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click("[data-cell=c3]");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 4");
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        let press = |name: &str| {
            web.browser.evaluate(&format!(
                "[...document.querySelectorAll('button')].find(one => one.textContent === '{name}').click()"
            ));
        };
        press("Hint");
        web.browser.wait_until("document.querySelectorAll('.arrow.best').length === 1");
        press("Take back");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 2");
        press("Resign");
        web.browser.wait_until(
            "document.querySelector('.status').innerText === 'The defenders resigned: the attackers won.'",
        );
        web.browser.wait_until("document.querySelectorAll('.downloads button').length === 3");
        press("New game");
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_game_can_be_resigned_before_the_first_move() {
    with_browser(|web| {
        web.browser.open("/play?variant=brandubh7&you=attackers");
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        let over =
            "document.querySelector('.status').innerText === 'The attackers resigned: the defenders won.'";
        web.browser.evaluate(
            "[...document.querySelectorAll('button')].find(one => one.textContent === 'Resign').click()",
        );
        web.browser.wait_until(over);
        web.browser.open("/play?variant=brandubh7&you=attackers&lost=attackers,resignation,0");
        web.browser.wait_until(over);
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn back_leaves_a_game_and_a_lost_game_stays_lost_and_is_reviewed() {
    with_browser(|web| {
        let has_moves = |n: u32| format!("document.querySelectorAll('.trail .ply').length === {}", n + 1);
        let is_your_move = "document.querySelector('.status').innerText.startsWith('Your move')";
        web.browser.open("/");
        web.browser.click("nav a[href='/play']");
        web.browser.wait_until(&has_moves(1));
        web.browser.wait_until(is_your_move);
        web.browser.click("[data-cell=d3]");
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click("[data-cell=c3]");
        web.browser.wait_until(&has_moves(3));
        web.browser.wait_until(is_your_move);
        // Back goes over the reply of the engine, and then to the page before.
        web.browser.go_back();
        web.browser.wait_until(&has_moves(1));
        web.browser.wait_until(is_your_move);
        web.browser.go_back();
        web.browser.wait_until("location.pathname === '/'");
        web.browser.open("/play?variant=brandubh7&moves=d2-c2,d3-b3,b4-b5");
        web.browser.wait_until(is_your_move);
        web.browser.evaluate(
            "[...document.querySelectorAll('button')].find(one => one.textContent === 'Resign').click()",
        );
        let is_lost =
            "document.querySelector('.status')?.innerText === 'The defenders resigned: the attackers won.'";
        web.browser.wait_until(is_lost);
        web.browser.evaluate("location.reload()");
        web.browser.wait_until(&format!("{is_lost} && document.querySelector('a.button')"));
        web.browser.click("a.button[href^='/review']");
        web.browser.wait_until("document.querySelectorAll('.review tbody tr').length === 5");
        assert_eq!(web.browser.text("h1"), "Review of your game");
        assert!(web.browser.text(".facts").contains("attackers won (resignation)"));
        // The address doesn't have the day of the game.
        let has_date = "/\\d{4}-\\d\\d/.test(document.querySelector('.facts').innerText)";
        assert_eq!(web.browser.evaluate(has_date), false);
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.sheet .ply').length"), 4);
        web.browser.screenshot("review");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn two_people_share_a_board_with_a_clock() {
    with_browser(|web| {
        web.browser.open("/play?variant=brandubh7&you=both&clock=1%2B2");
        web.browser.wait_until("document.querySelectorAll('.gameclock').length === 2");
        web.browser
            .wait_until("document.querySelector('.status').innerText === 'The attackers are to move.'");
        let first = web.browser.evaluate("document.querySelector('.pieces [data-at]')?.dataset.at");
        assert!(first.is_string());
        let answer = web.server.api("/api/position?variant=brandubh7");
        let (from, targets) = answer["moves"].as_object().unwrap().iter().next().unwrap();
        web.browser.click(&format!("[data-cell={from}]"));
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click(&format!("[data-cell={}]", targets[0].as_str().unwrap()));
        web.browser
            .wait_until("document.querySelector('.status').innerText === 'The defenders are to move.'");
        web.browser
            .wait_until("document.querySelector('.gameclock.running').innerText.startsWith('Defenders')");
        web.browser.wait_until("document.querySelector('.gameclock.running').innerText.includes('0:58')");
        web.browser.screenshot("play-two");
        // Loading the page again doesn't give time back, and neither does a move that is taken back.
        let is_shorter = "[...document.querySelectorAll('.gameclock')].some(one => /^Defenders\\s+0:/.test(one.innerText))";
        web.browser.evaluate("window.isOld = true, location.reload()");
        web.browser.wait_until("!window.isOld && document.querySelectorAll('.trail .ply').length === 2");
        web.browser.wait_until(is_shorter);
        let press = |name: &str| {
            web.browser.evaluate(&format!(
                "[...document.querySelectorAll('button')].find(one => one.textContent === '{name}').click()"
            ));
        };
        press("Take back");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 1");
        web.browser.evaluate("window.isOld = true, location.reload()");
        web.browser.wait_until("!window.isOld && document.querySelectorAll('.trail .ply').length === 1");
        assert_eq!(web.browser.evaluate(is_shorter), true);
        press("New game");
        web.browser.wait_until(
            "[...document.querySelectorAll('.gameclock')].every(one => one.innerText.endsWith('1:00'))",
        );
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_illegal_move_is_explained() {
    with_browser(|web| {
        web.browser.open("/play?variant=brandubh7&you=both");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 1");
        let reason = "document.querySelector('.status').innerText.includes('d3 is occupied by a man of the defenders')";
        let announcement =
            "document.getElementById('announcements').textContent.endsWith('; d2 is put down')";
        web.browser.click("[data-cell=d2]");
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click("[data-cell=d3]");
        web.browser.wait_until(&format!("{reason} && {announcement}"));
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.target').length"), 0);
        // The same with the keyboard, whose focus is on d3.
        web.browser.evaluate("document.getElementById('announcements').textContent = ''");
        for key in ["ArrowDown", "Enter", "ArrowUp", "Enter"] {
            web.browser.evaluate(&format!(
                "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
            ));
        }
        web.browser.wait_until(&format!("{reason} && {announcement}"));
        assert_eq!(web.browser.evaluate("location.search.includes('moves=')"), false);
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_moves_of_a_chain_belong_to_one_side() {
    with_browser(|web| {
        let variant = "variant=berserk-hnefatafl-11x11";
        web.browser.open(&format!("/review?{variant}&you=both&moves=b6-c6,h6-i6,j6-h6,h6-j6,f4-f3"));
        web.browser.find(".sheet");
        let labels = web.browser.evaluate(
            "[...document.querySelectorAll('.sheet .ply[aria-label]')].map(one => one.getAttribute('aria-label'))",
        );
        let expected = [
            "Ply 1, attackers b6-c6",
            "Ply 2, defenders h6-i6",
            "Ply 3, attackers j6-h6",
            "Ply 4, attackers h6-j6",
            "Ply 5, defenders f4-f3",
        ];
        assert_eq!(labels, serde_json::json!(expected));
        // In the middle of a chain, only its last move is taken back.
        web.browser.open(&format!("/play?{variant}&you=attackers&moves=b6-c6,h6-i6,j6-h6"));
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        web.browser.evaluate(
            "[...document.querySelectorAll('button')].find(one => one.textContent === 'Take back').click()",
        );
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 3");
        let moves = web.browser.evaluate("new URLSearchParams(location.search).get('moves')");
        assert_eq!(moves, "b6-c6,h6-i6");
        web.browser.assert_console_is_empty();
    });
}

/// The address of a game on a board on which the attackers can continue their chain after `a2-d2`, but should not.
const CHAIN: &str = "/play?rules=dim:7%20esc:e%20ber:c%20xber:free%20start:/4t2/t3Tt1/t1T1t2/2tKt1t/2tTt2/4t2/1t4t/\
                     &level=4&moves=a2-d2";

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_engine_declines_a_chain_and_the_user_chooses_the_reply() {
    with_browser(|web| {
        web.browser.open(&format!("{CHAIN}&you=defenders"));
        web.browser.wait_until(
            "document.querySelector('.status').innerText.endsWith('The engine declined to continue its chain.')",
        );
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.trail .ply').length"), 2);
        web.browser.click("[data-cell=c3]");
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click("[data-cell=c2]");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 4");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_user_can_decline_a_chain_and_cannot_move_the_pieces_of_the_engine() {
    with_browser(|web| {
        web.browser.open(&format!("{CHAIN}&you=attackers"));
        let press = |name: &str| {
            web.browser.evaluate(&format!(
                "[...document.querySelectorAll('button')].find(one => one.textContent === '{name}').click()"
            ));
        };
        web.browser
            .wait_until("document.querySelector('.status').innerText.includes('You may end your turn')");
        web.browser.click("[data-cell=c3]");
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.target').length"), 0);
        press("Hint");
        web.browser.wait_until(
            "document.querySelector('.status').innerText === 'The engine prefers to end the turn.'",
        );
        press("End turn");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 3");
        web.browser.wait_until("document.querySelector('.status').innerText.startsWith('Your move')");
        press("Take back");
        web.browser.wait_until("document.querySelectorAll('.trail .ply').length === 1");
        web.browser.assert_console_is_empty();
    });
}
