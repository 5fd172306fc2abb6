//! Replies to queries.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tafl_analyzer::{KnownResult, PositionNote};

use super::super::annotate::PositionFinding;
use super::super::eval::EvalLine;
use super::query::QueriedTurn;
use crate::ErrorAnswer;

/// A line of the output.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AnalyzeReply {
    /// The result of a turn.
    Turn(Box<AnalyzedTurn>),
    /// A turn that isn't searched.
    NotSearched {
        /// The ID of the query.
        id: Value,
        /// The number of plies before the position.
        turn: usize,
        /// Always true: the query was terminated.
        terminated: bool,
    },
    /// The confirmation that queries were terminated. Turns that are being searched are still answered.
    Terminated {
        /// The ID of the command.
        id: Value,
        /// `terminate` or `terminate_all`.
        action: &'static str,
        /// The ID of the queries that were terminated.
        #[serde(skip_serializing_if = "Option::is_none")]
        terminate_id: Option<Value>,
        /// The number of queries that were terminated.
        queries: usize,
    },
    /// The line can't be answered.
    Error {
        /// The ID of the query, if it could be read.
        id: Option<Value>,
        /// The error.
        error: ErrorAnswer,
    },
}

/// The result of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnalyzedTurn {
    /// The ID of the query.
    pub id: Value,
    /// The number of plies before the position.
    pub turn: usize,
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The findings, those of `tafl annotate`.
    #[serde(flatten)]
    pub finding: PositionFinding,
    /// The end of the game, if it has ended: `attackers`, `defenders`, or `draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<&'static str>,
    /// The lines, the best one first, with scores for the side to move.
    pub lines: Vec<EvalLine>,
    /// Whether the query was terminated during the search, so that it was shorter than its limits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub terminated: bool,
    /// Whether the search goes on, so that another answer about this turn follows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl AnalyzedTurn {
    pub(super) fn of(turn: &QueriedTurn, note: &PositionNote) -> AnalyzedTurn {
        let (query, game) = (&turn.query, &turn.game);
        let lines = note.evaluation().map_or(&[][..], |evaluation| evaluation.lines());
        AnalyzedTurn {
            id: query.id.clone(),
            turn: turn.turn,
            variant: query.rules.variant.catalog_name(),
            rules: query.rules.variant.rules.to_string(),
            position: game.setup().to_string(),
            finding: PositionFinding::of(game.shape(), turn.turn, note),
            outcome: match &note.known {
                KnownResult::Ended(outcome) => Some(outcome.winner_name()),
                KnownResult::Searched(_) | KnownResult::NotSearched(_) => None,
            },
            lines: lines.iter().map(|line| EvalLine::of(game, line)).collect(),
            terminated: query.token.is_canceled(),
            partial: false,
        }
    }
}
