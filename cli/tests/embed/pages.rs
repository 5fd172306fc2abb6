//! Pages of other sites that embed games.

use super::site::SiteFile;

/// A post of a forum, whose styles would spoil a viewer in the page itself.
const POST: &str = r#"<!DOCTYPE html><html><head><meta name="viewport" content="width=device-width"><style>
button { background: rgb(255, 0, 0); display: inline !important } svg { display: none !important }
.board, .controls { position: absolute } * { fill: purple }
</style></head><body><h1>Re: yesterday's game</h1><div class="post"><p>Look at ply 2!</p>
<script src="taflbase.js" async></script>
<tafl-game variant="brandubh7">d6-a6 d5-a5xa6 d2-g2 d3-a3xa4</tafl-game>
</div><button>Reply</button></body></html>"#;

/// A page of a static site with a strict content security policy.
const SITE: &str = r#"<!DOCTYPE html><html><head><title>Games</title><script type="module" src="taflbase.js"></script></head><body>
<tafl-game src="game.txt" variant="brandubh7" editable></tafl-game>
<tafl-board variant="brandubh7" playable></tafl-board></body></html>"#;

const POLICY: &str = "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'\r\n";

const FAULTY: &str = r#"<!DOCTYPE html><html><head><script src="taflbase.js"></script></head><body>
<tafl-board variant="nonsense"></tafl-board><tafl-game src="missing.txt"></tafl-game><tafl-game variant="brandubh7" id="text">d1-c1</tafl-game></body></html>"#;

/// A page with a compressed file.
const PACKED: &str = r#"<!DOCTYPE html><html><head><script src="taflbase.js" async></script></head><body>
<tafl-game src="game.txt.gz" variant="brandubh7"></tafl-game></body></html>"#;

/// `/game.txt`, compressed with gzip.
const GZIP: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\x31\xd3\x4d\x34\x53\x48\x31\xd5\x4d\x34\xad\x00\x31\x8c\x74\xd3\x8d\x14\x52\x8c\x75\x13\x8d\x2b\x12\x4d\x00\xb5\x44\x93\xb3\x1d\x00\x00\x00";

/// A board and a game whose last move makes a third occurrence of the start.
const REPETITION: &str = r#"<!DOCTYPE html><html><head><script src="taflbase.js" async></script></head><body>
<tafl-board variant="brandubh7" playable moves="d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1 c3-d3"></tafl-board>
<tafl-game variant="brandubh7" ply="8">d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1 c3-d3</tafl-game></body></html>"#;

/// Returns the files of all sites, without the script.
pub(crate) fn all() -> Vec<SiteFile> {
    let page = |path, content: &str, headers| SiteFile { path, content: content.into(), headers };
    vec![
        page("/post.html", POST, ""),
        page("/site.html", SITE, POLICY),
        page("/faulty.html", FAULTY, ""),
        page("/packed.html", PACKED, ""),
        page("/repetition.html", REPETITION, ""),
        page("/game.txt", "d6-a6 d5-a5xa6 d2-g2 d3-a3xa4", ""),
        SiteFile { path: "/game.txt.gz", content: GZIP.into(), headers: "" },
        // Browsers look for it, and report on the console that it is missing.
        page("/favicon.ico", "", ""),
        page("/documentation.html", &documented(), ""),
    ]
}

/// Returns the first page of `docs/browser.md`.
fn documented() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/browser.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```html\n").expect("the page has an example");
    rest.split_once("```").unwrap().0.to_owned()
}
