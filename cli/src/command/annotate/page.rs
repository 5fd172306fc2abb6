//! The HTML of pages: head, style, escaped text, and the index page.

use std::fmt::Write as _;

use tafl_parser::tag;
use tafl_reports::Escaped;
use tafl_rules::Side;

use taflbase::engine::{AnnotatedGame, remarks};

use super::text;

/// The style of all pages.
const STYLE: &str = include_str!("../../../assets/annotate.css");

/// The row of a game on the index page.
pub(super) struct PageEntry {
    /// The preferred name of the file.
    pub(super) name: String,
    title: String,
    variant: String,
    result: String,
    sides: [String; 2],
}

impl PageEntry {
    /// Returns the row of a game.
    pub(super) fn of(game: &AnnotatedGame) -> PageEntry {
        let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '-';
        let stem: String = game
            .game
            .file
            .chars()
            .map(|symbol| if is_plain(symbol) { symbol } else { '-' })
            .take(60)
            .collect();
        let side = |side: Side| {
            let side = &game.notes.sides[side];
            let accuracy =
                side.accuracy.map_or_else(|| "-".to_owned(), |part| format!("{:.1}", part.percent()));
            let counts = side.counts;
            format!("{accuracy} ({} / {} / {})", counts.inaccuracies, counts.mistakes, counts.blunders)
        };
        PageEntry {
            name: format!("{}-{}.html", stem.trim_matches('-'), game.game.ordinal),
            title: title(game),
            variant: game.game.replayed.variant().to_owned(),
            result: text::result(game),
            sides: Side::ALL.map(side),
        }
    }

    /// Returns the HTML of the row, with a link to a file.
    pub(super) fn row(&self, file: &str) -> String {
        let PageEntry { title, variant, result, sides: [attackers, defenders], .. } = self;
        format!(
            "<tr><td><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td><td>{attackers}</td><td>{defenders}</td></tr>\n",
            Escaped(file),
            Escaped(title),
            Escaped(variant),
            Escaped(result),
        )
    }
}

/// Returns the title of a game: its players, or its place.
pub(super) fn title(game: &AnnotatedGame) -> String {
    let record = &game.game.replayed.record;
    match (record.tag(tag::ATTACKERS), record.tag(tag::DEFENDERS)) {
        (None, None) => format!("Game {}", game.game.name()),
        (attackers, defenders) => format!("{} - {}", attackers.unwrap_or("?"), defenders.unwrap_or("?")),
    }
}

/// Returns the index page.
pub(super) fn index(rows: &str) -> String {
    let body = format!(
        "<h1>Annotated games</h1>\n<p>Accuracy of each side, with its inaccuracies, mistakes, and blunders.</p>\n<table class=\"list\">\n<thead><tr><th>game</th><th>variant</th><th>result</th><th>attackers</th><th>defenders</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    );
    page("Annotated games", &body)
}

/// Returns a whole page.
pub(super) fn page(title: &str, body: &str) -> String {
    let mut out = String::with_capacity(body.len() + STYLE.len() + 400);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"taflbase {}\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        Escaped(title),
    );
    out
}

/// Returns the CSS class of a judgment.
pub(super) const fn class(ply: &tafl_analyzer::PlyNote) -> &'static str {
    ply.judgement.as_str()
}

/// Returns a remark as HTML.
pub(super) fn remark(game: &AnnotatedGame, nth: usize) -> String {
    let notes = &game.notes;
    Escaped(&remarks::remark(game.start.shape(), &notes.plies[nth], &notes.positions[nth])).to_string()
}
