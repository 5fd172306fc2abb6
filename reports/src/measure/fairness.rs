//! Whether a variant is fair, and the number of games needed to find out.

use super::adjusted::AdjustedAdvantage;
use super::plan::conditions_of;
use crate::stats::{Estimate, SampleSizeQuestion};

/// The largest distance of the attackers' expected score from one half in a fair game.
pub const FAIR_MARGIN: f64 = 0.05;

/// The power with which [`Fairness::needed`] games detect a deviation.
const POWER: f64 = 0.8;

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
    /// The decision from the 95 % interval of the expected score that is never narrower than if all strengths were known. Each wrong
    /// decision has a probability of at most 2.5 %.
    pub decision: FairnessDecision,
    /// The number of games that detect a distance of [`FAIR_MARGIN`] from one half with a power of 80 % at a significance
    /// level of 5 %, if the number of players changes in proportion and they are as unequally active as in these games. It
    /// is the number of games of the estimate, multiplied by the ratio of its variance to the variance that is needed. A
    /// [plan](super::plan::plan) with the activity of these games has the same number for [`Fairness::players`].
    pub needed: u64,
    /// The number of players who play [`Fairness::needed`] games.
    pub players: u64,
    /// The number of such games that decide with a probability of 80 % whether the variant is fair, if the true score is the
    /// estimated one; `None` for more than a million.
    pub to_decide: Option<u64>,
}

/// Returns whether a variant is fair.
pub(crate) fn fairness(adjusted: &AdjustedAdvantage) -> Fairness {
    let Estimate { low, high, .. } = adjusted.cautious_expectation;
    let decision = if low >= 0.5 - FAIR_MARGIN && high <= 0.5 + FAIR_MARGIN {
        FairnessDecision::Fair
    } else if low > 0.5 + FAIR_MARGIN || high < 0.5 - FAIR_MARGIN {
        FairnessDecision::Unfair
    } else {
        FairnessDecision::Undecided
    };
    let conditions = conditions_of(adjusted);
    // The slope of the score is that at one half, because the question is about small deviations.
    let factor = |question: SampleSizeQuestion| {
        adjusted.advantage.cautious().error.powi(2) / conditions.advantage_variance(question.error(POWER))
    };
    let to_detect = factor(SampleSizeQuestion::Detect(FAIR_MARGIN));
    let distance = (adjusted.expectation.value - 0.5).abs();
    let games = |factor: f64| (adjusted.games as f64 * factor).ceil();
    let to_decide = games(factor(if distance < FAIR_MARGIN {
        SampleSizeQuestion::Equivalent { margin: FAIR_MARGIN, distance }
    } else {
        SampleSizeQuestion::Detect(distance - FAIR_MARGIN)
    }));
    Fairness {
        decision,
        needed: games(to_detect) as u64,
        players: (adjusted.players as f64 * to_detect).round().max(2.0) as u64,
        to_decide: (to_decide <= 1e6).then_some(to_decide as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::plan::{PlanSpec, activity_of, plan};
    use crate::measure::time_order::TimeOrder;
    use crate::stats::{Advantage, NotEstimable};

    fn adjusted(value: f64, error: f64, games: u64) -> AdjustedAdvantage {
        let expectation = Estimate::normal(value, error);
        // At an expected score of one half, the score changes by a quarter of the change in log odds.
        let advantage = Advantage {
            value: 0.0,
            error: error / 0.25,
            model_error: error / 0.25,
            known_players_error: error / 0.25,
            games,
        };
        AdjustedAdvantage {
            elo: expectation,
            expectation,
            cautious_expectation: expectation,
            advantage,
            strength_sd: 0.0,
            side_skill_sd: 0.0,
            side_choice: None,
            draw_weight: 0.0,
            games,
            players: 30,
            games_per_player: vec![2 * games as u32 / 30; 30],
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
        let found = fairness(&adjusted(0.5, error, 100));
        assert_eq!((found.needed, found.players), (785, 235));
    }

    #[test]
    fn the_number_that_decides_is_that_of_the_nearer_limit() {
        let to_decide = |value| fairness(&adjusted(value, 0.05, 100)).to_decide;
        // Both margins: 1/4 (1.96 + 1.2816)^2 / 0.05^2, as in the test of `SampleSizeQuestion`.
        assert_eq!(to_decide(0.5), Some(1051));
        // 10 points beyond a limit: 1/4 (1.96 + 0.8416)^2 / 0.1^2, on both sides.
        assert_eq!((to_decide(0.65), to_decide(0.35)), (Some(197), Some(197)));
        assert_eq!(to_decide(0.55001), None);
    }

    #[test]
    fn a_plan_for_these_players_needs_the_same_number() {
        let games_per_player = vec![200, 120, 80, 60, 40, 30, 20, 15, 10, 9, 5, 4, 3, 2, 1, 1];
        let games = u64::from(games_per_player.iter().sum::<u32>() / 2);
        let adjusted = AdjustedAdvantage {
            strength_sd: 250.0,
            side_skill_sd: 40.0,
            draw_weight: 0.1,
            players: games_per_player.len() as u64,
            games_per_player,
            ..adjusted(0.46, 0.07, games)
        };
        let found = fairness(&adjusted);
        let spec = PlanSpec {
            difference: FAIR_MARGIN,
            power: POWER,
            players: vec![found.players, adjusted.players],
            conditions: conditions_of(&adjusted),
            activity: activity_of(&adjusted),
        };
        let plan = plan(spec);
        let rows = plan.as_recorded.unwrap().rows;
        let same = rows[0].games[0].unwrap() as f64 / found.needed as f64;
        // The number of players is rounded.
        assert!((same - 1.0).abs() < 0.01, "{same}");
        // A plan for equal activity has too few games.
        assert!(plan.any_strength.rows[0].games[0].unwrap() < found.needed / 2);
    }
}
