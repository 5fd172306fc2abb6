//! The findings of an annotation about positions, plies, and sides, as JSON.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::{FoundWin, GameNotes, Motif, PlyNote, PositionNote, SideSummary};
use tafl_rules::{Shape, Side};

use super::super::eval::line_moves;

/// The findings about the positions, the plies, and the sides of a game.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GameFindings {
    /// The positions: the start, then the one after each ply.
    pub positions: Vec<PositionFinding>,
    /// The plies.
    pub plies: Vec<PlyFinding>,
    /// The sides.
    pub sides: SideFindings,
    /// The ply after which one side was ahead for good, from 1.
    pub turning_point: Option<usize>,
    /// The number of times that the lead changed.
    pub lead_changes: u32,
}

/// The findings about a position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PositionFinding {
    /// The number of plies before it.
    pub ply: usize,
    /// The side to move.
    pub to_move: &'static str,
    /// The score in men, from the attackers' point of view; null if it is decisive.
    pub score: Option<f64>,
    /// The side that wins, if a win was found.
    pub wins: Option<&'static str>,
    /// The number of plies to the win.
    pub r#in: Option<u16>,
    /// The expected score of the attackers, from 0 to 1.
    pub expected: Option<f64>,
    /// The best line; `decline` first if it is best to decline to continue a chain, and then the reply of the other side.
    pub best: Option<Vec<String>>,
    /// The second best line, if the search found one.
    pub second: Option<Vec<String>>,
    /// The depth of the search, in plies.
    pub depth: Option<u8>,
    /// The number of positions that were searched; null if it is unknown.
    pub nodes: Option<u64>,
}

/// The findings about a ply.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlyFinding {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that moved.
    pub side: &'static str,
    /// The move.
    pub r#move: String,
    /// The expectation that it lost, from 0 to 1.
    pub loss: Option<f64>,
    /// `good`, `inaccuracy`, `mistake` or `blunder`.
    pub judgement: Option<&'static str>,
    /// Whether it is the best move.
    pub is_best: bool,
    /// Whether the ply is an error whose loss was confirmed: by a search after the better move, or because the better move wins by
    /// force; null if it is unknown.
    pub confirmed: Option<bool>,
    /// The number of plies of the win that it missed.
    pub missed_win: Option<u16>,
    /// The number of plies within which that win is proven.
    pub proven_in: Option<u16>,
    /// The only move of the position, if there was one.
    pub only: Option<OnlyMoveFinding>,
    /// The motifs that the ply plays, misses, or allows; null if they are unknown.
    pub motifs: Option<Vec<MotifFinding>>,
    /// The remark, if requested.
    #[serde(flatten)]
    pub remark: Option<PlyRemark>,
}

/// A move that is far better than every other one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OnlyMoveFinding {
    /// The move.
    pub r#move: String,
    /// The difference to the second best move, in expectation.
    pub margin: f64,
    /// Whether it was played.
    pub found: bool,
}

/// A motif of a ply.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MotifFinding {
    /// The kind of motif.
    pub kind: &'static str,
    /// Whether the move did it, missed it, or allows it.
    pub voice: &'static str,
    /// The cell on which the decisive ply ends.
    pub cell: String,
    /// The number of plies until it happens.
    pub plies: u16,
    /// The sentence.
    pub words: String,
}

/// A remark on a ply.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlyRemark {
    /// The best move; `decline` if it is best to decline to continue a chain.
    pub best: Option<String>,
    /// The sign of the judgement: `??`.
    pub sign: Option<&'static str>,
    /// The remark; empty for an ordinary ply.
    pub words: String,
}

/// The findings about both sides.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideFindings {
    /// The attackers.
    pub attackers: SideFinding,
    /// The defenders.
    pub defenders: SideFinding,
}

/// The findings about a side.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideFinding {
    /// The number of plies that were judged.
    pub plies: u32,
    /// The accuracy in percent; null if too little was judged.
    pub accuracy: Option<f64>,
    /// The number of inaccuracies.
    pub inaccuracies: u32,
    /// The number of mistakes.
    pub mistakes: u32,
    /// The number of blunders.
    pub blunders: u32,
    /// The expectation that was lost by errors.
    pub lost_by_errors: f64,
    /// The expectation that was lost by plies that aren't errors.
    pub lost_gradually: f64,
    /// Whether most was lost without a single error.
    pub lost_little_by_little: bool,
    /// The number of wins that were missed.
    pub missed_wins: u32,
    /// The number of only moves; null if it is unknown.
    pub only_moves: Option<u32>,
    /// The number of only moves that were found; null if it is unknown.
    pub only_moves_found: Option<u32>,
}

