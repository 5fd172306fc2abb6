//! Records made ready to be played under many rules.

use tafl_rules::game::CellSet;
use tafl_rules::{Move, Reason, Shape, Side};

use crate::record::{CaptureStyle, Record, Verdict};

/// A record on a board: what inference looks at.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    /// The number of the record among those that were given.
    pub(super) nth: usize,
    /// The moves.
    pub(super) steps: Vec<Step>,
    /// What the absence of a captured cell means.
    pub(super) style: CaptureStyle,
    /// Who moves first, where the record says so.
    pub(super) first_mover: Option<Side>,
    /// Whether the last word says that somebody gave up, ran out of time or the like.
    pub(super) is_given_up: bool,
    /// Who is said to have won.
    pub(super) verdict: Verdict,
    /// Why, where the record says so.
    pub(super) reason: Option<Reason>,
    /// Whether steps of a turn may be left out.
    pub(super) may_lack_steps: bool,
}

/// A written move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The move.
    pub(super) mv: Move,
    /// The cells that are marked as captured.
    pub(super) marks: CellSet,
    /// Whether the same side moved just before.
    pub(super) is_chained: bool,
    /// Whether the turn ends with it, as it is written.
    pub(super) ends_turn: bool,
}

impl Evidence {
    /// Returns a record as evidence on a board; moves from the first on that names a place off the board are left out.
    pub(super) fn new(nth: usize, record: &Record, shape: Shape) -> Evidence {
        let moves = &record.main().moves;
        let mut steps: Vec<Step> = Vec::with_capacity(moves.len());
        for written in moves {
            let (Some(from), Some(to)) = (shape.cell(written.from), shape.cell(written.to)) else { break };
            let marks = record.captures_of(written).iter();
            let marks = marks.filter_map(|capture| shape.cell(capture.cell)).collect();
            let is_chained = written.chained && !steps.is_empty();
            if let (true, Some(last)) = (is_chained, steps.last_mut()) {
                last.ends_turn = false;
            }
            steps.push(Step { mv: Move::new(from, to), marks, is_chained, ends_turn: true });
        }
        let is_whole = steps.len() == moves.len();
        let verdict = record.result.map_or(Verdict::Unknown, |result| result.verdict);
        Evidence {
            nth,
            style: record.capture_style,
            first_mover: record.first_mover,
            is_given_up: record.ending.is_some(),
            verdict: if is_whole { verdict } else { Verdict::Unknown },
            reason: record.result.and_then(|result| result.reason).filter(|_| is_whole),
            may_lack_steps: record.format.is_lossy() && !steps.iter().any(|step| step.is_chained),
            steps,
        }
    }
}
