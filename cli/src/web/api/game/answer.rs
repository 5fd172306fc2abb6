//! The answer about a game.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_web::Board;

/// A JSON object whose members have no schema.
type JsonObject = serde_json::Map<String, serde_json::Value>;

/// A game as a whole.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GameAnswer {
    /// What is known of the game besides its moves.
    pub(super) game: GameHead,
    /// The board, with the start of this game; null if the rules are not known.
    pub(super) board: Option<Board>,
    /// The comment before the first move.
    pub(super) start_comment: Option<String>,
    /// The written moves with their variations.
    pub(super) tree: Vec<TreeMove>,
    /// The plies that can be played.
    pub(super) plies: Vec<GamePly>,
    /// The position records: the start, then the one after each ply.
    pub(super) positions: Vec<String>,
    /// The written moves that can't be played.
    pub(super) unplayed: Vec<String>,
    /// How the game ended.
    pub(super) outcome: Option<GameOutcome>,
    /// What engines said about the game; null if none looked at it.
    #[schemars(with = "Option<JsonObject>")]
    pub(super) evals: serde_json::Value,
    /// The record as it was written.
    pub(super) text: Option<String>,
}

/// What is known of a game besides its moves.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GameHead {
    /// The number of the game: 16 hexadecimal digits.
    pub(super) game: String,
    /// The name of the variant, if it has one.
    pub(super) variant: Option<String>,
    /// The board: `11x11`.
    pub(super) shape: String,
    /// The attackers' player.
    pub(super) attackers: Option<String>,
    /// The defenders' player.
    pub(super) defenders: Option<String>,
    /// The rating of the attackers' player.
    pub(super) attackers_rating: Option<i16>,
    /// The rating of the defenders' player.
    pub(super) defenders_rating: Option<i16>,
    /// The event.
    pub(super) event: Option<String>,
    /// The site.
    pub(super) site: Option<String>,
    /// The date, or the part of it that is known: `2019-03`.
    pub(super) date: Option<String>,
    /// `attackers`, `defenders`, `draw` or `unfinished`.
    pub(super) result: &'static str,
    /// The reason for the result.
    pub(super) reason: Option<&'static str>,
    /// The number of plies.
    pub(super) plies: u32,
    /// The file that the record is from.
    pub(super) source: Option<String>,
    /// The line of the file in which the record begins.
    pub(super) place: Option<u32>,
    /// The rules string.
    pub(super) rules: String,
    /// The position record of the start.
    pub(super) start: String,
    /// The side that moved first.
    pub(super) first: &'static str,
    /// The round.
    pub(super) round: Option<String>,
    /// The time control.
    pub(super) time_control: Option<String>,
    /// The year.
    pub(super) year: Option<i16>,
    /// The number of pieces that each side captured.
    pub(super) captures: SideCaptures,
    /// The notation.
    pub(super) format: Option<&'static str>,
    /// `sound` or `explained`.
    pub(super) verdict: &'static str,
    /// What is wrong with the record, or worth knowing.
    #[schemars(with = "Vec<JsonObject>")]
    pub(super) findings: Vec<serde_json::Value>,
    /// Other copies of the game.
    #[schemars(with = "Vec<JsonObject>")]
    pub(super) copies: serde_json::Value,
    /// The other statements of the record.
    #[schemars(with = "JsonObject")]
    pub(super) tags: serde_json::Value,
}

/// The number of pieces that each side captured.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SideCaptures {
    /// The attackers.
    pub(super) attackers: u16,
    /// The defenders.
    pub(super) defenders: u16,
}

/// How a game ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GameOutcome {
    /// `attackers`, `defenders` or `draw`.
    pub(super) winner: &'static str,
    /// The reason.
    pub(super) reason: &'static str,
    /// The reason in a sentence.
    pub(super) words: String,
    /// Whether the game ended on the board, and not by an agreement or a resignation.
    pub(super) on_board: bool,
}

/// A ply of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GamePly {
    /// The number, from 1.
    pub(super) ply: usize,
    /// The side that moved.
    pub(super) side: &'static str,
    /// The move.
    pub(super) r#move: String,
    /// The move as it was written.
    pub(super) written: Option<String>,
    /// The cells of the captured pieces.
    pub(super) captured: Vec<String>,
    /// Whether the same piece has to go on in the same turn.
    pub(super) goes_on: bool,
    /// The position record after the ply.
    pub(super) position: Option<String>,
    /// The side to move after the ply.
    pub(super) to_move: &'static str,
    /// The comment after the move.
    pub(super) comment: Option<String>,
    /// The clocks after the move.
    pub(super) clocks: Vec<ClockReading>,
    /// The marks of the move, such as `!?`.
    pub(super) glyphs: Vec<&'static str>,
    /// The variations that replace the move.
    pub(super) variations: Vec<PlainVariation>,
    /// What explains captures, repetitions, and the end.
    pub(super) explain: Vec<PlyReason>,
}

/// What a clock shows.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ClockReading {
    /// The side whose clock it is.
    pub(super) side: &'static str,
    /// The time that is left.
    pub(super) seconds: f64,
}

/// A variation as plain moves.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlainVariation {
    /// The moves.
    pub(super) moves: Vec<String>,
    /// All comments of the variation.
    pub(super) comment: Option<String>,
}

/// What explains a part of a ply's effect.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlyReason {
    /// `captured`, `shieldwall`, `chain`, `repetition` or `end`.
    pub(super) kind: &'static str,
    /// The rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<&'static str>,
    /// The cell of the captured piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) captured: Option<String>,
    /// The winner, after an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) winner: Option<&'static str>,
    /// A sentence.
    pub(super) words: String,
    /// The cells that a board can mark.
    pub(super) cells: Vec<String>,
}

/// An entry of the written tree.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum TreeMove {
    /// A move of the game itself.
    Main(MainMove),
    /// A move of a variation.
    Variation(VariationMove),
    /// Variations that follow the last move of a line.
    Later(LaterVariations),
}

/// A move of the game itself. Its position is that of its ply.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MainMove {
    /// The move.
    pub(super) r#move: String,
    /// The number of its ply, if it was played.
    pub(super) ply: Option<usize>,
    /// The marks of the move, such as `!?`.
    pub(super) glyphs: Vec<&'static str>,
    /// The comment after the move.
    pub(super) comment: Option<String>,
    /// The variations that replace the move.
    pub(super) variations: Vec<Vec<TreeMove>>,
}

/// A move of a variation.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VariationMove {
    /// The move.
    pub(super) r#move: String,
    /// The side that moved, if the move can be played.
    pub(super) side: Option<&'static str>,
    /// The cells of the captured pieces.
    pub(super) captured: Vec<String>,
    /// The position record after the move, if the move can be played.
    pub(super) position: Option<String>,
    /// The marks of the move, such as `!?`.
    pub(super) glyphs: Vec<&'static str>,
    /// The comment after the move.
    pub(super) comment: Option<String>,
    /// The variations that replace the move.
    pub(super) variations: Vec<Vec<TreeMove>>,
}

/// Variations that follow the last move of a line.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LaterVariations {
    /// Always null.
    pub(super) r#move: Option<String>,
    /// The variations.
    pub(super) variations: Vec<Vec<TreeMove>>,
}
