//! Requests for searches of rules that meet a target.

use std::ops::ControlFlow;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{
    DesignTarget, EngineGames, EngineOptions, Provenance, RuleComparisonSpec, RuleSearchSpec, design_report,
    search_rules,
};
use tafl_rules::RuleSet;

use super::ReportAnswer;
use super::rule_candidates::{CandidateOptions, rule_sets};
use super::saved_search::{SavingGames, saved_series};
use super::selfplay::engine_identity;
use crate::{App, Error, ErrorKind, Job, Progress, Result, Threads};

/// A report on a search for rules that meet a target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct DesignReportRequest {
    /// The rules to change: a variant or a rules string
    #[cfg_attr(feature = "clap", arg(long, alias = "rules", value_name = "VARIANT", required = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Change one rule of the variant in all games, such as sw=w; may be repeated
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    pub rule: Vec<String>,
    /// A change to try, or several at once, separated by spaces; may be repeated [default:
    /// all common changes]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    pub vary: Vec<String>,
    /// Also combine up to N common changes
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_changes()))]
    #[schemars(range(min = 1, max = 2))]
    pub changes: u64,
    /// The maximum number of rule sets; combinations beyond it are left out at random
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_candidates()))]
    pub candidates: usize,
    /// The wished score of the attackers, in percent
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT", default_value_t = default_score()))]
    #[schemars(range(min = 1.0, max = 99.0))]
    pub score: f64,
    /// The largest distance from this score, in percentage points
    #[cfg_attr(feature = "clap", arg(long, value_name = "POINTS", default_value_t = default_within()))]
    #[schemars(range(min = 0.1, max = 50.0))]
    pub within: f64,
    /// The maximum median length of a game, in plies
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// The maximum proportion of draws, in percent
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT", default_value_t = default_max_draws()))]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub max_draws: f64,
    /// Search N positions per move in the games
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_nodes()))]
    pub nodes: u64,
    /// The number of games of each rule set in the first round; every round doubles it, and
    /// keeps the better half
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_first_games()))]
    pub first_games: u64,
    /// The number of rule sets that are measured again at the end
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_finalists()))]
    pub finalists: usize,
    /// The number of games of each of them
    #[serde(rename = "games")]
    #[cfg_attr(feature = "clap", arg(long = "games", value_name = "N", default_value_t = default_games()))]
    pub final_games: u64,
    /// The seed of the random openings
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_seed()))]
    pub seed: u64,
    /// Save the games to this file, and continue from it if it exists
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(skip)]
    pub resume: Option<PathBuf>,
    /// The number of threads. No report depends on it.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

fn default_changes() -> u64 {
    1
}

fn default_candidates() -> usize {
    48
}

fn default_score() -> f64 {
    50.0
}

fn default_within() -> f64 {
    5.0
}

fn default_max_draws() -> f64 {
    20.0
}

fn default_nodes() -> u64 {
    1000
}

fn default_first_games() -> u64 {
    20
}

fn default_finalists() -> usize {
    4
}

fn default_games() -> u64 {
    400
}

fn default_seed() -> u64 {
    1
}

impl Default for DesignReportRequest {
    fn default() -> DesignReportRequest {
        DesignReportRequest {
            variant: None,
            rule: Vec::new(),
            vary: Vec::new(),
            changes: default_changes(),
            candidates: default_candidates(),
            score: default_score(),
            within: default_within(),
            max_plies: None,
            max_draws: default_max_draws(),
            nodes: default_nodes(),
            first_games: default_first_games(),
            finalists: default_finalists(),
            final_games: default_games(),
            seed: default_seed(),
            resume: None,
            threads: Threads::default(),
        }
    }
}

