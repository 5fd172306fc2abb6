//! The files of the pages, which are embedded in the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use super::bundle::{MAIN_BUNDLE, bundles, page_bundle};
use super::media_type::{CSS, HTML, SCRIPT, SVG};

/// A file that the server sends.
pub(crate) struct Asset {
    /// The name below `/assets/`.
    pub(crate) name: Cow<'static, str>,
    /// The content.
    pub(crate) bytes: Cow<'static, [u8]>,
    /// The media type.
    pub(crate) content_type: &'static str,
    /// The entity tag, a hash of the content.
    pub(crate) tag: String,
}

impl Asset {
    fn new(name: Cow<'static, str>, bytes: Cow<'static, [u8]>, content_type: &'static str) -> Asset {
        let tag = format!("\"{:016x}\"", xxh3_64(&bytes));
        Asset { name, bytes, content_type, tag }
    }
}

/// A file that is embedded in the program.
struct EmbeddedFile {
    name: &'static str,
    text: &'static str,
    content_type: &'static str,
}

/// Returns a file of the folder `assets`.
macro_rules! asset {
    ($name:literal, $content_type:expr) => {
        EmbeddedFile {
            name: $name,
            text: include_str!(concat!("../assets/", $name)),
            content_type: $content_type,
        }
    };
}

/// The HTML of every page.
const PAGE: &str = include_str!("../assets/index.html");

/// The other files. Scripts are sent as bundles.
const FILES: &[EmbeddedFile] = &[
    asset!("about.js", SCRIPT),
    asset!("address.js", SCRIPT),
    asset!("analysis.js", SCRIPT),
    asset!("annotation.js", SCRIPT),
    asset!("api.js", SCRIPT),
    asset!("base.css", CSS),
    asset!("base.js", SCRIPT),
    asset!("board.css", CSS),
    asset!("board.js", SCRIPT),
    asset!("boardinput.js", SCRIPT),
    asset!("chooser.js", SCRIPT),
    asset!("clauses.js", SCRIPT),
    asset!("compare.js", SCRIPT),
    asset!("contents.js", SCRIPT),
    asset!("conversion.js", SCRIPT),
    asset!("copylink.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("drawing.js", SCRIPT),
    asset!("emptycorpus.js", SCRIPT),
    asset!("engine.js", SCRIPT),
    asset!("event.js", SCRIPT),
    asset!("explorer.js", SCRIPT),
    asset!("exploreresult.js", SCRIPT),
    asset!("filters.js", SCRIPT),
    asset!("findings.js", SCRIPT),
    asset!("format.js", SCRIPT),
    asset!("frame.js", SCRIPT),
    asset!("game.js", SCRIPT),
    asset!("gameclock.js", SCRIPT),
    asset!("gamefacts.js", SCRIPT),
    asset!("gamereplay.js", SCRIPT),
    asset!("geometry.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("heatmaps.js", SCRIPT),
    asset!("hits.js", SCRIPT),
    asset!("home.js", SCRIPT),
    asset!("icon.svg", SVG),
    asset!("levels.js", SCRIPT),
    asset!("main.js", SCRIPT),
    asset!("memory.js", SCRIPT),
    asset!("miniboard.js", SCRIPT),
    asset!("movehistory.js", SCRIPT),
    asset!("movesheet.js", SCRIPT),
    asset!("movetree.js", SCRIPT),
    asset!("notice.js", SCRIPT),
    asset!("pagehelp.js", SCRIPT),
    asset!("pages.css", CSS),
    asset!("paste.js", SCRIPT),
    asset!("pattern.js", SCRIPT),
    asset!("patterngrid.js", SCRIPT),
    asset!("people.js", SCRIPT),
    asset!("pictures.js", SCRIPT),
    asset!("pieces.js", SCRIPT),
    asset!("play.js", SCRIPT),
    asset!("playedgame.js", SCRIPT),
    asset!("player.js", SCRIPT),
    asset!("position.js", SCRIPT),
    asset!("positionpage.js", SCRIPT),
    asset!("puzzles.js", SCRIPT),
    asset!("queryhelp.js", SCRIPT),
    asset!("record.js", SCRIPT),
    asset!("repairs.js", SCRIPT),
    asset!("reportlinks.js", SCRIPT),
    asset!("reports.js", SCRIPT),
    asset!("review.js", SCRIPT),
    asset!("router.js", SCRIPT),
    asset!("rulespanel.js", SCRIPT),
    asset!("search.js", SCRIPT),
    asset!("settings.js", SCRIPT),
    asset!("setup.js", SCRIPT),
    asset!("stepper.js", SCRIPT),
    asset!("studies.js", SCRIPT),
    asset!("table.js", SCRIPT),
    asset!("theme.js", SCRIPT),
    asset!("tree.js", SCRIPT),
    asset!("treesheet.js", SCRIPT),
    asset!("upload.js", SCRIPT),
    asset!("variantname.js", SCRIPT),
    asset!("writing.js", SCRIPT),
];

/// The paths of the pages and their modules. `{id}` matches any last segment.
pub(crate) const PAGES: [(&str, &str); 16] = [
    ("/", "home.js"),
    ("/explore", "explorer.js"),
    ("/game/{id}", "game.js"),
    ("/player/{id}", "player.js"),
    ("/event/{id}", "event.js"),
    ("/compare", "compare.js"),
    ("/search", "search.js"),
    ("/analysis", "analysis.js"),
    ("/play", "play.js"),
    ("/review", "game.js"),
    ("/puzzles", "puzzles.js"),
    ("/reports", "reports.js"),
    ("/upload", "upload.js"),
    ("/about", "about.js"),
    ("/embed/game/{id}", "game.js"),
    ("/embed/position", "frame.js"),
];

/// The files, with the scripts in bundles.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let is_script = |file: &&EmbeddedFile| file.content_type == SCRIPT;
    let scripts: Vec<(&str, &str)> =
        FILES.iter().filter(is_script).map(|file| (file.name, file.text)).collect();
    let bundles = bundles(&scripts).expect("a test bundles the scripts");
    let scripts =
        bundles.into_iter().map(|(name, text)| Asset::new(name.into(), text.into_bytes().into(), SCRIPT));
    let others = FILES.iter().filter(|file| !is_script(file));
    let others =
        others.map(|file| Asset::new(file.name.into(), file.text.as_bytes().into(), file.content_type));
    others.chain(scripts).collect()
});

