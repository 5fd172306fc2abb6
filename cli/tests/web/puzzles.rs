//! The page of puzzles.

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_puzzle_is_solved_and_wrong_moves_are_refused() {
    with_browser(|web| {
        web.browser.open("/puzzles");
        web.browser.wait_until("document.querySelector('.empty')?.innerText.includes('tafl puzzles')");
        web.server.store_puzzles();
        web.browser.open("/puzzles?key=0000000000000000");
        web.browser
            .wait_until("document.querySelector('.empty')?.innerText.includes('does not have this puzzle')");
        web.browser.open("/puzzles?variant=historical-hnefatafl-7x7-irish-brandubh-2");
        web.browser.find(".pieces [data-at]");
        let status = "document.querySelector('.status').innerText";
        web.browser.wait_until(&format!("{status}.endsWith('Find the move.')"));
        web.browser.screenshot("puzzle");
        let puzzle = web.server.api("/api/puzzle?variant=historical-hnefatafl-7x7-irish-brandubh-2");
        assert_eq!(puzzle["total"], 1, "{puzzle}");
        let solution: Vec<(String, String)> = puzzle["puzzle"]["solution"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| {
                let mv = mv.as_str().unwrap().split('x').next().unwrap();
                mv.split_once('-').map(|(from, to)| (from.to_owned(), to.to_owned())).unwrap()
            })
            .collect();
        let play = |from: &str, to: &str| {
            web.browser.click(&format!("[data-cell={from}]"));
            web.browser.wait_until("document.querySelectorAll('.target').length > 0");
            web.browser.click(&format!("[data-cell={to}]"));
            web.browser.wait_until("!document.querySelector('.status[aria-busy]')");
        };
        let (from, to) = &solution[0];
        let position = format!(
            "/api/position?variant=historical-hnefatafl-7x7-irish-brandubh-2&position={}&side={}",
            puzzle["puzzle"]["position"].as_str().unwrap(),
            puzzle["puzzle"]["side"].as_str().unwrap()
        );
        let legal = web.server.api(&position);
        let targets = legal["moves"][from].as_array().unwrap();
        let wrong = targets.iter().filter_map(|to| to.as_str()).find(|other| other != to).unwrap();
        play(from, wrong);
        web.browser.wait_until(&format!("{status}.endsWith('Try again.')"));
        for (nth, (from, to)) in solution.iter().enumerate().filter(|(nth, _)| nth % 2 == 0) {
            web.browser.wait_until(&format!("document.querySelector('[data-at={from}]')"));
            play(from, to);
            let is_last = nth + 2 >= solution.len();
            let expected = if is_last { "Solved" } else { "Right. And now?" };
            web.browser.wait_until(&format!("{status}.startsWith('{expected}')"));
        }
        assert!(web.browser.text(".status").contains("after 1 wrong move"));
        web.browser.screenshot("puzzle-solved");
        web.browser.assert_console_is_empty();
    });
}
