//! The win ratio in which tafl players express balance.
//!
//! It is the number of wins of the favored side for each win of the other: `+1.27` if defenders win 127 times
//! for every 100 wins of the attackers, `-1.27` in the opposite case. There are no values between -1 and +1,
//! which mean the same.

use std::fmt;

use tafl_rules::Side;

use super::interval::{Estimate, Rate};
use super::missing::NotEstimable;

/// The number of wins of the favored side for each win of the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WinRatio {
    /// The win ratio: at least 1 if the defenders are favored or the game is even, at most -1 if the
    /// attackers are favored.
    Finite(f64),
    /// This side won at least once, and the other side never did.
    Only(Side),
}

impl WinRatio {
    /// Returns the ratio for the defenders' proportion of decided games, from 0 to 1.
    pub fn of_proportion(defenders: f64) -> WinRatio {
        let attackers = 1.0 - defenders;
        if attackers <= 0.0 {
            WinRatio::Only(Side::Defenders)
        } else if defenders <= 0.0 {
            WinRatio::Only(Side::Attackers)
        } else if defenders >= attackers {
            WinRatio::Finite(defenders / attackers)
        } else {
            WinRatio::Finite(-attackers / defenders)
        }
    }

    /// Returns the ratio of numbers of wins; `None` without wins.
    pub fn of_wins(attackers: u64, defenders: u64) -> Option<WinRatio> {
        let (a, d) = (attackers as f64, defenders as f64);
        match (attackers, defenders) {
            (0, 0) => None,
            (0, _) => Some(WinRatio::Only(Side::Defenders)),
            (_, 0) => Some(WinRatio::Only(Side::Attackers)),
            (_, _) => Some(WinRatio::Finite(if defenders >= attackers { d / a } else { -a / d })),
        }
    }

    /// Returns the win ratio; `None` if it is infinite.
    pub fn finite(self) -> Option<f64> {
        match self {
            WinRatio::Finite(figure) => Some(figure),
            WinRatio::Only(_) => None,
        }
    }

    /// Returns the defenders' proportion of decided games.
    pub fn proportion(self) -> f64 {
        match self {
            WinRatio::Only(Side::Defenders) => 1.0,
            WinRatio::Only(Side::Attackers) => 0.0,
            WinRatio::Finite(figure) if figure >= 0.0 => figure / (1.0 + figure),
            WinRatio::Finite(figure) => 1.0 / (1.0 - figure),
        }
    }
}

/// Formats `+1.27`, `-3.10`, `+∞`, or `-∞`; the precision sets the number of decimals.
impl fmt::Display for WinRatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WinRatio::Finite(figure) => write!(f, "{figure:+.*}", f.precision().unwrap_or(2)),
            WinRatio::Only(Side::Defenders) => f.write_str("+∞"),
            WinRatio::Only(Side::Attackers) => f.write_str("-∞"),
        }
    }
}

/// The balance of decided games with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balance {
    /// The ratio.
    pub value: WinRatio,
    /// The end of the interval that favors the attackers more.
    pub low: WinRatio,
    /// The end of the interval that favors the defenders more.
    pub high: WinRatio,
    /// The number of games won by the attackers.
    pub attackers: u64,
    /// The number of games won by the defenders.
    pub defenders: u64,
}

impl Balance {
    /// Returns the balance of numbers of wins. The interval is Wilson's, converted to win ratios.
    ///
    /// # Errors
    ///
    /// Returns [`NotEstimable::NoneDecided`] if no game was won.
    pub fn of(attackers: u64, defenders: u64) -> Result<Balance, NotEstimable> {
        Balance::with_design_effect(attackers, defenders, 1.0)
    }

    /// Returns the balance of numbers of wins with an interval for games that share players, see
    /// [`Rate::with_design_effect`].
    ///
    /// # Errors
    ///
    /// Returns [`NotEstimable::NoneDecided`] if no game was won.
    pub fn with_design_effect(attackers: u64, defenders: u64, effect: f64) -> Result<Balance, NotEstimable> {
        let rate = Rate::of(defenders, attackers + defenders).ok_or(NotEstimable::NoneDecided)?;
        let rate = rate.with_design_effect(effect);
        let value = WinRatio::of_wins(attackers, defenders).ok_or(NotEstimable::NoneDecided)?;
        let Estimate { low, high, .. } = rate.proportion;
        let [low, high] = [low, high].map(WinRatio::of_proportion);
        Ok(Balance { value, low, high, attackers, defenders })
    }

    /// Returns the number of decided games.
    pub fn n(&self) -> u64 {
        self.attackers + self.defenders
    }

    /// Returns the side favored by the whole interval; `None` if the interval contains an even balance.
    pub fn favored(&self) -> Option<Side> {
        if self.low.proportion() > 0.5 {
            Some(Side::Defenders)
        } else if self.high.proportion() < 0.5 {
            Some(Side::Attackers)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_example_is_reproduced() {
        // 960 wins of the defenders and 754 of the attackers: +1.27, from 1.16 to 1.40.
        let balance = Balance::of(754, 960).unwrap();
        assert_eq!(
            [balance.value, balance.low, balance.high].map(|end| end.to_string()),
            ["+1.27", "+1.16", "+1.40"]
        );
        assert_eq!(balance.favored(), Some(Side::Defenders));
        let mirrored = Balance::of(960, 754).unwrap();
        assert_eq!(
            [mirrored.value, mirrored.low, mirrored.high].map(|end| end.to_string()),
            ["-1.27", "-1.40", "-1.16"]
        );
    }

    #[test]
    fn the_ratio_is_infinite_if_a_side_never_won() {
        assert_eq!(Balance::of(0, 0), Err(NotEstimable::NoneDecided));
        let balance = Balance::of(0, 5).unwrap();
        assert_eq!((balance.value.to_string(), balance.high.finite()), ("+∞".to_owned(), None));
        assert!(balance.low.finite().is_some());
        assert_eq!(Balance::of(1, 0).unwrap().value.to_string(), "-∞");
        assert_eq!(Balance::of(4, 4).unwrap().value.to_string(), "+1.00");
    }

    #[test]
    fn proportions_and_ratios_are_equivalent() {
        for proportion in [0.01, 0.3, 0.499, 0.5, 0.62, 0.99] {
            assert!((WinRatio::of_proportion(proportion).proportion() - proportion).abs() < 1e-12);
        }
    }
}
