//! Games with rules that are not in the catalog, and names with unusual characters.

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn rules_without_a_variant_have_their_name_and_are_explored() {
    with_browser(|web| {
        web.browser.open("/");
        web.browser.wait_until("document.querySelectorAll('.cards').length === 2");
        assert!(!web.browser.text("main").contains("dim:7"));
        let row = "[...document.querySelectorAll('.counts a')].find(link => link.textContent === 'Five-men (custom rules)')";
        web.browser.wait_until(row);
        web.browser.evaluate(&format!("{row}.click()"));
        web.browser.find("tr[data-move='d1-c1']");
        assert!(web.browser.text(".sums").starts_with("1 game reached"));
        assert!(web.browser.text(".opener").starts_with("Five-men (custom rules)"));
        web.browser.click("tr[data-move='d1-c1'] button");
        web.browser.find("tr[data-move='d3-c3']");
        web.browser.screenshot("own-rules");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn control_characters_in_names_are_shown_and_reverse_nothing() {
    with_browser(|web| {
        let game = web.server.game("event:größtes");
        web.browser.open(&format!("/game/{game}"));
        web.browser.find(".losses a");
        let heading = web.browser.text("h1");
        assert!(heading.starts_with("Zoë\u{fffd}\u{fffd}x – Defenders, Größtes Turnier"), "{heading:?}");
        // The address of the player has the name as it is.
        web.browser.click(".losses a");
        web.browser
            .wait_until("location.pathname.startsWith('/player/') && document.querySelector('.figures')");
        web.browser.assert_console_is_empty();
    });
}
