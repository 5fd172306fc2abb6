//! Marks and arrows on the analysis board, and keys after a move with the mouse.

use serde_json::json;

use super::browser::{Browser, Key};
use super::with_browser;

/// Presses a button.
fn press(browser: &Browser, name: &str) {
    browser.evaluate(&format!(
        "[...document.querySelectorAll('button')].find(one => one.textContent === '{name}').click()"
    ));
}

/// Returns JavaScript that sends pointer events from one cell to another.
fn drag(from: &str, to: &str, kind: &str) -> String {
    format!(
        "(() => {{ const at = (cell) => {{ const box = document.querySelector(`[data-cell=${{cell}}]`).getBoundingClientRect(); \
         return {{ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 0, pointerType: '{kind}', bubbles: true }}; }}; \
         const send = (name, cell) => document.querySelector(`[data-cell=${{cell}}]`).dispatchEvent(new PointerEvent(name, at(cell))); \
         send('pointerdown', '{from}'); send('pointerup', '{to}'); }})()"
    )
}

/// The numbers of drawn arrows and of marked cells.
const DRAWN: &str =
    "[document.querySelectorAll('.arrow.drawn').length, document.querySelectorAll('.tint.drawn').length]";

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn marks_and_arrows_need_no_right_button() {
    with_browser(|web| {
        let browser = &web.browser;
        browser.open("/analysis?variant=brandubh7");
        browser.find("[data-at=d2]");
        press(browser, "Draw");
        browser.evaluate(&drag("c3", "c3", "touch"));
        browser.evaluate(&drag("d2", "b2", "touch"));
        browser.wait_until(&format!("{DRAWN}.join() === '1,1'"));
        // The keyboard: an arrow from a cell to the next one, and a mark.
        browser.evaluate("document.querySelector('[data-cell=a1]').focus()");
        browser.evaluate("document.querySelector('.board [tabindex=\"0\"]').focus()");
        for key in [Key::Enter, Key::Right, Key::Enter] {
            browser.press(&key.to_string());
        }
        browser.wait_until(&format!("{DRAWN}.join() === '2,1'"));
        for key in [Key::Enter, Key::Enter] {
            browser.press(&key.to_string());
        }
        browser.wait_until(&format!("{DRAWN}.join() === '2,2'"));
        browser.screenshot("analysis-draw");
        // Drawing the same again removes it, and nothing was played.
        browser.evaluate(&drag("c3", "c3", "mouse"));
        browser.evaluate(&drag("d2", "b2", "mouse"));
        browser.wait_until(&format!("{DRAWN}.join() === '1,1'"));
        assert_eq!(browser.evaluate("location.search.includes('moves=')"), false);
        press(browser, "Draw");
        // A long press marks a cell, and a tap plays.
        browser.evaluate(&drag("e3", "e3", "touch").replace("send('pointerup', 'e3');", ""));
        browser.wait_until(&format!("{DRAWN}.join() === '1,2'"));
        browser.evaluate(&drag("e3", "e3", "touch").replace("send('pointerdown', 'e3');", ""));
        browser.click("[data-cell=d2]");
        browser.click("[data-cell=c2]");
        browser.wait_until("location.search.endsWith('moves=d2-c2')");
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn arrow_keys_go_through_the_moves_after_a_move_with_the_mouse() {
    with_browser(|web| {
        let browser = &web.browser;
        for page in ["analysis", "explore"] {
            browser.open(&format!("/{page}?variant=brandubh7"));
            browser.find("[data-at=d2]");
            browser.click("[data-cell=d2]");
            browser.click("[data-cell=c2]");
            browser.wait_until("location.search.endsWith('moves=d2-c2')");
            browser.wait_until("document.querySelector('[data-at=c2]')");
            browser.press(&Key::Left.to_string());
            browser.wait_until("!location.search.includes('moves=')");
            browser.press(&Key::Right.to_string());
            browser.wait_until("location.search.endsWith('moves=d2-c2')");
            browser.press(&Key::Home.to_string());
            browser.wait_until("!location.search.includes('moves=')");
            // The keyboard moves between cells.
            browser.evaluate("document.querySelector('.skip').focus()");
            browser.evaluate("document.querySelector('.board [tabindex=\"0\"]').focus()");
            let cell = "document.activeElement.dataset.cell";
            let before = browser.evaluate(cell);
            browser.press(&Key::Left.to_string());
            assert_ne!(browser.evaluate(cell), before);
            assert_eq!(browser.evaluate("location.search.includes('moves=')"), json!(false));
        }
        browser.assert_console_is_empty();
    });
}