impl GameFindings {
    /// Returns the findings about a game on a board.
    pub fn of(shape: Shape, notes: &GameNotes) -> GameFindings {
        let positions = notes.positions.iter().enumerate();
        let plies = notes.plies.iter().enumerate();
        GameFindings {
            positions: positions.map(|(ply, note)| PositionFinding::of(shape, ply, note)).collect(),
            plies: plies.map(|(nth, note)| PlyFinding::of(shape, nth, note)).collect(),
            sides: SideFindings {
                attackers: SideFinding::of(&notes.sides.attackers),
                defenders: SideFinding::of(&notes.sides.defenders),
            },
            turning_point: notes.turning_point(),
            lead_changes: notes.lead_changes(),
        }
    }

    /// Sets fields to null that the table of evaluations of a corpus does not keep.
    pub(super) fn forget_unknown(&mut self) {
        for position in &mut self.positions {
            (position.second, position.nodes) = (None, None);
        }
        for ply in &mut self.plies {
            (ply.confirmed, ply.proven_in, ply.only, ply.motifs) = (None, None, None, None);
        }
        for side in [&mut self.sides.attackers, &mut self.sides.defenders] {
            (side.only_moves, side.only_moves_found) = (None, None);
        }
        if let Some(last) = self.positions.last_mut() {
            // The best move after the last ply was never searched for.
            (last.best, last.depth) = (None, None);
        }
    }
}

impl PositionFinding {
    pub(in crate::engine) fn of(shape: Shape, ply: usize, note: &PositionNote) -> PositionFinding {
        let evaluation = note.evaluation();
        let win = note.win();
        let score = evaluation
            .filter(|_| win.is_none())
            .map(|evaluation| evaluation.score().for_side(Side::Attackers));
        let second = evaluation.and_then(|evaluation| evaluation.lines().get(1));
        PositionFinding {
            ply,
            to_move: note.to_move.as_str(),
            score: score.map(|score| f64::from(score.value()) / 100.0),
            wins: win.map(|win| win.winner.as_str()),
            r#in: win.map(|win| win.plies),
            expected: note.expectation.map(|expectation| rounded(expectation.for_side(Side::Attackers))),
            best: evaluation.map(|evaluation| line_moves(shape, note.chain, evaluation.best())),
            second: second.map(|other| line_moves(shape, note.chain, other)),
            depth: evaluation.map(|evaluation| evaluation.depth.0),
            nodes: evaluation.map(|evaluation| evaluation.nodes.0),
        }
    }
}

impl PlyFinding {
    fn of(shape: Shape, nth: usize, note: &PlyNote) -> PlyFinding {
        let only = note.only.map(|only| OnlyMoveFinding {
            r#move: only.mv.display(shape).to_string(),
            margin: rounded(only.margin),
            found: only.mv == note.mv,
        });
        PlyFinding {
            ply: nth + 1,
            side: note.side.as_str(),
            r#move: note.mv.display(shape).to_string(),
            loss: note.loss.map(rounded),
            judgement: note.loss.map(|_| note.judgement.as_str()),
            is_best: note.is_best,
            confirmed: Some(note.is_confirmed),
            missed_win: note.missed_win.map(|FoundWin { plies, .. }| plies),
            proven_in: note.proven_win,
            only,
            motifs: Some(note.motifs.iter().map(|motif| MotifFinding::of(shape, motif)).collect()),
            remark: None,
        }
    }
}

impl MotifFinding {
    fn of(shape: Shape, motif: &Motif) -> MotifFinding {
        MotifFinding {
            kind: motif.kind.as_str(),
            voice: motif.voice.as_str(),
            cell: shape.name(motif.cell),
            plies: motif.plies,
            words: motif.describe(shape),
        }
    }
}

impl SideFinding {
    fn of(summary: &SideSummary) -> SideFinding {
        SideFinding {
            plies: summary.plies,
            accuracy: summary.accuracy.map(|accuracy| accuracy.percent()),
            inaccuracies: summary.counts.inaccuracies,
            mistakes: summary.counts.mistakes,
            blunders: summary.counts.blunders,
            lost_by_errors: rounded(summary.lost_by_errors),
            lost_gradually: rounded(summary.lost_gradually),
            lost_little_by_little: summary.lost_little_by_little(),
            missed_wins: summary.missed_wins,
            only_moves: Some(summary.only_moves),
            only_moves_found: Some(summary.only_moves_found),
        }
    }
}

/// Returns a proportion with four digits.
fn rounded(part: f64) -> f64 {
    (part * 10_000.0).round() / 10_000.0
}
