//! The weights of the evaluation. They are data, not code.

use std::fmt;
use std::str::FromStr;

use tafl_rules::{BySide, Role, RuleSet, Side};

use crate::eval_term::{EvalTerm, N_TERMS};
use crate::hash::fnv1a;
use crate::setting::{SettingError, read_pairs};

/// The weight of each term, in hundredths of an attackers' man, for the side for which the term
/// counts.
///
/// The text format is `name=value,...`; omitted weights keep their values.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::Weights;
/// use tafl_rules::RuleSet;
///
/// let mut weights = Weights::of_rules(&RuleSet::named("brandubh7")?);
/// let before = weights.clone();
/// weights.read("tempo=25")?;
/// assert_ne!(weights, before);
/// assert_eq!(weights.to_string().parse(), Ok(weights));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights([i32; N_TERMS]);

/// Estimated weights for rules unlike those to which the other tables were fitted: hexagonal boards
/// and two kings. With the fitted weights, the engine loses 150 Elo or more against these
/// (`docs/engine.md`).
const PLAIN_WEIGHTS: &[(EvalTerm, i32)] = &[
    (EvalTerm::ManAttackers, 100),
    (EvalTerm::ManDefenders, 141),
    (EvalTerm::Specialist, 60),
    (EvalTerm::Tempo, 15),
    (EvalTerm::Line1, 150),
    (EvalTerm::Line2, 1200),
    (EvalTerm::Line3, 1500),
    (EvalTerm::Way1, 30),
    (EvalTerm::Way2, 50),
    (EvalTerm::Way3, 65),
    (EvalTerm::Way4, 75),
    (EvalTerm::Way5, 80),
    (EvalTerm::Way6, 85),
    (EvalTerm::Way7, 90),
    (EvalTerm::KingMobility, 5),
    (EvalTerm::KingStep, -6),
    (EvalTerm::EnemyBeside, -35),
    (EvalTerm::EnemyNear, -8),
    (EvalTerm::FriendBeside, 4),
    (EvalTerm::KingDanger, -40),
    (EvalTerm::Cordoned, -220),
];

/// Weights for rules with few goals, such as the corners, and twice as many attackers as defenders.
///
/// Fitted by logistic regression to the results of 9,708 games of Copenhagen Hnefatafl between people
/// and of 52 games of the engine with itself, in which the attackers searched 3,000 nodes per move and
/// the defenders 100. People resign, so their games contain few positions in which the attackers are
/// far ahead and still have to win. See `docs/engine.md`.
const FEW_GOALS_WEIGHTS: &[(EvalTerm, i32)] = &[
    (EvalTerm::ManAttackers, 119),
    (EvalTerm::ManDefenders, 135),
    (EvalTerm::Specialist, 60),
    (EvalTerm::Tempo, 18),
    (EvalTerm::Line1, 82),
    (EvalTerm::Line2, 1204),
    (EvalTerm::Line3, 1500),
    (EvalTerm::Way1, 129),
    (EvalTerm::Way2, 222),
    (EvalTerm::Way3, 192),
    (EvalTerm::Way4, 144),
    (EvalTerm::Way5, 107),
    (EvalTerm::Way6, 98),
    (EvalTerm::Way7, 157),
    (EvalTerm::KingMobility, -4),
    (EvalTerm::KingStep, -20),
    (EvalTerm::EnemyBeside, -39),
    (EvalTerm::EnemyNear, -33),
    (EvalTerm::FriendBeside, 3),
    (EvalTerm::KingDanger, -58),
    (EvalTerm::Cordoned, -28),
    (EvalTerm::Moves3, 59),
    (EvalTerm::Moves4, 39),
    (EvalTerm::Roam, 3),
    (EvalTerm::EdgeSeen, 5),
    (EvalTerm::OnEdge, -56),
    (EvalTerm::Goals1, -24),
    (EvalTerm::Goals2, -46),
    (EvalTerm::Goals3, -32),
    (EvalTerm::Goals4, 48),
    (EvalTerm::Room, 5),
    (EvalTerm::EdgeRoom, -1),
    (EvalTerm::FriendEdge0, 54),
    (EvalTerm::FriendEdge1, 18),
    (EvalTerm::FriendEdge2, -26),
    (EvalTerm::FriendEdge3, -33),
    (EvalTerm::EnemyEdge0, 25),
    (EvalTerm::EnemyEdge1, -22),
    (EvalTerm::EnemyEdge2, -52),
    (EvalTerm::EnemyEdge3, 14),
    (EvalTerm::Guard1, -52),
    (EvalTerm::Guard2, -90),
    (EvalTerm::Guard3, -54),
    (EvalTerm::Guard4, -25),
    (EvalTerm::EnemyLinks, -16),
    (EvalTerm::EnemyPairs, -3),
    (EvalTerm::FriendLinks, 7),
    (EvalTerm::FriendPairs, -2),
    (EvalTerm::EnemyStuck, -12),
    (EvalTerm::FriendStuck, -12),
    (EvalTerm::FriendHanging, -9),
    (EvalTerm::EnemyHanging, 1),
    (EvalTerm::FriendOutside, -29),
    (EvalTerm::FriendMobility, 10),
    (EvalTerm::EnemyMobility, -26),
];