/// Returns the names of the files.
#[cfg(test)]
fn names() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().map(|asset| &*asset.name)
}

/// Returns a file by its name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// The address of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PageAddress<'a> {
    /// The scheme and the host, as the browser names them.
    pub(crate) origin: &'a str,
    /// The path below which everything is.
    pub(crate) base: &'a str,
    /// The path below it.
    pub(crate) path: &'a str,
}

/// The HTML of the first content of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstElements {
    /// Elements of the head.
    pub(crate) links: String,
    /// Elements of the main part.
    pub(crate) body: String,
}

/// Returns the variant of the page for playing if its address has none.
pub(crate) fn play_variant() -> Option<&'static str> {
    let script = FILES.iter().find(|file| file.name == "play.js")?.text;
    let (_, rest) = script.split_once("const FIRST_VARIANT = \"")?;
    Some(rest.split_once('"')?.0)
}

/// Returns the HTML of a page that loads a module. Pages below `/embed/` are for frames: they have no navigation, and
/// their links open other windows.
pub(crate) fn page(module: Option<&str>, address: PageAddress<'_>, first: &FirstElements) -> Asset {
    let PageAddress { origin, base, path } = address;
    let mut links = format!("<link rel=\"modulepreload\" href=\"/assets/{MAIN_BUNDLE}\">\n");
    if let Some(module) = module {
        links.push_str(&format!("<link rel=\"modulepreload\" href=\"/assets/{}\">\n", page_bundle(module)));
    }
    links.push_str(&first.links);
    let is_frame = path.starts_with("/embed/");
    if is_frame {
        links.push_str("<base target=\"_blank\">\n");
    }
    if path.starts_with("/game/") && !path.contains(['"', '<', '>']) {
        links.push_str(&format!(
            "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{origin}/api/oembed?url={origin}{base}{path}\">\n"
        ));
    }
    let html = PAGE.replace("</head>", &(links + "</head>"));
    let html = html.replace("<noscript>", &format!("{}<noscript>", first.body));
    let html = if base.is_empty() { html } else { below(base, origin, &html) };
    let html = if is_frame { html.replace("<body>", "<body class=\"frame\">") } else { html };
    Asset::new("index.html".into(), html.into_bytes().into(), HTML)
}

