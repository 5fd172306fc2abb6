//! Matches: players against each other.

use std::io::BufRead;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Sprt, SprtError};

use super::match_answer::MatchAnswer;
use super::number_pair::NumberPair;
use super::player_spec::PlayerSpec;
use super::prepared_match::{MatchField, PreparedMatch};
use super::saved_game::SavedPair;
use super::series::GameSeries;
use crate::engine::MoveLimits;
use crate::{App, Bounded, Error, ErrorKind, Job, Request, Result, Seconds, StreamRequest, Threads};

/// Play a match between two players
///
/// # Examples
///
/// ```
/// use taflbase::play::MatchRequest;
/// use taflbase::{App, Bounded, Job, Request};
///
/// let request = MatchRequest {
///     first: "taflbase:nodes=100".into(),
///     second: "random".into(),
///     variant: vec!["brandubh7".into()],
///     pairs: Bounded::new(1).expect("it is in the range"),
///     ..MatchRequest::default()
/// };
/// let answer = request.run(&App::new(), &Job::default())?;
/// assert_eq!(answer.result.games.games, 2);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct MatchRequest {
    /// The player that the match is about
    pub first: String,
    /// Its opponent
    pub second: String,
    /// Play by the rules of these variants in turn: names, rules strings, or files
    #[cfg_attr(feature = "clap", arg(long, alias = "rules", value_name = "VARIANT,...", required = true))]
    #[serde(alias = "rules")]
    pub variant: Vec<String>,
    /// Change one rule of every variant, such as sw=w; may be repeated
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule: Vec<String>,
    /// The number of pairs to play; with --sprt, the maximum
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub pairs: Bounded<1, 1_000_000, 50>,
    /// How many plies begin each pair, random ones or those of --openings
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub opening_plies: Bounded<0, 100, 4>,
    /// Begin as the games of these files did that the rules allow, in an order that --seed decides
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILES", num_args = 1..))]
    pub openings: Vec<PathBuf>,
    /// When players stop thinking.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: MoveLimits,
    /// The number of plies after which a game stays unfinished
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub plies: Bounded<1, 100_000, 400>,
    /// End when it is clear whether the first player is better by ELO1 or not by ELO0
    #[cfg_attr(feature = "clap", arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true))]
    pub sprt: Option<NumberPair>,
    /// How probable both errors of the test may be: ALPHA,BETA
    #[cfg_attr(feature = "clap", arg(long, value_name = "ALPHA,BETA", default_value_t))]
    pub errors: NumberPair,
    /// The seed of all random numbers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub seed: Bounded<0, { u64::MAX }, 1>,
    /// The number of threads, each of which plays its own games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
    /// What to do when a player cannot go on
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", default_value_t, value_enum))]
    pub on_fault: OnFault,
    /// How long a program may take beyond its time
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t))]
    pub grace: Seconds<0, 10_000_000_000>,
}

/// What to do when a player cannot go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// It loses the game, and the match goes on
    #[default]
    GoOn,
    /// It loses the game, and the match ends
    Stop,
}

impl MatchRequest {
    /// Returns the variants. A list is separated by commas, which rules strings have inside.
    pub fn variants(&self) -> Vec<&str> {
        let parts = |text: &'_ str| if text.contains("dim:") { 1 } else { usize::MAX };
        self.variant.iter().flat_map(|text| text.splitn(parts(text), ',')).collect()
    }

    /// Reads players, rules, and openings. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with a player, the rules, or the test, or that there are too few openings.
    pub fn prepare<'i>(
        self,
        app: &App,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<PreparedMatch> {
        let player = |text: &str| PlayerSpec::read(text);
        let players = [player(&self.first)?, player(&self.second)?];
        let bad_test = |error: SprtError| Error::parameter("sprt", error.to_string());
        let sprt = self.sprt.map(|NumberPair(elo0, elo1)| {
            Sprt::new((elo0, elo1), (self.errors.0, self.errors.1)).map_err(bad_test)
        });
        let sprt = sprt.transpose()?;
        let games = self.opening_games(job, stdin)?;
        let variants = self.variants();
        let n_variants = variants.len() as u64;
        let mut fields = Vec::new();
        for (at, name) in variants.into_iter().enumerate() {
            let rules = app.compiled(name, &self.rule).map_err(|error| error.of("variant"))?;
            for player in &players {
                player.check(&rules.book).map_err(|error| {
                    let message = format!("{} with {}: {error}", player.text, rules.variant.name());
                    Error::new(ErrorKind::BadParameter, message)
                })?;
            }
            let wanted = (self.pairs.get() + n_variants - 1 - at as u64) / n_variants;
            let openings = self.openings(&rules.book, &games, wanted);
            if (openings.len() as u64) < wanted {
                let plies = self.opening_plies.get();
                let message = format!(
                    "{} has only {} different openings of {plies} plies, and {wanted} are wanted; try --opening-plies {}{}",
                    rules.variant.name(),
                    openings.len(),
                    plies + 1,
                    if self.openings.is_empty() { "" } else { ", or more games" }
                );
                return Err(Error::parameter("opening_plies", message));
            }
            fields.push(MatchField { rules, openings });
        }
        let limits = self.limits.limits();
        Ok(PreparedMatch { request: self, players, limits, sprt, fields })
    }
}

impl Request for MatchRequest {
    type Answer = MatchAnswer;

    fn run(self, app: &App, job: &Job) -> Result<MatchAnswer> {
        StreamRequest::run(self, app, job, &mut |_| Ok(()))
    }
}

impl StreamRequest for MatchRequest {
    type Item = SavedPair;
    type Summary = MatchAnswer;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(SavedPair) -> Result<()> + Send),
    ) -> Result<MatchAnswer> {
        let prepared = self.prepare(app, job, None)?;
        let mut series = GameSeries::new(&prepared.settings());
        prepared.play(&mut series, job, |played| take(played.pair.clone()))?;
        Ok(prepared.answer(&series.played))
    }
}