/// Weights for rules with many goals, such as the edge, and twice as many attackers as defenders.
///
/// Fitted to the results of 6,575 games of five variants between people (logistic regression, a
/// tenth of the games held out) and rounded; the ladders of lines and ways were smoothed by hand.
/// One of the five variants, Old Hnefatafl, has its goals in the corners and should not have been
/// included. The table is kept because the matches in `docs/engine.md` were played with it; a refit
/// without this variant needs new matches.
const MANY_GOALS_WEIGHTS: &[(EvalTerm, i32)] = &[
    (EvalTerm::ManAttackers, 100),
    (EvalTerm::ManDefenders, 106),
    (EvalTerm::Specialist, 60),
    (EvalTerm::Tempo, 21),
    (EvalTerm::Line1, 100),
    (EvalTerm::Line2, 800),
    (EvalTerm::Line3, 1000),
    (EvalTerm::Way1, 37),
    (EvalTerm::Way2, 51),
    (EvalTerm::Way3, 53),
    (EvalTerm::Way4, 60),
    (EvalTerm::Way5, 62),
    (EvalTerm::Way6, 64),
    (EvalTerm::Way7, 66),
    (EvalTerm::KingMobility, -4),
    (EvalTerm::KingStep, -14),
    (EvalTerm::EnemyBeside, 2),
    (EvalTerm::EnemyNear, -21),
    (EvalTerm::FriendBeside, -7),
    (EvalTerm::KingDanger, -15),
    (EvalTerm::Cordoned, -46),
    (EvalTerm::Moves3, 40),
    (EvalTerm::Moves4, 36),
    (EvalTerm::Roam, 1),
    (EvalTerm::EdgeSeen, 31),
    (EvalTerm::OnEdge, -10),
    (EvalTerm::Goals1, -19),
    (EvalTerm::Goals2, 22),
    (EvalTerm::Goals3, 6),
    (EvalTerm::Goals4, 0),
    (EvalTerm::Room, 1),
    (EvalTerm::EdgeRoom, 1),
    (EvalTerm::FriendEdge0, 8),
    (EvalTerm::FriendEdge1, -14),
    (EvalTerm::FriendEdge2, -24),
    (EvalTerm::FriendEdge3, -12),
    (EvalTerm::EnemyEdge0, 35),
    (EvalTerm::EnemyEdge1, 18),
    (EvalTerm::EnemyEdge2, 2),
    (EvalTerm::EnemyEdge3, 17),
    (EvalTerm::Guard1, -7),
    (EvalTerm::Guard2, -30),
    (EvalTerm::Guard3, -7),
    (EvalTerm::Guard4, 6),
    (EvalTerm::EnemyLinks, -11),
    (EvalTerm::EnemyPairs, 2),
    (EvalTerm::FriendLinks, 1),
    (EvalTerm::FriendPairs, -3),
    (EvalTerm::EnemyStuck, 18),
    (EvalTerm::FriendStuck, -4),
    (EvalTerm::FriendHanging, 8),
    (EvalTerm::EnemyHanging, 10),
    (EvalTerm::FriendOutside, -28),
];

impl Weights {
    /// The maximum absolute value of a weight, in hundredths.
    pub const MAX: i32 = 30_000;

    /// Creates weights from numbers in the order of `EvalTerm::ALL`.
    pub fn from_values(values: [i32; N_TERMS]) -> Weights {
        Weights(values.map(|value| value.clamp(-Weights::MAX, Weights::MAX)))
    }

