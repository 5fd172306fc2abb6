//! Tests of the npm package: pages that embed games, in a real browser, and requests in Node.
//!
//! They need chromedriver or Node, and the package in the folder `TAFL_NPM`; otherwise, they are ignored.

#[path = "../web/browser.rs"]
#[allow(dead_code, reason = "shared with the tests of the pages of `tafl serve`")]
mod browser;
#[path = "../web/http.rs"]
#[allow(dead_code, reason = "shared with the tests of the pages of `tafl serve`")]
mod http;
mod pages;
mod site;

use std::path::Path;

use browser::{Browser, Key};
use site::SiteFile;

/// Runs a test with a browser and the sites of [`pages`]. Tests run one at a time, because each browser needs much memory.
fn with_pages(test: impl FnOnce(&mut Browser)) {
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    assert_eq!(browser::missing_program(), None, "install Chromium and chromedriver");
    let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = std::env::var_os("TAFL_NPM").expect("TAFL_NPM is the folder of the package");
    let mut files = pages::all();
    for path in ["/taflbase.js", "/taflbase-engine.js"] {
        let content = std::fs::read(Path::new(&folder).join(&path[1..])).unwrap();
        files.push(SiteFile { path, content, headers: "" });
    }
    test(&mut Browser::start(site::serve(files)));
}

/// Returns an expression for an element in the shadow tree of the first element of a kind.
fn inside(element: &str, selector: &str) -> String {
    format!("document.querySelector('{element}').shadowRoot?.querySelector('{selector}')")
}

