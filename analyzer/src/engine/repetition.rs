//! Repetition in the search.
//!
//! A position that occurs twice on a path gets the score of the last occurrence that the rules
//! allow. The positions of a cycle recur in turn, so the side that closes the cycle first is also
//! the first to break the rule, and it could leave the cycle now as well as later.

use tafl_rules::{RepetitionRule, RepetitionScope, RuleSet, Side};

use crate::score::Score;

/// The result of a move that repeats a position, for the side that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RepetitionResult {
    /// The game is drawn. Also used for rules without repetition, because neither side makes
    /// progress.
    Draw,
    /// The side that moved loses.
    Loses,
    /// The side that moved wins.
    Wins,
    /// The move is forbidden.
    Forbidden,
    /// No consequence for this side: the other side must leave the cycle.
    Nothing,
}

impl RepetitionResult {
    /// Returns the result of a repetition by `side`.
    ///
    /// Ignores rules that count the defenders' pieces alone, because they depend on more than
    /// positions.
    pub(super) fn of(rules: &RuleSet, side: Side) -> RepetitionResult {
        if side == Side::Defenders && rules.repetition.contains(&RepetitionRule::DefenderKo) {
            return RepetitionResult::Forbidden;
        }
        let mut verdict = None;
        let mut others_lose = false;
        for rule in &rules.repetition {
            let found = match rule {
                RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. } => continue,
                rule if rule.is_claim() => continue,
                RepetitionRule::Counted { .. } | RepetitionRule::DefenderKo => match rule.outcome(side) {
                    None => {
                        others_lose = true;
                        continue;
                    }
                    Some(outcome) => match outcome.winner {
                        None => RepetitionResult::Draw,
                        Some(winner) if winner == side => RepetitionResult::Wins,
                        Some(_) => RepetitionResult::Loses,
                    },
                },
            };
            if verdict.is_none()
                || (verdict == Some(RepetitionResult::Draw) && found != RepetitionResult::Draw)
            {
                verdict = Some(found);
            }
        }
        verdict.unwrap_or(if others_lose { RepetitionResult::Nothing } else { RepetitionResult::Draw })
    }

    /// Returns the score for the side that moved, `ply` plies after the root; `None` if play
    /// continues or the move is forbidden.
    pub(super) fn score(self, ply: u16) -> Option<Score> {
        match self {
            RepetitionResult::Draw => Some(Score::DRAW),
            RepetitionResult::Loses => Some(Score::loss_in(ply)),
            RepetitionResult::Wins => Some(Score::win_in(ply)),
            RepetitionResult::Forbidden | RepetitionResult::Nothing => None,
        }
    }
}
