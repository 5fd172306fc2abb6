//! The probabilities of the results of a game.

use super::scale::wdl_probabilities_and_sum;

/// The probabilities of the results of a game, as two numbers, because there are as many of them as pairings. Cumulants are those of the
/// attackers' score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct ResultOdds {
    /// The probability of a win of the attackers minus that of a loss.
    pub(super) gap: f64,
    /// The probability of a draw.
    pub(super) draw: f64,
}

impl ResultOdds {
    /// Returns the probabilities for log odds and a draw weight, and the sum of the weights of the results.
    pub(super) fn of(x: f64, draw_weight: f64) -> (ResultOdds, f64) {
        let ([win, draw, loss], sum) = wdl_probabilities_and_sum(x, draw_weight);
        (ResultOdds { gap: win - loss, draw }, sum)
    }

    pub(super) fn mean(self) -> f64 {
        (1.0 + self.gap) / 2.0
    }

    pub(super) fn variance(self) -> f64 {
        (1.0 - self.draw - self.gap * self.gap) / 4.0
    }

    /// Returns the third cumulant: the derivative of the variance by `x`.
    pub(super) fn third_cumulant(self) -> f64 {
        let gap = self.gap;
        gap * (1.0 - 3.0 * (1.0 - self.draw) + 2.0 * gap * gap) / 8.0
    }

    /// Returns the fourth cumulant.
    pub(super) fn fourth_cumulant(self) -> f64 {
        let (gap2, decided) = (self.gap * self.gap, 1.0 - self.draw);
        let moment = decided + gap2 * (6.0 * decided - 4.0 - 3.0 * gap2);
        (moment - 3.0 * (decided - gap2).powi(2)) / 16.0
    }

    /// Returns the derivative of the variance by the logarithm of the draw weight.
    pub(super) fn variance_by_draws(self) -> f64 {
        self.draw * (self.gap * self.gap / 4.0 - self.variance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cumulants_are_those_of_the_score() {
        for (x, nu) in [(0.0, 0.0), (0.7, 0.3), (-2.0, 1.5), (4.0, 0.05)] {
            let ([win, draw, loss], sum) = wdl_probabilities_and_sum(x, nu);
            let (odds, odds_sum) = ResultOdds::of(x, nu);
            let mean = win + draw / 2.0;
            let moment = |power: i32| {
                win * (1.0 - mean).powi(power) + draw * (0.5 - mean).powi(power) + loss * (-mean).powi(power)
            };
            let fourth = moment(4) - 3.0 * moment(2).powi(2);
            let expected = [sum, mean, moment(2), moment(3), fourth];
            let found =
                [odds_sum, odds.mean(), odds.variance(), odds.third_cumulant(), odds.fourth_cumulant()];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{x} {nu}: {found} {expected}");
            }
            let step = 1e-6;
            let more = ResultOdds::of(x, nu * (1.0 + step)).0.variance();
            assert!(((more - odds.variance()) / step - odds.variance_by_draws()).abs() < 1e-6, "{x} {nu}");
        }
    }
}
