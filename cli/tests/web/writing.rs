//! The pages of a server that may write, below a base path: games, tags, names of players, and studies.

use super::with_browser_and;

const ARGS: [&str; 5] = ["--write", "--token", "a-long-secret", "--base-path", "/tafl"];

/// A game that isn't in the corpus of samples.
const GAME: &str = "[attackers:Late]\n[defenders:Later]\n[variant:brandubh7]\n\n1. d2-b2 e4-e1\n2. b4-b3\n";

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_pasted_game_is_added_tagged_and_its_player_merged() {
    with_browser_and(&ARGS, |web| {
        web.browser.open("/upload?variant=brandubh7&token=a-long-secret");
        web.browser.find(".left textarea").send_keys(GAME);
        web.browser.click(".left button.main");
        web.browser.wait_until("[...document.querySelectorAll('.checked button')].some((one) => one.textContent === 'Add to the corpus')");
        web.browser.evaluate(
            "[...document.querySelectorAll('.checked button')].find((one) => one.textContent === 'Add to the corpus').click()",
        );
        web.browser.wait_until("document.querySelector('.checked a[href*=\"/game/\"]')");
        assert!(web.browser.text(".checked [aria-live] .sums").starts_with("1 game added."));
        web.browser.screenshot("writing-added");
        web.browser.evaluate("document.querySelector('.checked a[href*=\"/game/\"]').click()");
        web.browser.wait_until("document.querySelector('h1')?.textContent.includes('Late')");
        assert!(web.browser.evaluate("location.pathname").as_str().unwrap().starts_with("/tafl/game/"));
        // A tag.
        web.browser.wait_until(
            "[...document.querySelectorAll('summary')].some((one) => one.textContent === 'Change tags')",
        );
        web.browser.evaluate(
            "(() => { const box = [...document.querySelectorAll('details')].find((one) => one.textContent.startsWith('Change tags')); \
             box.open = true; box.querySelector('input').value = 'to study'; box.querySelector('.controls button').click(); })()",
        );
        web.browser
            .wait_until("document.querySelector('p.facts a[href*=\"tag%3A\"]')?.textContent === 'to study'");
        let focus_is_in =
            |label: &str| format!("document.activeElement.labels?.[0]?.textContent === '{label}'");
        web.browser.wait_until(&focus_is_in("New tag"));
        web.browser.screenshot("writing-tag");
        web.browser.evaluate("document.querySelector('p.facts a[href*=\"tag%3A\"]').click()");
        web.browser.wait_until("document.querySelector('main')?.textContent.includes('Late')");
        // The player.
        let merge_into = |name: &str| {
            let box_of = "[...document.querySelectorAll('details')].find((one) => one.textContent.startsWith('Merge with'))";
            web.browser.wait_until(box_of);
            web.browser.evaluate(&format!(
                "(() => {{ const box = {box_of}; box.open = true; box.querySelector('input').value = '{name}'; \
                 box.querySelector('.controls button').click(); }})()"
            ));
        };
        web.browser.open("/player/Late");
        // A name that no game has may be a mistake.
        merge_into("Early");
        let as_new =
            "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Use this new name')";
        web.browser.wait_until(as_new);
        assert_eq!(web.browser.evaluate("location.pathname"), "/tafl/player/Late");
        web.browser.evaluate(&format!("{as_new}.click()"));
        web.browser.wait_until("location.pathname === '/tafl/player/Early' && document.querySelector('h1')?.textContent === 'Early'");
        web.browser
            .wait_until("document.querySelector('main').textContent.includes('Also recorded as Late.')");
        web.browser.wait_until(&focus_is_in("The name that games of Early will show"));
        web.browser.screenshot("writing-player");
        // An alias is an address of the player.
        web.browser.open("/player/Late");
        web.browser.wait_until("document.querySelector('h1')?.textContent === 'Early'");
        // After the split, no game has the name of the page.
        let split = "document.querySelector('button[aria-label=\"Split Late\"]')";
        web.browser.wait_until(split);
        web.browser.evaluate(&format!("{split}.closest('details').open = true, {split}.click()"));
        web.browser.wait_until("location.pathname === '/tafl/player/Late' && document.querySelector('h1')?.textContent === 'Late'");
        web.browser.assert_console_is_empty();
        // Opponents are merged only on request. The browser reports the refusal on its console.
        merge_into("Later");
        let anyway =
            "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Merge anyway')";
        web.browser.wait_until(anyway);
        web.browser.screenshot("writing-opponents");
        web.browser.evaluate(&format!("{anyway}.click()"));
        web.browser.wait_until("document.querySelector('h1')?.textContent === 'Later'");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn studies_of_several_games_are_files() {
    with_browser_and(&ARGS, |web| {
        let panel = "[...document.querySelectorAll('details')].find((one) => one.querySelector('summary')?.textContent === 'Studies')";
        let act = |code: &str| {
            web.browser.evaluate(&format!("(() => {{ const box = {panel}; box.open = true; {code} }})()"))
        };
        let press = |text: &str| {
            act(&format!(
                "[...box.querySelectorAll('button')].find((one) => one.textContent === '{text}').click();"
            ));
        };
        web.browser.open("/analysis?variant=brandubh7&moves=d2-c2&token=a-long-secret");
        web.browser.wait_until(&format!("{panel}?.textContent.includes('files in a folder')"));
        web.browser.wait_until("document.querySelector('.sheethost .ply')");
        act("box.querySelector('input').value = 'Ways: out?';");
        press("Save");
        web.browser.wait_until(&format!("{panel}.querySelector('.studies')?.textContent.includes('1 game')"));
        // The board keeps its position.
        assert!(web.browser.evaluate("location.search").as_str().unwrap().contains("moves=d2-c2"));
        act(
            "const list = box.querySelector('select'); list.value = '1'; list.dispatchEvent(new Event('change'));",
        );
        press("Save");
        web.browser
            .wait_until(&format!("{panel}.querySelector('.studies')?.textContent.includes('2 games')"));
        web.browser.screenshot("writing-study");
        act("box.querySelector('input').value = 'Ways';");
        press("Rename");
        web.browser
            .wait_until(&format!("{panel}.querySelector('.studies .linklike')?.textContent === 'Ways'"));
        // Another visit opens it.
        web.browser.open("/analysis?variant=tablut9_wtf");
        web.browser.wait_until(&format!("{panel}?.querySelector('.studies .linklike')"));
        press("Ways");
        web.browser.wait_until(
            "location.pathname === '/tafl/analysis' && location.search.includes('variant=brandubh7')",
        );
        web.browser.wait_until("document.querySelector('.sheethost')?.textContent.includes('d2-c2')");
        press("Delete");
        web.browser.wait_until(&format!("{panel}.querySelectorAll('.studies li').length === 0"));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn pages_work_below_a_base_path() {
    with_browser_and(&["--base-path", "/tafl"], |web| {
        web.browser.open("/");
        web.browser.wait_until("document.querySelectorAll('main a').length > 4");
        let outside = "[...document.querySelectorAll('a[href]')].filter((one) => one.origin === location.origin \
                       && !one.pathname.startsWith('/tafl')).map((one) => one.href)";
        assert_eq!(web.browser.evaluate(outside), serde_json::json!([]));
        web.browser.evaluate(
            "[...document.querySelectorAll('nav a')].find((one) => one.textContent === 'Explore').click()",
        );
        web.browser.wait_until(
            "location.pathname === '/tafl/explore' && document.querySelector('.board [data-cell]')",
        );
        assert_eq!(
            web.browser.evaluate("document.querySelector('nav a[aria-current]').textContent"),
            "Explore"
        );
        web.browser.wait_until("document.querySelector('main table a, main table button')");
        web.browser.evaluate(
            "[...document.querySelectorAll('nav a')].find((one) => one.textContent === 'Reports').click()",
        );
        web.browser.wait_until("document.querySelector('iframe')?.offsetHeight > 100");
        assert!(
            web.browser
                .evaluate("document.querySelector('iframe').src")
                .as_str()
                .unwrap()
                .contains("/tafl/api/report")
        );
        web.browser.evaluate("history.back()");
        web.browser.wait_until("location.pathname === '/tafl/explore'");
        assert_eq!(web.browser.evaluate(outside), serde_json::json!([]));
        // Without --write, nothing can be changed.
        web.browser.open("/upload?variant=brandubh7");
        web.browser.find(".left textarea").send_keys(GAME);
        web.browser.click(".left button.main");
        web.browser.wait_until("document.querySelector('.checked .sums')");
        assert_eq!(
            web.browser.evaluate("document.querySelector('main').textContent.includes('Add to the corpus')"),
            false
        );
        web.browser.open("/nothing");
        web.browser.wait_until("document.querySelector('h1')?.textContent === 'Page not found'");
    });
}