/// Returns a text as the value of an attribute in HTML.
pub(crate) fn html_attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a page whose addresses begin with a base path, which the scripts read from the page.
fn below(base: &str, origin: &str, html: &str) -> String {
    let api = format!("href=\"{origin}/api/");
    html.replace("<html ", &format!("<html data-taflbase=\"{base}\" "))
        .replace("href=\"/", &format!("href=\"{base}/"))
        .replace("src=\"/", &format!("src=\"{base}/"))
        .replace(&api, &format!("href=\"{origin}{base}/api/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_bundle_and_every_script_is_in_one() {
        let router = FILES.iter().find(|file| file.name == "router.js").unwrap().text;
        for (path, module) in PAGES {
            assert!(names().any(|name| name == page_bundle(module)), "{path}");
            assert!(router.contains(&format!("import(\"./{module}\")")), "{module}");
        }
        let texts: Vec<&str> =
            ASSETS.iter().filter_map(|asset| std::str::from_utf8(&asset.bytes).ok()).collect();
        for file in FILES.iter().filter(|file| file.content_type == SCRIPT) {
            let start = format!("m[\"{}\"] ??=", file.name);
            assert!(texts.iter().any(|text| text.contains(&start)), "{} is in no bundle", file.name);
        }
    }

    #[test]
    fn bundles_are_small() {
        let size = |name: &str| find(name).unwrap().bytes.len();
        // A page doesn't load what only other pages need.
        let all: usize =
            FILES.iter().filter(|file| file.content_type == SCRIPT).map(|file| file.text.len()).sum();
        for (_, module) in PAGES {
            let loaded = size(MAIN_BUNDLE) + size(&page_bundle(module));
            assert!(3 * loaded < 2 * all, "{module}: {loaded} of {all}");
        }
    }

    #[test]
    fn addresses_of_a_page_begin_with_the_base_path() {
        let address = PageAddress { origin: "https://a.example", base: "/tafl", path: "/game/1" };
        let first = FirstElements { links: "<link href=\"/api/game/1\">".to_owned(), body: String::new() };
        let html = String::from_utf8(page(Some("game.js"), address, &first).bytes.into_owned()).unwrap();
        assert!(html.contains("<html data-taflbase=\"/tafl\" lang=\"en\">"), "{html}");
        let description = "href=\"https://a.example/tafl/api/oembed?url=https://a.example/tafl/game/1\"";
        assert!(html.contains(description), "{html}");
        let places = html.split("href=\"").chain(html.split("src=\"")).skip(1);
        let outside = places.filter(|place| place.starts_with('/') && !place.starts_with("/tafl/"));
        assert_eq!(outside.count(), 0, "{html}");
    }

    #[test]
    fn a_page_has_its_scripts_and_its_first_content() {
        let first =
            FirstElements { links: "<link rel=\"preload\">".to_owned(), body: "<picture>".to_owned() };
        let html = |module| {
            let page = page(Some(module), PageAddress::default(), &first);
            String::from_utf8(page.bytes.into_owned()).unwrap()
        };
        let explorer = html("explorer.js");
        for element in ["href=\"/assets/app.js\"", "href=\"/assets/page-explorer.js\"", "<picture><noscript>"]
        {
            assert!(explorer.contains(element), "{element}");
        }
        assert!(explorer.contains("<link rel=\"preload\"></head>"));
        assert_ne!(explorer, html("about.js"));
    }

    #[test]
    fn texts_are_escaped_as_attributes() {
        assert_eq!(html_attribute("a\"><b&"), "a&quot;&gt;&lt;b&amp;");
    }
}
