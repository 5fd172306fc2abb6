//! Pictures of boards, and the picture of a page before its scripts run.

use super::with_browser;

/// Returns a JavaScript expression for the type and the first bytes of the file of a link.
fn file_of(link: &str) -> String {
    format!(
        "(async () => {{ const anchor = [...document.querySelectorAll('.downloads a')].find(one => one.textContent === '{link}'); \
         const answer = await fetch(anchor.href); const bytes = new Uint8Array(await answer.arrayBuffer()); \
         return [answer.headers.get('content-type'), String.fromCharCode(...bytes.slice(0, 4)), anchor.getAttribute('download')]; }})()"
    )
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn boards_are_saved_as_pictures() {
    with_browser(|web| {
        let game = web.server.game("variant:copenhagen11");
        for page in [
            "/analysis?variant=brandubh7&moves=d2-c2,d3-b3".to_owned(),
            "/analysis?variant=hexentafl4".to_owned(),
            format!("/game/{game}#12"),
        ] {
            web.browser.open(&page);
            web.browser.find(".pagelinks");
            for (link, content_type, start) in [
                ("SVG", "image/svg+xml", "<svg"),
                ("PNG", "image/png", "\u{89}PNG"),
                ("PDF", "application/pdf", "%PDF"),
            ] {
                let file = web.browser.evaluate(&file_of(link));
                assert_eq!(file, serde_json::json!([content_type, start, ""]), "{page}: {link}");
            }
        }
        let gif = web.browser.evaluate(&file_of("GIF"));
        assert_eq!(gif[1], "GIF8");
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn a_picture_has_the_orientation_and_the_drawings_of_the_board() {
    with_browser(|web| {
        web.browser.open("/analysis?variant=brandubh7&moves=d2-c2");
        web.browser.find(".pagelinks");
        // The address of the link is made when it is clicked; the click itself would leave the page.
        let href = "(() => { const anchor = [...document.querySelectorAll('.downloads a')].find(one => one.textContent === 'SVG'); \
                    anchor.addEventListener('click', event => event.preventDefault(), { once: true }); anchor.click(); return anchor.getAttribute('href'); })()";
        assert_eq!(web.browser.evaluate(href), "/api/picture?variant=brandubh7&moves=d2-c2&format=svg");
        web.browser.evaluate(
            "[...document.querySelectorAll('.controls button')].find(one => one.textContent === 'Flip').click()",
        );
        let drawn = "(() => { const at = (cell, name) => { const box = document.querySelector(`[data-cell=${cell}]`).getBoundingClientRect(); \
            document.querySelector('.board').dispatchEvent(new PointerEvent(name, { button: 2, bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 })); }; \
            at('a4', 'pointerdown'); at('c4', 'pointerup'); at('g7', 'pointerdown'); at('g7', 'pointerup'); })()";
        web.browser.evaluate(drawn);
        web.browser.wait_until("document.querySelector('.arrow.drawn')");
        assert_eq!(
            web.browser.evaluate(href),
            "/api/picture?variant=brandubh7&moves=d2-c2&format=svg&arrows=a4-c4&cells=g7&flip=1"
        );
        web.browser.assert_console_is_empty();
    });
}

#[test]
#[cfg_attr(not(has_browser), ignore = "chromedriver is not installed")]
fn the_page_has_a_picture_until_the_scripts_draw_the_board() {
    with_browser(|web| {
        let game = web.server.game("variant:copenhagen11");
        for page in
            ["/explore", "/explore?variant=hexentafl4", "/analysis", "/play", &format!("/game/{game}")]
        {
            web.browser.open(page);
            web.browser.find("[role=gridcell]");
            assert_eq!(web.browser.evaluate("document.querySelectorAll('.firstboard').length"), 0, "{page}");
            let picture = format!(
                "(async () => {{ const text = await (await fetch({page:?})).text(); \
                 const image = new DOMParser().parseFromString(text, 'text/html').querySelector('main .firstboard img'); \
                 document.body.append(image); await image.decode(); image.remove(); return [image.naturalWidth > 100, image.src.startsWith('data:image/svg+xml,')]; }})()"
            );
            assert_eq!(web.browser.evaluate(&picture), serde_json::json!([true, true]), "{page}");
        }
        web.browser.assert_console_is_empty();
    });
}
