//! Series of pairs between players whose rules and openings are read: playing them, and their records.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tafl_analyzer::{GamePair, Limits, MatchTerms, Opening, PairSetup, PlayerError, Players, play_pairs};
use tafl_parser::Record;
use tafl_rules::{counted, word_list};

use super::match_answer::MatchPlayer;
use super::opening_sources::OpeningSources;
use super::pair_openings::OpeningNeed;
use super::pair_terms::{OnFault, PairTerms};
use super::player_spec::PlayerSpec;
use super::saved_game::{RecordHeading, SavedGame, SavedPair};
use super::series::GameSeries;
use crate::engine::move_limits_text;
use crate::{App, Bounded, CompiledVariant, Error, ErrorKind, Job, Progress, Result};

/// The number of rounds, if there are enough openings and the request does not name a number.
const DEFAULT_ROUNDS: u64 = 50;

/// Players, rules, and openings that are read.
pub(super) struct PairSeries {
    terms: PairTerms,
    players: Vec<PlayerSpec>,
    limits: Limits,
    fields: Vec<VariantField>,
    n_rounds: u64,
    has_few_openings: bool,
    notices: Vec<String>,
}

/// The rules and openings of one variant of a series.
struct VariantField {
    rules: Arc<CompiledVariant>,
    openings: Vec<Opening>,
    is_balanced: bool,
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
    /// Reads rules, and takes openings from their sources, one for each round. Without a number of rounds, there are as many
    /// as there are openings, at most [`DEFAULT_ROUNDS`].
    pub(super) fn prepare(
        terms: PairTerms,
        players: Vec<PlayerSpec>,
        n_rounds: Option<Bounded<1, 1_000_000, DEFAULT_ROUNDS>>,
        sources: &OpeningSources,
        app: &App,
    ) -> Result<PairSeries> {
        let limits = terms.limits.limits();
        // Two such players play the same games again from the same opening, so intervals would be too narrow.
        let must_differ = players.iter().filter(|player| player.repeats_games(&limits)).count() > 1;
        let variants = terms.variants();
        if variants.is_empty() {
            return Err(Error::parameter("variant", "no rules are given")
                .with_help("set --variant to the names of variants, or to rules strings"));
        }
        let n_variants = variants.len() as u64;
        let max_rounds = n_rounds.unwrap_or_default().get();
        let mut n_possible = max_rounds;
        let mut fields = Vec::new();
        for (at, name) in (0..).zip(variants) {
            let rules = app.compiled(name, &terms.rule)?;
            let wanted = (max_rounds + n_variants - 1 - at) / n_variants;
            let unchanged = app.compiled(name, &[])?;
            let need = OpeningNeed { wanted, may_be_fewer: n_rounds.is_none(), must_differ, unchanged };
            let (openings, is_balanced) = terms.openings(&rules, sources, &need)?;
            let n_openings = openings.len() as u64;
            if n_openings < wanted {
                // The rounds before the first one of this variant without an opening.
                let n_rounds_here = n_openings * n_variants + at;
                if !need.may_be_fewer || n_openings == 0 {
                    return Err(terms.too_few_openings(&rules, sources, &need, n_openings, n_rounds_here));
                }
                n_possible = n_possible.min(n_rounds_here);
            }
            fields.push(VariantField { rules, openings, is_balanced });
        }
        let are_balanced: Vec<bool> = fields.iter().map(|field| field.is_balanced).collect();
        let rules: Vec<&CompiledVariant> = fields.iter().map(|field| &*field.rules).collect();
        if are_balanced.iter().all(|is_balanced| *is_balanced) {
            check_all_balanced(&terms, sources, &rules)?;
        }
        let notices = sources.notices(&rules, &are_balanced);
        let has_few_openings = n_possible < max_rounds;
        Ok(PairSeries { terms, players, limits, fields, n_rounds: n_possible, has_few_openings, notices })
    }

    /// Returns the number of rounds, each with an opening.
    pub(super) fn n_rounds(&self) -> u64 {
        self.n_rounds
    }

    /// Returns whether there are fewer rounds than by default, because there are too few openings.
    pub(super) fn has_few_openings(&self) -> bool {
        self.has_few_openings
    }

    /// Returns the number of plies of openings that are not balanced; `None` if all are.
    pub(super) fn opening_plies(&self) -> Option<u64> {
        let is_used = self.fields.iter().any(|field| !field.is_balanced);
        is_used.then(|| self.terms.opening_plies.unwrap_or_default().get())
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

    /// Returns notices about the files, records, and games of `--openings` that are not used.
    pub(super) fn notices(&self) -> &[String] {
        &self.notices
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
            Ok(on_pair(number, series)? || self.is_stopped_by(series.played.last()))
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

/// Checks the terms of a series whose variants all have balanced openings.
///
/// # Errors
///
/// Fails if the request has games or `--opening-plies`, which balanced openings do not use.
fn check_all_balanced(
    terms: &PairTerms,
    sources: &OpeningSources,
    variants: &[&CompiledVariant],
) -> Result<()> {
    if sources.n_games() > 0 {
        let names: Vec<String> = variants.iter().map(|rules| rules.variant.name()).collect();
        let games = counted(sources.n_games() as u64, "game", "games");
        let have = if names.len() == 1 { "has" } else { "have" };
        let message = format!(
            "the {games} of --openings would not be used, because {} {have} balanced openings",
            word_list(&names, "and")
        );
        return Err(Error::parameter("openings", message)
            .with_help("leave out either the games or the balanced openings"));
    }
    if terms.opening_plies.is_some() {
        let message = "--opening-plies has no effect on balanced openings, which have their own lengths";
        let help = "leave it out, or name files with games instead of balanced openings";
        return Err(Error::parameter("opening_plies", message).with_help(help));
    }
    Ok(())
}

/// Reports the progress after a pair; `n_played` is the number of complete pairs.
pub(super) fn report_pair(job: &Job, n_played: u64, detail: &str) {
    job.report(&Progress { done: 2 * n_played, unit: "games", proportion: None, detail });
}
