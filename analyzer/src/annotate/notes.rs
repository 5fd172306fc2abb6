//! The results of annotation.

use tafl_rules::{BySide, Cell, Move, Outcome, Side};

use super::accuracy::{Accuracy, SideSummary};
use super::evaluation::Evaluation;
use super::expect::{Expectation, Phase};
use super::judge::Judgement;
use super::motif::Motif;
use crate::engine::EngineError;

/// The outcome or evaluation of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownResult {
    /// The game ended here.
    Ended(Outcome),
    /// An engine searched it.
    Searched(Evaluation),
    /// No engine searched it.
    NotSearched(NoSearchReason),
}

/// The reason why a position has no evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSearchReason {
    /// The engine could not search the position.
    #[error(transparent)]
    Engine(EngineError),
    /// Annotation was stopped before the search.
    #[error("annotation was stopped before the search")]
    Stopped,
    /// The notes are from a table that has no evaluation of the position. The table does not store the reason.
    #[error("no evaluation is stored")]
    NotStored,
}

/// A position of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionNote {
    /// The side to move.
    pub to_move: Side,
    /// The cell of the piece that continues a chain of captures, if one is in progress.
    pub chain: Option<Cell>,
    /// Its outcome or evaluation.
    pub known: KnownResult,
    /// The phase of the game.
    pub phase: Phase,
    /// The expectations of the sides; `None` if the position was not searched.
    pub expectation: Option<Expectation>,
}

/// A win found by a search or on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundWin {
    /// The winning side.
    pub winner: Side,
    /// The number of plies until the win at the latest; 0 if the game has ended.
    pub plies: u16,
}

impl PositionNote {
    /// Returns the win in this position, if one is known.
    pub fn win(&self) -> Option<FoundWin> {
        match &self.known {
            KnownResult::Ended(outcome) => outcome.winner.map(|winner| FoundWin { winner, plies: 0 }),
            KnownResult::Searched(evaluation) => {
                let plies = evaluation.score().for_side(Side::Attackers).distance()?;
                let attackers = evaluation.score().for_side(Side::Attackers).value() > 0;
                Some(FoundWin { winner: if attackers { Side::Attackers } else { Side::Defenders }, plies })
            }
            KnownResult::NotSearched(_) => None,
        }
    }

    /// Returns the win that a side has here and no longer has in the position after its ply; `None`
    /// if that position was not searched.
    pub fn win_missed_by(&self, side: Side, after: &PositionNote) -> Option<FoundWin> {
        if matches!(after.known, KnownResult::NotSearched(_)) {
            return None;
        }
        let had = self.win().filter(|win| win.winner == side)?;
        after.win().is_none_or(|win| win.winner != side).then_some(had)
    }

    /// Returns whether declining to continue a chain is best, so that the best line begins with the reply of the other side.
    pub fn is_best_declined(&self) -> bool {
        self.evaluation().is_some_and(|evaluation| evaluation.best().declines(self.chain))
    }

    /// Returns the evaluation, or `None`.
    pub fn evaluation(&self) -> Option<&Evaluation> {
        match &self.known {
            KnownResult::Searched(evaluation) => Some(evaluation),
            KnownResult::Ended(_) | KnownResult::NotSearched(_) => None,
        }
    }
}

/// A ply of a game with its judgement. The position before it has the same index in
/// [`GameNotes::positions`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlyNote {
    /// The move.
    pub mv: Move,
    /// The side that made the move.
    pub side: Side,
    /// The expectation that the mover lost, from 0 to 1; `None` if a position could not be
    /// evaluated.
    pub loss: Option<f64>,
    /// The judgement.
    pub judgement: Judgement,
    /// The mover's expectation with the best move; `None` if the position could not be evaluated.
    pub best_expectation: Option<f64>,
    /// Whether the move is the engine's first choice.
    pub is_best: bool,
    /// Whether the ply is an error whose loss was confirmed: by a search after the better move, or because the better move wins by
    /// force.
    pub is_confirmed: bool,
    /// The win that the mover had before the ply and no longer has.
    pub missed_win: Option<FoundWin>,
    /// The number of plies within which the solver proved the missed win, if it was asked and found
    /// a proof.
    pub proven_win: Option<u16>,
    /// The only good move, whether or not it was played; `None` if only declining to continue a chain is good.
    pub only: Option<OnlyMove>,
    /// The motifs of the ply.
    pub motifs: Vec<Motif>,
}

/// The only good move of a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlyMove {
    /// The move.
    pub mv: Move,
    /// The difference in expectation between it and the second-best move.
    pub margin: f64,
}

