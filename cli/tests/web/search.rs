//! The search page.

use super::browser::Key;

use super::{http, with_browser};

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_drawn_pattern_finds_the_same_as_its_text() {
    with_browser(|web| {
        web.browser.open("/search?query=variant:cyngesheall7");
        web.browser.wait_until("document.querySelectorAll('.drawing [role=gridcell]').length === 49");
        web.browser.click("[data-tool=t]");
        for cell in ["c1", "b2", "a3"] {
            web.browser.click(&format!(".drawing [data-cell={cell}]"));
        }
        web.browser.click(".drawbox option[value=corner]");
        let query = "variant:cyngesheall7 and pattern corner \"??t/?t?/t??\"";
        web.browser.wait_until(&format!(
            "document.querySelector('.filters textarea').value === {}",
            serde_json::json!(query)
        ));
        let found = web.server.api(&format!("/api/search?query={}", http::percent_encode(query)));
        let hits = found["hits"].as_array().unwrap().len();
        assert!(hits > 0, "{found}");
        web.browser.wait_until(&format!("document.querySelectorAll('.cards .card').length === {hits}"));
        web.browser.wait_until("document.querySelectorAll('.card .wallline').length > 0");
        let first = &found["hits"][0];
        let card = web.browser.evaluate(
            "(card => [card.dataset.game, Number(card.dataset.ply)])(document.querySelector('.card'))",
        );
        assert_eq!(card, serde_json::json!([first["game"], first["at"]["ply"]]));
        web.browser.screenshot("search");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_typed_pattern_is_drawn_and_cleared() {
    with_browser(|web| {
        let query = "variant:brandubh7 and pattern as_is at c3 \"tx/.[^T]\"";
        web.browser.open(&format!("/search?query={}", http::percent_encode(query)));
        web.browser.wait_until("document.querySelectorAll('.drawing .badge').length === 3");
        let labels = web.browser.evaluate(
            "['c3','d3','c4','d4'].map(cell => document.querySelector(`.drawing [data-cell=${cell}]`).getAttribute('aria-label'))",
        );
        assert_eq!(
            labels,
            serde_json::json!([
                "c3, attacker",
                "d3, any attacker",
                "c4, no piece",
                "d4, throne, not defender"
            ])
        );
        web.browser.evaluate(
            "[...document.querySelectorAll('button')].find(one => one.textContent === 'Clear').click()",
        );
        web.browser.wait_until("document.querySelectorAll('.drawing .badge').length === 0");
        assert_eq!(
            web.browser
                .evaluate("[...document.querySelectorAll('.drawbox select')].map(one => one.value).join()"),
            "anywhere"
        );
        web.browser.wait_until("location.search === '?query=variant:brandubh7'");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_error_in_a_query_is_marked() {
    with_browser(|web| {
        web.browser.open(&format!("/search?query={}", http::percent_encode("plyer:Sven")));
        web.browser.find(".right .excerpt mark");
        assert_eq!(web.browser.text(".right .excerpt mark"), "plyer");
        web.browser.screenshot("search-bad-query");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_keyboard_draws_a_pattern() {
    with_browser(|web| {
        web.browser.open("/search?query=variant:brandubh7");
        web.browser.wait_until("document.querySelectorAll('.drawing [role=gridcell]').length === 49");
        web.browser.evaluate("document.querySelector('.drawing [tabindex=\"0\"]').focus()");
        web.browser.press("K");
        web.browser.press(&Key::Right.to_string());
        web.browser.press("x");
        let query = "variant:brandubh7 and pattern \\\"Kx\\\"";
        web.browser.wait_until(&format!("document.querySelector('.filters textarea').value === \"{query}\""));
        web.browser.wait_until("document.querySelector('.cards .card, .right .empty')");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_examples_of_the_help_are_queries() {
    with_browser(|web| {
        web.browser.open("/search");
        web.browser.click(".queryhelp summary");
        web.browser.screenshot("query-help");
        let wrong = web.browser.evaluate(
            "(async () => { const wrong = []; for (const link of document.querySelectorAll('.queryhelp a')) { \
             const query = new URL(link.href).searchParams.get('query'); \
             const answer = await fetch('/api/search?limit=1&query=' + encodeURIComponent(query)); \
             if (!answer.ok || query !== link.textContent) wrong.push(query); } return wrong; })()",
        );
        assert_eq!(wrong, serde_json::json!([]));
        web.browser.click(".queryhelp a");
        web.browser
            .wait_until("location.search.startsWith('?query=') && document.querySelector('.sums, .empty')");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn hits_are_sorted_and_shown_by_game_or_by_position() {
    with_browser(|web| {
        let query = "variant:brandubh7 and capture";
        let cards = "[...document.querySelectorAll('.card')].map(card => card.dataset.game)";
        let expected = |more: &str| {
            let found =
                web.server.api(&format!("/api/search?query={}&limit=24{more}", http::percent_encode(query)));
            let games = found["hits"].as_array().unwrap().iter().map(|hit| hit["game"].clone());
            serde_json::Value::from(games.collect::<Vec<_>>())
        };
        assert_ne!(expected("&sort=notable"), expected("&sort=length"));
        web.browser.open(&format!("/search?query={}", http::percent_encode(query)));
        web.browser.find(".card");
        assert_eq!(web.browser.evaluate(cards), expected("&sort=notable"));
        web.browser.click("section[aria-label=Hits] option[value=length]");
        web.browser.wait_until("location.search.includes('sort=length')");
        web.browser
            .wait_until(&format!("JSON.stringify({cards}) === JSON.stringify({})", expected("&sort=length")));
        web.browser.click("section[aria-label=Hits] option[value=position]");
        web.browser.wait_until(&format!(
            "JSON.stringify({cards}) === JSON.stringify({})",
            expected("&sort=length&per=position")
        ));
        // A card has the title of its variant.
        assert!(web.browser.text(".card").contains("Brandubh 7x7"));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn back_returns_to_the_query_before_the_painting() {
    with_browser(|web| {
        web.browser.open("/search?query=variant:brandubh7");
        web.browser.wait_until("document.querySelectorAll('.drawing [role=gridcell]').length === 49");
        web.browser.click("[data-tool=t]");
        for (n, cell) in ["c1", "b2", "a3"].into_iter().enumerate() {
            web.browser.click(&format!(".drawing [data-cell={cell}]"));
            web.browser.wait_until(&format!(
                "(new URLSearchParams(location.search).get('query').match(/\"(.*)\"/)?.[1].match(/t/g) ?? []).length === {}",
                n + 1
            ));
        }
        web.browser.go_back();
        web.browser.wait_until("location.search === '?query=variant:brandubh7'");
        web.browser.wait_until("document.querySelectorAll('.drawing .pieces [data-at]').length === 0");
        // A whole position is drawn without marks.
        let position = "variant:brandubh7 position \"/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\"";
        web.browser.open(&format!("/search?query={}", http::percent_encode(position)));
        web.browser.wait_until("document.querySelectorAll('.drawing .pieces [data-at]').length === 13");
        assert_eq!(
            web.browser.evaluate("document.querySelectorAll('.drawing .badge, .drawing .tint').length"),
            0
        );
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn games_of_an_event_are_found_with_the_form() {
    with_browser(|web| {
        web.browser.open("/search");
        web.browser.wait_until(
            "[...document.querySelectorAll('.filters label')].some(one => one.textContent === 'Event')",
        );
        web.browser.evaluate(
            "(() => { const label = [...document.querySelectorAll('.filters label')].find(one => one.textContent === 'Event'); \
             const field = document.getElementById(label.htmlFor); field.value = 'größtes'; field.dispatchEvent(new Event('change')); })()",
        );
        web.browser.wait_until("document.querySelectorAll('.card').length === 1");
        assert_eq!(
            web.browser.evaluate("new URLSearchParams(location.search).get('query')"),
            "event:\"größtes\""
        );
        web.browser.open("/search?query=player:zzzzzz");
        web.browser.find(".right .empty");
        let text = web.browser.text(".right .empty");
        assert!(text.contains("zzzzzz") && !text.contains('`'), "{text}");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_phone_shows_the_number_of_hits_first() {
    with_browser(|web| {
        web.browser.set_viewport(360, 800);
        web.browser.open("/search?query=capture");
        let button = web.browser.find(".narrow button");
        assert!(web.browser.text(".narrow button").starts_with("Show "));
        web.browser.screenshot("search-360");
        button.click();
        web.browser.wait_until(
            "document.querySelector('section[aria-label=Hits]').getBoundingClientRect().top < 400",
        );
        web.browser.click(".queryhelp summary");
        web.browser.assert_fits_width();
        let cut = "[...document.querySelectorAll('.queryhelp .scroller')].filter(one => one.scrollWidth > one.clientWidth).length";
        assert_eq!(web.browser.evaluate(cut), 0);
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_error_in_a_query_leads_to_the_help() {
    with_browser(|web| {
        web.browser.open("/search?query=plyer:x");
        web.browser.find(".excerpt mark");
        assert_eq!(web.browser.evaluate("document.querySelector('.queryhelp').open"), false);
        web.browser.evaluate(
            "[...document.querySelectorAll('section[aria-label=Hits] button')].find(one => one.textContent === 'Help with queries').click()",
        );
        assert_eq!(web.browser.evaluate("document.querySelector('.queryhelp').open"), true);
        assert!(!web.browser.text("main").contains("docs/query.md"));
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn hits_are_downloaded_in_every_format() {
    with_browser(|web| {
        web.browser.open("/search?query=plies%3E3");
        web.browser.find(".sums");
        let answers = web.browser.evaluate(
            "(async () => Promise.all([...document.querySelectorAll('a[download]')].map(async (link) => \
             [link.textContent, (await fetch(link.href)).status])))()",
        );
        assert_eq!(answers, serde_json::json!([["jsonl", 200], ["csv", 200]]));
    });
}
