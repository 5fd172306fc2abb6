//! Hits as JSON of the server, until it uses the requests of `taflbase`.

use serde::Serialize;
use tafl_corpus::Corpus;
use tafl_corpus::query::{Placement, Query};
use tafl_corpus::search::{Answer, Spot, Total};
use tafl_corpus::summaries::GameSummary;
use tafl_rules::Cell;

/// A hit, or a game.
#[derive(Debug, Serialize)]
pub(crate) struct HitLine<'a> {
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

/// Where an answer comes from, and how much there is.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'a> {
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

impl<'a> Summary<'a> {
    /// Returns the summary of an answer whose page begins at an offset.
    pub(crate) fn new(corpus: &'a Corpus, query: &Query, answer: &Answer, offset: u64) -> Summary<'a> {
        let (hits, games) = (answer.total, answer.games);
        let manifest = corpus.manifest();
        Summary {
            r#type: "summary",
            query: query.to_string(),
            corpus: Provenance { generation: manifest.generation, manifest: &manifest.checksum },
            hits: hits.number(),
            games: games.number(),
            exact: matches!(hits, Total::Exactly(_)),
            offset,
            shown: answer.hits.len(),
            candidates: answer.candidates,
        }
    }
}

/// Returns a value as a line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("texts and numbers can be written as JSON");
    line.push('\n');
    line
}

/// Returns a hit: the game, and the moment where the hit is one.
pub(crate) fn hit<'a>(card: &GameSummary<'a>, spot: Option<&Spot>) -> HitLine<'a> {
    HitLine {
        r#type: "hit",
        game: card.game.to_string(),
        variant: card.variant,
        shape: card.shape,
        attackers: card.attackers,
        defenders: card.defenders,
        attackers_rating: card.attackers_rating,
        defenders_rating: card.defenders_rating,
        event: card.event,
        site: card.site,
        date: card.date,
        result: card.result.word(),
        reason: card.reason.map(|reason| reason.words()),
        plies: card.plies,
        source: card.source,
        place: card.place,
        at: spot.map(moment),
    }
}

fn moment(spot: &Spot) -> MomentLine {
    let shape = spot.position.shape();
    let name = |cell: Cell| shape.coord(cell).to_string();
    let placement = |placement: Placement| PlacementLine {
        pattern: placement.pattern,
        symmetry: placement.symmetry,
        files: placement.files,
        ranks: placement.ranks,
        swapped: placement.swapped,
        words: spot.transform.clone().unwrap_or_default(),
    };
    MomentLine {
        ply: spot.found.hit.ply,
        to_move: spot.to_move.word(),
        mv: spot.last.map(|mv| mv.text(shape)),
        captured: spot.captured.iter().copied().map(name).collect(),
        position: spot.position.to_string(),
        cells: spot.cells.iter().copied().map(name).collect(),
        placement: spot.found.hit.placement.map(placement),
    }
}
