//! Balance reports of rules that the engine plays against itself.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Engine, SearchOptions};
use tafl_reports::{
    ControlFindings, EngineGames, EngineOptions, GamesToLoad, HumanBalance, LabeledRules, Provenance,
    RuleComparisonSpec, compare_rules, control_variants, games_hash, human_balances, human_balances_of,
    run_control,
};
use tafl_rules::{AnyRulebook, RuleSet};

use super::load::load_chosen;
use super::request::paths;
use super::{BalanceReportRequest, ReportAnswer};
use crate::database::CorpusSnapshot;
use crate::{App, Error, ErrorKind, Job, Progress, Result, Threads, Variant, change_rules};

/// Rules that the engine tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct SelfplayOptions {
    /// Let the engine play the rules against itself
    #[cfg_attr(
        feature = "clap",
        arg(long, help_heading = "Rules to try", conflicts_with_all = ["sources", "query"])
    )]
    pub selfplay: bool,
    /// Change one rule of the variant in all games, such as sw=w; may be repeated
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "KEY=VALUE", requires = "selfplay", help_heading = "Rules to try")
    )]
    pub rule: Vec<String>,
    /// A change to try, or several at once, separated by spaces; may be repeated
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "KEY=VALUE", requires = "selfplay", help_heading = "Rules to try")
    )]
    pub vary: Vec<String>,
    /// The maximum number of games of each rule set at each strength
    #[serde(rename = "games")]
    #[cfg_attr(
        feature = "clap",
        arg(long = "games", value_name = "N", default_value_t = default_games(), help_heading = "Rules to try")
    )]
    pub max_games: u64,
    /// Stop when the intervals of the attackers' score are at most this wide, in
    /// percentage points
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "POINTS", default_value_t = default_width(), help_heading = "Rules to try")
    )]
    #[schemars(range(max = 100.0))]
    pub width: f64,
    /// The strengths of the engine, in nodes per move, separated by commas [default:
    /// 200,1000,5000]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LIST", default_values_t = default_nodes(), value_delimiter = ','),
        arg(hide_default_value = true, help_heading = "Rules to try")
    )]
    #[schemars(description = "The strengths of the engine, in nodes per move")]
    pub nodes: Vec<u64>,
    /// The number of known variants that the engine also plays, for comparison with
    /// people; 0 for none
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = default_control(), help_heading = "Rules to try")
    )]
    pub control: usize,
    /// Take the balance between people from these games instead of the built-in table: a
    /// corpus, or files of records
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "paths")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SOURCE", requires = "selfplay", help_heading = "Rules to try")
    )]
    pub human: Vec<PathBuf>,
    /// The number of games of each known variant, with the most nodes
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = default_control_games(), help_heading = "Rules to try")
    )]
    pub control_games: u64,
    /// The seed of the random openings
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = default_seed(), help_heading = "Rules to try")
    )]
    pub seed: u64,
    /// The number of threads. No report depends on it.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

fn default_games() -> u64 {
    200
}

fn default_width() -> f64 {
    10.0
}

fn default_nodes() -> Vec<u64> {
    vec![200, 1000, 5000]
}

fn default_control() -> usize {
    8
}

fn default_control_games() -> u64 {
    40
}

fn default_seed() -> u64 {
    1
}

impl Default for SelfplayOptions {
    fn default() -> SelfplayOptions {
        SelfplayOptions {
            selfplay: false,
            rule: Vec::new(),
            vary: Vec::new(),
            max_games: default_games(),
            width: default_width(),
            nodes: default_nodes(),
            control: default_control(),
            human: Vec::new(),
            control_games: default_control_games(),
            seed: default_seed(),
            threads: Threads::default(),
        }
    }
}

impl SelfplayOptions {
    /// Returns whether the report is about games of a corpus.
    pub(super) fn is_off(&self) -> bool {
        !self.selfplay
    }

