//! The search for balanced openings of a variant.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{BalanceSearch, BalanceSettings, Engine, OpeningSet, OpeningSets, SearchOptions};

use super::rules_text::rules_text;
use crate::escape::escape;
use crate::{App, Bounded, CompiledVariant, Error, Job, Progress, Request, Result, RulesRequest, Threads};

/// Find openings from which the engine wins about as often with both sides
///
/// # Examples
///
/// ```
/// use taflbase::play::FindOpeningsRequest;
/// use taflbase::{App, Bounded, Job, Request, RulesRequest};
///
/// let request = FindOpeningsRequest {
///     rules: RulesRequest { variant: Some("hexentafl4".into()), ..RulesRequest::default() },
///     rounds: Bounded::new(1).expect("it is in the range"),
///     nodes: Bounded::new(20).expect("it is in the range"),
///     ..FindOpeningsRequest::default()
/// };
/// let set = request.run(&App::new(), &Job::default())?;
/// assert_eq!(set.progress.rounds, 1);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct FindOpeningsRequest {
    /// The rules.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// Stop after the round in which N openings are found
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub count: Bounded<1, 100_000, 32>,
    /// Stop after N rounds; each tests 8 of 48 candidates
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub rounds: Bounded<1, 100_000, 30>,
    /// Search N positions per move in the games
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub nodes: Bounded<1, { u64::MAX }, 1_000>,
    /// The maximum number of plies of an opening
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub plies: Bounded<1, 100, 16>,
    /// The seed of all random numbers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub seed: Bounded<0, { u64::MAX }, 1>,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

/// A search for balanced openings whose rules are read.
pub struct PreparedOpenings {
    request: FindOpeningsRequest,
    rules: Arc<CompiledVariant>,
    search: BalanceSearch,
}

impl FindOpeningsRequest {
    /// Reads the rules.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules.
    pub fn prepare(self, app: &App) -> Result<PreparedOpenings> {
        let rules = self.rules.require(app)?;
        let settings = BalanceSettings {
            nodes: self.nodes.get(),
            plies: self.plies.get() as u32,
            seed: self.seed.get(),
        };
        let search = BalanceSearch::new(&rules.book, settings);
        Ok(PreparedOpenings { request: self, rules, search })
    }
}

impl PreparedOpenings {
    /// Continues from the content of a file that [`PreparedOpenings::set`] was written to.
    ///
    /// # Errors
    ///
    /// Fails if the content is damaged, or belongs to a search by other rules, settings, or engine.
    pub fn resume(&mut self, name: &str, content: &str) -> Result<()> {
        let name = escape(name);
        let wrong = |why: String| Error::parameter("resume", format!("{name} can't be resumed: {why}"));
        if !OpeningSets::is_header(content.as_bytes()) {
            return Err(
                wrong("it is not a file of --resume".to_owned()).with_help("use a new file with --resume")
            );
        }
        let sets: OpeningSets = content.parse().map_err(|error| wrong(format!("{error}")))?;
        let [set] = &sets.sets[..] else {
            let n_sets = sets.sets.len();
            let why = format!("a search has the openings for one rule set, and this file has {n_sets} sets");
            return Err(wrong(why).with_help("use another file with --resume"));
        };
        if let Some((setting, found, wanted)) = difference(set, &self.set()) {
            let (why, help) = if setting == "engine" {
                let help = "use a new file with --resume: another version of the engine plays other games";
                (format!("it was written with engine {found}, but this is engine {wanted}"), help.to_owned())
            } else {
                let help = format!("use {setting} {found}, or a new file with --resume");
                (format!("it was written with {setting} {found}, but {setting} {wanted} is requested"), help)
            };
            return Err(wrong(why).with_help(help));
        }
        self.search = set.search(&self.rules.book);
        Ok(())
    }

    /// Returns the openings found so far.
    pub fn set(&self) -> OpeningSet {
        let options = SearchOptions { mebibytes: 0, ..SearchOptions::default() };
        OpeningSet::of(&self.search, Engine::new(&self.rules.book, options).identity().to_string())
    }

    /// Runs rounds until enough openings are found or no rounds are left, and calls `on_round` after each
    /// of them.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped or `on_round` fails.
    pub fn run(&mut self, job: &Job, mut on_round: impl FnMut(&OpeningSet) -> Result<()>) -> Result<()> {
        let FindOpeningsRequest { count, rounds, threads, .. } = &self.request;
        let (count, rounds, threads) = (count.size(), rounds.get(), threads.get());
        while self.search.openings.len() < count && u64::from(self.search.progress.rounds) < rounds {
            job.with_stop_flag(|stop| self.search.run_round(threads, &stop));
            job.check()?;
            let set = self.set();
            on_round(&set)?;
            let progress = set.progress;
            let detail = format!(
                "{} of {count} openings; center {:+.2}, bias {:+.2}",
                set.openings.len(),
                without_negative_zero(progress.center / 100.0),
                without_negative_zero(progress.bias)
            );
            job.report(&Progress {
                done: progress.rounds.into(),
                unit: "rounds",
                proportion: None,
                detail: &detail,
            });
        }
        Ok(())
    }
}

/// Returns a number, or 0 if it is shown as 0 with two decimals.
fn without_negative_zero(number: f64) -> f64 {
    if number.abs() < 0.005 { 0.0 } else { number }
}

/// Returns the first setting in which two searches differ, with the value of each.
fn difference(found: &OpeningSet, wanted: &OpeningSet) -> Option<(&'static str, String, String)> {
    if found.rules != wanted.rules {
        let [one, other] = [found, wanted].map(|set| rules_text(&set.rules));
        if one != other {
            return Some(("--variant", one, other));
        }
        // Different rules with the same text, such as rules without a name, are shown as rules strings.
        let [one, other] = [found, wanted].map(|set| format!("`{}`", set.rules));
        return Some(("--variant", one, other));
    }
    let settings = |set: &OpeningSet| {
        let BalanceSettings { nodes, plies, seed } = set.settings;
        [
            ("--nodes", nodes.to_string()),
            ("--plies", plies.to_string()),
            ("--seed", seed.to_string()),
            ("engine", format!("`{}`", set.engine)),
        ]
    };
    let pairs = settings(found).into_iter().zip(settings(wanted));
    pairs
        .map(|((setting, found), (_, wanted))| (setting, found, wanted))
        .find(|(_, found, wanted)| found != wanted)
}

impl Request for FindOpeningsRequest {
    type Answer = OpeningSet;

    fn run(self, app: &App, job: &Job) -> Result<OpeningSet> {
        let mut prepared = self.prepare(app)?;
        prepared.run(job, |_| Ok(()))?;
        Ok(prepared.set())
    }
}
