//! Repetition rules: their names in rules strings, the condition that triggers them, and the
//! resulting outcome.

use std::fmt;
use std::str::FromStr;

use crate::outcome::{Outcome, Reason};
use crate::side::Side;

/// A repetition rule.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Outcome, Reason, RepetitionRule, Side};
///
/// let rule: RepetitionRule = "pos3lose".parse().unwrap();
/// assert_eq!(rule.position_occurrences(), Some(3));
/// let loss = Outcome::win(Side::Defenders, Reason::Repetition);
/// assert_eq!(rule.outcome(Side::Attackers), Some(loss));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RepetitionRule {
    /// An effect at the `count`th occurrence.
    Counted {
        /// The part of the position that must occur again.
        scope: RepetitionScope,
        /// The occurrence that triggers the rule; the start counts as the first one.
        count: u8,
        /// The effect of that occurrence.
        effect: RepetitionEffect,
    },
    /// The defenders may not restore an earlier board, regardless of the side to move there:
    /// `defko`.
    DefenderKo,
}

/// The thing whose occurrences a repetition rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RepetitionScope {
    /// The position: pieces and side to move. Only the plies since the last capture matter.
    Position,
    /// A sequence of moves made `count` times, so that the position at its start occurs once more.
    Sequence,
    /// The arrangement of the defenders' pieces since the last capture, while the king and at least
    /// four men are left. Tested after the defenders' own moves.
    DefenderConfiguration,
}

/// The consequence of a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RepetitionEffect {
    /// The game is drawn.
    Draw,
    /// The side that made the last move loses.
    MoverLoses,
    /// The side that made the last move wins.
    MoverWins,
    /// The defenders lose. Tested after their own moves.
    DefendersLose,
    /// Play continues, but a player may claim a result; this is reported.
    Claim,
}

const SCOPES: [(&str, RepetitionScope); 3] = [
    ("pos", RepetitionScope::Position),
    ("seq", RepetitionScope::Sequence),
    ("cfg", RepetitionScope::DefenderConfiguration),
];

const EFFECTS: [(&str, RepetitionEffect); 5] = [
    ("draw", RepetitionEffect::Draw),
    ("lose", RepetitionEffect::MoverLoses),
    ("win", RepetitionEffect::MoverWins),
    ("def", RepetitionEffect::DefendersLose),
    ("claim", RepetitionEffect::Claim),
];

const KO: &str = "defko";

impl RepetitionRule {
    /// The third occurrence of a position draws.
    pub const DRAW_AT_THIRD: RepetitionRule =
        RepetitionRule::counted(RepetitionScope::Position, 3, RepetitionEffect::Draw);

    /// Returns a rule with an effect at the `count`th occurrence.
    pub const fn counted(scope: RepetitionScope, count: u8, effect: RepetitionEffect) -> RepetitionRule {
        RepetitionRule::Counted { scope, count, effect }
    }

    /// Returns the number of occurrences of a position that trigger the rule; `None` if it counts something else.
    pub const fn position_occurrences(self) -> Option<u32> {
        match self {
            RepetitionRule::Counted { scope: RepetitionScope::Position, count, .. } => Some(count as u32),
            // The position at the start of the sequence has already occurred before the sequence is
            // first made.
            RepetitionRule::Counted { scope: RepetitionScope::Sequence, count, .. } => Some(count as u32 + 1),
            RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. }
            | RepetitionRule::DefenderKo => None,
        }
    }

    /// Returns whether the rule only allows a claim and does not end the game.
    pub const fn is_claim(self) -> bool {
        matches!(self, RepetitionRule::Counted { effect: RepetitionEffect::Claim, .. })
    }

    /// Returns whether a turn of `mover` can trigger the rule.
    pub fn applies_to(self, mover: Side) -> bool {
        match self {
            RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. }
            | RepetitionRule::Counted { effect: RepetitionEffect::DefendersLose, .. } => {
                mover == Side::Defenders
            }
            RepetitionRule::Counted { .. } => true,
            RepetitionRule::DefenderKo => false,
        }
    }

    /// Returns the outcome when a turn of `mover` triggers the rule; `None` if play continues.
    pub fn outcome(self, mover: Side) -> Option<Outcome> {
        let RepetitionRule::Counted { effect, .. } = self else { return None };
        let winner = match effect {
            RepetitionEffect::Draw => None,
            RepetitionEffect::MoverLoses => Some(mover.other()),
            RepetitionEffect::MoverWins => Some(mover),
            RepetitionEffect::DefendersLose if mover == Side::Defenders => Some(Side::Attackers),
            RepetitionEffect::DefendersLose | RepetitionEffect::Claim => return None,
        };
        Some(Outcome { winner, reason: Reason::Repetition })
    }

    /// Returns the rule that decides the game, with its outcome, when a turn of `mover` triggers
    /// several: the first rule with a winner, otherwise the first draw.
    pub fn deciding(
        triggered: impl IntoIterator<Item = RepetitionRule>,
        mover: Side,
    ) -> Option<(RepetitionRule, Outcome)> {
        let mut draw = None;
        for rule in triggered {
            match rule.outcome(mover) {
                Some(outcome) if outcome.winner.is_some() => return Some((rule, outcome)),
                Some(outcome) => draw = draw.or(Some((rule, outcome))),
                None => {}
            }
        }
        draw
    }
}

