//! Features of all pages: sizes, colors, language, and the connection to the server.

use std::path::Path;

use super::{WebFixture, with_browser, with_names};

/// Returns every page: its name, its address, and a selector of its main content.
fn every_page(web: &WebFixture) -> [(&'static str, String, &'static str); 11] {
    let game = web.server.game("variant:copenhagen11");
    [
        ("home", "/".to_owned(), ".pagelist"),
        ("explore", "/explore?variant=copenhagen11".to_owned(), "table.moves"),
        ("game", format!("/game/{game}#12"), ".sheet [aria-current]"),
        ("search", "/search?query=king_can_escape%20to_move:attackers".to_owned(), ".card .pieces [data-at]"),
        ("analysis", "/analysis?variant=hexentafl4".to_owned(), "[role=gridcell]"),
        ("play", "/play".to_owned(), "[data-at=d1]"),
        ("puzzles", "/puzzles".to_owned(), ".empty"),
        ("reports", "/reports?kind=balance&variant=brandubh7".to_owned(), "iframe"),
        ("upload", "/upload".to_owned(), ".drop"),
        ("compare", "/compare".to_owned(), "form input"),
        ("about", "/about".to_owned(), "dl.facts"),
    ]
}

/// Opens every page, waits for its main content, and checks its title, labels, width, and console.
fn check_every_page(web: &WebFixture, screenshot_prefix: &str) {
    for (name, path, content) in every_page(web) {
        web.browser.open(&path);
        web.browser.find(content);
        web.browser.wait_until("!document.querySelector('.loading')");
        assert_eq!(web.browser.evaluate("document.documentElement.lang"), "en");
        let title = web.browser.evaluate("document.title");
        assert!(title.as_str().unwrap().contains("Taflbase"), "{name}: {title}");
        assert_eq!(web.browser.evaluate("document.querySelectorAll('h1').length"), 1, "{name}");
        let unnamed_controls = "[...document.querySelectorAll('button, a[href], input, select, textarea')].filter(one => !one.closest('[hidden], [aria-hidden=true]') \
            && !(one.getAttribute('aria-label') || one.innerText || one.textContent || one.labels?.length || one.title)).length";
        assert_eq!(web.browser.evaluate(unnamed_controls), 0, "{name}: a control has no name");
        web.browser.assert_fits_width();
        web.browser.screenshot(&format!("{screenshot_prefix}-{name}"));
        let log = web.browser.console_messages();
        assert!(log.is_empty(), "{name}: {}", log.join("\n"));
    }
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn every_page_loads_without_console_messages() {
    with_browser(|web| check_every_page(web, "light"));
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_clients)), ignore = "TAFL_CLIENTS is not set")]
fn axe_finds_no_violations() {
    let clients = std::env::var_os("TAFL_CLIENTS").expect("TAFL_CLIENTS is the folder of the generators");
    let axe = Path::new(&clients).join("node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("the folder has axe-core");
    let violations = "(async () => (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })) \
         .violations.map(one => `${one.id}: ${one.nodes.map(node => node.target).join(' ')}`))()";
    with_browser(|web| {
        let mut found = Vec::new();
        for scheme in ["light", "dark"] {
            web.browser.set_color_scheme(scheme);
            for (name, path, content) in every_page(web) {
                web.browser.open(&path);
                web.browser.find(content);
                web.browser.wait_until("!document.querySelector('.loading')");
                web.browser.evaluate(&format!("(() => {{ {axe} }})()"));
                let of_page = web.browser.evaluate(violations);
                if of_page != serde_json::json!([]) {
                    found.push(format!("{name}, {scheme}: {of_page}"));
                }
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_open_with_the_most_played_variant() {
    with_browser(|web| {
        for (path, content) in [
            ("/explore", "table.moves tbody tr"),
            ("/analysis", ".boardhost [data-at]"),
            ("/reports", "iframe"),
        ] {
            web.browser.open("/");
            web.browser.click(&format!("nav a[href='{path}']"));
            web.browser.find(content);
            web.browser.wait_until("location.search.includes('variant=')");
        }
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_link_to_the_current_page_resets_it() {
    with_browser(|web| {
        for path in ["/explore", "/analysis"] {
            web.browser.open(&format!("{path}?variant=hexentafl4"));
            web.browser.wait_until("document.querySelectorAll('[role=gridcell]').length === 37");
            web.browser.click(&format!("nav a[href='{path}']"));
            web.browser.wait_until("location.search === '?variant=brandubh7'");
            web.browser.wait_until("document.querySelectorAll('[role=gridcell]').length === 49");
            web.browser.wait_until("!document.querySelector('.failure')");
        }
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn every_page_fits_a_phone() {
    with_browser(|web| {
        web.browser.set_viewport(360, 740);
        check_every_page(web, "phone");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_header_has_one_line_in_a_small_window() {
    with_browser(|web| {
        web.browser.set_viewport(1000, 720);
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("table.moves");
        let top = |selector: &str| {
            let box_of = format!("document.querySelector('{selector}').getBoundingClientRect()");
            let [top, height] = ["top", "height"]
                .map(|edge| web.browser.evaluate(&format!("{box_of}.{edge}")).as_f64().unwrap());
            top + height / 2.0
        };
        for selector in ["nav a[href=\"/about\"]", "#theme"] {
            assert!((top(selector) - top(".top .name")).abs() < 10.0, "{selector}");
        }
        web.browser.assert_fits_width();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_follow_the_system_theme_until_the_button_changes_it() {
    with_browser(|web| {
        web.browser.set_color_scheme("dark");
        check_every_page(web, "dark");
        let background = "getComputedStyle(document.body).backgroundColor";
        assert_eq!(web.browser.evaluate(background), "rgb(23, 25, 29)");
        web.browser.click("#theme");
        web.browser.click("#theme");
        assert_eq!(web.browser.text("#theme"), "Theme: light");
        assert_eq!(web.browser.evaluate(background), "rgb(255, 255, 255)");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn settings_of_boards_are_kept() {
    with_browser(|web| {
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("tr[data-move='d2-b2']");
        let cell = "getComputedStyle(document.querySelector('.board .ground polygon.ground')).fill";
        let label = "getComputedStyle(document.querySelector('.board .label')).display";
        let wood = web.browser.evaluate(cell);
        web.browser.click("#board-settings summary");
        web.browser.evaluate(
            "(() => { const list = document.querySelector('.settings select'); list.value = 'contrast'; list.dispatchEvent(new Event('change')); })()",
        );
        web.browser.evaluate("document.querySelectorAll('.settings input')[0].click()");
        web.browser.screenshot("board-settings");
        let check = || {
            assert_ne!(web.browser.evaluate(cell), wood);
            assert_eq!(web.browser.evaluate(label), "none");
        };
        check();
        web.browser.press("\u{e00c}");
        assert_eq!(web.browser.evaluate("document.getElementById('board-settings').open"), false);
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("tr[data-move='d2-b2']");
        check();
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_home_page_has_the_newest_games_and_what_is_new() {
    with_names(|web| {
        web.browser.open("/");
        web.browser.wait_until("document.querySelectorAll('.cards').length === 2");
        let dates = web.browser.evaluate(
            "(async () => (await (await fetch('/api/games?sort=date&limit=12')).json()).games.map(one => one.date))()",
        );
        let dates: Vec<&str> = dates.as_array().unwrap().iter().filter_map(|date| date.as_str()).collect();
        assert!(dates.is_sorted_by(|one, next| one >= next), "{dates:?}");
        assert!(dates.first() > dates.last(), "the samples have several dates: {dates:?}");
        let first = |nth: u32, sort: &str| {
            let shown =
                format!("document.querySelectorAll('.cards')[{nth}].querySelector('a').getAttribute('href')");
            let expected = web.server.api(&format!("/api/games?sort={sort}&limit=1"));
            let expected = format!("/game/{}", expected["games"][0]["game"].as_str().unwrap());
            assert_eq!(web.browser.evaluate(&shown), expected.as_str(), "{sort}");
        };
        first(0, "notable");
        first(1, "date");
        assert_eq!(web.browser.evaluate("document.body.textContent.includes('last visit')"), false);
        // The last visit was on another day, with fewer games.
        web.browser.evaluate(
            "(() => { const key = 'taflbase-visits'; const all = JSON.parse(localStorage.getItem(key)); const [name] = Object.keys(all); \
             all[name] = { day: '2020-01-01', games: all[name].games - 2 }; localStorage.setItem(key, JSON.stringify(all)); })()",
        );
        // The second time on this day, too.
        for _ in 0..2 {
            web.browser.open("/");
            web.browser.wait_until(
                "document.body.textContent.includes('Since your last visit on 2020-01-01: 2 new games')",
            );
        }
        web.browser.screenshot("home");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_banner_is_shown_while_the_server_does_not_respond() {
    with_browser(|web| {
        web.browser.open("/explore?variant=brandubh7");
        web.browser.find("tr[data-move='d2-b2']");
        web.server.kill();
        web.browser.click("tr[data-move='d2-b2'] button.move");
        web.browser.wait_until("!document.getElementById('connection-error').hidden");
        web.browser.find(".failure");
        // The banner alone states the reason, and the moves of the address aren't suspected.
        let words = web.browser.evaluate("document.body.innerText.split('does not respond').length - 1");
        assert_eq!(words, 1);
        assert!(!web.browser.text("main").contains("Go to the first position"));
        web.browser.screenshot("server-gone");
        web.server.restart();
        web.browser.wait_until("document.getElementById('connection-error').hidden");
        web.browser
            .wait_until("document.querySelector('[data-at=b2]') && document.querySelector('table.moves')");
        // A page that was opened in the meantime, whose script the browser doesn't have.
        web.server.kill();
        web.browser.click("nav a[href='/upload']");
        web.browser.wait_until(
            "!document.getElementById('connection-error').hidden && document.querySelector('.failure')",
        );
        web.server.restart();
        web.browser.wait_until("document.querySelector('h1')?.innerText === 'Check files'");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_unknown_address_shows_page_not_found() {
    with_browser(|web| {
        // The second path is not UTF-8.
        for path in ["/nowhere", "/game/%ff"] {
            web.browser.open("/");
            web.browser.find(".pagelist");
            web.browser.evaluate(&format!(
                "(history.pushState(null, '', '{path}'), dispatchEvent(new PopStateEvent('popstate')))"
            ));
            web.browser.wait_until("document.querySelector('h1')?.innerText === 'Page not found'");
        }
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_open_if_storage_is_forbidden() {
    with_browser(|web| {
        web.browser.open("/about");
        web.browser.find("dl.facts");
        web.browser.evaluate(
            "void ['localStorage', 'sessionStorage'].forEach((name) => Object.defineProperty(window, name, \
             { get() { throw new DOMException('forbidden', 'SecurityError'); } }))",
        );
        web.browser.click("nav a[href='/search']");
        web.browser.wait_until("document.querySelector('h1').innerText === 'Search'");
        web.browser.assert_console_is_empty();
    });
}
