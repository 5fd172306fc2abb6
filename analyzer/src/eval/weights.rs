//! The numbers of the evaluation: data, not code.

use std::fmt;
use std::str::FromStr;

use tafl_rules::{Role, RuleSet, Side};

use super::term::{N_TERMS, Term};
use crate::setting::{SettingError, hash_of, read_pairs};

/// What each term of the evaluation is worth, in hundredths of an attackers' man, for the side that it counts for.
///
/// Its text is `name=value,...`; what a text leaves out keeps its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights([i32; N_TERMS]);

/// Weights that suit most rules; those of men follow their numbers, see [`Weights::of_rules`].
const PLAIN: &[(Term, i32)] = &[
    (Term::ManAttackers, 100),
    (Term::ManDefenders, 100),
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

impl Weights {
    /// The most that a term may be worth, in hundredths.
    pub const MOST: i32 = 30_000;

    /// Returns weights from numbers in the order of [`Term::ALL`].
    pub fn from_values(values: [i32; N_TERMS]) -> Weights {
        Weights(values.map(|value| value.clamp(-Weights::MOST, Weights::MOST)))
    }

    /// Returns weights for rules that nobody has tuned any for.
    ///
    /// Men of the smaller side are worth more, by the square root of the ratio of numbers at the start: that ratio alone
    /// would let a defender be sold for two attackers in games where both sides need each man as a guard.
    pub fn of_rules(rules: &RuleSet) -> Weights {
        let men = |side: Side| {
            let men =
                rules.start.pieces().filter(|(_, piece)| piece.side == side && piece.role != Role::King);
            men.count().max(1) as f64
        };
        let ratio = (men(Side::Attackers) / men(Side::Defenders)).sqrt();
        let mut weights = Weights([0; N_TERMS]);
        PLAIN.iter().for_each(|(term, value)| weights.set(*term, *value));
        weights.set(Term::ManDefenders, (100.0 * ratio.clamp(0.5, 2.5)).round() as i32);
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

    /// Returns all weights in the order of [`Term::ALL`].
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
        hash_of(&self.to_string())
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
