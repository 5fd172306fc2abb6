//! Records made ready to be played under many rules.

use tafl_rules::game::CellSet;
use tafl_rules::{Move, Shape, Side};

use crate::record::{CaptureStyle, Record, Verdict, WrittenCapture, WrittenMove};
use crate::replay::{Claim, WrittenStep};

/// A record on a board: what inference looks at.
#[derive(Debug, Clone)]
pub(super) struct GameEvidence {
    /// The number of the record among those that were given.
    pub(super) nth: usize,
    /// The moves.
    pub(super) steps: Vec<EvidenceStep>,
    /// What the absence of a captured cell means.
    pub(super) style: CaptureStyle,
    /// Who moves first, where the record says so.
    pub(super) first_mover: Option<Side>,
    /// What the record says about the end.
    pub(super) claim: Claim,
    /// Whether steps of a turn may be left out.
    pub(super) may_lack_steps: bool,
    /// The moves as they are written, and all captures of the record.
    written: (Vec<WrittenMove>, Vec<WrittenCapture>),
}

/// A written move.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvidenceStep {
    /// The move.
    pub(super) mv: Move,
    /// The cells that are marked as captured.
    pub(super) marks: CellSet,
    /// Whether the same side moved just before.
    pub(super) is_chained: bool,
}

impl GameEvidence {
    /// Returns a record as evidence on a board; moves from the first on that names a place off the board are left out.
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
        let claim = match is_whole {
            true => claim,
            false => Claim { verdict: Verdict::Unknown, reason: None, ..claim },
        };
        GameEvidence {
            nth,
            style: record.capture_style,
            first_mover: record.first_mover,
            claim,
            may_lack_steps: record.format.is_lossy() && !steps.iter().any(|step| step.is_chained),
            written: (moves[..steps.len()].to_vec(), record.captures.clone()),
            steps,
        }
    }

    /// Returns a move as it is written.
    pub(super) fn written(&self, index: usize) -> WrittenStep<'_> {
        WrittenStep::of(&self.written.0, &self.written.1, index)
    }
}
