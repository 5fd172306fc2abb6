//! Hits as JSON lines.

use serde::Serialize;
use tafl_corpus::query::Placement;
use tafl_corpus::search::{HitRow, Total};
use tafl_rules::Cell;

use super::Asked;

/// A hit, as a line of JSON.
#[derive(Debug, Serialize)]
struct HitLine<'a> {
    r#type: &'static str,
    game: String,
    variant: Option<&'a str>,
    shape: &'a str,
    attackers: Option<&'a str>,
    defenders: Option<&'a str>,
    attackers_rating: Option<i16>,
    defenders_rating: Option<i16>,
    event: Option<&'a str>,
    site: Option<&'a str>,
    date: Option<&'a str>,
    result: &'static str,
    reason: Option<&'static str>,
    plies: u32,
    source: Option<&'a str>,
    place: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<MomentLine>,
}

/// The position of a hit.
#[derive(Debug, Serialize)]
struct MomentLine {
    ply: u32,
    to_move: &'static str,
    #[serde(rename = "move")]
    mv: Option<String>,
    captured: Vec<String>,
    position: String,
    /// The cells on which the pattern lies.
    cells: Vec<String>,
    placement: Option<PlacementLine>,
}

/// How a pattern lies.
#[derive(Debug, Serialize)]
struct PlacementLine {
    pattern: u16,
    symmetry: u8,
    files: i8,
    ranks: i8,
    swapped: bool,
    words: String,
}

/// The last line: where the answer comes from, and how much there is.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    r#type: &'static str,
    query: String,
    corpus: Provenance<'a>,
    hits: u64,
    games: u64,
    /// Whether these are all, or the search stopped when the page was full.
    exact: bool,
    offset: u64,
    shown: usize,
    /// How many games the index left to be played.
    candidates: u64,
}

/// The state of the corpus that was asked.
#[derive(Debug, Serialize)]
struct Provenance<'a> {
    generation: u64,
    manifest: &'a str,
}

/// Writes a line for each hit, then one with the counts.
pub(super) fn write(asked: &Asked<'_>) -> String {
    let mut out = String::new();
    for row in asked.rows {
        line(&hit(row, asked), &mut out);
    }
    let (hits, games) = (asked.answer.total, asked.answer.games);
    let manifest = asked.corpus.manifest();
    let summary = Summary {
        r#type: "summary",
        query: asked.query.to_string(),
        corpus: Provenance { generation: manifest.generation, manifest: &manifest.checksum },
        hits: hits.number(),
        games: games.number(),
        exact: matches!(hits, Total::Exactly(_)),
        offset: asked.args.offset,
        shown: asked.rows.len(),
        candidates: asked.answer.candidates,
    };
    line(&summary, &mut out);
    out
}

fn line(value: &impl Serialize, out: &mut String) {
    out.push_str(&serde_json::to_string(value).expect("texts and numbers can be written as JSON"));
    out.push('\n');
}

fn hit<'a>(row: &'a HitRow, asked: &Asked<'_>) -> HitLine<'a> {
    let game = &row.game;
    HitLine {
        r#type: "hit",
        game: game.game.to_string(),
        variant: game.variant.as_deref(),
        shape: &game.shape,
        attackers: game.attackers.as_deref(),
        defenders: game.defenders.as_deref(),
        attackers_rating: game.attackers_rating,
        defenders_rating: game.defenders_rating,
        event: game.event.as_deref(),
        site: game.site.as_deref(),
        date: game.date.as_deref(),
        result: game.result.word(),
        reason: game.reason.map(|reason| reason.words()),
        plies: game.plies,
        source: game.source.as_deref(),
        place: game.place,
        at: (!asked.query.is_about_games()).then(|| moment(row)),
    }
}

fn moment(row: &HitRow) -> MomentLine {
    let shape = row.position.shape();
    let name = |cell: Cell| shape.coord(cell).to_string();
    let placement = |placement: Placement| PlacementLine {
        pattern: placement.pattern,
        symmetry: placement.symmetry,
        files: placement.files,
        ranks: placement.ranks,
        swapped: placement.swapped,
        words: row.transform.clone().unwrap_or_default(),
    };
    MomentLine {
        ply: row.found.hit.ply,
        to_move: row.to_move.word(),
        mv: row.last.map(|mv| format!("{}-{}", name(mv.from), name(mv.to))),
        captured: row.captured.iter().copied().map(name).collect(),
        position: row.position.to_string(),
        cells: row.cells.iter().copied().map(name).collect(),
        placement: row.found.hit.placement.map(placement),
    }
}
