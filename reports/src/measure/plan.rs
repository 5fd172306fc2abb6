//! Sample sizes: the numbers of games and players that answer a question about the balance.

use super::adjusted::AdjustedAdvantage;
use crate::stats::activity::PlayerActivity;
use crate::stats::sample_size::{PlanConditions, SampleSizeQuestion};

/// The specification of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanSpec {
    /// The difference of the expected score to detect, from 0 to 0.5; also the margin of a fair variant.
    pub difference: f64,
    /// The probability of an answer.
    pub power: f64,
    /// The numbers of players.
    pub players: Vec<u64>,
    /// The conditions of the games.
    pub conditions: PlanConditions,
    /// The activity of the players of recorded games, if the conditions come from games.
    pub activity: Option<PlayerActivity>,
}

/// The conditions of recorded games of Copenhagen in the archive of aagenielsen.dk: standard deviations of 334 Elo for
/// strengths and of 35 Elo for side skills, and 0.9 % draws between equals.
pub const RECORDED_CONDITIONS: PlanConditions =
    PlanConditions { draw_weight: 0.018, strength_sd: 1.92, side_skill_sd: 0.2 };

/// A plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFindings {
    /// The specification.
    pub spec: PlanSpec,
    /// The questions, in the order of [`PlanRow::games`].
    pub questions: Vec<SampleSizeQuestion>,
    /// The plans for players who are as active, and choose their opponents and sides, as in the recorded games.
    pub as_recorded: Option<PlanTable>,
    /// The plans for players who play equally often, with opponents of any strength.
    pub any_strength: PlanTable,
    /// The same for opponents of equal strength, whose games are the most informative.
    pub equal_strength: PlanTable,
}

/// The plans for a kind of opponents.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanTable {
    /// The plans by number of players.
    pub rows: Vec<PlanRow>,
    /// For each question, the number of players below which no number of games suffices.
    pub min_players: Vec<u64>,
}

/// A plan for a number of players.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRow {
    /// The number of players.
    pub players: u64,
    /// For each question, the number of games; `None` if no number of games of so few players suffices.
    pub games: Vec<Option<u64>>,
}

/// Returns the conditions of the games of a variant.
pub fn conditions_of(adjusted: &AdjustedAdvantage) -> PlanConditions {
    let log_odds = |elo: f64| elo * std::f64::consts::LN_10 / 400.0;
    PlanConditions {
        draw_weight: adjusted.draw_weight,
        strength_sd: log_odds(adjusted.strength_sd),
        side_skill_sd: log_odds(adjusted.side_skill_sd),
    }
}

/// Returns the activity of the players of the games of a variant.
pub fn activity_of(adjusted: &AdjustedAdvantage) -> Option<PlayerActivity> {
    let variance = adjusted.advantage.error * adjusted.advantage.error;
    PlayerActivity::of(&adjusted.games_per_player, &conditions_of(adjusted), variance)
}

/// Returns a plan.
pub fn plan(spec: PlanSpec) -> PlanFindings {
    let difference = spec.difference;
    let questions = vec![
        SampleSizeQuestion::Detect(difference),
        SampleSizeQuestion::Equivalent { margin: difference, distance: 0.0 },
        SampleSizeQuestion::Equivalent { margin: difference, distance: difference / 2.0 },
        SampleSizeQuestion::Compare(difference),
    ];
    let errors: Vec<f64> = questions.iter().map(|question| question.error(spec.power)).collect();
    let table = |games: &dyn Fn(u64, f64) -> Option<u64>, min_players: &dyn Fn(f64) -> u64| PlanTable {
        rows: spec
            .players
            .iter()
            .map(|players| PlanRow {
                players: *players,
                games: errors.iter().map(|error| games(*players, *error)).collect(),
            })
            .collect(),
        min_players: errors.iter().map(|error| min_players(*error)).collect(),
    };
    let of_equal_activity = |conditions: PlanConditions| {
        table(&|players, error| conditions.games_needed(players, error), &|error| {
            conditions.min_players(error)
        })
    };
    let as_recorded = spec.activity.as_ref().map(|activity| {
        table(&|players, error| activity.games_needed(&spec.conditions, players, error), &|error| {
            activity.min_players(&spec.conditions, error)
        })
    });
    let any_strength = of_equal_activity(spec.conditions);
    let equal_strength = of_equal_activity(PlanConditions { strength_sd: 0.0, ..spec.conditions });
    PlanFindings { questions, as_recorded, any_strength, equal_strength, spec }
}