/// The reason why annotation stopped before the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopReason {
    /// A move is illegal.
    #[error("ply {ply} is illegal")]
    IllegalMove {
        /// The ply, counted from 1.
        ply: u32,
    },
    /// Annotation was stopped from outside.
    #[error("stopped at ply {ply}")]
    Canceled {
        /// The ply, counted from 1.
        ply: u32,
    },
}

/// The annotation of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameNotes {
    /// The positions: the start, and the position after each ply.
    pub positions: Vec<PositionNote>,
    /// The plies.
    pub plies: Vec<PlyNote>,
    /// The statistics of each side.
    pub sides: BySide<SideSummary>,
    /// The identity of the engine.
    pub engine: String,
    /// The name of the curve: a variant or `pooled`.
    pub curve: String,
    /// The reason why annotation stopped early, if it did.
    pub stopped: Option<StopReason>,
    /// The number of searches and of stored evaluations that were used.
    pub searches: SearchCounts,
}

/// The cost of annotation. No output depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchCounts {
    /// The number of searches.
    pub made: u64,
    /// The number of stored evaluations that were used.
    pub reused: u64,
    /// The number of nodes visited by the searches.
    pub nodes: u64,
}

/// The minimum distance from an even expectation at which a side counts as leading; as much as an
/// inaccuracy.
const LEAD: f64 = 0.05;

impl GameNotes {
    /// Returns the turning point, counted from 1: the ply after which the side that leads at the
    /// end was always ahead. `None` if neither side leads at the end, or if the same side led from
    /// the start.
    pub fn turning_point(&self) -> Option<usize> {
        let expectations = self.attackers_expectations();
        let last = *expectations.last()?;
        let winner = leader(last)?;
        let before = expectations.iter().rposition(|expectation| leader(*expectation) != Some(winner))?;
        Some(before + 1)
    }

    /// Returns the number of times that the lead changed sides.
    pub fn lead_changes(&self) -> u32 {
        let leaders: Vec<Side> = self.attackers_expectations().into_iter().filter_map(leader).collect();
        leaders.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
    }

    /// Returns the attackers' expectation in each position; one half if it could not be searched.
    fn attackers_expectations(&self) -> Vec<f64> {
        self.positions
            .iter()
            .map(|position| {
                position.expectation.map_or(0.5, |expectation| expectation.for_side(Side::Attackers))
            })
            .collect()
    }

    /// Returns the plies with errors of this kind or worse, counted from 1.
    pub fn errors(&self, least: Judgement) -> impl Iterator<Item = (usize, &PlyNote)> {
        (1..).zip(&self.plies).filter(move |(_, ply)| ply.judgement >= least && ply.judgement.is_error())
    }

    /// Returns the statistics of each side.
    pub fn summarize(plies: &[PlyNote]) -> BySide<SideSummary> {
        BySide::from_fn(|side| {
            let mut summary = SideSummary::empty(side);
            let own = || plies.iter().filter(|ply| ply.side == side);
            for ply in own() {
                let Some(loss) = ply.loss else { continue };
                summary.plies += 1;
                summary.counts.add(ply.judgement);
                if ply.judgement.is_error() {
                    summary.lost_by_errors += loss;
                } else {
                    summary.lost_gradually += loss;
                }
                summary.missed_wins += u32::from(ply.missed_win.is_some());
                if let Some(only) = ply.only {
                    summary.only_moves += 1;
                    summary.only_moves_found += u32::from(only.mv == ply.mv);
                }
            }
            summary.accuracy = Accuracy::of(own().filter_map(|ply| Some((ply.best_expectation?, ply.loss?))));
            summary
        })
    }
}

fn leader(attackers: f64) -> Option<Side> {
    if attackers >= 0.5 + LEAD {
        Some(Side::Attackers)
    } else if attackers <= 0.5 - LEAD {
        Some(Side::Defenders)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Reason;

    use super::*;

    #[test]
    fn a_win_is_missed_only_if_the_next_position_was_searched() {
        let note = |known: KnownResult| PositionNote {
            to_move: Side::Attackers,
            chain: None,
            known,
            phase: Phase { left: 1.0, ply: 0 },
            expectation: None,
        };
        let won = note(KnownResult::Ended(Outcome::win(Side::Attackers, Reason::KingCaptured)));
        let drawn = note(KnownResult::Ended(Outcome { winner: None, reason: Reason::Repetition }));
        let unknown = note(KnownResult::NotSearched(NoSearchReason::Stopped));
        assert_eq!(won.win_missed_by(Side::Attackers, &drawn), won.win());
        assert!(won.win().is_some());
        assert_eq!(won.win_missed_by(Side::Attackers, &unknown), None);
    }
}
