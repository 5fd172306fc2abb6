//! What happens when a position comes back.
//!
//! A position that comes back once in a search is judged as the rule judges the last recurrence that it allows: the
//! positions of a circle come back in turn, so the side that closed the circle first is the first that runs into the
//! rule, and it could leave the circle now as well as later.

use tafl_rules::ruleset::{RepetitionRule, RepetitionScope};
use tafl_rules::{RuleSet, Side};

use crate::score::Score;

/// What it means that a side's move brings a position back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recurrence {
    /// The game is drawn; also where no rule says anything, because nobody makes headway.
    Draw,
    /// The side that moved loses.
    Loses,
    /// The side that moved wins.
    Wins,
    /// The side may not move there.
    Forbidden,
    /// Nothing: the other side is the one that must leave the circle.
    Nothing,
}

impl Recurrence {
    /// Returns what rules say of a position that a move of `side` brings back.
    ///
    /// Rules that count the defenders' pieces alone are not asked: they need more than positions.
    pub(super) fn of(rules: &RuleSet, side: Side) -> Recurrence {
        let mut verdict = None;
        let mut others_lose = false;
        for rule in &rules.repetition {
            let found = match rule {
                RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. } => continue,
                rule if rule.is_claim() => continue,
                RepetitionRule::DefendersMayNot if side == Side::Defenders => Recurrence::Forbidden,
                RepetitionRule::Counted { .. } | RepetitionRule::DefendersMayNot => {
                    match rule.outcome(side) {
                        None => {
                            others_lose = true;
                            continue;
                        }
                        Some(outcome) => match outcome.winner {
                            None => Recurrence::Draw,
                            Some(winner) if winner == side => Recurrence::Wins,
                            Some(_) => Recurrence::Loses,
                        },
                    }
                }
            };
            if verdict.is_none() || (verdict == Some(Recurrence::Draw) && found != Recurrence::Draw) {
                verdict = Some(found);
            }
        }
        verdict.unwrap_or(if others_lose { Recurrence::Nothing } else { Recurrence::Draw })
    }

    /// Returns the score for the side that moved, `ply` plies after the root; nothing where play goes on or the move
    /// does not count.
    pub(super) fn score(self, ply: u16) -> Option<Score> {
        match self {
            Recurrence::Draw => Some(Score::DRAW),
            Recurrence::Loses => Some(Score::loss_in(ply)),
            Recurrence::Wins => Some(Score::win_in(ply)),
            Recurrence::Forbidden | Recurrence::Nothing => None,
        }
    }
}
