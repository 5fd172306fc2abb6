//! What a side may expect: the chance to win, a draw counting as half of it.

use tafl_rules::{Setup, Side};

use crate::score::{PovScore, Score};

/// How much of a game each side may expect, from 0 (lost) to 1 (won); a draw is half.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Expectation {
    /// The attackers' part; the defenders have the rest. Never outside of 0 to 1.
    attackers: f64,
}

impl Expectation {
    /// Nobody may expect more.
    pub const EVEN: Expectation = Expectation { attackers: 0.5 };

    /// Returns the expectation in which the attackers have this part, cut to 0 to 1; even for what is no number.
    pub fn of_attackers(part: f64) -> Expectation {
        if part.is_nan() { Expectation::EVEN } else { Expectation { attackers: part.clamp(0.0, 1.0) } }
    }

    /// Returns the expectation where a side has won for sure, or nobody has.
    pub fn of_winner(winner: Option<Side>) -> Expectation {
        Expectation {
            attackers: match winner {
                Some(Side::Attackers) => 1.0,
                Some(Side::Defenders) => 0.0,
                None => 0.5,
            },
        }
    }

    /// Returns what a side may expect, from 0 to 1.
    pub fn for_side(self, side: Side) -> f64 {
        match side {
            Side::Attackers => self.attackers,
            Side::Defenders => 1.0 - self.attackers,
        }
    }
}

/// How far a game has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phase {
    /// The share of the pieces of the start that are left, from 0 to 1.
    pub left: f64,
    /// How many plies were played.
    pub ply: u32,
}

impl Phase {
    /// The ply at which [`Phase::age`] is one half.
    const HALF_AGE: f64 = 60.0;

    /// Returns the phase of an arrangement after so many plies of a game that began with another one.
    pub fn of(start: &Setup, now: &Setup, ply: u32) -> Phase {
        let all = start.pieces().count().max(1) as f64;
        Phase { left: (now.pieces().count() as f64 / all).clamp(0.0, 1.0), ply }
    }

    /// Returns the share of the pieces that are gone, from 0 to 1.
    pub fn gone(self) -> f64 {
        1.0 - self.left
    }

    /// Returns how long the game has lasted, from 0 at its start towards 1.
    pub fn age(self) -> f64 {
        let ply = f64::from(self.ply);
        ply / (ply + Phase::HALF_AGE)
    }
}

/// How many numbers a curve has.
pub const N_TERMS: usize = 6;

/// What a curve looks at: one, the score, the share of pieces that are gone, the age of the game, and the products of the score
/// with the latter two.
///
/// Scores are in men, from the attackers' point of view, and count by their inverse hyperbolic sine: twenty men more are
/// not ten times as sure as two.
pub fn terms(score: Score, phase: Phase) -> [f64; N_TERMS] {
    let men = (f64::from(score.value()) / 100.0).asinh();
    [1.0, men, phase.gone(), phase.age(), men * phase.gone(), men * phase.age()]
}

/// A logistic curve from scores and phases to expectations, for one side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// What each of the [`terms`] counts.
    coefficients: [f64; N_TERMS],
}

impl Curve {
    /// A better score is worth at least so much, in every phase.
    const LEAST_SLOPE: f64 = 0.02;

    /// Returns the curve with these coefficients, if it rises with the score in every phase.
    pub fn new(coefficients: [f64; N_TERMS]) -> Option<Curve> {
        let [_, slope, _, _, with_gone, with_age] = coefficients;
        let least = slope + with_gone.min(0.0) + with_age.min(0.0);
        let is_sound = coefficients.iter().all(|number| number.is_finite()) && least >= Curve::LEAST_SLOPE;
        is_sound.then_some(Curve { coefficients })
    }

    /// Returns the coefficients, in the order of [`terms`].
    pub fn coefficients(&self) -> [f64; N_TERMS] {
        self.coefficients
    }

    /// Returns what may be expected of a position. A win or loss that a search found counts as what it is.
    pub fn expect(&self, score: PovScore, phase: Phase) -> Expectation {
        let of_attackers = score.for_side(Side::Attackers);
        if of_attackers.is_decisive() {
            let winner = if of_attackers > Score::DRAW { Side::Attackers } else { Side::Defenders };
            return Expectation::of_winner(Some(winner));
        }
        Expectation::of_attackers(logistic(self.logit(of_attackers, phase)))
    }

    fn logit(&self, of_attackers: Score, phase: Phase) -> f64 {
        terms(of_attackers, phase).iter().zip(self.coefficients).map(|(term, weight)| term * weight).sum()
    }
}

/// Returns the logistic function.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARLY: Phase = Phase { left: 1.0, ply: 0 };

    #[test]
    fn both_sides_share_what_there_is() {
        let expectation = Expectation::of_attackers(0.3);
        assert!((expectation.for_side(Side::Defenders) - 0.7).abs() < 1e-12);
        assert_eq!(Expectation::of_attackers(f64::NAN), Expectation::EVEN);
        assert_eq!(Expectation::of_attackers(7.0), Expectation::of_winner(Some(Side::Attackers)));
    }

    #[test]
    fn a_found_win_is_a_win_on_every_curve() {
        let curve = Curve::new([-3.0, 0.1, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let won = curve.expect(Score::win_in(9).of(Side::Defenders), EARLY);
        assert_eq!(won, Expectation::of_winner(Some(Side::Defenders)));
        let lost = curve.expect(Score::loss_in(9).of(Side::Defenders), EARLY);
        assert_eq!(lost, Expectation::of_winner(Some(Side::Attackers)));
    }

    #[test]
    fn a_better_score_is_never_worse() {
        let curve = Curve::new([0.2, 0.5, 0.3, -0.1, -0.2, -0.25]).unwrap();
        for phase in [EARLY, Phase { left: 0.3, ply: 200 }] {
            let parts: Vec<f64> = (-3000..3000)
                .step_by(50)
                .map(|value| curve.expect(Score::evaluation(value).of(Side::Attackers), phase))
                .map(|expectation| expectation.for_side(Side::Attackers))
                .collect();
            assert!(parts.is_sorted(), "{parts:?}");
        }
    }

    #[test]
    fn a_falling_curve_is_none() {
        assert_eq!(Curve::new([0.0, 0.1, 0.0, 0.0, -0.2, 0.0]), None);
        assert_eq!(Curve::new([0.0, f64::NAN, 0.0, 0.0, 0.0, 0.0]), None);
    }
}
