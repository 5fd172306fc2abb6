//! A match whose players, rules, and openings are read: playing its pairs, and counting their results.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::{
    GamePair, Limits, MatchTerms, Opening, PairSetup, PlayerFault, Players, Sprt, SprtError, SprtVerdict,
    play_pairs,
};
use tafl_parser::Record;
use tafl_rules::Shape;

use super::match_answer::{MatchAnswer, MatchPlayer, MatchTally, VariantMatchResult};
use super::match_request::{MatchRequest, OnFault};
use super::number_pair::NumberPair;
use super::player_spec::PlayerSpec;
use super::saved_game::{RecordHeading, SavedGame, SavedPair};
use super::series::GameSeries;
use crate::engine::move_limits_text;
use crate::{App, CompiledVariant, Error, ErrorKind, Job, Progress, Request, Result, StreamRequest};

/// The parameters that determine the games of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchSettings {
    /// The player that the match is about.
    pub first: MatchPlayer,
    /// Its opponent.
    pub second: MatchPlayer,
    /// The rules strings of the variants.
    pub variants: Vec<String>,
    /// The number of plies that begin each pair.
    pub opening_plies: u64,
    /// The files with openings.
    pub openings: Vec<String>,
    /// The number of plies after which a game stays unfinished.
    pub plies: u64,
    /// The seed.
    pub seed: u64,
}

/// A match whose players, rules, and openings are read.
pub struct PreparedMatch {
    request: MatchRequest,
    players: [PlayerSpec; 2],
    limits: Limits,
    sprt: Option<Sprt>,
    fields: Vec<MatchField>,
    n_skipped: usize,
}

/// A variant of a match.
struct MatchField {
    rules: Arc<CompiledVariant>,
    openings: Vec<Opening>,
}

/// A pair that has just been played.
pub struct PlayedPair<'a> {
    /// Its number, from 0.
    pub number: u64,
    /// The pair.
    pub pair: &'a SavedPair,
    /// All pairs so far.
    pub tally: &'a MatchTally,
    /// The series with the pair.
    pub series: &'a GameSeries<SavedPair>,
}

impl MatchRequest {
    /// Reads players, rules, and openings. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Returns the mistake in a player, the rules, or the test, or that there are too few openings.
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
        let sources = self.opening_sources(job, stdin)?;
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
            let openings = self.openings(&rules.book, &sources, wanted)?;
            if (openings.len() as u64) < wanted {
                let plies = self.opening_plies.get();
                let message = format!(
                    "{} has only {} different openings of {plies} plies, but {wanted} are needed; try --opening-plies {}{}",
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
        let shapes: Vec<Shape> = fields.iter().map(|field| field.rules.book.shape()).collect();
        let n_skipped = sources.n_other_boards(&shapes);
        Ok(PreparedMatch { request: self, players, limits, sprt, fields, n_skipped })
    }
}

impl PreparedMatch {
    /// Returns everything that the games depend on.
    pub fn settings(&self) -> MatchSettings {
        let player = |spec: &PlayerSpec| MatchPlayer {
            player: spec.text.clone(),
            identity: self.fields.iter().map(|field| spec.identity(&field.rules.book)).collect(),
            limits: move_limits_text(&spec.limits(&self.limits)),
        };
        let openings = self.request.openings.iter();
        MatchSettings {
            first: player(&self.players[0]),
            second: player(&self.players[1]),
            variants: self.fields.iter().map(|field| field.rules.variant.rules.to_string()).collect(),
            opening_plies: self.request.opening_plies.get(),
            openings: openings.map(|path| path.display().to_string()).collect(),
            plies: self.request.plies.get(),
            seed: self.request.seed.get(),
        }
    }

    /// Returns the players, the first one first.
    pub fn players(&self) -> &[PlayerSpec; 2] {
        &self.players
    }

    /// Returns the number of games of `--openings` that were skipped because no variant of the match has
    /// their board.
    pub fn n_skipped(&self) -> usize {
        self.n_skipped
    }