impl DesignReportRequest {
    fn spec(&self, rules: &RuleSet) -> Result<RuleSearchSpec> {
        let percent = |name: &'static str, value: f64, low: f64, high: f64| {
            if (low..=high).contains(&value) {
                return Ok(value / 100.0);
            }
            let option = name.replace('_', "-");
            Err(Error::parameter(name, format!("--{option} must be from {low} to {high}")))
        };
        let target = DesignTarget {
            score: percent("score", self.score, 1.0, 99.0)?,
            within: percent("within", self.within, 0.1, 50.0)?,
            max_plies: self.max_plies.map(|plies| f64::from(plies.max(1))),
            max_draws: percent("max_draws", self.max_draws, 0.0, 100.0)?,
        };
        if self.nodes == 0 {
            return Err(Error::parameter("nodes", "--nodes must be above 0"));
        }
        for (name, number) in [
            ("first_games", self.first_games),
            ("finalists", self.finalists as u64),
            ("games", self.final_games),
        ] {
            if number == 0 {
                let option = name.replace('_', "-");
                return Err(Error::parameter(name, format!("--{option} must be above 0")));
            }
        }
        if !(1..=2).contains(&self.changes) {
            return Err(Error::parameter("changes", "--changes must be 1 or 2"));
        }
        Ok(RuleSearchSpec {
            target,
            candidates: rule_sets(
                rules,
                &CandidateOptions {
                    vary: &self.vary,
                    changes: self.changes,
                    max: self.candidates,
                    seed: self.seed,
                },
            )?,
            nodes: self.nodes,
            first_games: self.first_games,
            finalists: self.finalists,
            final_games: self.final_games,
        })
    }
}

/// Searches rules, and creates the report.
pub(super) fn report_of_search(
    request: &DesignReportRequest,
    mut provenance: Provenance,
    app: &App,
    job: &Job,
) -> Result<ReportAnswer> {
    let Some(text) = &request.variant else {
        return Err(Error::parameter("variant", "no rules are given; name them with --variant"));
    };
    let rules = app.compiled(text, &request.rule)?;
    let variant = &rules.variant;
    let spec = request.spec(&variant.rules)?;
    let options =
        EngineOptions { seed: request.seed, threads: request.threads.get(), ..EngineOptions::default() };
    provenance.add("rules", "rules", variant.rules.to_string());
    let engine = engine_identity(&rules.book);
    provenance.add("engine", "engine", &engine);
    provenance.add("seed", "seed", request.seed.to_string());
    provenance.add("opening", "random plies at the start", options.opening_plies.to_string());
    provenance.add("limit", "plies after which a game is left unfinished", options.max_plies.to_string());
    let settings = (request, variant.rules.to_string(), &engine);
    let mut series = saved_series(request.resume.as_deref(), &settings)?;
    let arms = RuleComparisonSpec::new(spec.candidates.clone());
    let found = job.with_stop_flag(|stop| {
        let options = EngineOptions { stop: Some(stop), ..options };
        let engine = EngineGames::new(&arms, &options).map_err(|(arm, error)| {
            let label = &spec.candidates[arm].label;
            Error::new(ErrorKind::BadRules, format!("the rules `{label}` cannot be played: {error}"))
        })?;
        let mut games = SavingGames::new(engine, &mut series, request.resume.as_deref(), job);
        let found = search_rules(&spec, &mut games, &mut |progress| {
            let proportion = Some(progress.games as f64 / progress.max_games.max(1) as f64);
            job.report(&Progress { done: progress.games, unit: "games", proportion, detail: "" });
            if job.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        games.check().map(|()| found)
    })?;
    job.check()?;
    let report = design_report(&found, &variant.name(), provenance);
    Ok(ReportAnswer { report, games: found.games, notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn request() -> DesignReportRequest {
        DesignReportRequest {
            variant: Some("hexentafl4".to_owned()),
            vary: vec!["esc=e".to_owned(), "ka=n".to_owned()],
            nodes: 20,
            first_games: 4,
            finalists: 2,
            final_games: 6,
            ..DesignReportRequest::default()
        }
    }

    fn run(request: &DesignReportRequest) -> Result<ReportAnswer> {
        report_of_search(request, Provenance::of("0.0.0"), &App::new(), &Job::default())
    }

    #[test]
    fn an_interrupted_search_gives_the_same_report() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("search.json");
        let whole = run(&request()).unwrap().report;
        let saving = DesignReportRequest { resume: Some(file.clone()), ..request() };
        assert_eq!(run(&saving).unwrap().report, whole);
        // A search that was interrupted has fewer games, here also in the middle of a portion.
        let mut series: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let played = series["played"].as_array_mut().unwrap();
        assert_eq!(played.len() as u64, 3 * 4 + 2 * 6);
        played.truncate(14);
        // A game that cannot have been played here shows that the file is used.
        played[0]["plies"] = 7777.into();
        fs::write(&file, series.to_string()).unwrap();
        run(&saving).unwrap();
        let again: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(again["played"][0]["plies"], 7777);
        assert_eq!(again["played"].as_array().unwrap().len(), 24);
        let other = DesignReportRequest { nodes: 30, ..saving };
        assert_eq!(run(&other).unwrap_err().kind, ErrorKind::BadParameter);
    }
}
