//! Scores of positions and their bounds.

use std::fmt;
use std::ops::Neg;

use tafl_rules::{Side, counted};

/// Returns the half points of the attackers: 2 for a win, 1 for a draw, 0 for a loss.
pub(crate) const fn half_points(winner: Option<Side>) -> u8 {
    match winner {
        Some(Side::Attackers) => 2,
        None => 1,
        Some(Side::Defenders) => 0,
    }
}

/// A score relative to one side: hundredths of a man, or a win or loss in a number of plies.
///
/// Inside the engine, scores are relative to the side to move. They leave it as [`PovScore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

impl Score {
    /// A draw, or a balanced position.
    pub const DRAW: Score = Score(0);
    /// A score greater than all possible scores.
    pub const INFINITE: Score = Score(32_001);
    /// The maximum distance of a win or loss, in plies.
    pub const MAX_PLY: u16 = 512;

    const WIN: i16 = 32_000;
    const MIN_WIN: i16 = Score::WIN - Score::MAX_PLY as i16;

    /// Returns the score of a static evaluation in hundredths of a man, clamped to the range
    /// between losses and wins.
    #[inline]
    pub fn evaluation(value: i32) -> Score {
        let most = i32::from(Score::MIN_WIN) - 1;
        Score(value.clamp(-most, most) as i16)
    }

    /// Returns the score of a win in a number of plies, counted from the position.
    #[inline]
    pub const fn win_in(plies: u16) -> Score {
        Score(Score::WIN - plies as i16)
    }

    /// Returns the score of a loss in a number of plies, counted from the position.
    #[inline]
    pub const fn loss_in(plies: u16) -> Score {
        Score(-Score::WIN + plies as i16)
    }

    /// Returns the value: hundredths of a man, or a win above 31,487, or a loss below -31,487.
    #[inline]
    pub const fn value(self) -> i16 {
        self.0
    }

    /// Returns whether the score is a win or a loss.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.unsigned_abs() >= Score::MIN_WIN as u16
    }

    /// Returns the number of plies until the win or loss, or `None` for other scores.
    pub const fn distance(self) -> Option<u16> {
        if self.is_decisive() {
            Some((Score::WIN as u16).saturating_sub(self.0.unsigned_abs()))
        } else {
            None
        }
    }

    /// Converts a score of the transposition table, relative to its position, to one relative to
    /// the root `plies` earlier.
    #[inline]
    pub const fn from_tt(self, plies: u16) -> Score {
        if self.0 >= Score::MIN_WIN {
            Score(self.0 - plies as i16)
        } else if self.0 <= -Score::MIN_WIN {
            Score(self.0 + plies as i16)
        } else {
            self
        }
    }

    /// Converts a score relative to the root to one relative to the position `plies` later, for the
    /// transposition table. The inverse of [`Score::from_tt`].
    #[inline]
    pub const fn to_tt(self, plies: u16) -> Score {
        if self.0 >= Score::MIN_WIN {
            Score(self.0 + plies as i16)
        } else if self.0 <= -Score::MIN_WIN {
            Score(self.0 - plies as i16)
        } else {
            self
        }
    }

    /// Returns the score plus a number of hundredths, clamped to the range of evaluations. Wins and
    /// losses do not change.
    #[inline]
    pub fn plus(self, hundredths: i32) -> Score {
        if self.is_decisive() || self == Score::INFINITE || self == -Score::INFINITE {
            self
        } else {
            Score::evaluation(i32::from(self.0) + hundredths)
        }
    }

    /// Returns the next greater score, for null windows.
    #[inline]
    pub(crate) const fn plus_least(self) -> Score {
        Score(self.0 + 1)
    }

    /// Returns the next smaller score.
    #[inline]
    pub(crate) const fn minus_least(self) -> Score {
        Score(self.0 - 1)
    }

    /// Returns the score with the side that it is relative to.
    pub const fn of(self, side: Side) -> PovScore {
        PovScore { score: self, pov: side }
    }

    pub(crate) const fn from_value(value: i16) -> Score {
        Score(value)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Writes the score, such as `+1.25`, `win in 7 plies`, or `loss in 2 plies`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Some(plies) => {
                let word = if self.0 > 0 { "win" } else { "loss" };
                write!(f, "{word} in {}", counted(plies.into(), "ply", "plies"))
            }
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

/// A score with the side to which it is relative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PovScore {
    score: Score,
    pov: Side,
}

impl PovScore {
    /// Returns the score relative to a side.
    pub fn for_side(self, side: Side) -> Score {
        if side == self.pov { self.score } else { -self.score }
    }
}

/// The relation of a score to the true value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value equals the score.
    Exact,
    /// The value is the score or higher.
    Lower,
    /// The value is the score or lower.
    Upper,
}

impl Bound {
    /// Returns the bound of a score found by a search with this window.
    #[inline]
    pub(crate) fn within(score: Score, window: SearchWindow) -> Bound {
        if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// The range of scores that a search resolves, without its ends, relative to the side to move. For a score outside, a search
/// returns a bound.
///
/// See <https://www.chessprogramming.org/Window>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchWindow {
    /// The lower end: the side to move can get this score elsewhere.
    pub(crate) alpha: Score,
    /// The upper end: the opponent can hold the side to move to this score elsewhere.
    pub(crate) beta: Score,
}

impl SearchWindow {
    /// The window that contains all scores.
    pub(crate) const FULL: SearchWindow =
        SearchWindow { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Returns the null window above a score: a search only tests whether its score is higher.
    #[inline]
    pub(crate) const fn null_above(alpha: Score) -> SearchWindow {
        SearchWindow { alpha, beta: alpha.plus_least() }
    }

    /// Returns the null window below a score: a search only tests whether its score is lower.
    #[inline]
    pub(crate) const fn null_below(beta: Score) -> SearchWindow {
        SearchWindow { alpha: beta.minus_least(), beta }
    }

    /// Returns the window relative to the other side.
    #[inline]
    pub(crate) fn for_opponent(self) -> SearchWindow {
        SearchWindow { alpha: -self.beta, beta: -self.alpha }
    }
}
