//! Matches: players against each other.

use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tafl_analyzer::{
    GamePair, Limits, MatchTerms, Opening, Openings, PairSetup, PlayerFault, Players, Sprt, SprtError,
    SprtVerdict, openings_of, play_pairs,
};
use tafl_parser::{Batch, Record};
use tafl_rules::{AnyRulebook, Move};

use super::match_answer::{MatchResult, MatchTally};
use super::player_spec::PlayerSpec;
use super::saved_game::{RecordHeading, SavedGame, SavedPair};
use super::series::GameSeries;
use crate::engine::{MoveLimits, move_limits_text};
use crate::records::{
    ReadSettings, RecordAt, RecordEvent, RecordReader, RecordWorker, ReplayConfig, ReplayWorker,
};
use crate::{
    App, Bounded, CompiledVariant, Error, ErrorKind, Job, Progress, Request, Result, Seconds, StreamRequest,
    Threads,
};

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
    #[cfg_attr(feature = "clap", arg(long, value_name = "ALPHA,BETA", default_value_t = NumberPair(0.05, 0.05)))]
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

/// Two numbers, such as `0,10`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberPair(pub f64, pub f64);

impl Default for NumberPair {
    /// Returns the probabilities of errors of a test that are usual.
    fn default() -> NumberPair {
        NumberPair(0.05, 0.05)
    }
}

impl fmt::Display for NumberPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0, self.1)
    }
}

impl FromStr for NumberPair {
    type Err = String;

    fn from_str(text: &str) -> Result<NumberPair, String> {
        let numbers = text
            .split_once(',')
            .and_then(|(one, other)| Some(NumberPair(one.trim().parse().ok()?, other.trim().parse().ok()?)));
        numbers.ok_or_else(|| "expected two numbers, such as 0,10".to_owned())
    }
}

impl Serialize for NumberPair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NumberPair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for NumberPair {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NumberPair".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A player of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchPlayer {
    /// The player, as the request names it.
    pub player: String,
    /// Its name in records, for each variant.
    pub identity: Vec<String>,
    /// The limits of its searches.
    pub limits: String,
}

/// Everything that the games of a match depend on.
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

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MatchAnswer {
    /// The player that the match is about.
    pub first: MatchPlayer,
    /// Its opponent.
    pub second: MatchPlayer,
    /// The results by variant.
    pub variants: Vec<VariantMatchResult>,
    /// The number of plies that begin each pair.
    pub opening_plies: u64,
    /// The files with openings.
    pub openings: Vec<String>,
    /// The number of plies after which a game stays unfinished.
    pub plies: u64,
    /// The seed.
    pub seed: u64,
    /// The result of all games.
    pub result: MatchResult,
}

/// The result of the games of a match by the rules of one variant.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VariantMatchResult {
    /// The variant.
    pub variant: String,
    /// The result.
    pub result: MatchResult,
}

/// A match whose players, rules, and openings are read.
pub struct PreparedMatch {
    request: MatchRequest,
    players: [PlayerSpec; 2],
    limits: Limits,
    sprt: Option<Sprt>,
    fields: Vec<MatchField>,
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
        let games = self.games(job, stdin)?;
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

    fn openings(&self, book: &AnyRulebook, games: &[Vec<Move>], wanted: u64) -> Vec<Opening> {
        let (plies, seed) = (self.opening_plies.get() as u32, self.seed.get());
        if plies == 0 {
            // There is one opening without a ply; players that vary by themselves may play it again and again.
            return vec![Opening::new(); wanted as usize];
        }
        if self.openings.is_empty() {
            return Openings::new(book, plies, seed).take(wanted as usize).collect();
        }
        openings_of(book, plies, seed, games).take(wanted as usize).collect()
    }

    /// Returns the moves of the games whose openings are wanted.
    fn games<'i>(&self, job: &Job, stdin: Option<Box<dyn BufRead + Send + 'i>>) -> Result<Vec<Vec<Move>>> {
        let mut games = Vec::new();
        if self.openings.is_empty() {
            return Ok(games);
        }
        let settings = ReadSettings { threads: Threads::ONE, ..ReadSettings::default() };
        let reader = RecordReader::new(&self.openings, settings);
        let reader = match stdin {
            Some(stdin) => reader.with_stdin(stdin),
            None => reader,
        };
        let unreadable = |why: &dyn fmt::Display| {
            let message = format!("the games of --openings could not all be read: {why}");
            Error::new(ErrorKind::Io, message).of("openings")
        };
        if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            return Err(unreadable(problem));
        }
        let config = Arc::new(ReplayConfig::default());
        reader.process(
            job,
            || MoveReader(ReplayWorker::new(&config)),
            |nth, event| match event {
                RecordEvent::Record(moves) => {
                    games.push(moves);
                    Ok(())
                }
                RecordEvent::Unreadable(error) => {
                    Err(unreadable(&format!("{}: {error}", reader.inputs.list[nth].name())))
                }
                _ => Ok(()),
            },
        )?;
        Ok(games)
    }
}

/// Replays records for their moves.
struct MoveReader(ReplayWorker);

impl RecordWorker for MoveReader {
    type Answer = Vec<Move>;

    fn enter(&mut self, batch: &Batch) {
        self.0.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Vec<Move> {
        self.0.replay(at.parse().1).replay.plies.iter().map(|ply| ply.mv).collect()
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

    /// Returns the test that ends the match, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Plays the pairs that a series lacks, and adds them to it. `on_pair` gets each in order.
    ///
    /// # Errors
    ///
    /// Returns that a player can't be created, that the job is over, or the first error of `on_pair`.
    pub fn play(
        &self,
        series: &mut GameSeries<SavedPair>,
        job: &Job,
        mut on_pair: impl FnMut(PlayedPair<'_>) -> Result<()>,
    ) -> Result<()> {
        let pairs = self.request.pairs.get();
        let mut tally = MatchTally::default();
        series.first(pairs).iter().for_each(|pair| tally.add(pair));
        if self.is_over(&tally, series.played.last()) {
            return Ok(());
        }
        let stop = Some(job.cancel_token().flag());
        let terms =
            MatchTerms { plies: Some(self.request.plies.get() as u32), stop, ..MatchTerms::default() };
        let threads = self.request.threads.get();
        let mut result = Ok(());
        let numbers = series.played.len() as u64..pairs;
        play_pairs(numbers, threads, &terms, &|number| self.make(number), |number, pair| {
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
        // A canceled match ends between two pairs without an error of a pair.
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

    fn make(&self, number: u64) -> Result<(PairSetup, Players), PlayerFault> {
        let field = self.field(number);
        let book = &field.rules.book;
        let opening = field.openings[(number / self.fields.len() as u64) as usize].clone();
        let seed = self.request.seed.get().wrapping_mul(1_000_003).wrapping_add(number);
        let limits = (&self.limits, self.request.grace.get());
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