    /// Returns the test that ends the match, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Plays the pairs that a series lacks, and adds them to it. `on_pair` gets each in order.
    ///
    /// # Errors
    ///
    /// Fails if a player can't be created, the job is stopped, or `on_pair` fails.
    pub fn play(
        &self,
        series: &mut GameSeries<SavedPair>,
        job: &Job,
        on_pair: impl FnMut(PlayedPair<'_>) -> Result<()>,
    ) -> Result<()> {
        let pairs = self.request.pairs.get();
        let mut tally = MatchTally::default();
        series.first(pairs).iter().for_each(|pair| tally.add(pair));
        if self.is_over(&tally, series.played.last()) {
            return Ok(());
        }
        job.with_stop_flag(|stop| self.play_until(&stop, (series, tally), job, on_pair))
    }

    /// Plays until the flag is set. Games stop between two moves, and searches of the engine at once.
    fn play_until(
        &self,
        stop: &Arc<AtomicBool>,
        (series, mut tally): (&mut GameSeries<SavedPair>, MatchTally),
        job: &Job,
        mut on_pair: impl FnMut(PlayedPair<'_>) -> Result<()>,
    ) -> Result<()> {
        let pairs = self.request.pairs.get();
        let plies = Some(self.request.plies.get() as u32);
        let terms = MatchTerms { plies, stop: Some(Arc::clone(stop)), ..MatchTerms::default() };
        let limits = Limits { stop: Some(Arc::clone(stop)), ..self.limits.clone() };
        let threads = self.request.threads.get();
        let mut result = Ok(());
        let numbers = series.played.len() as u64..pairs;
        play_pairs(numbers, threads, &terms, &|number| self.make(number, &limits), |number, pair| {
            let add = || -> Result<bool> {
                job.check()?;
                let pair = pair.map_err(|fault| Error::new(ErrorKind::Io, fault.to_string()))?;
                let pair = self.saved(&pair, number);
                tally.add(&pair);
                series.played.push(pair);
                let pair = &series.played[series.played.len() - 1];
                on_pair(PlayedPair { number, pair, tally: &tally, series })?;
                let detail = format!("pair {} of {pairs}", number + 1);
                job.report(&Progress {
                    done: 2 * (number + 1),
                    unit: "games",
                    proportion: None,
                    detail: &detail,
                });
                Ok(self.is_over(&tally, series.played.last()))
            };
            match add() {
                Ok(false) => ControlFlow::Continue(()),
                Ok(true) => ControlFlow::Break(()),
                Err(error) => {
                    result = Err(error);
                    ControlFlow::Break(())
                }
            }
        });
        result?;
        // A match that is canceled between two pairs has no pair with an error.
        let is_complete = series.played.len() as u64 >= pairs || self.is_over(&tally, series.played.last());
        if is_complete { Ok(()) } else { job.check() }
    }

    /// Returns whether the test has decided, or a fault ends the match.
    fn is_over(&self, tally: &MatchTally, last: Option<&SavedPair>) -> bool {
        let is_decided = self.sprt.is_some_and(|sprt| sprt.verdict(&tally.pairs) != SprtVerdict::GoOn);
        is_decided || (self.request.on_fault == OnFault::Stop && last.is_some_and(SavedPair::has_fault))
    }

    fn field(&self, number: u64) -> &MatchField {
        &self.fields[(number % self.fields.len() as u64) as usize]
    }

    fn make(&self, number: u64, limits: &Limits) -> Result<(PairSetup, Players), PlayerFault> {
        let field = self.field(number);
        let book = &field.rules.book;
        let opening = field.openings[(number / self.fields.len() as u64) as usize].clone();
        let seed = self.request.seed.get().wrapping_mul(1_000_003).wrapping_add(number);
        let limits = (limits, self.request.grace.get());
        let [first, second] = &self.players;
        let players = [first.player(book, seed, limits)?, second.player(book, seed ^ 0x5555_5555, limits)?];
        Ok((PairSetup { book: book.clone(), opening }, players))
    }

    fn saved(&self, pair: &GamePair, number: u64) -> SavedPair {
        let shape = self.field(number).rules.book.shape();
        SavedPair { games: [0, 1].map(|at: usize| SavedGame::of(&pair.games[at], shape)) }
    }

    /// Returns the games of pairs as records, in the order in which they were played.
    pub fn records<'p>(&'p self, pairs: &'p [SavedPair]) -> impl Iterator<Item = Record> + 'p {
        pairs.iter().enumerate().flat_map(|(number, pair)| {
            let field = self.field(number as u64);
            let names = [0, 1].map(|at: usize| self.players[at].identity(&field.rules.book));
            let limits = [0, 1].map(|at: usize| move_limits_text(&self.players[at].limits(&self.limits)));
            let seed = self.request.seed;
            pair.games.iter().enumerate().map(move |(at, game)| {
                let (attackers, defenders) = (at, 1 - at);
                let heading = RecordHeading {
                    id: format!("{seed}-{}-{}", number + 1, at + 1),
                    event: "tafl match",
                    attackers: &names[attackers],
                    defenders: &names[defenders],
                    more: &[
                        ("attackers-limits", limits[attackers].clone()),
                        ("defenders-limits", limits[defenders].clone()),
                        ("seed", seed.to_string()),
                    ],
                };
                game.record(&heading, &field.rules)
            })
        })
    }

    /// Counts pairs, by variant and all together.
    pub fn tallies(&self, pairs: &[SavedPair]) -> (Vec<(String, MatchTally)>, MatchTally) {
        let named = |field: &MatchField| (field.rules.variant.name(), MatchTally::default());
        let mut each: Vec<(String, MatchTally)> = self.fields.iter().map(named).collect();
        let mut all = MatchTally::default();
        for (number, pair) in pairs.iter().enumerate() {
            each[number % self.fields.len()].1.add(pair);
            all.add(pair);
        }
        (each, all)
    }

    /// Returns the result of pairs.
    pub fn answer(&self, pairs: &[SavedPair]) -> MatchAnswer {
        let (each, all) = self.tallies(pairs);
        let settings = self.settings();
        let variants = each
            .into_iter()
            .map(|(variant, tally)| VariantMatchResult { variant, result: tally.result(None) });
        MatchAnswer {
            first: settings.first,
            second: settings.second,
            variants: variants.collect(),
            opening_plies: settings.opening_plies,
            openings: settings.openings,
            plies: settings.plies,
            seed: settings.seed,
            result: all.result(self.sprt.as_ref()),
        }
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
