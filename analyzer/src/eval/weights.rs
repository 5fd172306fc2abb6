//! The numbers of the evaluation: data, not code.

use std::fmt;
use std::str::FromStr;

use tafl_rules::{BySide, Role, RuleSet, Side};

use super::term::{N_TERMS, Term};
use crate::hash::fnv1a;
use crate::setting::{SettingError, read_pairs};

/// What each term of the evaluation is worth, in hundredths of an attackers' man, for the side that it counts for.
///
/// Its text is `name=value,...`; what a text leaves out keeps its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights([i32; N_TERMS]);

/// Weights by estimate, for rules that are unlike those of the games that others were fitted to: hexagonal boards and two
/// kings. There, the fitted ones lose 150 Elo and more to these.
const PLAIN: &[(Term, i32)] = &[
    (Term::ManAttackers, 100),
    (Term::ManDefenders, 141),
    (Term::Specialist, 60),
    (Term::Tempo, 15),
    (Term::Line1, 150),
    (Term::Line2, 1200),
    (Term::Line3, 1500),
    (Term::Way1, 30),
    (Term::Way2, 50),
    (Term::Way3, 65),
    (Term::Way4, 75),
    (Term::Way5, 80),
    (Term::Way6, 85),
    (Term::Way7, 90),
    (Term::KingMobility, 5),
    (Term::KingStep, -6),
    (Term::EnemyBeside, -35),
    (Term::EnemyNear, -8),
    (Term::FriendBeside, 4),
    (Term::KingDanger, -40),
    (Term::Cordoned, -220),
];

/// Weights for rules with few goals, such as corners, with twice as many attackers as defenders.
///
/// Fitted to the results of 9,660 games of Copenhagen Hnefatafl between people (logistic loss, a tenth held out), rounded;
/// ladders of lines and ways and the weight of danger, which the fit left ragged, were set by hand. See `docs/engine.md`.
const FEW_GOALS: &[(Term, i32)] = &[
    (Term::ManAttackers, 100),
    (Term::ManDefenders, 166),
    (Term::Specialist, 60),
    (Term::Tempo, 39),
    (Term::Line1, 200),
    (Term::Line2, 1200),
    (Term::Line3, 1500),
    (Term::Way1, 100),
    (Term::Way2, 140),
    (Term::Way3, 140),
    (Term::Way4, 140),
    (Term::Way5, 140),
    (Term::Way6, 140),
    (Term::Way7, 140),
    (Term::KingMobility, -7),
    (Term::KingStep, -30),
    (Term::EnemyBeside, -6),
    (Term::EnemyNear, -19),
    (Term::FriendBeside, 8),
    (Term::KingDanger, -10),
    (Term::Cordoned, -31),
    (Term::Moves3, 54),
    (Term::Moves4, 38),
    (Term::Roam, 4),
    (Term::EdgeSeen, 13),
    (Term::OnEdge, -84),
    (Term::Goals1, 15),
    (Term::Goals2, -25),
    (Term::Goals3, -34),
    (Term::Goals4, 39),
    (Term::Room, 12),
    (Term::EdgeRoom, -4),
    (Term::FriendEdge0, 78),
    (Term::FriendEdge1, 32),
    (Term::FriendEdge2, -3),
    (Term::FriendEdge3, -10),
    (Term::EnemyEdge0, 37),
    (Term::EnemyEdge1, -22),
    (Term::EnemyEdge2, -74),
    (Term::EnemyEdge3, 15),
    (Term::Guard1, -50),
    (Term::Guard2, -116),
    (Term::Guard3, -69),
    (Term::Guard4, -29),
    (Term::EnemyLinks, -18),
    (Term::EnemyPairs, -10),
    (Term::FriendLinks, 4),
    (Term::FriendPairs, -17),
    (Term::EnemyStuck, -18),
    (Term::FriendStuck, -18),
    (Term::FriendHanging, -9),
    (Term::EnemyHanging, 2),
    (Term::FriendOutside, -26),
];

/// Weights for rules with many goals, such as the edge, with twice as many attackers as defenders.
///
/// Fitted to the results of 6,575 games of five variants between people (logistic loss, a tenth held out), rounded; the
/// ladders of lines and ways were smoothed by hand. One of the five, Old Hnefatafl, has its goals in the corners: it was
/// taken for one of many goals by mistake, and the fit was not repeated without it.
const MANY_GOALS: &[(Term, i32)] = &[
    (Term::ManAttackers, 100),
    (Term::ManDefenders, 106),
    (Term::Specialist, 60),
    (Term::Tempo, 21),
    (Term::Line1, 100),
    (Term::Line2, 800),
    (Term::Line3, 1000),
    (Term::Way1, 37),
    (Term::Way2, 51),
    (Term::Way3, 53),
    (Term::Way4, 60),
    (Term::Way5, 62),
    (Term::Way6, 64),
    (Term::Way7, 66),
    (Term::KingMobility, -4),
    (Term::KingStep, -14),
    (Term::EnemyBeside, 2),
    (Term::EnemyNear, -21),
    (Term::FriendBeside, -7),
    (Term::KingDanger, -15),
    (Term::Cordoned, -46),
    (Term::Moves3, 40),
    (Term::Moves4, 36),
    (Term::Roam, 1),
    (Term::EdgeSeen, 31),
    (Term::OnEdge, -10),
    (Term::Goals1, -19),
    (Term::Goals2, 22),
    (Term::Goals3, 6),
    (Term::Goals4, 0),
    (Term::Room, 1),
    (Term::EdgeRoom, 1),
    (Term::FriendEdge0, 8),
    (Term::FriendEdge1, -14),
    (Term::FriendEdge2, -24),
    (Term::FriendEdge3, -12),
    (Term::EnemyEdge0, 35),
    (Term::EnemyEdge1, 18),
    (Term::EnemyEdge2, 2),
    (Term::EnemyEdge3, 17),
    (Term::Guard1, -7),
    (Term::Guard2, -30),
    (Term::Guard3, -7),
    (Term::Guard4, 6),
    (Term::EnemyLinks, -11),
    (Term::EnemyPairs, 2),
    (Term::FriendLinks, 1),
    (Term::FriendPairs, -3),
    (Term::EnemyStuck, 18),
    (Term::FriendStuck, -4),
    (Term::FriendHanging, 8),
    (Term::EnemyHanging, 10),
    (Term::FriendOutside, -28),
];

