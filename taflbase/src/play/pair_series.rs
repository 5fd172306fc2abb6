//! Series of pairs between players whose rules and openings are read: playing them, and their records.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tafl_analyzer::{GamePair, Limits, MatchTerms, Opening, PairSetup, PlayerError, Players, play_pairs};
use tafl_parser::Record;
use tafl_rules::Shape;

use super::match_answer::MatchPlayer;
use super::pair_openings::OpeningSources;
use super::pair_terms::{OnFault, PairTerms};
use super::player_spec::PlayerSpec;
use super::saved_game::{RecordHeading, SavedGame, SavedPair};
use super::series::GameSeries;
use crate::engine::move_limits_text;
use crate::{App, CompiledVariant, Error, ErrorKind, Job, Progress, Result};

/// Players, rules, and openings that are read.
pub(super) struct PairSeries {
    terms: PairTerms,
    players: Vec<PlayerSpec>,
    limits: Limits,
    fields: Vec<VariantField>,
    n_skipped: usize,
}

/// The rules and openings of one variant of a series.
struct VariantField {
    rules: Arc<CompiledVariant>,
    openings: Vec<Opening>,
}

/// A pair to be played: two players from one opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PairTask {
    /// The number of the opening, from 0. Variants take turns.
    pub(super) round: u64,
    /// The indices of the players. The first one has the attackers in the first game.
    pub(super) players: [usize; 2],
}

/// The pairs of a series, by number.
pub(super) struct PairSchedule<'s> {
    /// The number of pairs.
    pub(super) n_pairs: u64,
    /// Returns the pair of a number, from 0.
    pub(super) task: &'s (dyn Fn(u64) -> PairTask + Sync),
}

impl PairSeries {
    /// Reads rules, and takes openings from their sources, one for each round.
    pub(super) fn prepare(
        terms: PairTerms,
        players: Vec<PlayerSpec>,
        n_rounds: u64,
        sources: &OpeningSources,
        app: &App,
    ) -> Result<PairSeries> {
        let limits = terms.limits.limits();
        // Two such players play the same games again from the same opening, so intervals would be too narrow.
        let must_differ = players.iter().filter(|player| player.repeats_games(&limits)).count() > 1;
        let variants = terms.variants();
        let n_variants = variants.len() as u64;
        let mut fields = Vec::new();
        for (at, name) in variants.into_iter().enumerate() {
            let rules = app.compiled(name, &terms.rule).map_err(|error| error.of("variant"))?;
            let wanted = (n_rounds + n_variants - 1 - at as u64) / n_variants;
            let openings = terms.openings(&rules, sources, wanted, must_differ)?;
            if (openings.len() as u64) < wanted {
                let plies = terms.opening_plies.get();
                let message = format!(
                    "{} has only {} different openings of {plies} plies, but {wanted} are needed; try --opening-plies {}{}",
                    rules.variant.name(),
                    openings.len(),
                    plies + 1,
                    if terms.openings.is_empty() { "" } else { ", or more games" }
                );
                return Err(Error::parameter("opening_plies", message));
            }
            fields.push(VariantField { rules, openings });
        }
        let shapes: Vec<Shape> = fields.iter().map(|field| field.rules.book.shape()).collect();
        let n_skipped = sources.n_other_boards(&shapes);
        Ok(PairSeries { terms, players, limits, fields, n_skipped })
    }

    /// Returns the players.
    pub(super) fn players(&self) -> &[PlayerSpec] {
        &self.players
    }