/// Waits for the board of an element.
fn wait_for_board(browser: &Browser, element: &str) {
    browser.wait_until(&format!("{}?.children.length > 0", inside(element, ".board .pieces")));
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn a_forum_post_shows_a_game_with_explained_captures() {
    with_pages(|browser| {
        browser.open("/post.html");
        wait_for_board(browser, "tafl-game");
        browser.evaluate(&format!("{}.focus()", inside("tafl-game", ".game")));
        browser.press(&Key::Right.to_string());
        browser.press(&Key::Right.to_string());
        browser.wait_until("document.querySelector('tafl-game').ply === 2");
        let explained = format!("{}.textContent.includes('a6')", inside("tafl-game", ".explains"));
        browser.wait_until(&explained);
        browser.press(&Key::Home.to_string());
        browser.wait_until("document.querySelector('tafl-game').ply === 0");
        // The styles of the page neither reach the viewer, nor the other way round.
        let color = |of: String| browser.evaluate(&format!("getComputedStyle({of}).backgroundColor"));
        assert_ne!(color(inside("tafl-game", "button")), "rgb(255, 0, 0)");
        assert_eq!(color("document.querySelector('button')".to_owned()), "rgb(255, 0, 0)");
        browser.screenshot("embed-post");
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn a_swipe_on_a_phone_shows_the_next_ply() {
    with_pages(|browser| {
        browser.set_viewport(390, 800);
        browser.open("/post.html");
        wait_for_board(browser, "tafl-game");
        let swipe = "for (const [type, clientX] of [['pointerdown', 300], ['pointerup', 200]]) \
                     host.dispatchEvent(new PointerEvent(type, { clientX, pointerType: 'touch', bubbles: true }))";
        let host = inside("tafl-game", ".boardhost");
        browser.evaluate(&format!("(() => {{ const host = {host}; {swipe}; return 1; }})()"));
        browser.wait_until("document.querySelector('tafl-game').ply === 1");
        browser.assert_fits_width();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn findings_follow_the_text_while_it_is_typed() {
    with_pages(|browser| {
        browser.open("/site.html");
        wait_for_board(browser, "tafl-game");
        browser.wait_until(&inside("tafl-game", "[data-code=E008]"));
        assert_eq!(browser.evaluate(&inside("tafl-game", "[data-code=L001]")), serde_json::Value::Null);
        browser.evaluate(&format!("{}.focus()", inside("tafl-game", "textarea")));
        browser.evaluate(&format!("{0}.setSelectionRange(1e6, 1e6)", inside("tafl-game", "textarea")));
        browser.press(" d1-d7");
        browser.wait_until(&inside("tafl-game", "[data-code=L001] mark"));
        let marked =
            browser.evaluate(&format!("{}.textContent", inside("tafl-game", "[data-code=L001] mark")));
        assert_eq!(marked, "d1-d7");
        browser.screenshot("embed-site");
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn a_page_with_a_strict_policy_loads_nothing_but_the_script_and_the_record() {
    with_pages(|browser| {
        browser.open("/site.html");
        wait_for_board(browser, "tafl-game");
        wait_for_board(browser, "tafl-board");
        let loaded = browser.evaluate(
            "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).sort()",
        );
        assert_eq!(loaded, serde_json::json!(["/game.txt", "/taflbase.js"]));
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn the_second_file_is_loaded_for_the_engine_and_for_rarer_notations() {
    with_pages(|browser| {
        browser.open("/site.html");
        wait_for_board(browser, "tafl-game");
        let found = browser.evaluate(
            "taflbase.request('eval', { variant: 'brandubh7', nodes: 2000 }).then(({ lines, nodes }) => [lines[0].moves.length > 0, nodes])",
        );
        assert_eq!(found[0], true, "{found}");
        assert!(found[1].as_u64().is_some_and(|nodes| (1900..2200).contains(&nodes)), "{found}");
        browser.evaluate(
            "taflbase.request('convert', { variant: 'brandubh7', to: 'sgf' }, 'd6-a6 d5-a5xa6 d2-g2') \
             .then(({ text }) => { document.querySelector('tafl-game').text = text; return 1; })",
        );
        browser.wait_until("document.querySelector('tafl-game').game?.moves.length === 3");
        browser.wait_until(&inside("tafl-game", ".board .pieces"));
        let loaded = browser.evaluate(
            "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).sort()",
        );
        assert_eq!(loaded, serde_json::json!(["/game.txt", "/taflbase-engine.js", "/taflbase.js"]));
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn a_compressed_file_is_shown() {
    with_pages(|browser| {
        browser.open("/packed.html");
        wait_for_board(browser, "tafl-game");
        browser.wait_until("document.querySelector('tafl-game').game?.moves.length === 4");
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn moves_are_played_on_a_board_by_keyboard_and_by_mouse() {
    with_pages(|browser| {
        browser.open("/site.html");
        wait_for_board(browser, "tafl-board");
        let cell = |name: &str| inside("tafl-board", &format!("[data-cell={name}]"));
        browser.evaluate(&format!(
            "document.querySelector('tafl-board').board.setFocus({}.dataset.cell)",
            cell("d1")
        ));
        browser.press(&Key::Enter.to_string());
        browser.press(&Key::Left.to_string());
        browser.press(&Key::Enter.to_string());
        browser.wait_until("document.querySelector('tafl-board').moves.join() === 'd1-c1'");
        let is_rejected = browser.evaluate("document.querySelector('tafl-board').play('a1-a2')");
        assert_eq!(is_rejected, false);
        browser.wait_until(&inside("tafl-board", ".illegal"));
        let click = |name: &str| {
            let at = format!(
                "(() => {{ const box = {}.getBoundingClientRect(); const at = {{ clientX: box.x + box.width / 2, clientY: box.y + \
                 box.height / 2, bubbles: true, button: 0, pointerId: 1 }}; {}.closest('svg').dispatchEvent(new PointerEvent('pointerdown', at)); \
                 return 1; }})()",
                cell(name),
                cell(name)
            );
            browser.evaluate(&at);
        };
        click("d3");
        browser.wait_until("document.querySelector('tafl-board').board.shown.picked === 'd3'");
        browser.evaluate(&format!(
            "{}.dispatchEvent(new PointerEvent('pointerup', {{ pointerId: 1 }}))",
            inside("tafl-board", "svg.board")
        ));
        click("c3");
        browser.wait_until("document.querySelector('tafl-board').moves.join() === 'd1-c1,d3-c3'");
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn repetition_ends_the_game_on_a_board() {
    with_pages(|browser| {
        browser.open("/site.html");
        wait_for_board(browser, "tafl-board");
        let ended = browser.evaluate(
            "(async () => { const board = document.querySelector('tafl-board'); const cycle = ['d1-c1', 'd3-c3', 'c1-d1', 'c3-d3']; \
             const played = []; for (const move of [...cycle, ...cycle, 'd1-c1']) played.push(await board.play(move)); \
             return [board.answer.outcome.winner, board.answer.outcome.reason, played.indexOf(false)]; })()",
        );
        assert_eq!(ended, serde_json::json!(["attackers", "repetition", 8]));
        browser.wait_until(&inside("tafl-board", ".illegal"));
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn repetition_ends_and_explains_a_game_whose_moves_are_given() {
    with_pages(|browser| {
        browser.open("/repetition.html");
        wait_for_board(browser, "tafl-board");
        browser.wait_until("document.querySelector('tafl-board').answer?.outcome?.reason === 'repetition'");
        browser.wait_until("Object.keys(document.querySelector('tafl-board').input.moves).length === 0");
        wait_for_board(browser, "tafl-game");
        browser.wait_until("document.querySelector('tafl-game').ply === 8");
        browser.wait_until(&format!(
            "{}.textContent.includes('occurrence 3')",
            inside("tafl-game", ".explains")
        ));
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn every_variant_has_a_board_and_legal_moves() {
    with_pages(|browser| {
        browser.open("/site.html");
        browser.wait_until("globalThis.taflbase");
        let played = browser.evaluate(
            "(async () => { let n = 0; for (const { name: variant } of await taflbase.request('rules-list')) { \
             await taflbase.request('board', { variant }); \
             const { moves } = await taflbase.request('position', { variant }); const [from] = Object.keys(moves); \
             const { legal } = await taflbase.request('move', { variant, move: `${from}-${moves[from][0]}` }); \
             if (!legal) throw new Error(variant); n += 1; } return n; })()",
        );
        assert!(played.as_u64().is_some_and(|played| played >= 158), "{played}");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn the_example_of_the_documentation_shows_a_game_and_a_board() {
    with_pages(|browser| {
        browser.open("/documentation.html");
        wait_for_board(browser, "tafl-game");
        wait_for_board(browser, "tafl-board");
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
#[cfg_attr(all(has_browser, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn errors_are_shown_in_place_of_the_game() {
    with_pages(|browser| {
        browser.open("/faulty.html");
        browser.wait_until(&inside("tafl-board", ".failure"));
        let words = browser.evaluate(&format!("{}.textContent", inside("tafl-board", ".failure")));
        assert!(words.as_str().unwrap().contains("nonsense"), "{words}");
        browser.wait_until(&inside("tafl-game", ".failure"));
        // The script is read before the element's text, which is shown nevertheless.
        wait_for_board(browser, "#text");
    });
}

#[test]
#[cfg_attr(not(has_node), ignore = "node is not installed")]
#[cfg_attr(all(has_node, not(has_npm)), ignore = "TAFL_NPM is not set")]
fn node_has_the_requests_without_the_elements() {
    let folder = std::env::var_os("TAFL_NPM").expect("TAFL_NPM is the folder of the package");
    let script = "import './taflbase.js';
        const why = await taflbase.request('move', { variant: 'brandubh7', move: 'd1-d7' });
        const search = await taflbase.request('eval', { variant: 'brandubh7', nodes: 500 });
        const error = await taflbase.request('position', { variant: 'brandubh77' }).catch((error) => error);
        const wrong = { position: { variant: 'brandubh7', mvoes: 'd1-c1' }, eval: { variant: 'brandubh7', nodes: '500' } };
        const parameters = [];
        for (const name in wrong) await taflbase.request(name, wrong[name]).catch((error) => parameters.push(error.parameter));
        console.log(JSON.stringify([why.rule, search.lines.length, error.kind, ...parameters]));";
    let output = std::process::Command::new("node")
        .args(["--input-type=module", "-e", script])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        text.trim(),
        r#"["blocked",1,"unknown-variant","mvoes","nodes"]"#,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
