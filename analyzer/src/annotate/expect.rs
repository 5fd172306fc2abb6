//! Expectation: the probability of a win plus half the probability of a draw.

use tafl_rules::{Setup, Side};

use crate::score::{PovScore, Score};

/// The expected score of both sides, from 0 (lost) to 1 (won); a draw counts one half.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Expectation {
    /// The attackers' expectation, from 0 to 1. The defenders have the rest.
    attackers: f64,
}

impl Expectation {
    /// Equal expectations of both sides.
    pub const EVEN: Expectation = Expectation { attackers: 0.5 };

    /// Returns the expectation with the given value for the attackers, clamped to 0 to 1; even for
    /// NaN.
    pub fn of_attackers(part: f64) -> Expectation {
        if part.is_nan() { Expectation::EVEN } else { Expectation { attackers: part.clamp(0.0, 1.0) } }
    }

    /// Returns the expectation of a decided game: 1 for the winner, or even for a draw.
    pub fn of_winner(winner: Option<Side>) -> Expectation {
        Expectation {
            attackers: match winner {
                Some(Side::Attackers) => 1.0,
                Some(Side::Defenders) => 0.0,
                None => 0.5,
            },
        }
    }

    /// Returns the expectation of a side, from 0 to 1.
    pub fn for_side(self, side: Side) -> f64 {
        match side {
            Side::Attackers => self.attackers,
            Side::Defenders => 1.0 - self.attackers,
        }
    }
}

/// The progress of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phase {
    /// The proportion of the start position's pieces that are left, from 0 to 1.
    pub left: f64,
    /// The number of plies played.
    pub ply: u32,
}

impl Phase {
    /// The ply at which [`Phase::age`] is one half. A choice: the coefficients absorb most of a change, but curves fitted
    /// with another value must be fitted again.
    const HALF_AGE: f64 = 60.0;

    /// Returns the phase of an arrangement after `ply` plies of a game with the given start.
    pub fn of(start: &Setup, now: &Setup, ply: u32) -> Phase {
        let all = start.pieces().count().max(1) as f64;
        Phase { left: (now.pieces().count() as f64 / all).clamp(0.0, 1.0), ply }
    }

    /// Returns the proportion of the pieces that have been captured, from 0 to 1.
    pub fn gone(self) -> f64 {
        1.0 - self.left
    }

    /// Returns the age of the game, from 0 at the start toward 1.
    pub fn age(self) -> f64 {
        let ply = f64::from(self.ply);
        ply / (ply + Phase::HALF_AGE)
    }
}

/// The number of coefficients of a curve.
pub const N_CURVE_TERMS: usize = 6;

/// Returns the features of a curve: one, the score, the proportion of captured pieces, the age of
/// the game, and the products of the score with the latter two.
///
/// Scores are in men from the attackers' point of view, transformed by the inverse hyperbolic sine,
/// because an advantage of twenty men is not ten times as certain to win as one of two.
pub(super) fn curve_terms(score: Score, phase: Phase) -> [f64; N_CURVE_TERMS] {
    let men = (f64::from(score.value()) / 100.0).asinh();
    [1.0, men, phase.gone(), phase.age(), men * phase.gone(), men * phase.age()]
}

/// A logistic curve from scores and phases to expectations, for one side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// The coefficients of the [`curve_terms`].
    coefficients: [f64; N_CURVE_TERMS],
}

impl Curve {
    /// The minimum slope of the curve in every phase, so that a better score always means a better
    /// expectation.
    const MIN_SLOPE: f64 = 0.02;

    /// Returns the curve with these coefficients, or `None` if it does not increase with the score
    /// in every phase.
    pub fn new(coefficients: [f64; N_CURVE_TERMS]) -> Option<Curve> {
        let [_, slope, _, _, with_gone, with_age] = coefficients;
        let least = slope + with_gone.min(0.0) + with_age.min(0.0);
        let is_sound = coefficients.iter().all(|number| number.is_finite()) && least >= Curve::MIN_SLOPE;
        is_sound.then_some(Curve { coefficients })
    }

    /// Returns the coefficients of one, the score, the proportion of captured pieces, the age of the
    /// game, and the products of the score with the latter two.
    pub fn coefficients(&self) -> [f64; N_CURVE_TERMS] {
        self.coefficients
    }

    /// Returns the expectation of a position. A win or loss found by the search counts as certain.
    pub fn expect(&self, score: PovScore, phase: Phase) -> Expectation {
        let of_attackers = score.for_side(Side::Attackers);
        if of_attackers.is_decisive() {
            let winner = if of_attackers > Score::DRAW { Side::Attackers } else { Side::Defenders };
            return Expectation::of_winner(Some(winner));
        }
        Expectation::of_attackers(logistic(self.logit(of_attackers, phase)))
    }

    fn logit(&self, of_attackers: Score, phase: Phase) -> f64 {
        curve_terms(of_attackers, phase)
            .iter()
            .zip(self.coefficients)
            .map(|(term, weight)| term * weight)
            .sum()
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
    fn expectations_of_both_sides_add_up_to_one() {
        let expectation = Expectation::of_attackers(0.3);
        assert!((expectation.for_side(Side::Defenders) - 0.7).abs() < 1e-12);
        assert_eq!(Expectation::of_attackers(f64::NAN), Expectation::EVEN);
        assert_eq!(Expectation::of_attackers(7.0), Expectation::of_winner(Some(Side::Attackers)));
    }

    #[test]
    fn a_win_found_by_the_search_is_certain_on_every_curve() {
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
    fn a_falling_curve_is_rejected() {
        assert_eq!(Curve::new([0.0, 0.1, 0.0, 0.0, -0.2, 0.0]), None);
        assert_eq!(Curve::new([0.0, f64::NAN, 0.0, 0.0, 0.0, 0.0]), None);
    }
}
