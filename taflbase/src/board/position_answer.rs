//! A position with its pieces, its legal moves, and its history.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_rules::{Cell, CellSet, Facts, Game, KingStatus, Piece, Ply, Role, Setup, Shape, Side, explain_ply};

use super::position_request::{PlayedPosition, PositionRequest};
use crate::{App, Job, Request, Result};

impl Request for PositionRequest {
    type Answer = PositionAnswer;

    fn run(self, app: &App, _: &Job) -> Result<PositionAnswer> {
        Ok(PositionAnswer::of(&self.play(app)?))
    }
}

/// A position, its legal moves, and what led there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PositionAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The position record.
    pub position: String,
    /// The side to move.
    pub to_move: &'static str,
    /// The number of plies that were played.
    pub ply: usize,
    /// The pieces.
    pub pieces: Vec<PlacedPiece>,
    /// The cells to which each piece can move, by its own cell.
    pub moves: BTreeMap<String, Vec<String>>,
    /// Whether the side to move may decline to continue its chain; then `moves` has the other side's moves, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_decline: bool,
    /// The plies that were played.
    pub history: Vec<HistoryPly>,
    /// The last of them.
    pub last: Option<HistoryPly>,
    /// The number of pieces that each side lost.
    pub captured: SideCounts,
    /// The end of the game, if it has ended.
    pub outcome: Option<PositionOutcome>,
    /// The canonical key of the position: 16 hexadecimal digits.
    pub key: String,
    /// The state of the kings.
    pub facts: PositionFacts,
}

/// A piece on its cell.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlacedPiece {
    /// The cell.
    pub cell: String,
    /// The side.
    pub side: &'static str,
    /// The role.
    pub role: &'static str,
    /// The letter of position records.
    pub code: String,
}

/// A ply that led to a position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HistoryPly {
    /// The move.
    pub r#move: String,
    /// The cells of the captured pieces.
    pub captured: Vec<String>,
    /// The side that moved.
    pub side: &'static str,
    /// The role of the piece that moved.
    pub role: Option<&'static str>,
    /// Whether the position was there before.
    pub repetition: bool,
}

/// A number for each side.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideCounts {
    /// The attackers'.
    pub attackers: usize,
    /// The defenders'.
    pub defenders: usize,
}

/// The end of a game on the board.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PositionOutcome {
    /// `attackers`, `defenders` or `draw`.
    pub winner: &'static str,
    /// The reason.
    pub reason: &'static str,
    /// The reason in a sentence.
    pub words: Option<String>,
    /// The cells that show it.
    pub cells: Vec<String>,
}

/// The facts about a position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PositionFacts {
    /// The state of each side's king.
    pub kings: KingsFacts,
}

/// The state of the kings.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KingsFacts {
    /// The attackers' king, if there is one.
    pub attackers: Option<KingFacts>,
    /// The defenders' king.
    pub defenders: Option<KingFacts>,
}

/// The state of a king.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KingFacts {
    /// The number of moves of the king alone to the nearest goal.
    pub distance: u8,
    /// Whether the distance is that or more, or no goal can be reached.
    pub is_far: bool,
    /// The number of goals to which the king has an open line.
    pub open_lines: u8,
    /// Whether the enemy, if to move, could capture the king.
    pub in_danger: bool,
    /// Whether a cordon is closed around the king.
    pub cordoned: bool,
}

impl PositionAnswer {
    /// Returns the answer for a position.
    pub fn of(played: &PlayedPosition) -> PositionAnswer {
        let game = &played.game;
        let shape = game.shape();
        let setup = game.setup();
        let history = history(played);
        let lost = |side| {
            let n = |setup: &Setup| setup.pieces().filter(|(_, piece)| piece.side == side).count();
            n(&played.start).saturating_sub(n(&setup))
        };
        PositionAnswer {
            variant: played.rules.variant.catalog_name(),
            position: setup.to_string(),
            to_move: game.to_move().as_str(),
            ply: played.plies.len(),
            pieces: setup.pieces().map(|(cell, piece)| placed_piece(shape, cell, piece)).collect(),
            moves: moves(game),
            may_decline: game.may_decline(),
            last: history.last().cloned(),
            history,
            captured: SideCounts { attackers: lost(Side::Attackers), defenders: lost(Side::Defenders) },
            outcome: outcome(played),
            key: format!("{:016x}", game.canonical_key().0.0),
            facts: PositionFacts { kings: kings_facts(&game.facts()) },
        }
    }
}

