//! The files of the pages, which are embedded in the program.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

/// A file that is embedded in the program.
pub(crate) struct Asset {
    /// The name below `/assets/`.
    pub(crate) name: &'static str,
    /// The content.
    pub(crate) bytes: &'static [u8],
    /// The media type.
    pub(crate) content_type: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Returns the asset of a file.
macro_rules! asset {
    ($name:literal, $content_type:expr) => {
        Asset {
            name: $name,
            bytes: include_bytes!(concat!("../assets/", $name)),
            content_type: $content_type,
        }
    };
}

/// The files. The first one is the HTML of every page.
pub(crate) const ASSETS: &[Asset] = &[
    asset!("index.html", HTML),
    asset!("about.js", SCRIPT),
    asset!("address.js", SCRIPT),
    asset!("analysis.js", SCRIPT),
    asset!("annotation.js", SCRIPT),
    asset!("api.js", SCRIPT),
    asset!("base.css", CSS),
    asset!("board.css", CSS),
    asset!("board.js", SCRIPT),
    asset!("boardinput.js", SCRIPT),
    asset!("chooser.js", SCRIPT),
    asset!("clauses.js", SCRIPT),
    asset!("contents.js", SCRIPT),
    asset!("conversion.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("engine.js", SCRIPT),
    asset!("explorer.js", SCRIPT),
    asset!("exploreresult.js", SCRIPT),
    asset!("filters.js", SCRIPT),
    asset!("findings.js", SCRIPT),
    asset!("format.js", SCRIPT),
    asset!("game.js", SCRIPT),
    asset!("gamefacts.js", SCRIPT),
    asset!("gamereplay.js", SCRIPT),
    asset!("geometry.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("hits.js", SCRIPT),
    asset!("home.js", SCRIPT),
    asset!("icon.svg", SVG),
    asset!("main.js", SCRIPT),
    asset!("miniboard.js", SCRIPT),
    asset!("movehistory.js", SCRIPT),
    asset!("movesheet.js", SCRIPT),
    asset!("notice.js", SCRIPT),
    asset!("pages.css", CSS),
    asset!("pattern.js", SCRIPT),
    asset!("patterngrid.js", SCRIPT),
    asset!("pieces.js", SCRIPT),
    asset!("position.js", SCRIPT),
    asset!("positionpage.js", SCRIPT),
    asset!("reports.js", SCRIPT),
    asset!("router.js", SCRIPT),
    asset!("rulespanel.js", SCRIPT),
    asset!("search.js", SCRIPT),
    asset!("setup.js", SCRIPT),
    asset!("stepper.js", SCRIPT),
    asset!("table.js", SCRIPT),
    asset!("theme.js", SCRIPT),
    asset!("tree.js", SCRIPT),
    asset!("upload.js", SCRIPT),
];

/// The paths of the pages. `{id}` matches any last segment.
pub(crate) const PAGES: [&str; 8] =
    ["/", "/explore", "/game/{id}", "/search", "/analysis", "/reports", "/upload", "/about"];

/// Returns the files with their entity tags, which are hashes of their contents.
pub(crate) fn tagged() -> &'static [(&'static Asset, String)] {
    static TAGGED: LazyLock<Vec<(&'static Asset, String)>> = LazyLock::new(|| {
        ASSETS.iter().map(|asset| (asset, format!("\"{:016x}\"", xxh3_64(asset.bytes)))).collect()
    });
    &TAGGED
}

/// Returns a file by its name, with its entity tag.
pub(crate) fn find(name: &str) -> Option<(&'static Asset, &'static str)> {
    tagged().iter().find(|(asset, _)| asset.name == name).map(|(asset, tag)| (*asset, tag.as_str()))
}