    /// Returns an error if there are options of self-play without self-play, which would ignore them.
    pub(super) fn check_is_used(&self) -> Result<()> {
        let SelfplayOptions {
            selfplay,
            rule,
            vary,
            max_games,
            width,
            nodes,
            control,
            human,
            control_games,
            seed,
            threads: _,
        } = self;
        let given = [
            ("rule", !rule.is_empty()),
            ("vary", !vary.is_empty()),
            ("games", *max_games != default_games()),
            ("width", *width != default_width()),
            ("nodes", *nodes != default_nodes()),
            ("control", *control != default_control()),
            ("human", !human.is_empty()),
            ("control_games", *control_games != default_control_games()),
            ("seed", *seed != default_seed()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given && !selfplay) {
            Some((name, _)) => Err(SelfplayOptions::unused(name)),
            None => Ok(()),
        }
    }

    /// Returns the error for an option of self-play, given by its name, without self-play.
    pub fn unused(name: &'static str) -> Error {
        let option = name.replace('_', "-");
        let message = format!("--{option} needs --selfplay and --variant");
        Error::parameter(name, message).with_help(
            "--selfplay lets the engine play the rules of --variant; --query selects recorded games",
        )
    }

    fn spec(&self, variant: &Variant) -> Result<RuleComparisonSpec> {
        let mut arms = vec![LabeledRules { label: "as it is".to_owned(), rules: variant.rules.clone() }];
        for changes in &self.vary {
            let wrong = |why: &str| Error::parameter("vary", format!("--vary {changes}: {why}"));
            let words: Vec<String> = changes.split_whitespace().map(ToOwned::to_owned).collect();
            let rules =
                change_rules(variant.rules.clone(), &words).map_err(|error| wrong(&error.to_string()))?;
            if rules == variant.rules {
                return Err(wrong("the rules already have this value"));
            }
            arms.push(LabeledRules { label: changes.clone(), rules });
        }
        let mut nodes = self.nodes.clone();
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.is_empty() || nodes.contains(&0) {
            return Err(Error::parameter("nodes", "--nodes must be numbers above 0, such as 200,1000"));
        }
        if !(self.width > 0.0 && self.width <= 100.0) {
            return Err(Error::parameter("width", "--width must be above 0 and at most 100 points"));
        }
        if self.max_games == 0 {
            return Err(Error::parameter("games", "--games must be above 0"));
        }
        let default = RuleComparisonSpec::new(arms);
        Ok(RuleComparisonSpec { nodes, width: self.width / 100.0, max_games: self.max_games, ..default })
    }
}

/// Returns the balance between people: in the games of a corpus, or without one, in the built-in table.
fn humans(
    corpus: Option<&Arc<CorpusSnapshot>>,
    provenance: &mut Provenance,
    job: &Job,
) -> Result<Vec<HumanBalance>> {
    let Some(corpus) = corpus else { return Ok(human_balances()) };
    let games = load_chosen(corpus, GamesToLoad::All, job)?;
    provenance.add("human_games", "games between people", games.rows.len().to_string());
    provenance.add("human_games_hash", "hash of the games between people", games_hash(&games));
    let found = human_balances_of(&games);
    if found.is_empty() {
        return Err(Error::parameter(
            "human",
            "no variant of the catalog has 100 games with two named players",
        ));
    }
    Ok(found)
}

/// Has the engine play known variants, `games` of each with the most nodes; `None` without any.
fn control(
    known: Vec<(HumanBalance, RuleSet)>,
    games: u64,
    spec: &RuleComparisonSpec,
    options: &EngineOptions,
    job: &Job,
) -> Result<Option<ControlFindings>> {
    let Some(nodes) = spec.nodes.last().filter(|_| !known.is_empty() && games > 0) else { return Ok(None) };
    let all = known.len() as u64 * games;
    let mut source = |rules: &RuleSet| {
        let arm = LabeledRules { label: "known".to_owned(), rules: rules.clone() };
        EngineGames::new(&RuleComparisonSpec::new(vec![arm]), options).ok()
    };
    let mut done = 0;
    let found = run_control(known, *nodes, games, &mut source, &mut |played| {
        done += played;
        let proportion = Some(done as f64 / all as f64);
        job.report(&Progress { done, unit: "games", proportion, detail: "control" });
        if job.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    job.check()?;
    Ok(Some(found))
}

/// Has the engine play, and creates the report; `people` is the corpus with games between people, if the request names one.
pub(super) fn selfplay_report(
    request: &BalanceReportRequest,
    people: Option<&Arc<CorpusSnapshot>>,
    mut provenance: Provenance,
    app: &App,
    job: &Job,
) -> Result<ReportAnswer> {
    let Some(text) = &request.games.variant else {
        return Err(Error::parameter("variant", "no rules are given; name them with --variant"));
    };
    let rules = app.compiled(text, &request.selfplay_options.rule)?;
    let variant = &rules.variant;
    let spec = request.selfplay_options.spec(variant)?;
    let options = EngineOptions {
        seed: request.selfplay_options.seed,
        threads: request.selfplay_options.threads.get(),
        ..EngineOptions::default()
    };
    provenance.add("rules", "rules", variant.rules.to_string());
    provenance.add("engine", "engine", engine_identity(&rules.book));
    provenance.add("seed", "seed", request.selfplay_options.seed.to_string());
    provenance.add("opening", "random plies at the start", options.opening_plies.to_string());
    provenance.add("limit", "plies after which a game is left unfinished", options.max_plies.to_string());
    let humans = humans(people, &mut provenance, job)?;
    job.with_stop_flag(|stop| {
        let options = EngineOptions { stop: Some(stop), ..options };
        let mut games = EngineGames::new(&spec, &options).map_err(|(arm, error)| {
            let label = &spec.arms[arm].label;
            Error::new(ErrorKind::BadRules, format!("the rules `{label}` cannot be played: {error}"))
        })?;
        let found = compare_rules(&spec, &mut games, &mut |progress| {
            let proportion = Some(progress.games as f64 / (progress.max_games.max(1)) as f64);
            job.report(&Progress { done: progress.games, unit: "games", proportion, detail: "" });
            if job.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        job.check()?;
        let known = control_variants(humans, &variant.rules, request.selfplay_options.control);
        let control = control(known, request.selfplay_options.control_games, &spec, &options, job)?;
        let report =
            tafl_reports::rule_comparison_report(&found, control.as_ref(), &variant.name(), provenance);
        Ok(ReportAnswer { report, games: found.games, notes: Vec::new() })
    })
}

/// Returns the name of the engine that plays, with its parameters and its network.
pub(super) fn engine_identity(book: &AnyRulebook) -> String {
    Engine::new(book, SearchOptions { mebibytes: 1, ..SearchOptions::default() }).identity().to_string()
}
