//! Puzzles: positions of games with one winning move.

mod found;

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    AnnotateSettings, Annotator, Confirm, Curves, KnownResult, Limits, PuzzleCriteria, Thresholds,
    find_puzzle, limits_text,
};
use tafl_parser::ChosenRules;
use tafl_rules::{Game, RepetitionMode, RuleSet, Side, catalog, counted};

use super::eval::within_deadline;
use super::evaluations::{EvalCache, EvaluationSettings};
use super::games::{GameFailure, GameStream, OnGames, PlayedGame};
use crate::{App, Bounded, Error, Job, Progress, Proportion, Result, StreamRequest};

pub use found::{FoundPuzzle, PuzzleAnswer, PuzzleDifficulty, PuzzleVerification};

/// The verifying search visits this many times the positions of the first one by default.
const VERIFY_FACTOR: u64 = 10;

/// Find puzzles: positions with one winning move
///
/// # Examples
///
/// ```no_run
/// use taflbase::engine::{GameInput, OnGames, PuzzleItem, PuzzlesRequest};
/// use taflbase::{App, Job, StreamRequest};
///
/// let games = GameInput { paths: vec!["games.corpus".into()], ..GameInput::default() };
/// let mut request = PuzzlesRequest::default();
/// request.evaluation.limits.nodes = Some(5_000);
/// OnGames { games, request }.run(&App::new(), &Job::default(), &mut |item| {
///     if let PuzzleItem::Puzzle(found) = item {
///         println!("{} {}", found.puzzle.setup, found.answer().solution.join(" "));
///     }
///     Ok(())
/// })?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct PuzzlesRequest {
    /// The search for wins; the number of positions is required.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub evaluation: EvaluationSettings,
    /// The number of positions of the verifying search [default: 10 times that of --nodes]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub verify: Option<u64>,
    /// The maximum expectation after the second best move
    #[serde(alias = "most")]
    #[cfg_attr(feature = "clap", arg(long, alias = "most", value_name = "X", default_value_t))]
    pub max_second: Proportion<60>,
    /// The minimum number of plies to the win, the first one included
    #[serde(alias = "least")]
    #[cfg_attr(feature = "clap", arg(long, alias = "least", value_name = "PLIES", default_value_t))]
    pub min_plies: Bounded<0, { u16::MAX as u64 }, 3>,
}

/// The result for a game.
#[derive(Debug)]
pub enum PuzzleItem {
    /// A puzzle that no earlier game has.
    Puzzle(Box<FoundPuzzle>),
    /// A file or a record can't be read.
    Failed(GameFailure),
}

/// The number of puzzles, and of games in which they were looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PuzzleCounts {
    /// Games.
    pub games: u64,
    /// Puzzles.
    pub puzzles: u64,
}

/// The search for puzzles, shared by all games.
struct PuzzleSearch<'s> {
    annotator: Annotator<'s>,
    curves: &'s Curves,
    terms: PuzzleCriteria,
    limits: String,
}

impl PuzzlesRequest {
    /// Searches games for puzzles. `take` gets them in the order of the games, each position once.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a file can't be read or written, the job is stopped, or `take`
    /// fails.
    pub fn run_on<E: From<Error> + Send>(
        &self,
        games: &GameStream<'_>,
        app: &App,
        job: &Job,
        mut take: impl FnMut(PuzzleItem) -> Result<(), E> + Send,
    ) -> Result<PuzzleCounts, E> {
        let (settings, terms) = self.settings(job)?;
        let curves = self.evaluation.read_curves()?;
        let cache = self.evaluation.open_cache(games, app)?;
        let search = PuzzleSearch {
            annotator: Annotator::new(&settings, &curves, cache.as_ref().map(EvalCache::log)),
            curves: &curves,
            terms,
            limits: format!("{}; verified by {} nodes, 2 lines", limits_text(&settings.limits), terms.nodes),
        };
        let mut seen = HashSet::new();
        let mut counts = PuzzleCounts::default();
        let n_games = games.count_for_progress(job);
        games.each(
            job,
            |game| search.puzzles(&game, job),
            |found| -> Result<(), E> {
                job.check()?;
                match found {
                    Ok(found) => {
                        counts.games += 1;
                        // Which game a puzzle is credited to doesn't depend on the number of threads.
                        for found in found {
                            if seen.insert((found.rules.to_string(), found.puzzle.key)) {
                                counts.puzzles += 1;
                                take(PuzzleItem::Puzzle(Box::new(found)))?;
                            }
                        }
                    }
                    Err(failure) => take(PuzzleItem::Failed(failure))?,
                }
                job.report(&Progress {
                    done: counts.games,
                    unit: "games",
                    proportion: Progress::proportion_of(counts.games, n_games),
                    detail: &counted(counts.puzzles, "puzzle", "puzzles"),
                });
                Ok(())
            },
        )?;
        Ok(counts)
    }