    /// Returns the default weights for rules.
    ///
    /// They depend on the shape of the board, the goals of both sides, and the numbers of men at the
    /// start.
    pub fn of_rules(rules: &RuleSet) -> Weights {
        let goals = BySide::from_fn(|side| rules.goal_cells(side).len());
        let table = if rules.shape().is_hex() || goals.attackers > 0 {
            PLAIN_WEIGHTS
        } else if goals.defenders <= super::FEW_GOALS as usize {
            FEW_GOALS_WEIGHTS
        } else {
            MANY_GOALS_WEIGHTS
        };
        Weights::of_table(table, rules)
    }

    /// Returns the estimated weights of the first version for rules.
    pub(crate) fn estimated(rules: &RuleSet) -> Weights {
        Weights::of_table(PLAIN_WEIGHTS, rules)
    }

    /// Returns the weights of a table for rules.
    ///
    /// Men of the smaller side are worth more, by the square root of the ratio of the numbers of
    /// men at the start. The ratio itself would let the engine trade a defender for two attackers
    /// in games in which both sides need each man as a guard.
    fn of_table(table: &[(EvalTerm, i32)], rules: &RuleSet) -> Weights {
        let men = |side: Side| {
            let men =
                rules.start.pieces().filter(|(_, piece)| piece.side == side && piece.role != Role::King);
            men.count().max(1) as f64
        };
        let mut weights = Weights([0; N_TERMS]);
        table.iter().for_each(|(term, value)| weights.set(*term, *value));
        let ratio = men(Side::Attackers) / men(Side::Defenders) / 2.0;
        let of_defenders = f64::from(weights.of(EvalTerm::ManDefenders)) * ratio.sqrt().clamp(0.5, 2.0);
        weights.set(EvalTerm::ManDefenders, of_defenders.round() as i32);
        weights
    }

    /// Returns the weight of a term.
    #[inline]
    pub fn of(&self, term: EvalTerm) -> i32 {
        self.0[term.index()]
    }

    /// Sets the weight of a term, clamped to [`Weights::MAX`].
    pub fn set(&mut self, term: EvalTerm, value: i32) {
        self.0[term.index()] = value.clamp(-Weights::MAX, Weights::MAX);
    }

    /// Returns all weights in the order of `EvalTerm::ALL`.
    #[inline]
    pub fn values(&self) -> &[i32; N_TERMS] {
        &self.0
    }

    /// Sets the weights in a text `name=value,...`.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text. The weights before it have been set.
    pub fn read(&mut self, text: &str) -> Result<(), SettingError> {
        read_pairs(text, |name, value| {
            let term = EvalTerm::ALL.iter().find(|term| term.as_str() == name);
            let term = term.ok_or_else(|| SettingError::UnknownName(name.to_owned()))?;
            let (min, max) = (-Weights::MAX, Weights::MAX);
            if !(min..=max).contains(&value) {
                return Err(SettingError::OutOfRange { name: name.to_owned(), value, min, max });
            }
            self.set(*term, value);
            Ok(())
        })
    }

    /// Returns a hash of the weights.
    pub fn hash(&self) -> u64 {
        fnv1a(self.to_string().as_bytes())
    }
}

/// Writes every weight, as `name=value,...`.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in EvalTerm::ALL.iter().enumerate() {
            write!(f, "{}{}={}", if at == 0 { "" } else { "," }, term.as_str(), self.of(*term))?;
        }
        Ok(())
    }
}

/// Parses weights; omitted weights are 0.
impl FromStr for Weights {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Weights, SettingError> {
        let mut weights = Weights([0; N_TERMS]);
        weights.read(text)?;
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn text_round_trips() {
        let weights = Weights::of_rules(&catalog::find("copenhagen").unwrap().rules());
        assert_eq!(weights.to_string().parse(), Ok(weights.clone()));
        let mut other = weights.clone();
        other.read("tempo=3, cordoned=-7").unwrap();
        assert_eq!((other.of(EvalTerm::Tempo), other.of(EvalTerm::Cordoned)), (3, -7));
        assert_ne!(other.hash(), weights.hash());
        assert_eq!("wit=3".parse::<Weights>(), Err(SettingError::UnknownName("wit".into())));
        assert!(matches!("tempo=99999".parse::<Weights>(), Err(SettingError::OutOfRange { .. })));
    }
}