impl Weights {
    /// The most that a term may be worth, in hundredths.
    pub const MOST: i32 = 30_000;

    /// Returns weights from numbers in the order of `Term::ALL`.
    pub fn from_values(values: [i32; N_TERMS]) -> Weights {
        Weights(values.map(|value| value.clamp(-Weights::MOST, Weights::MOST)))
    }

    /// Returns weights for rules that nobody has tuned any for.
    ///
    /// They depend on the board, on how many kings there are and how many goals. Men of the smaller side are worth more,
    /// by the square root of the ratio of numbers at the start: that ratio alone would let a defender be sold for two
    /// attackers in games where both sides need each man as a guard.
    pub fn of_rules(rules: &RuleSet) -> Weights {
        let men = |side: Side| {
            let men =
                rules.start.pieces().filter(|(_, piece)| piece.side == side && piece.role != Role::King);
            men.count().max(1) as f64
        };
        let goals = BySide::from_fn(|side| rules.goal_cells(side).len());
        let table = if rules.shape().is_hex() || goals.attackers > 0 {
            PLAIN
        } else if goals.defenders <= super::FEW_GOALS as usize {
            FEW_GOALS
        } else {
            MANY_GOALS
        };
        let mut weights = Weights([0; N_TERMS]);
        table.iter().for_each(|(term, value)| weights.set(*term, *value));
        let ratio = men(Side::Attackers) / men(Side::Defenders) / 2.0;
        let of_defenders = f64::from(weights.of(Term::ManDefenders)) * ratio.sqrt().clamp(0.5, 2.0);
        weights.set(Term::ManDefenders, of_defenders.round() as i32);
        weights
    }

    /// Returns what a term is worth.
    #[inline]
    pub fn of(&self, term: Term) -> i32 {
        self.0[term.index()]
    }

    /// Says what a term is worth, at most [`Weights::MOST`].
    pub fn set(&mut self, term: Term, value: i32) {
        self.0[term.index()] = value.clamp(-Weights::MOST, Weights::MOST);
    }

    /// Returns all weights in the order of `Term::ALL`.
    #[inline]
    pub fn values(&self) -> &[i32; N_TERMS] {
        &self.0
    }

    /// Sets weights as a text `name=value,...` says.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text; weights before the error are set then.
    pub fn read(&mut self, text: &str) -> Result<(), SettingError> {
        read_pairs(text, |name, value| {
            let term = Term::ALL.iter().find(|term| term.word() == name);
            let term = term.ok_or_else(|| SettingError::UnknownName(name.to_owned()))?;
            let (least, most) = (-Weights::MOST, Weights::MOST);
            if !(least..=most).contains(&value) {
                return Err(SettingError::OutOfRange { name: name.to_owned(), value, least, most });
            }
            self.set(*term, value);
            Ok(())
        })
    }

    /// Returns a short name for the weights, the same for the same numbers.
    pub fn hash(&self) -> u64 {
        fnv1a(self.to_string().as_bytes())
    }
}

/// Writes every weight, as `name=value,...`.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in Term::ALL.iter().enumerate() {
            write!(f, "{}{}={}", if at == 0 { "" } else { "," }, term.word(), self.of(*term))?;
        }
        Ok(())
    }
}

/// Reads weights; terms that the text leaves out are worth nothing.
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
    fn text_goes_both_ways() {
        let weights = Weights::of_rules(&catalog::find("copenhagen").unwrap().rules());
        assert_eq!(weights.to_string().parse(), Ok(weights.clone()));
        let mut other = weights.clone();
        other.read("tempo=3, cordoned=-7").unwrap();
        assert_eq!((other.of(Term::Tempo), other.of(Term::Cordoned)), (3, -7));
        assert_ne!(other.hash(), weights.hash());
        assert_eq!("wit=3".parse::<Weights>(), Err(SettingError::UnknownName("wit".into())));
        assert!(matches!("tempo=99999".parse::<Weights>(), Err(SettingError::OutOfRange { .. })));
    }
}