    /// Returns the players as answers name them.
    pub(super) fn named_players(&self) -> impl Iterator<Item = MatchPlayer> + '_ {
        self.players.iter().map(|spec| MatchPlayer {
            player: spec.text.clone(),
            identity: self.fields.iter().map(|field| spec.identity(&field.rules.book)).collect(),
            limits: move_limits_text(&spec.limits(&self.limits)),
        })
    }

    /// Returns the terms.
    pub(super) fn terms(&self) -> &PairTerms {
        &self.terms
    }

    /// Returns the names of the files with openings.
    pub(super) fn opening_files(&self) -> Vec<String> {
        self.terms.openings.iter().map(|path| path.display().to_string()).collect()
    }

    /// Returns the rules strings of the variants.
    pub(super) fn rules_strings(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.rules.variant.rules.to_string()).collect()
    }

    /// Returns the names of the variants.
    pub(super) fn variant_names(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.rules.variant.name()).collect()
    }

    /// Returns the number of games of `--openings` that were skipped because no variant has their board.
    pub(super) fn n_skipped(&self) -> usize {
        self.n_skipped
    }

    /// Plays the pairs that a series lacks, and adds them to it. `on_pair` gets the number of each, in order, and the series
    /// with it, and returns whether no other is needed.
    ///
    /// # Errors
    ///
    /// Fails if a player can't start, the job is stopped, or `on_pair` fails. A program that fails in a game loses it.
    pub(super) fn play(
        &self,
        series: &mut GameSeries<SavedPair>,
        schedule: &PairSchedule<'_>,
        job: &Job,
        on_pair: impl FnMut(u64, &GameSeries<SavedPair>) -> Result<bool>,
    ) -> Result<()> {
        let n_played = series.played.len() as u64;
        if n_played >= schedule.n_pairs || self.is_stopped_by(series.played.last()) {
            return Ok(());
        }
        self.start_programs(job)?;
        job.with_stop_flag(|stop| self.play_until(&stop, series, schedule, job, on_pair))
    }

    /// Starts every program once for every variant, so that a wrong command, a missing file, or rules that a program rejects
    /// are errors before the first game, not lost games.
    fn start_programs(&self, job: &Job) -> Result<()> {
        for spec in self.players.iter().filter(|spec| spec.is_program()) {
            for field in &self.fields {
                job.check()?;
                let book = &field.rules.book;
                let player = spec.player(book, 0, &self.limits, self.terms.grace.get());
                let begun = player.and_then(|mut player| player.begin(book));
                begun.map_err(|fault| spec.not_started(&fault))?;
            }
        }
        Ok(())
    }

    /// Plays until the flag is set. Games stop between two moves, and searches of the engine at once.
    fn play_until(
        &self,
        stop: &Arc<AtomicBool>,
        series: &mut GameSeries<SavedPair>,
        schedule: &PairSchedule<'_>,
        job: &Job,
        mut on_pair: impl FnMut(u64, &GameSeries<SavedPair>) -> Result<bool>,
    ) -> Result<()> {
        let n_pairs = schedule.n_pairs;
        let plies = Some(self.terms.plies.get() as u32);
        let terms = MatchTerms { plies, stop: Some(Arc::clone(stop)), ..MatchTerms::default() };
        let limits = Limits { stop: Some(Arc::clone(stop)), ..self.limits.clone() };
        let numbers = series.played.len() as u64..n_pairs;
        let make = |number| self.make((schedule.task)(number), number, &limits);
        let mut add = |number: u64, pair: Result<GamePair, PlayerError>| -> Result<bool> {
            job.check()?;
            let pair = pair.map_err(|fault| Error::new(ErrorKind::Io, fault.to_string()))?;
            let task = (schedule.task)(number);
            if let Some((at, fault)) = pair.not_started() {
                return Err(self.players[task.players[at]].not_started(fault));
            }
            series.played.push(self.saved(&pair, task.round));
            let is_enough = on_pair(number, series)?;
            let detail = format!("pair {} of {n_pairs}", number + 1);
            job.report(&Progress {
                done: 2 * (number + 1),
                unit: "games",
                proportion: None,
                detail: &detail,
            });
            Ok(is_enough || self.is_stopped_by(series.played.last()))
        };
        let mut is_over = Ok(false);
        play_pairs(numbers, self.terms.threads.get(), &terms, &make, |number, pair| {
            is_over = add(number, pair);
            if matches!(is_over, Ok(false)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // A series that is canceled between two pairs has no pair with an error.
        let is_complete = is_over? || series.played.len() as u64 >= n_pairs;
        if is_complete { Ok(()) } else { job.check() }
    }

    /// Returns whether a fault of a pair ends the series.
    fn is_stopped_by(&self, last: Option<&SavedPair>) -> bool {
        self.terms.on_fault == OnFault::Stop && last.is_some_and(SavedPair::has_fault)
    }

    fn field(&self, round: u64) -> &VariantField {
        &self.fields[self.variant_of(round)]
    }

    /// Returns the index of the variant of a round.
    pub(super) fn variant_of(&self, round: u64) -> usize {
        (round % self.fields.len() as u64) as usize
    }

    fn make(
        &self,
        task: PairTask,
        number: u64,
        limits: &Limits,
    ) -> Result<(PairSetup, Players), PlayerError> {
        let field = self.field(task.round);
        let book = &field.rules.book;
        let opening = field.openings[(task.round / self.fields.len() as u64) as usize].clone();
        let seed = self.terms.seed.get().wrapping_mul(1_000_003).wrapping_add(number);
        let grace = self.terms.grace.get();
        let [first, second] = task.players.map(|player| &self.players[player]);
        let players = [
            first.player(book, seed, limits, grace)?,
            second.player(book, seed ^ 0x5555_5555, limits, grace)?,
        ];
        Ok((PairSetup { book: book.clone(), opening }, players))
    }

    fn saved(&self, pair: &GamePair, round: u64) -> SavedPair {
        let shape = self.field(round).rules.book.shape();
        SavedPair { games: [0, 1].map(|at: usize| SavedGame::of(&pair.games[at], shape)) }
    }

    /// Returns the games of pairs as records, in the order in which they were played.
    pub(super) fn records<'p>(
        &'p self,
        event: &'static str,
        pairs: impl Iterator<Item = (PairTask, &'p SavedPair)> + 'p,
    ) -> impl Iterator<Item = Record> + 'p {
        pairs.enumerate().flat_map(move |(number, (task, pair))| {
            let field = self.field(task.round);
            let players = task.players.map(|player| &self.players[player]);
            let names = players.map(|player| player.identity(&field.rules.book));
            let limits = players.map(|player| move_limits_text(&player.limits(&self.limits)));
            let seed = self.terms.seed;
            pair.games.iter().enumerate().map(move |(at, game)| {
                let (attackers, defenders) = (at, 1 - at);
                let heading = RecordHeading {
                    id: format!("{seed}-{}-{}", number + 1, at + 1),
                    event,
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
}
