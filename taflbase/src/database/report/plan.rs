//! Requests for plans: how many games answer a question about the balance.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{
    Games, PlanSpec, Provenance, RECORDED_CONDITIONS, activity_of, adjusted_advantage, conditions_of, plan,
    plan_report, stats,
};

use super::load::query_reasons;
use super::{ReportAnswer, ReportGames, chosen_games};
use crate::database::CorpusSnapshot;
use crate::{Error, ErrorKind, Job, Result};

/// A report on the number of games that a question about the balance needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct PlanReportRequest {
    /// The games whose players and draws are the conditions; without a source, the conditions
    /// are those of recorded games of Copenhagen, and all players play equally often.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The difference of the attackers' score to detect, in percentage points; also the margin
    /// within which a variant is fair
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, value_name = "POINTS", default_value_t = default_detect()))]
    #[schemars(range(min = 0.1, max = 45.0))]
    pub detect: f64,
    /// The probability of an answer, in percent
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, value_name = "PERCENT", default_value_t = default_power()))]
    #[schemars(range(min = 10.0, max = 99.9))]
    pub power: f64,
    /// The numbers of players, separated by commas [default: 10,20,50,100,200,1000]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LIST", default_values_t = default_players(), value_delimiter = ','),
        arg(hide_default_value = true)
    )]
    #[schemars(description = "The numbers of players")]
    pub players: Vec<u64>,
    /// The proportion of draws between equals, in percent
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, value_name = "PERCENT"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 90.0))]
    pub draws: Option<f64>,
    /// The standard deviation of the players' strengths, in Elo
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, value_name = "ELO"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength_sd: Option<f64>,
    /// The standard deviation of half the difference between a player's strengths with both
    /// sides, in Elo
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, value_name = "ELO"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side_skill_sd: Option<f64>,
}

fn default_detect() -> f64 {
    5.0
}

fn default_power() -> f64 {
    80.0
}

fn default_players() -> Vec<u64> {
    vec![10, 20, 50, 100, 200, 1000]
}

impl Default for PlanReportRequest {
    fn default() -> PlanReportRequest {
        PlanReportRequest {
            games: ReportGames::default(),
            detect: default_detect(),
            power: default_power(),
            players: default_players(),
            draws: None,
            strength_sd: None,
            side_skill_sd: None,
        }
    }
}

impl PlanReportRequest {
    /// Returns the specification, with the given conditions where the request has none.
    fn spec(
        &self,
        known: stats::PlanConditions,
        activity: Option<stats::PlayerActivity>,
    ) -> Result<PlanSpec> {
        let within = |name: &'static str, value: f64, low: f64, high: f64| {
            if (low..=high).contains(&value) {
                return Ok(value);
            }
            let option = name.replace('_', "-");
            Err(Error::parameter(name, format!("--{option} must be from {low} to {high}")))
        };
        let log_odds = |elo: f64| elo * std::f64::consts::LN_10 / 400.0;
        let mut conditions = known;
        if let Some(draws) = self.draws {
            let proportion = within("draws", draws, 0.0, 90.0)? / 100.0;
            conditions.draw_weight = 2.0 * proportion / (1.0 - proportion);
        }
        if let Some(strength_sd) = self.strength_sd {
            conditions.strength_sd = log_odds(within("strength_sd", strength_sd, 0.0, 2000.0)?);
        }
        if let Some(side_skill_sd) = self.side_skill_sd {
            conditions.side_skill_sd = log_odds(within("side_skill_sd", side_skill_sd, 0.0, 1000.0)?);
        }
        let mut players = self.players.clone();
        players.sort_unstable();
        players.dedup();
        if players.first().is_none_or(|fewest| *fewest < 2) {
            return Err(Error::parameter(
                "players",
                "--players must be numbers of at least 2, such as 20,50",
            ));
        }
        let difference = within("detect", self.detect, 0.1, 45.0)? / 100.0;
        let power = within("power", self.power, 10.0, 99.9)? / 100.0;
        Ok(PlanSpec { difference, power, players, conditions, activity })
    }
}

/// Makes a plan; the conditions are those of the games of one variant if there is a source.
pub(super) fn planned(
    request: &PlanReportRequest,
    corpora: &[Arc<CorpusSnapshot>],
    mut provenance: Provenance,
    job: &Job,
) -> Result<ReportAnswer> {
    let mut source = None;
    let mut known = RECORDED_CONDITIONS;
    let mut activity = None;
    if let Some(corpus) = corpora.first() {
        let games = chosen_games(corpus, &request.games, &mut provenance, job)?;
        if games.rows.is_empty() {
            let error = Error::parameter("sources", "the source has no such games");
            let reasons = query_reasons(corpus, request.games.query.as_deref())?;
            return Err(if reasons.is_empty() { error } else { error.with_help(reasons.join("; ")) });
        }
        let number = only_variant(&games)?;
        let name = games.variants[number as usize].label();
        let adjusted = adjusted_advantage(&games, number).map_err(|missing| {
            let message = format!("the conditions of {name} can't be estimated: {missing}");
            Error::new(ErrorKind::BadParameter, message).of("sources")
        })?;
        known = conditions_of(&adjusted);
        activity = activity_of(&adjusted);
        source = Some(format!("{} games of {name}", adjusted.games));
    } else if let Some(variant) = &request.games.variant {
        let message = format!("no source is given for the conditions of {variant}; name a corpus");
        return Err(Error::parameter("variant", message));
    }
    let found = plan(request.spec(known, activity)?);
    let report = plan_report(&found, source.as_deref(), provenance);
    // A plan has an answer without games.
    Ok(ReportAnswer { report, games: 1, notes: Vec::new() })
}

/// Returns the index of the only variant with games, of which there are some.
fn only_variant(games: &Games) -> Result<u32> {
    let mut used: Vec<u32> = games.rows.iter().map(|game| game.variant).collect();
    used.sort_unstable();
    used.dedup();
    match used.as_slice() {
        [only] => Ok(*only),
        _ => Err(Error::parameter("variant", "the source has several variants; select one with --variant")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_come_from_the_request() {
        let request = PlanReportRequest {
            draws: Some(50.0),
            strength_sd: Some(400.0),
            side_skill_sd: Some(0.0),
            players: vec![30, 10, 30],
            ..PlanReportRequest::default()
        };
        let spec = request.spec(RECORDED_CONDITIONS, None).unwrap();
        assert_eq!((spec.conditions.draw_weight, spec.conditions.side_skill_sd), (2.0, 0.0));
        assert!((spec.conditions.strength_sd - std::f64::consts::LN_10).abs() < 1e-12);
        assert_eq!((spec.players, spec.difference), (vec![10, 30], 0.05));
        let without = PlanReportRequest::default().spec(RECORDED_CONDITIONS, None).unwrap();
        assert_eq!(without.conditions, RECORDED_CONDITIONS);
        let wrong = |request: PlanReportRequest| {
            request.spec(RECORDED_CONDITIONS, None).unwrap_err().parameter.unwrap()
        };
        let default = PlanReportRequest::default;
        assert_eq!(wrong(PlanReportRequest { detect: 50.0, ..default() }), "detect");
        assert_eq!(wrong(PlanReportRequest { power: f64::NAN, ..default() }), "power");
        assert_eq!(wrong(PlanReportRequest { players: vec![1], ..default() }), "players");
        assert_eq!(wrong(PlanReportRequest { side_skill_sd: Some(-1.0), ..default() }), "side_skill_sd");
    }
}
