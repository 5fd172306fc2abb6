//! What all pages share: sizes, colors, languages, a server that is gone.

use super::{Stage, on_stage};

/// Opens every page and waits until it shows what it is for.
fn every_page(stage: &Stage, picture: &str) {
    let game = stage.server.game("variant:copenhagen11");
    let pages = [
        ("home", "/".to_owned(), ".pagelist"),
        ("explore", "/explore?variant=copenhagen11".to_owned(), "table.moves"),
        ("game", format!("/game/{game}#12"), ".sheet [aria-current]"),
        ("search", "/search?query=king_can_escape%20to_move:attackers".to_owned(), ".card .pieces [data-at]"),
        ("analysis", "/analysis?variant=hexentafl4".to_owned(), "[role=gridcell]"),
        ("reports", "/reports?kind=balance&variant=brandubh7".to_owned(), "iframe"),
        ("upload", "/upload".to_owned(), ".drop"),
        ("about", "/about".to_owned(), "dl.facts"),
    ];
    for (name, path, sign) in pages {
        stage.browser.open(&path);
        stage.browser.find(sign);
        stage.browser.until("!document.querySelector('.loading')");
        assert_eq!(stage.browser.js("document.documentElement.lang"), "en");
        let title = stage.browser.js("document.title");
        assert!(title.as_str().unwrap().contains("Taflbase"), "{name}: {title}");
        assert_eq!(stage.browser.js("document.querySelectorAll('h1').length"), 1, "{name}");
        let nameless = "[...document.querySelectorAll('button, a[href], input, select, textarea')].filter(one => !one.closest('[hidden], [aria-hidden=true]') \
            && !(one.getAttribute('aria-label') || one.innerText || one.textContent || one.labels?.length || one.title)).length";
        assert_eq!(stage.browser.js(nameless), 0, "{name}: every control has a name");
        stage.browser.fits();
        stage.browser.picture(&format!("{picture}-{name}"));
        let log = stage.browser.console();
        assert!(log.is_empty(), "{name}: {}", log.join("\n"));
    }
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn every_page_is_shown_without_a_message_on_the_console() {
    on_stage(|stage| every_page(stage, "light"));
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_open_with_the_most_played_variant() {
    on_stage(|stage| {
        for (path, sign) in [
            ("/explore", "table.moves tbody tr"),
            ("/analysis", ".boardhost [data-at]"),
            ("/reports", "iframe"),
        ] {
            stage.browser.open("/");
            stage.browser.click(&format!("nav a[href='{path}']"));
            stage.browser.find(sign);
            stage.browser.until("location.search.includes('variant=')");
        }
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_link_to_the_page_that_is_open_begins_it_anew() {
    on_stage(|stage| {
        for path in ["/explore", "/analysis"] {
            stage.browser.open(&format!("{path}?variant=hexentafl4"));
            stage.browser.until("document.querySelectorAll('[role=gridcell]').length === 37");
            stage.browser.click(&format!("nav a[href='{path}']"));
            stage.browser.until("location.search === '?variant=brandubh7'");
            stage.browser.until("document.querySelectorAll('[role=gridcell]').length === 49");
            stage.browser.until("!document.querySelector('.failure')");
        }
        stage.browser.is_quiet();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn every_page_fits_a_phone() {
    on_stage(|stage| {
        stage.browser.size(360, 740);
        every_page(stage, "phone");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_are_dark_where_the_system_is_and_the_button_changes_that() {
    on_stage(|stage| {
        stage.browser.prefer("dark");
        every_page(stage, "dark");
        let ground = "getComputedStyle(document.body).backgroundColor";
        assert_eq!(stage.browser.js(ground), "rgb(23, 25, 29)");
        stage.browser.click("#theme");
        stage.browser.click("#theme");
        assert_eq!(stage.browser.words("#theme"), "Theme: light");
        assert_eq!(stage.browser.js(ground), "rgb(255, 255, 255)");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_banner_is_shown_while_the_server_does_not_respond() {
    on_stage(|stage| {
        stage.browser.open("/explore?variant=brandubh7");
        stage.browser.find("tr[data-move='d2-b2']");
        stage.server.kill();
        stage.browser.click("tr[data-move='d2-b2'] button.move");
        stage.browser.until("!document.getElementById('connection-error').hidden");
        stage.browser.find(".failure");
        stage.browser.picture("server-gone");
        stage.server.revive();
        stage.browser.until("document.getElementById('connection-error').hidden");
        stage
            .browser
            .until("document.querySelector('[data-at=b2]') && document.querySelector('table.moves')");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_unknown_address_shows_page_not_found() {
    on_stage(|stage| {
        // The second one is not UTF-8.
        for path in ["/nowhere", "/game/%ff"] {
            stage.browser.open("/");
            stage.browser.find(".pagelist");
            stage.browser.js(&format!(
                "(history.pushState(null, '', '{path}'), dispatchEvent(new PopStateEvent('popstate')))"
            ));
            stage.browser.until("document.querySelector('h1')?.innerText === 'Page not found'");
        }
    });
}
