//! What annotation finds out about a game.

use tafl_rules::{BySide, Move, Outcome, Side};

use super::accuracy::{Accuracy, SideSummary};
use super::evaluation::Evaluation;
use super::expect::{Expectation, Phase};
use super::judge::Judgement;
use super::motif::Motif;
use crate::engine::EngineError;

/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// The game has ended here.
    Ended(Outcome),
    /// An engine has looked at it.
    Searched(Evaluation),
    /// An engine could not look at it.
    NotSearched(EngineError),
}

/// A position of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionNote {
    /// The side to move.
    pub to_move: Side,
    /// What is known of it.
    pub known: Known,
    /// How far the game has come.
    pub phase: Phase,
    /// What the sides may expect; nothing where nobody could look.
    pub expectation: Option<Expectation>,
}

/// A win that is known for sure, as far as searches are: a side wins, at the latest after so many plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundWin {
    /// Who wins.
    pub winner: Side,
    /// With which ply, counted from the position; 0 where the game has ended.
    pub plies: u16,
}

impl PositionNote {
    /// Returns the win that was found, if one was.
    pub fn win(&self) -> Option<FoundWin> {
        match &self.known {
            Known::Ended(outcome) => outcome.winner.map(|winner| FoundWin { winner, plies: 0 }),
            Known::Searched(evaluation) => {
                let plies = evaluation.score().for_side(Side::Attackers).distance()?;
                let attackers = evaluation.score().for_side(Side::Attackers).value() > 0;
                Some(FoundWin { winner: if attackers { Side::Attackers } else { Side::Defenders }, plies })
            }
            Known::NotSearched(_) => None,
        }
    }

    /// Returns the win that a side has here and has no more in the position after its ply. Where nobody could look at that
    /// position, nothing is known to be missed.
    pub fn win_missed_by(&self, side: Side, after: &PositionNote) -> Option<FoundWin> {
        if matches!(after.known, Known::NotSearched(_)) {
            return None;
        }
        let had = self.win().filter(|win| win.winner == side)?;
        after.win().is_none_or(|win| win.winner != side).then_some(had)
    }

    /// Returns the evaluation, if there is one.
    pub fn evaluation(&self) -> Option<&Evaluation> {
        match &self.known {
            Known::Searched(evaluation) => Some(evaluation),
            Known::Ended(_) | Known::NotSearched(_) => None,
        }
    }
}

/// A ply of a game, judged. The position before it is that of the same index in [`GameNotes::positions`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlyNote {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Side,
    /// The expectation that the mover lost by it, from 0 to 1; nothing where a position could not be evaluated.
    pub loss: Option<f64>,
    /// How bad that was.
    pub judgement: Judgement,
    /// What the mover could expect with the best move; nothing where the position could not be evaluated.
    pub could: Option<f64>,
    /// Whether it is the engine's first choice.
    pub is_best: bool,
    /// Whether the loss was confirmed by a search behind the better move.
    pub is_confirmed: bool,
    /// The win that the mover had before it and has no more.
    pub missed_win: Option<FoundWin>,
    /// Within how many plies the win that was missed is proven by the solver, where it was asked and found a proof.
    pub proven_win: Option<u16>,
    /// The only good move, where all others are much worse: found or not.
    pub only: Option<OnlyMove>,
    /// What happened, in words that players use.
    pub motifs: Vec<Motif>,
}

/// A position with one good move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlyMove {
    /// The move.
    pub mv: Move,
    /// By how much the second best move is worse, in expectation.
    pub margin: f64,
}

/// Why annotation of a game stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// A move of the game cannot be played.
    #[error("ply {ply} cannot be played")]
    Illegal {
        /// The ply, counted from 1.
        ply: u32,
    },
    /// Somebody asked to stop.
    #[error("stopped at ply {ply}")]
    Asked {
        /// The ply, counted from 1.
        ply: u32,
    },
}

/// What was found out about a game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameNotes {
    /// The positions: the start, then the one after each ply.
    pub positions: Vec<PositionNote>,
    /// The plies.
    pub plies: Vec<PlyNote>,
    /// What each side did.
    pub sides: BySide<SideSummary>,
    /// The engine that looked.
    pub engine: String,
    /// The curve that expectations come from: a variant or `pooled`.
    pub curve: String,
    /// Why annotation stopped early, if it did.
    pub stopped: Option<Stopped>,
    /// How many searches were made for this game, and how many evaluations were there already.
    pub searches: Searches,
}

/// How much was searched. No output depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Searches {
    /// Searches that were made.
    pub made: u64,
    /// Evaluations that were kept from before.
    pub kept: u64,
    /// The positions that the searches looked at.
    pub nodes: u64,
}

/// A rise or fall of expectation by at least this much lets the lead change: what lies nearer to even is even.
const LEAD: f64 = 0.05;

impl GameNotes {
    /// Returns the ply after which the side that stands better at the end never stood even or worse again: the turning
    /// point, counted from 1. Nothing where nobody stands better at the end, or somebody did from the start on.
    pub fn turning_point(&self) -> Option<usize> {
        let parts = self.attackers_parts();
        let last = *parts.last()?;
        let winner = leader(last)?;
        let before = parts.iter().rposition(|part| leader(*part) != Some(winner))?;
        Some(before + 1)
    }

    /// Returns how often the lead went from one side to the other.
    pub fn lead_changes(&self) -> u32 {
        let leaders: Vec<Side> = self.attackers_parts().into_iter().filter_map(leader).collect();
        leaders.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
    }

    fn attackers_parts(&self) -> Vec<f64> {
        self.positions
            .iter()
            .map(|position| {
                position.expectation.map_or(0.5, |expectation| expectation.for_side(Side::Attackers))
            })
            .collect()
    }

    /// Returns the plies that are errors of this kind or worse, counted from 1.
    pub fn errors(&self, least: Judgement) -> impl Iterator<Item = (usize, &PlyNote)> {
        (1..).zip(&self.plies).filter(move |(_, ply)| ply.judgement >= least && ply.judgement.is_error())
    }

    /// Counts what each side did.
    pub fn sum_up(plies: &[PlyNote]) -> BySide<SideSummary> {
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
            summary.accuracy = Accuracy::of(own().filter_map(|ply| Some((ply.could?, ply.loss?))));
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
    fn a_win_is_missed_only_where_the_position_after_was_looked_at() {
        let note = |known: Known| PositionNote {
            to_move: Side::Attackers,
            known,
            phase: Phase { left: 1.0, ply: 0 },
            expectation: None,
        };
        let won = note(Known::Ended(Outcome::win(Side::Attackers, Reason::KingCaptured)));
        let drawn = note(Known::Ended(Outcome { winner: None, reason: Reason::Repetition }));
        let unknown = note(Known::NotSearched(EngineError::NoLimit("time")));
        assert_eq!(won.win_missed_by(Side::Attackers, &drawn), won.win());
        assert!(won.win().is_some());
        assert_eq!(won.win_missed_by(Side::Attackers, &unknown), None);
    }
}
