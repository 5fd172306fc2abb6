//! Whether a variant is fair, and the number of games needed to find out.

use crate::measure::AdjustedAdvantage;
use crate::stats::Estimate;
use crate::stats::interval::Z95;

/// The largest distance of the attackers' expected score from one half in a fair game.
pub const FAIR_MARGIN: f64 = 0.05;

/// The normal quantile of a power of 80 %.
const POWER: f64 = 0.841_621;

/// The answer to the question whether a variant is fair between equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FairnessDecision {
    /// The whole interval is within the margin.
    Fair,
    /// The whole interval is outside of the margin, on one side.
    Unfair,
    /// Neither.
    Undecided,
}

/// Whether a variant is fair within [`FAIR_MARGIN`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fairness {
    /// The decision from the 95 % interval of the expected score. Each wrong decision has a probability of at most 2.5 %.
    pub decision: FairnessDecision,
    /// The number of games between players like these, and proportionally more of them, that detect a distance of
    /// [`FAIR_MARGIN`] from one half with a power of 80 % at a significance level of 5 %; it is the number of games of the
    /// estimate, multiplied by the ratio of its variance to the variance that is needed.
    pub needed: u64,
}

/// Returns whether a variant is fair.
pub(crate) fn fairness(adjusted: &AdjustedAdvantage) -> Fairness {
    let Estimate { low, high, .. } = adjusted.expectation;
    let decision = if low >= 0.5 - FAIR_MARGIN && high <= 0.5 + FAIR_MARGIN {
        FairnessDecision::Fair
    } else if low > 0.5 + FAIR_MARGIN || high < 0.5 - FAIR_MARGIN {
        FairnessDecision::Unfair
    } else {
        FairnessDecision::Undecided
    };
    let error = (high - low) / (2.0 * Z95);
    let needed = adjusted.games as f64 * (error * (Z95 + POWER) / FAIR_MARGIN).powi(2);
    Fairness { decision, needed: needed.ceil() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::time_order::TimeOrder;
    use crate::stats::{Advantage, NotEstimable};

    fn adjusted(value: f64, error: f64, games: u64) -> AdjustedAdvantage {
        let expectation = Estimate::normal(value, error);
        let advantage =
            Advantage { value: 0.0, error: 1.0, model_error: 1.0, known_players_error: 1.0, games };
        AdjustedAdvantage {
            elo: expectation,
            expectation,
            advantage,
            strength_sd: 0.0,
            side_skill_sd: 0.0,
            draw_weight: 0.0,
            games,
            players: 3,
            model_free: None,
            drift: Err(NotEstimable::NoOrder),
            time_order: TimeOrder::Unknown,
        }
    }

    #[test]
    fn decisions_follow_from_the_interval() {
        let decide = |value, error| fairness(&adjusted(value, error, 100)).decision;
        assert_eq!(decide(0.5, 0.02), FairnessDecision::Fair);
        assert_eq!(decide(0.5, 0.03), FairnessDecision::Undecided);
        assert_eq!(decide(0.38, 0.03), FairnessDecision::Unfair);
        assert_eq!(decide(0.38, 0.05), FairnessDecision::Undecided);
        assert_eq!(decide(0.62, 0.03), FairnessDecision::Unfair);
    }

    #[test]
    fn independent_games_need_the_textbook_number() {
        // statsmodels: NormalIndPower().solve_power(effect_size=0.1, alpha=0.05, power=0.8, ratio=0) = 784.9, where the
        // effect is 0.05 in units of the standard deviation 0.5 of one game.
        let error = 0.5 / 100f64.sqrt();
        assert_eq!(fairness(&adjusted(0.5, error, 100)).needed, 785);
    }
}