    fn settings(&self, job: &Job) -> Result<(AnnotateSettings, PuzzleCriteria)> {
        let Some(nodes) = self.evaluation.limits.nodes else {
            let message = "no limit is given; set the number of positions for each ply with --nodes";
            return Err(Error::parameter("nodes", message));
        };
        let limits = self.evaluation.limits.limits(1, job);
        let thresholds = Thresholds::default();
        let settings = AnnotateSettings { limits, thresholds, confirm: Confirm::Nothing, prove: None };
        let terms = PuzzleCriteria {
            nodes: self.verify.unwrap_or(nodes.saturating_mul(VERIFY_FACTOR)),
            max_second: self.max_second.get(),
            min_plies: self.min_plies.get() as u16,
            ..PuzzleCriteria::default()
        };
        Ok((settings, terms))
    }
}

impl StreamRequest for OnGames<PuzzlesRequest> {
    type Item = PuzzleItem;
    type Summary = PuzzleCounts;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(PuzzleItem) -> Result<()> + Send),
    ) -> Result<PuzzleCounts> {
        let games = self.games.open_all(app, job)?;
        self.request.run_on(&games, app, job, take)
    }
}

impl PuzzleSearch<'_> {
    /// Returns the puzzles of a game. Of a win that a side has for several moves in a row, only the first position is tried.
    fn puzzles(&self, played: &PlayedGame, job: &Job) -> Result<Vec<FoundPuzzle>> {
        let replayed = &played.replayed;
        let (Some(rules), Some(start), Some(first)) =
            (&replayed.replay.rules, replayed.start(), replayed.first())
        else {
            return Ok(Vec::new());
        };
        let Ok(mut game) = Game::from_setup(&rules.book, &start, first, RepetitionMode::Report) else {
            return Ok(Vec::new());
        };
        let curve = self.curves.of(rules.variant);
        let mut found = Vec::new();
        let mut winning: Option<Side> = None;
        for (nth, (mv, side)) in replayed.plies().into_iter().enumerate() {
            job.check()?;
            game.clear_outcome();
            if game.to_move() != side {
                game.set_to_move(side);
            }
            let wins = match self.annotator.evaluate(&rules.book, &game)? {
                KnownResult::Searched(evaluation) => {
                    let score = evaluation.score().for_side(side);
                    score.distance().filter(|_| score.value() > 0)
                }
                KnownResult::Ended(_) | KnownResult::NotSearched(_) => None,
            };
            let is_new = winning != Some(side);
            match wins {
                Some(plies) if is_new && plies >= self.terms.min_plies => {
                    winning = Some(side);
                    let limits = Limits { stop: Some(job.cancel_token().flag()), ..Limits::default() };
                    let limits = within_deadline(limits, job);
                    let puzzle = find_puzzle(&rules.book, (&game.setup(), side), curve, &self.terms, &limits);
                    job.check()?;
                    let puzzle = puzzle.map_err(|error| Error::parameter("verify", error.to_string()))?;
                    found.extend(puzzle.map(|puzzle| FoundPuzzle {
                        puzzle,
                        variant: replayed.variant().to_owned(),
                        game: played.name(),
                        number: played.id.map(|id| id.to_string()),
                        ply: nth,
                        engine: self.annotator.engine(&rules.book),
                        limits: self.limits.clone(),
                        rules: named_rules(rules),
                        book: rules.book.clone(),
                    }));
                }
                Some(_) => winning = Some(side),
                None if winning == Some(side) => winning = None,
                None => {}
            }
            if game.play(mv).is_err() {
                break;
            }
        }
        Ok(found)
    }
}

/// Returns rules with their name; those of a corpus have none if they are in the catalog.
fn named_rules(chosen: &ChosenRules) -> RuleSet {
    let rules = chosen.book.rules().clone();
    let listed = || chosen.variant.and_then(catalog::find).and_then(|variant| variant.rules().name);
    RuleSet { name: rules.name.clone().or_else(listed), ..rules }
}
