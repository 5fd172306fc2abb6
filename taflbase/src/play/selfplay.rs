//! Games of the engine against itself.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Engine, MatchTerms, Proofs, SearchOptions, SelfPlay, Temperature, run_jobs};
use tafl_parser::Record;
use tafl_rules::AnyRulebook;

use super::saved_game::{RecordHeading, SavedGame};
use super::series::GameSeries;
use crate::engine::{MoveLimits, move_limits_text};
use crate::{App, Bounded, CompiledVariant, Job, Progress, Result, RulesRequest, StreamRequest, Threads};

/// Let the engine play against itself
///
/// # Examples
///
/// ```
/// use taflbase::play::SelfPlayRequest;
/// use taflbase::{App, Bounded, Job, StreamRequest};
///
/// let mut request = SelfPlayRequest::default();
/// request.rules.variant = Some("brandubh7".into());
/// request.games = Bounded::new(2).expect("it is in the range");
/// request.limits.nodes = Bounded::new(100).ok();
/// let games = request.run(&App::new(), &Job::default(), &mut |game| {
///     println!("{}", game.saved.ending);
///     Ok(())
/// })?;
/// assert_eq!(games, 2);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct SelfPlayRequest {
    /// The rules.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// The number of games to play
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub games: Bounded<1, 10_000_000, 10>,
    /// The seed of all random numbers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub seed: Bounded<0, { u64::MAX }, 1>,
    /// The limits of the searches.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: MoveLimits,
    /// The number of random plies that begin each game
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub opening_plies: Bounded<0, 100, 2>,
    /// The number of plies after these whose moves are drawn at random by their scores
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub temperature_plies: Bounded<0, 1000, 8>,
    /// The temperature of the random draw, in hundredths of a man: a move that is this much
    /// worse is drawn 2.7 times (e) less often
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub temperature: Bounded<1, 100_000, 30>,
    /// The number of plies after which a game stays unfinished
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub plies: Bounded<1, 100_000, 400>,
    /// Continue to the end if a win within three plies is proven
    #[cfg_attr(feature = "clap", arg(long))]
    pub play_out: bool,
    /// The number of threads, each of which plays its own games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

/// The parameters that determine the games of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SelfPlaySettings {
    /// The engine.
    pub engine: String,
    /// The rules string.
    pub rules: String,
    /// The limits of each search.
    pub limits: String,
    /// The number of random plies that begin each game.
    pub opening_plies: u64,
    /// The number of plies for which moves are drawn, and the temperature.
    pub temperature: [u64; 2],
    /// The number of plies after which a game stays unfinished.
    pub plies: u64,
    /// Whether games continue after a proof.
    pub play_out: bool,
    /// The seed.
    pub seed: u64,
}

/// A game of the engine against itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfPlayGame {
    /// Its number, from 0.
    pub number: u64,
    /// The game.
    pub saved: SavedGame,
}

/// A series of games whose rules are read.
pub struct PreparedSelfPlay {
    request: SelfPlayRequest,
    rules: Arc<CompiledVariant>,
    series: SelfPlay,
}

impl SelfPlayRequest {
    /// Reads the rules.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules.
    pub fn prepare(self, app: &App) -> Result<PreparedSelfPlay> {
        let rules = self.rules.require(app)?;
        Ok(self.prepare_by(rules))
    }

    /// Prepares games by rules that are compiled.
    pub(super) fn prepare_by(self, rules: Arc<CompiledVariant>) -> PreparedSelfPlay {
        let proofs = if self.play_out { Proofs::Play } else { Proofs::End };
        let hundredths = self.temperature.get() as f64;
        let series = SelfPlay {
            temperature: Temperature { plies: self.temperature_plies.get() as u32, hundredths },
            opening_plies: self.opening_plies.get() as u32,
            terms: MatchTerms { plies: Some(self.plies.get() as u32), proofs, stop: None },
            seed: self.seed.get(),
            ..SelfPlay::new(&rules.book, self.limits.limits())
        };
        PreparedSelfPlay { request: self, rules, series }
    }
}

impl PreparedSelfPlay {
    /// Returns everything that the games depend on.
    pub fn settings(&self) -> SelfPlaySettings {
        let request = &self.request;
        SelfPlaySettings {
            engine: identity(&self.rules.book),
            rules: self.rules.variant.rules.to_string(),
            limits: move_limits_text(&self.series.limits),
            opening_plies: request.opening_plies.get(),
            temperature: [request.temperature_plies.get(), request.temperature.get()],
            plies: request.plies.get(),
            play_out: request.play_out,
            seed: request.seed.get(),
        }
    }

    /// Plays the games that a series lacks, and adds them to it. `on_game` gets the series after each of them.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped or `on_game` fails.
    pub fn play(
        &self,
        series: &mut GameSeries<SavedGame>,
        job: &Job,
        mut on_game: impl FnMut(&GameSeries<SavedGame>) -> Result<()>,
    ) -> Result<()> {
        let games = self.request.games.get();
        let threads = self.request.threads.get();
        let mut result = Ok(());
        let numbers = series.played.len() as u64..games;
        job.with_stop_flag(|stop| {
            run_jobs(
                numbers,
                threads,
                |number| self.game(number, &stop),
                |number, game| {
                    result = job.check().and_then(|()| {
                        let detail = format!("of {games}: {}", game.ending);
                        job.report(&Progress {
                            done: number + 1,
                            unit: "games",
                            proportion: None,
                            detail: &detail,
                        });
                        series.played.push(game);
                        on_game(series)
                    });
                    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                },
            )
        });
        result
    }

    /// Plays the game with a number, from 0, until it ends or the flag is set.
    pub(super) fn game(&self, number: u64, stop: &Arc<AtomicBool>) -> SavedGame {
        let terms = MatchTerms { stop: Some(Arc::clone(stop)), ..self.series.terms.clone() };
        let game = SelfPlay { terms, ..self.series.clone() }.game(number);
        SavedGame::of(&game, self.rules.book.shape())
    }

    /// Returns a game with its number as a record.
    pub fn record(&self, number: u64, game: &SavedGame) -> Record {
        let engine = identity(&self.rules.book);
        let seed = self.request.seed;
        let heading = RecordHeading {
            id: format!("selfplay-{seed}-{}", number + 1),
            event: "tafl selfplay",
            attackers: &engine,
            defenders: &engine,
            more: &[("limits", move_limits_text(&self.series.limits)), ("seed", seed.to_string())],
        };
        game.record(&heading, &self.rules)
    }
}

fn identity(book: &AnyRulebook) -> String {
    Engine::new(book, SearchOptions { mebibytes: 0, ..SearchOptions::default() }).identity().to_string()
}

impl StreamRequest for SelfPlayRequest {
    type Item = SelfPlayGame;
    /// The number of games.
    type Summary = u64;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(SelfPlayGame) -> Result<()> + Send),
    ) -> Result<u64> {
        let prepared = self.prepare(app)?;
        let mut series = GameSeries::new(&prepared.settings());
        prepared.play(&mut series, job, |series| {
            let number = series.played.len() - 1;
            take(SelfPlayGame { number: number as u64, saved: series.played[number].clone() })
        })?;
        Ok(series.played.len() as u64)
    }
}
