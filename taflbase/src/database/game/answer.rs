//! The answer about a game.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_corpus::CopyNote;

use crate::database::OpeningName;
use crate::engine::EvaluatedGame;
use crate::records::MarkedFinding;

/// A game as a whole.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameAnswer {
    /// The information about the game besides its moves.
    pub game: GameHead,
    /// The comment before the first move.
    pub start_comment: Option<String>,
    /// The written moves with their variations.
    pub tree: Vec<TreeMove>,
    /// The plies that can be played.
    pub plies: Vec<PlyAnswer>,
    /// The position records: the start, then the one after each ply.
    pub positions: Vec<String>,
    /// The written moves that can't be played.
    pub unplayed: Vec<String>,
    /// The end of the game.
    pub outcome: Option<GameEnding>,
    /// The name of its opening, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningName>,
    /// The engines' evaluations of the game; null if it has none.
    pub evals: Option<EvaluatedGame>,
    /// The record as it was written.
    pub text: Option<String>,
}

/// The information about a game besides its moves.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameHead {
    /// The ID of the game: 16 hexadecimal digits.
    pub game: String,
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<String>,
    /// The board: `11x11`.
    pub shape: String,
    /// The attackers' player.
    pub attackers: Option<String>,
    /// The defenders' player.
    pub defenders: Option<String>,
    /// The rating of the attackers' player.
    pub attackers_rating: Option<i16>,
    /// The rating of the defenders' player.
    pub defenders_rating: Option<i16>,
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// The date, or the part of it that is known: `2019-03`.
    pub date: Option<String>,
    /// `attackers`, `defenders`, `draw` or `unfinished`.
    pub result: &'static str,
    /// The reason for the result.
    pub reason: Option<&'static str>,
    /// The source of the reason: `board`, `record`, or `inference`; null if the reason or its source is unknown.
    pub reason_source: Option<&'static str>,
    /// The number of plies.
    pub plies: u32,
    /// The file that the record is from.
    pub source: Option<String>,
    /// The line of the file in which the record begins.
    pub place: Option<u32>,
    /// The rules string.
    pub rules: String,
    /// The position record of the start.
    pub start: String,
    /// The side that moved first.
    pub first: &'static str,
    /// The round.
    pub round: Option<String>,
    /// The time control.
    pub time_control: Option<String>,
    /// The year.
    pub year: Option<i16>,
    /// The number of pieces that each side captured.
    pub captures: SideCaptures,
    /// The notation.
    pub format: Option<&'static str>,
    /// `sound` or `explained`.
    pub verdict: &'static str,
    /// The findings about the record.
    pub findings: Vec<MarkedFinding>,
    /// Other copies of the game.
    pub copies: Vec<CopyNote>,
    /// The ID of a stored game of which this one is or may be a copy, as it was at the import.
    pub duplicate_of: Option<String>,
    /// The other statements of the record.
    pub tags: BTreeMap<String, TagValue>,
}

/// The value of a statement of a record: a text, or a list where the statement is repeated.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TagValue {
    /// The text.
    One(String),
    /// The texts.
    Many(Vec<String>),
}

/// The number of pieces that each side captured.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SideCaptures {
    /// The attackers.
    pub attackers: u16,
    /// The defenders.
    pub defenders: u16,
}

/// The end of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameEnding {
    /// `attackers`, `defenders` or `draw`.
    pub winner: &'static str,
    /// The reason.
    pub reason: &'static str,
    /// The source of the reason: `board`, `record`, or `inference`; null if the reason is unknown.
    pub reason_source: Option<&'static str>,
    /// The reason in a sentence.
    pub words: String,
    /// Whether the game ended on the board, and not by an agreement or a resignation.
    pub on_board: bool,
}

/// A ply of a game, as pages show it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlyAnswer {
    /// The number, from 1.
    pub ply: usize,
    /// The side that moved.
    pub side: &'static str,
    /// The move.
    pub r#move: String,
    /// The move as it was written.
    pub written: Option<String>,
    /// The cells of the captured pieces.
    pub captured: Vec<String>,
    /// Whether the same piece must continue in the same turn.
    pub goes_on: bool,
    /// The position record after the ply.
    pub position: Option<String>,
    /// The side to move after the ply.
    pub to_move: &'static str,
    /// The comment after the move.
    pub comment: Option<String>,
    /// The clocks after the move.
    pub clocks: Vec<ClockReading>,
    /// The marks of the move, such as `!?`.
    pub glyphs: Vec<&'static str>,
    /// The variations that replace the move.
    pub variations: Vec<PlainVariation>,
    /// The explanations of captures, repetitions, and the end.
    pub explain: Vec<PlyReason>,
}

/// The time on a clock.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ClockReading {
    /// The side whose clock it is.
    pub side: &'static str,
    /// The time that is left.
    pub seconds: f64,
}

/// A variation as plain moves.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlainVariation {
    /// The moves.
    pub moves: Vec<String>,
    /// All comments of the variation.
    pub comment: Option<String>,
}

/// The explanation of a part of a ply's effect.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlyReason {
    /// `captured`, `shieldwall`, `chain`, `repetition` or `end`.
    pub kind: &'static str,
    /// The rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The cell of the captured piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured: Option<String>,
    /// The winner, after an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    /// A sentence.
    pub words: String,
    /// The cells that a board can mark.
    pub cells: Vec<String>,
}

/// An entry of the written tree.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TreeMove {
    /// A move of the game itself.
    Main(MainMove),
    /// A move of a variation.
    Variation(VariationMove),
    /// Variations that follow the last move of a line.
    Later(LaterVariations),
}

/// A move of the game itself. Its position is that of its ply.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MainMove {
    /// The move.
    pub r#move: String,
    /// The number of its ply, if it was played.
    pub ply: Option<usize>,
    /// The marks of the move, such as `!?`.
    pub glyphs: Vec<&'static str>,
    /// The comment after the move.
    pub comment: Option<String>,
    /// The variations that replace the move.
    pub variations: Vec<Vec<TreeMove>>,
}

/// A move of a variation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VariationMove {
    /// The move.
    pub r#move: String,
    /// The side that moved, if the move can be played.
    pub side: Option<&'static str>,
    /// The cells of the captured pieces.
    pub captured: Vec<String>,
    /// The position record after the move, if the move can be played.
    pub position: Option<String>,
    /// The marks of the move, such as `!?`.
    pub glyphs: Vec<&'static str>,
    /// The comment after the move.
    pub comment: Option<String>,
    /// The variations that replace the move.
    pub variations: Vec<Vec<TreeMove>>,
}

/// Variations that follow the last move of a line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LaterVariations {
    /// Always null.
    pub r#move: Option<String>,
    /// The variations.
    pub variations: Vec<Vec<TreeMove>>,
}