/// Writes the name in rules strings, such as `pos3draw`.
impl fmt::Display for RepetitionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RepetitionRule::Counted { scope, count, effect } = self else { return f.write_str(KO) };
        let scope = SCOPES.iter().find(|(_, value)| value == scope).map_or("", |(word, _)| word);
        let effect = EFFECTS.iter().find(|(_, value)| value == effect).map_or("", |(word, _)| word);
        write!(f, "{scope}{count}{effect}")
    }
}

/// The error for a word that is not the name of a repetition rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", RepetitionRuleError::EXPECTED)]
pub struct RepetitionRuleError;

impl RepetitionRuleError {
    /// The syntax of the names.
    pub(crate) const EXPECTED: &str = "`pos`, `seq`, or `cfg`, followed by a number from 2 to 100 and `draw`, `lose`, `win`, `def`, or `claim`, such as `pos3draw`; or `defko`; or `none`";
}

impl FromStr for RepetitionRule {
    type Err = RepetitionRuleError;

    /// Parses a name in rules strings, such as `pos3draw`.
    fn from_str(word: &str) -> Result<RepetitionRule, RepetitionRuleError> {
        if word == KO {
            return Ok(RepetitionRule::DefenderKo);
        }
        let read = || {
            let (name, scope) = SCOPES.into_iter().find(|(name, _)| word.starts_with(name))?;
            let rest = &word[name.len()..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let count = rest[..digits].parse().ok().filter(|count| (2..=100).contains(count))?;
            let (_, effect) = EFFECTS.into_iter().find(|(name, _)| *name == &rest[digits..])?;
            Some(RepetitionRule::counted(scope, count, effect))
        };
        read().ok_or(RepetitionRuleError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_round_trips() {
        for (scope, (_, effect)) in
            SCOPES.into_iter().flat_map(|(_, scope)| EFFECTS.map(|effect| (scope, effect)))
        {
            let rule = RepetitionRule::counted(scope, 3, effect);
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        let rule = RepetitionRule::DefenderKo;
        assert_eq!(rule.to_string().parse(), Ok(rule));
        for word in ["", "pos", "pos1draw", "pos101draw", "pos3", "pos3Draw", "board2draw", "defko2"] {
            assert_eq!(word.parse::<RepetitionRule>(), Err(RepetitionRuleError), "{word}");
        }
    }

    #[test]
    fn a_rule_with_a_winner_precedes_a_draw() {
        let rules = ["pos3claim", "pos3draw", "seq2draw", "pos3def"].map(|word| word.parse().unwrap());
        let [_, draw, _, loss]: [RepetitionRule; 4] = rules;
        let decided =
            |mover| RepetitionRule::deciding(rules, mover).map(|(rule, outcome)| (rule, outcome.winner));
        assert_eq!(decided(Side::Attackers), Some((draw, None)));
        assert_eq!(decided(Side::Defenders), Some((loss, Some(Side::Attackers))));
        assert_eq!(RepetitionRule::deciding(rules[..1].iter().copied(), Side::Attackers), None);
    }
}
