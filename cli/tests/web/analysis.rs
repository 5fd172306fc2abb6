//! The analysis page.

use super::with_browser;

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_engine_starts_shows_lines_and_stops() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=brandubh7&lines=2");
        web.browser.find("[data-at=d1]");
        web.browser.click(".engine button.main");
        web.browser.wait_until("document.querySelectorAll('.lines li').length === 2");
        assert!(web.browser.text(".evalbar").contains('%'));
        web.browser.screenshot("analysis");
        web.browser.click(".engine button.main");
        web.browser.wait_until("document.querySelector('.enginestate').textContent.startsWith('Stopped')");
        let first = web.browser.evaluate("document.querySelector('.lines .ply').textContent");
        web.browser.click(".lines .ply");
        web.browser.wait_until(&format!("location.search.includes('moves={}')", first.as_str().unwrap()));
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn lines_stay_while_a_move_is_pressed() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=brandubh7");
        web.browser.find("[data-at=d1]");
        web.browser.click(".engine button.main");
        web.browser.wait_until("document.querySelector('.lines .ply')");
        let press = |event| format!("dispatchEvent(new PointerEvent('{event}', {{ bubbles: true }}))");
        // In one script: between two, new lines may replace the move.
        web.browser.evaluate(&format!(
            "self.state = () => document.querySelector('.enginestate').textContent, \
             self.pressed = document.querySelector('.lines .ply'), \
             self.pressed.{}, self.before = self.state()",
            press("pointerdown")
        ));
        web.browser.wait_until("self.state() !== self.before");
        assert_eq!(web.browser.evaluate("self.pressed.isConnected"), true);
        web.browser.evaluate(&format!("document.{}", press("pointerup")));
        web.browser.wait_until("!self.pressed.isConnected");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_position_set_up_on_the_board_is_in_the_url() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=brandubh7");
        web.browser.find("[data-at=d1]");
        web.browser.evaluate("[...document.querySelectorAll('button')].find(one => one.textContent === 'Set up a position').click()");
        web.browser.click(".setup [data-tool='']");
        web.browser.click("[data-cell=d1]");
        web.browser.wait_until("!document.querySelector('[data-at=d1]')");
        web.browser.screenshot("analysis-setup");
        web.browser.click(".setup button.main");
        web.browser.wait_until("location.search.includes('position=/7/3t3/3T3/ttTKTtt/3T3/3t3/3t3/')");
        web.browser.wait_until("document.querySelectorAll('.pieces [data-at]').length === 12");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_pasted_record_is_shown_and_can_be_downloaded() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=copenhagen11");
        web.browser.find("[data-at=f6]");
        let paste = |text: &str| {
            web.browser.evaluate(
                "(document.querySelector('details textarea').closest('details').open = true, document.querySelector('details textarea').value = '')",
            );
            web.browser.find("details textarea").send_keys(text);
            web.browser.evaluate(
                "[...document.querySelectorAll('button')].find(one => one.textContent === 'Show').click()",
            );
        };
        paste("[variant:brandubh7]\n[attackers:A]\n\n1. d2-c2 d3-b3\n2. b4-b5\n");
        web.browser.wait_until("location.search.includes('variant=brandubh7')");
        web.browser.wait_until("document.querySelectorAll('.sheet .ply').length === 4");
        // The moves of the record stay in the tree.
        paste("d2-c2");
        web.browser.wait_until("location.search.endsWith('moves=d2-c2') && document.querySelectorAll('.sheet .ply').length === 4");
        paste("no record");
        web.browser.find("details .failure");
        paste("[variant:nope]\n\n1. d2-c2\n");
        web.browser.wait_until(
            "document.querySelector('details .failure')?.textContent.includes('unknown variant nope')",
        );
        assert_eq!(web.browser.evaluate("document.querySelectorAll('.downloads button').length"), 3);
        web.browser.screenshot("analysis-paste");
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn variations_and_notes_form_a_tree_that_is_kept_and_written() {
    with_browser(|web| {
        let browser = &web.browser;
        browser.open("/analysis?variant=brandubh7&moves=d2-c2,d3-b3");
        browser.wait_until("document.querySelectorAll('.sheet .ply').length === 3");
        // A variation of the second move, with a mark, a comment, and drawings.
        browser.evaluate(
            "[...document.querySelectorAll('.sheet .ply')].find(one => one.textContent === 'd2-c2').click()",
        );
        browser.wait_until("location.search.endsWith('moves=d2-c2')");
        browser.wait_until("document.querySelector('[data-at=c2]')");
        browser.click("[data-cell=d5]");
        browser.click("[data-cell=b5]");
        browser.wait_until("document.querySelector('.sheet .variation .ply')?.textContent === 'd5-b5'");
        browser.evaluate(
            "(() => { const list = document.querySelector('.notes select'); list.value = '!?'; list.dispatchEvent(new Event('change')); })()",
        );
        browser.wait_until("document.querySelector('.sheet .variation .ply').textContent === 'd5-b5!?'");
        browser.find(".notes textarea").send_keys("a second plan");
        browser.wait_until(
            "document.querySelector('.sheet .variation .comment')?.textContent.startsWith('a second plan')",
        );
        let draw = |from: &str, to: &str| {
            format!(
                "(() => {{ const point = (cell) => {{ const box = document.querySelector(`[data-cell=${{cell}}]`).getBoundingClientRect(); \
                 return {{ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 2, bubbles: true }}; }}; \
                 const board = document.querySelector('.board'); board.dispatchEvent(new PointerEvent('pointerdown', point('{from}'))); \
                 board.dispatchEvent(new PointerEvent('pointerup', point('{to}'))); }})()"
            )
        };
        browser.evaluate(&draw("a4", "c4"));
        browser.evaluate(&draw("d4", "d4"));
        browser.wait_until("document.querySelector('.arrow.drawn') && document.querySelector('.tint.drawn')");
        browser.screenshot("analysis-tree");
        // The tree is kept for the next visit.
        browser.open("/analysis?variant=brandubh7");
        browser.wait_until(
            "document.querySelector('.sheet .variation .comment')?.textContent.startsWith('a second plan')",
        );
        // The written record has everything, and can be pasted again.
        let written = browser.evaluate(
            "(async () => { const page = await fetch('/api/convert?to=opentafl', { method: 'POST', \
             body: JSON.stringify(Object.values(JSON.parse(localStorage['taflbase-trees']))[0]) }); return (await page.json()).text; })()",
        );
        let written = written.as_str().unwrap();
        assert!(
            written.contains("d5-b5")
                && written.contains("[%cal Ga4c4]")
                && written.contains("a second plan"),
            "{written}"
        );
        // The variation becomes the main line, and back.
        browser.evaluate("document.querySelector('.sheet .variation .ply').click()");
        browser.wait_until("location.search.endsWith('moves=d2-c2,d5-b5')");
        browser.wait_until("document.querySelector('.sheet .variation .ply[aria-current]')");
        let press = |name: &str| {
            format!(
                "[...document.querySelectorAll('.notes button')].find(one => one.textContent === '{name}').click()"
            )
        };
        browser.evaluate(&press("Make main line"));
        browser.wait_until("document.querySelector('.sheet .variation .ply').textContent === 'd3-b3'");
        browser.evaluate(&press("Undo"));
        browser.wait_until("document.querySelector('.sheet .variation .ply').textContent === 'd5-b5!?'");
        browser.evaluate(&press("Delete from here"));
        browser.wait_until(
            "location.search.endsWith('moves=d2-c2') && !document.querySelector('.sheet .variation')",
        );
        // A line that the tree doesn't have, as from the page of a game, begins its own tree.
        let n_moves = |n: u32| format!("document.querySelectorAll('.sheet .ply').length === {}", n + 1);
        browser.open("/analysis?variant=brandubh7&moves=d6-c6,d5-b5");
        browser.wait_until(&n_moves(2));
        // The menu continues the last analysis.
        browser.open("/explore?variant=tablut9_wtf");
        browser.click("nav a[href='/analysis']");
        browser.wait_until(&format!("location.search.includes('moves=d6-c6,d5-b5') && {}", n_moves(2)));
        browser.evaluate(
            "[...document.querySelectorAll('button')].find(one => one.textContent === 'New analysis').click()",
        );
        browser.wait_until(&format!("!location.search.includes('moves=') && {}", n_moves(0)));
        browser.open("/analysis?variant=brandubh7&moves=d2-c2");
        browser.wait_until(&n_moves(2));
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_study_is_saved_opened_and_deleted() {
    with_browser(|web| {
        let browser = &web.browser;
        browser.open("/analysis?variant=brandubh7&moves=d2-c2,d3-b3");
        browser.wait_until("document.querySelectorAll('.sheet .ply').length === 3");
        browser.evaluate(
            "[...document.querySelectorAll('summary')].find(one => one.textContent === 'Studies').click()",
        );
        let press = |name: &str| {
            format!(
                "[...document.querySelectorAll('details[open] button')].find(one => one.textContent === '{name}').click()"
            )
        };
        let says = |text: &str| {
            format!("document.querySelector('details[open] [aria-live]').textContent.includes('{text}')")
        };
        browser.evaluate(&press("Save"));
        browser.wait_until(&says("Enter a title first."));
        browser.find("details[open] input[type=text]").send_keys("Corners");
        browser.evaluate(&press("Save"));
        browser.wait_until(&says("Saved “Corners”."));
        browser.wait_until("document.querySelector('.studies li')?.textContent.includes('Corners2 moves')");
        browser.open("/analysis?variant=tablut9_wtf");
        browser.find("[data-cell=i9]");
        browser.evaluate(
            "[...document.querySelectorAll('summary')].find(one => one.textContent === 'Studies').click()",
        );
        browser.evaluate(&press("Corners"));
        browser.wait_until("location.search.includes('variant=brandubh7') && document.querySelectorAll('.sheet .ply').length === 3");
        browser.evaluate(&press("Delete"));
        browser.wait_until("document.querySelectorAll('.studies li').length === 0");
        browser.evaluate(&press("Undo"));
        browser.wait_until("document.querySelector('.studies li')?.textContent.includes('Corners2 moves')");
        // Another tree doesn't replace it without a question.
        browser.open("/analysis?variant=brandubh7&moves=d6-c6");
        browser.wait_until("document.querySelectorAll('.sheet .ply').length === 2");
        browser.evaluate(
            "[...document.querySelectorAll('summary')].find(one => one.textContent === 'Studies').click()",
        );
        browser.find("details[open] input[type=text]").send_keys("Corners");
        browser.evaluate(&press("Save"));
        browser.wait_until(&says("exists"));
        assert!(browser.text(".studies").contains("2 moves"));
        browser.evaluate(&press("Replace it"));
        browser.wait_until("document.querySelector('.studies li')?.textContent.includes('Corners1 move')");
        browser.evaluate("(Storage.prototype.setItem = () => { throw new Error('full'); }, null)");
        browser.evaluate(&press("Save"));
        browser.wait_until(&says("The browser did not store the study."));
        browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_line_can_begin_with_a_declined_chain() {
    with_browser(|web| {
        web.browser.open(
            "/analysis?rules=dim:7%20esc:e%20ber:c%20xber:free%20start:/4t2/t3Tt1/t1T1t2/2tKt1t/2tTt2/4t2/1t4t/\
             &moves=a2-d2&lines=2",
        );
        web.browser.find("[data-at=d2]");
        web.browser.click(".engine button.main");
        // The lines change as the search goes on, so that the move is clicked where it is found.
        web.browser.evaluate("self.move = () => document.querySelector('.lines .ply')");
        web.browser.wait_until("self.move()?.textContent === 'decline' && (self.move().click(), true)");
        web.browser.wait_until("decodeURIComponent(location.search).includes('moves=a2-d2,decline')");
        web.browser.wait_until(
            "document.querySelector('.status').innerText === 'Ply 1: the defenders are to move.'",
        );
        // The reply shows that the chain was declined.
        web.browser.click("[data-cell=c3]");
        web.browser.wait_until("document.querySelectorAll('.target').length > 0");
        web.browser.click("[data-cell=c2]");
        web.browser.wait_until("decodeURIComponent(location.search).includes('moves=a2-d2,c3-c2')");
        web.browser.assert_console_is_empty();
    });
}