fn placed_piece(shape: Shape, cell: Cell, piece: Piece) -> PlacedPiece {
    PlacedPiece {
        cell: shape.name(cell),
        side: piece.side.as_str(),
        role: piece.role.as_str(),
        code: piece.letter().to_string(),
    }
}

/// Returns the destinations of legal moves by their origin; empty after the end of the game.
fn moves(game: &Game) -> BTreeMap<String, Vec<String>> {
    let shape = game.shape();
    let mut moves: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if game.outcome().is_some() {
        return moves;
    }
    for mv in game.moves() {
        moves.entry(shape.name(mv.from)).or_default().push(shape.name(mv.to));
    }
    moves
}

/// Returns the plies that led to a position.
fn history(played: &PlayedPosition) -> Vec<HistoryPly> {
    let shape = played.game.shape();
    // A ply doesn't have the role of its piece, so the pieces are followed from the start.
    let mut setup = played.start.clone();
    let mut all = Vec::with_capacity(played.plies.len());
    for ply in &played.plies {
        let piece = setup.piece(ply.mv.from);
        all.push(HistoryPly {
            r#move: ply.mv.display(shape).to_string(),
            captured: names(shape, &ply.captured),
            side: ply.side.as_str(),
            role: piece.map(|piece| piece.role.as_str()),
            repetition: ply.repetition.is_some(),
        });
        follow(&mut setup, ply);
    }
    all
}

/// Applies a ply to an arrangement of pieces.
fn follow(setup: &mut Setup, ply: &Ply) {
    let piece = setup.piece(ply.mv.from);
    setup.put(ply.mv.from, None);
    setup.put(ply.mv.to, piece);
    for cell in ply.captured.iter().filter(|cell| *cell != ply.mv.to) {
        let mercenary = setup
            .piece(cell)
            .filter(|piece| piece.role == Role::Mercenary)
            .map(|piece| Piece { side: piece.side.other(), ..piece });
        setup.put(cell, mercenary);
    }
}

fn names(shape: Shape, cells: &CellSet) -> Vec<String> {
    cells.iter().map(|cell| shape.name(cell)).collect()
}

/// Returns how the game ended, if it did, with the cells that show it.
fn outcome(played: &PlayedPosition) -> Option<PositionOutcome> {
    let outcome = played.game.outcome()?;
    let shape = played.game.shape();
    let last = played.before.as_ref().zip(played.plies.last());
    let explanation = last.and_then(|(before, ply)| explain_ply(before, ply.mv).ok());
    let cells: Vec<String> = explanation
        .as_ref()
        .and_then(|explanation| explanation.end.as_ref())
        .map(|end| end.cells.iter().map(|(cell, _)| shape.name(*cell)).collect())
        .unwrap_or_default();
    let words = explanation.and_then(|explanation| explanation.lines(shape).pop());
    Some(PositionOutcome { winner: outcome.winner_name(), reason: outcome.reason.as_str(), words, cells })
}

fn kings_facts(facts: &Facts) -> KingsFacts {
    let king = |side: Side| {
        facts.kings[side].map(|king: KingStatus| KingFacts {
            distance: king.distance,
            is_far: king.distance >= KingStatus::FAR,
            open_lines: king.lines,
            in_danger: king.in_danger,
            cordoned: king.cordoned,
        })
    };
    KingsFacts { attackers: king(Side::Attackers), defenders: king(Side::Defenders) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RulesRequest, SideName};

    #[test]
    fn an_end_after_an_end_is_explained() {
        let request = |moves: &str| PositionRequest {
            rules: RulesRequest { rule: vec!["xnom=lose".to_owned()], ..RulesRequest::of("brandubh7") },
            position: Some("/2K4/t6/7/1t5/7/7/6t/".to_owned()),
            side: Some(SideName::Defenders),
            moves: Some(moves.to_owned()),
        };
        let outcome =
            |moves: &str| request(moves).run(&App::new(), &Job::default()).unwrap().outcome.unwrap();
        assert_eq!(outcome("c1-a1").reason, "king reached goal");
        // The king is on a goal, and cannot leave it.
        let second = outcome("c1-a1 b4-b1");
        assert_eq!((second.winner, second.reason), ("attackers", "no legal move"));
        assert!(second.words.is_some());
    }
}
