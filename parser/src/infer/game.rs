//! Records prepared for play under many rules.

use tafl_rules::{CellSet, Move, Shape, Side};

use crate::record::{CaptureStyle, Record, WrittenCapture, WrittenMove, WrittenVerdict};
use crate::replay::{Claim, WrittenStep};

/// A record on a board, prepared for inference.
#[derive(Debug, Clone)]
pub(super) struct GameEvidence {
    /// The index of the record in the input.
    pub(super) nth: usize,
    /// The moves.
    pub(super) steps: Vec<EvidenceStep>,
    /// The meaning of an unlisted capture.
    pub(super) style: CaptureStyle,
    /// The side that moves first, if the record names it.
    pub(super) first_mover: Option<Side>,
    /// The number of plies after which the players exchanged sides, if they did.
    pub(super) swap: Option<u32>,
    /// The record's claim about its end.
    pub(super) claim: Claim,
    /// Whether steps of a turn may be omitted.
    pub(super) may_lack_steps: bool,
    /// The moves as written.
    moves: Vec<WrittenMove>,
    /// The written captures of all moves of the record.
    captures: Vec<WrittenCapture>,
}

/// A written move.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvidenceStep {
    /// The move.
    pub(super) mv: Move,
    /// The cells marked as captured.
    pub(super) marks: CellSet,
    /// Whether the same side made the previous move.
    pub(super) is_chained: bool,
}

impl GameEvidence {
    /// Prepares a record for a board; moves are dropped from the first one on that is off the board.
    pub(super) fn new(nth: usize, record: &Record, shape: Shape) -> GameEvidence {
        let moves = &record.main().moves;
        let mut steps: Vec<EvidenceStep> = Vec::with_capacity(moves.len());
        for written in moves {
            let (Some(from), Some(to)) = (shape.cell(written.from), shape.cell(written.to)) else { break };
            let marks = record.captures_of(written).iter();
            let marks = marks.filter_map(|capture| shape.cell(capture.cell)).collect();
            let is_chained = written.chained && !steps.is_empty();
            steps.push(EvidenceStep { mv: Move::new(from, to), marks, is_chained });
        }
        let is_whole = steps.len() == moves.len();
        let claim = Claim::of(record);
        let claim = if is_whole {
            claim
        } else {
            Claim { verdict: WrittenVerdict::Unknown, reason: None, is_ending_last: false, ..claim }
        };
        GameEvidence {
            nth,
            style: record.capture_style,
            first_mover: record.first_mover,
            swap: record.swap().map(|(after, _)| after),
            claim,
            may_lack_steps: record.format.is_lossy() && !steps.iter().any(|step| step.is_chained),
            moves: moves[..steps.len()].to_vec(),
            captures: record.captures.clone(),
            steps,
        }
    }

    /// Returns a move as written.
    pub(super) fn written(&self, index: usize) -> WrittenStep<'_> {
        WrittenStep::of(&self.moves, &self.captures, index)
    }
}
