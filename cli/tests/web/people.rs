//! The pages of players and events.

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn names_lead_to_the_results_of_a_player() {
    with_browser(|web| {
        web.browser.open("/");
        let named = "(async () => { const found = await (await fetch('/api/games?limit=200')).json(); \
                     return found.games.find(one => one.attackers && one.defenders && one.result !== 'unfinished'); })()";
        let game = web.browser.evaluate(named);
        let (id, name) = (game["game"].as_str().unwrap(), game["attackers"].as_str().unwrap());
        web.browser.open(&format!("/game/{id}"));
        web.browser.wait_until("document.querySelectorAll('.losses a').length === 2");
        web.browser.evaluate("[...document.querySelectorAll('.losses a')].at(-1).click()");
        web.browser.wait_until(
            "location.pathname.startsWith('/player/') && document.querySelectorAll('.figures').length === 3",
        );
        assert_eq!(web.browser.text("h1"), name);
        // The sides have all games, and the cards are those of the player.
        let games = web.browser.evaluate(
            "(async () => { const all = await (await fetch('/api/games?limit=200')).json(); const name = document.querySelector('h1').textContent; \
             return all.games.filter(one => one.attackers === name || one.defenders === name).length; })()",
        );
        let counted = web.browser.evaluate("[...document.querySelector('.figures tbody').rows].map(row => Number(row.cells[3].textContent)).reduce((one, other) => one + other)");
        assert_eq!(counted, games);
        web.browser.wait_until("document.querySelectorAll('.cards .card').length > 0");
        web.browser.screenshot("player");
        web.browser.set_viewport(360, 800);
        web.browser.assert_fits_width();
        let cut = "[...document.querySelectorAll('.scroller')].filter(one => one.scrollWidth > one.clientWidth).length";
        assert_eq!(web.browser.evaluate(cut), 0);
        web.browser.screenshot("player-360");
        web.browser.set_viewport(1200, 900);
        // An opponent's name leads to their page.
        web.browser.evaluate("document.querySelectorAll('.figures')[2].querySelector('tbody a').click()");
        web.browser.wait_until(&format!("location.pathname.startsWith('/player/') && ![undefined, {name:?}].includes(document.querySelector('h1')?.textContent)"));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn two_players_are_compared() {
    with_browser(|web| {
        web.browser.open("/compare");
        web.browser.find("form input");
        let named = "(async () => { const found = await (await fetch('/api/games?limit=200')).json(); \
                     return found.games.find(one => one.attackers && one.defenders && one.attackers !== one.defenders); })()";
        let game = web.browser.evaluate(named);
        let (one, other) = (game["attackers"].as_str().unwrap(), game["defenders"].as_str().unwrap());
        web.browser.evaluate(&format!(
            "(() => {{ const [one, other] = document.querySelectorAll('form input'); one.value = {one:?}; other.value = {other:?}; \
             document.querySelector('form button').click(); }})()"
        ));
        web.browser.wait_until(
            "document.querySelector('.figures') && document.querySelectorAll('.cards .card').length > 0",
        );
        let heads = web
            .browser
            .evaluate("[...document.querySelectorAll('.figures th a')].map(link => link.textContent)");
        assert_eq!(heads, serde_json::json!([one, other]));
        assert!(web.browser.text("main").contains("against each other"));
        web.browser.screenshot("compare");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_unknown_player_has_a_suggestion() {
    with_browser(|web| {
        web.browser.open("/player/Unknown%20Player");
        web.browser.find(".failure");
        assert_eq!(web.browser.text("h1"), "Player not found");
        web.browser.open("/event/Unknown%20Event");
        web.browser.find(".failure");
        assert_eq!(web.browser.text("h1"), "Event not found");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn an_event_has_standings() {
    with_browser(|web| {
        web.browser.open("/");
        let named = "(async () => { const found = await (await fetch('/api/games?limit=200')).json(); \
                     return found.games.find(one => one.event && one.attackers && one.defenders); })()";
        let event = web.browser.evaluate(named)["event"].as_str().unwrap().to_owned();
        web.browser.open(&format!("/event/{}", event.replace(' ', "%20")));
        web.browser.wait_until("document.querySelectorAll('.figures tbody tr').length > 1 && document.querySelectorAll('.cards .card').length > 0");
        let heads = web.browser.evaluate(
            "[...document.querySelector('.figures thead').rows[0].cells].map(cell => cell.textContent)",
        );
        let first = ["", "place", "games", "points", "direct encounter"];
        assert_eq!(heads.as_array().unwrap()[..5], first.map(serde_json::Value::from));
        // Every finished game gives one point.
        let sum = |column: u32| {
            let cells = format!(
                "[...document.querySelector('.figures tbody').rows].map(row => Number(row.cells[{column}].textContent.replace('½', '.5')))"
            );
            web.browser.evaluate(&format!("{cells}.reduce((one, other) => one + other)")).as_f64().unwrap()
        };
        assert!(sum(2) > 0.0 && sum(3) * 2.0 == sum(2));
        // The standings are those of the report.
        let report = format!(
            "/api/report?kind=crosstable&limit=200&format=json&query=event%3D%22{}%22",
            event.replace(' ', "%20")
        );
        let players = format!(
            "(async () => Object.keys((await (await fetch('{report}')).json()).sections.crosstable.tables.crosstable.rows))()"
        );
        let shown = "[...document.querySelector('.figures tbody').rows].map(row => row.cells[0].textContent)";
        assert_eq!(web.browser.evaluate(shown), web.browser.evaluate(&players));
        web.browser.screenshot("event");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn names_and_openings_in_reports_are_links() {
    with_browser(|web| {
        let heads = "[...document.querySelector('iframe').contentDocument.querySelectorAll('tbody th a[target=_top]')]";
        web.browser.open("/reports?kind=crosstable");
        web.browser.find("iframe");
        web.browser.wait_until(&format!("{heads}.length > 1"));
        let player = web.browser.evaluate(&format!("{heads}[0].textContent"));
        web.browser.evaluate(&format!("location.assign({heads}[0].href)"));
        web.browser
            .wait_until("location.pathname.startsWith('/player/') && document.querySelector('.figures')");
        assert_eq!(web.browser.text("h1"), player.as_str().unwrap());
        web.browser.open("/reports?kind=openings&variant=brandubh7");
        web.browser.find("iframe");
        web.browser.wait_until(&format!("{heads}.length > 1"));
        let line =
            web.browser.evaluate(&format!("{heads}.find(one => one.textContent.includes(' ')).textContent"));
        web.browser
            .evaluate(&format!("location.assign({heads}.find(one => one.textContent.includes(' ')).href)"));
        web.browser.wait_until(
            "location.pathname === '/explore' && document.querySelectorAll('.trail li').length > 2",
        );
        let moves =
            web.browser.evaluate("new URLSearchParams(location.search).get('moves').replaceAll(',', ' ')");
        assert_eq!(moves, line);
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_mistyped_name_leaves_the_form_of_the_comparison() {
    with_browser(|web| {
        web.browser.open("/compare?one=Unknown&other=Missing");
        web.browser.find(".failure");
        assert_eq!(web.browser.evaluate("document.querySelector('form input').value"), "Unknown");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_errors_of_a_player_fit_a_phone() {
    with_browser(|web| {
        let query = "player:red variant:copenhagen11";
        web.server.annotate(query);
        // The server takes a moment to notice that another program has changed the corpus.
        let is_noticed = || !web.server.api("/api/player?name=Red")["errors"].is_null();
        for _ in 0..100 {
            if is_noticed() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        web.browser.set_viewport(360, 800);
        web.browser.open("/player/Red");
        web.browser.find(".errorrates .figures");
        web.browser.screenshot("player-errors-360");
        let cut = "[...document.querySelectorAll('.scroller')].filter(one => one.scrollWidth > one.clientWidth).length";
        assert_eq!(web.browser.evaluate(cut), 0);
        let lowest = web.browser.evaluate(
            "Math.max(...[...document.querySelectorAll('.errorrates th')].map(one => one.getBoundingClientRect().height))",
        );
        assert!(lowest.as_f64().unwrap() < 80.0, "{lowest}");
        web.browser.assert_console_is_empty();
    });
}
