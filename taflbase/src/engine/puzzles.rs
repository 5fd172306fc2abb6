//! Puzzles: positions of games with one winning move.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    AnnotateSettings, Annotator, Confirm, Curves, KnownResult, Limits, Puzzle, PuzzleTerms, PuzzleTheme,
    Thresholds, Verified, find_puzzle, limits_text,
};
use tafl_parser::{
    Format, Letter, MoveLine, Record, Written, WrittenCapture, WrittenMove, WrittenResult, WrittenStart,
    WrittenVerdict, tag,
};
use tafl_rules::{AnyRulebook, Game, RepetitionMode, Side, Span};

use super::eval::within_deadline;
use super::evaluations::{EvalCache, EvaluationSettings};
use super::games::{GameStream, GameTrouble, OnGames, PlayedGame};
use crate::{App, Bounded, Error, Job, Progress, Result, StreamRequest};

/// The verifying search visits this many times the positions of the first one by default.
const VERIFY_FACTOR: u64 = 10;

/// The version of the answers.
const VERSION: u32 = 1;

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
    /// What finds wins; the number of positions must be given.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub evaluation: EvaluationSettings,
    /// The number of positions of the verifying search [default: 10 times that of --nodes]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub verify: Option<u64>,
    /// The maximum expectation after the second best move
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t))]
    pub most: MaxSecond,
    /// The minimum number of plies to the win, the first one included
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLIES", default_value_t))]
    pub least: Bounded<0, { u16::MAX as u64 }, 3>,
}

/// The maximum expectation that the second best move of a puzzle may leave, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct MaxSecond(#[schemars(range(min = 0.0, max = 1.0))] pub f64);

impl Default for MaxSecond {
    fn default() -> MaxSecond {
        MaxSecond(PuzzleTerms::default().most_second)
    }
}

impl std::fmt::Display for MaxSecond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for MaxSecond {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<MaxSecond, Self::Err> {
        text.parse().map(MaxSecond)
    }
}

/// A puzzle, and where it was found.
#[derive(Debug, Clone)]
pub struct FoundPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The variant.
    pub variant: String,
    /// The game, such as `games.csv:12`.
    pub game: String,
    /// The number of plies that were played before.
    pub ply: usize,
    /// The engine that found it.
    pub engine: String,
    /// The limits of the searches.
    pub limits: String,
    rules: String,
    book: AnyRulebook,
}

/// What becomes of a game.
#[derive(Debug)]
pub enum PuzzleItem {
    /// A puzzle that no game before had.
    Puzzle(Box<FoundPuzzle>),
    /// A file or a record can't be read.
    Trouble(GameTrouble),
}

/// The number of puzzles, and of games in which they were looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PuzzleCounts {
    /// Games.
    pub games: u64,
    /// Puzzles.
    pub puzzles: u64,
}

/// A puzzle as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PuzzleAnswer {
    /// The version of the answer, 1.
    pub taflbase_puzzle: u32,
    /// The variant.
    pub variant: String,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move, which wins.
    pub side: &'static str,
    /// The key of the position modulo symmetry.
    pub key: String,
    /// The winning line.
    pub solution: Vec<String>,
    /// The number of plies to the win.
    pub plies: u16,
    /// The expectation after the second best move.
    pub second: f64,
    /// What the puzzle is about.
    pub themes: Vec<&'static str>,
    /// How hard it is.
    pub difficulty: PuzzleDifficulty,
    /// How the solution is known to be the only one.
    pub verified: PuzzleVerification,
    /// The game, such as `games.csv:12`.
    pub game: String,
    /// The number of plies that were played before.
    pub after_ply: usize,
    /// The engine.
    pub engine: String,
    /// The limits of the searches.
    pub limits: String,
}

/// How much an engine had to search for a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PuzzleDifficulty {
    /// The number of positions.
    pub nodes: u64,
    /// The depth, in plies.
    pub depth: u8,
}

/// How the solution of a puzzle is known to be the only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PuzzleVerification {
    /// `margin` or `solver`.
    pub by: &'static str,
    /// The number of positions of the verifying search.
    pub nodes: Option<u64>,
    /// The number of plies within which the solver proved the win.
    pub within: Option<u16>,
}

impl FoundPuzzle {
    /// Returns the puzzle as JSON has it.
    pub fn answer(&self) -> PuzzleAnswer {
        let FoundPuzzle { puzzle, .. } = self;
        let (within, nodes) = match puzzle.verified {
            Verified::Margin { nodes } => (None, Some(nodes.0)),
            Verified::Solver { plies } => (Some(plies), None),
        };
        PuzzleAnswer {
            taflbase_puzzle: VERSION,
            variant: self.variant.clone(),
            rules: self.rules.clone(),
            position: puzzle.setup.to_string(),
            side: puzzle.side.as_str(),
            key: puzzle.key.to_string(),
            solution: self.solution(),
            plies: puzzle.plies,
            second: (puzzle.second * 1e4).round() / 1e4,
            themes: self.themes(),
            difficulty: PuzzleDifficulty { nodes: puzzle.difficulty.nodes.0, depth: puzzle.difficulty.depth },
            verified: PuzzleVerification { by: puzzle.verified.as_str(), nodes, within },
            game: self.game.clone(),
            after_ply: self.ply,
            engine: self.engine.clone(),
            limits: self.limits.clone(),
        }
    }

    /// Returns the moves of the winning line.
    pub fn solution(&self) -> Vec<String> {
        let shape = self.puzzle.setup.shape();
        self.puzzle.line.iter().map(|mv| mv.display(shape).to_string()).collect()
    }

    /// Returns the names of what the puzzle is about.
    pub fn themes(&self) -> Vec<&'static str> {
        self.puzzle.themes.iter().map(|theme: &PuzzleTheme| theme.as_str()).collect()
    }

    /// Returns the puzzle as a record: its start is the position, its moves are the solution.
    pub fn record(&self) -> Record {
        let FoundPuzzle { puzzle, rules, game, ply, book, engine, limits, .. } = self;
        let mut record = Record::new(Format::OpenTafl);
        let mut push = |name: &str, value: &str| record.push_tag(name, value, Span::default());
        push(tag::EVENT, &format!("{game} after ply {ply}"));
        push(tag::PUZZLE_MODE, "strict");
        push("themes", &self.themes().join(" "));
        let difficulty = puzzle.difficulty;
        push("difficulty", &format!("{} positions, depth {}", difficulty.nodes.0, difficulty.depth));
        let by = puzzle.verified.as_str();
        push("verified", &format!("{by}; {engine}; {limits}; second best {:.3}", puzzle.second));
        let comment = format!("The {} win in {} plies with one move.", puzzle.side, puzzle.plies);
        push(tag::START_COMMENT, &comment);
        // The rules name the side to move; nothing else about them changes.
        let mut own = book.rules().clone();
        own.first_mover = puzzle.side;
        own.start = puzzle.setup.clone();
        let text = if own == *book.rules() { rules.clone() } else { own.to_string() };
        record.rules = Some(Written { text: text.into(), span: Span::default() });
        record.start = Some(WrittenStart { setup: puzzle.setup.clone(), span: Span::default() });
        self.add_moves(&mut record);
        record
    }

    fn add_moves(&self, record: &mut Record) {
        let FoundPuzzle { puzzle, book, .. } = self;
        let start = Game::from_setup(book, &puzzle.setup, puzzle.side, RepetitionMode::Enforce);
        let Ok(mut game) = start else { return };
        let shape = game.shape();
        let mut line = MoveLine::default();
        let mut goes_on = false;
        for mv in &puzzle.line {
            let Ok(ply) = game.play(*mv) else { break };
            let first = record.captures.len();
            record.captures.extend(ply.captured.iter().map(|cell| WrittenCapture {
                cell: shape.coord(cell),
                letter: Letter::NONE,
                span: Span::default(),
            }));
            line.moves.push(WrittenMove {
                first_capture: first as u32,
                n_captures: (record.captures.len() - first) as u16,
                chained: goes_on,
                ..WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::default())
            });
            goes_on = ply.goes_on;
        }
        *record.main_mut() = line;
        if let Some(outcome) = game.outcome() {
            let verdict = outcome.winner.map_or(WrittenVerdict::Draw, WrittenVerdict::Win);
            record.result =
                Some(WrittenResult { verdict, reason: Some(outcome.reason), span: Span::default() });
        }
    }
}

/// What the search for puzzles needs in every game.
struct PuzzleSearch<'s> {
    annotator: Annotator<'s>,
    curves: &'s Curves,
    terms: PuzzleTerms,
    limits: String,
}

impl PuzzlesRequest {
    /// Looks for puzzles in games. `take` gets them in the order of the games, each position once.
    ///
    /// # Errors
    ///
    /// Returns which parameter is wrong, which file can't be read or written, that the job is over, or the first error of
    /// `take`.
    pub fn run_on<E: From<Error> + Send>(
        &self,
        games: &GameStream<'_>,
        (app, job): (&App, &Job),
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
                            if seen.insert((found.rules.clone(), found.puzzle.key)) {
                                counts.puzzles += 1;
                                take(PuzzleItem::Puzzle(Box::new(found)))?;
                            }
                        }
                    }
                    Err(trouble) => take(PuzzleItem::Trouble(trouble))?,
                }
                job.report(&Progress {
                    done: counts.games,
                    unit: if counts.games == 1 { "game" } else { "games" },
                    proportion: games.proportion(counts.games),
                    detail: &format!("{} puzzles", counts.puzzles),
                });
                Ok(())
            },
        )?;
        Ok(counts)
    }

    fn settings(&self, job: &Job) -> Result<(AnnotateSettings, PuzzleTerms)> {
        let Some(nodes) = self.evaluation.limits.nodes else {
            let message = "say with --nodes how many positions the search of each ply looks at";
            return Err(Error::parameter("nodes", message));
        };
        let MaxSecond(most_second) = self.most;
        if !(0.0..=1.0).contains(&most_second) {
            return Err(Error::parameter("most", "--most is an expectation from 0 to 1"));
        }
        let limits = self.evaluation.limits.limits(1, job);
        let thresholds = Thresholds::default();
        let settings = AnnotateSettings { limits, thresholds, confirm: Confirm::Nothing, prove: None };
        let terms = PuzzleTerms {
            nodes: self.verify.unwrap_or(nodes.saturating_mul(VERIFY_FACTOR)),
            most_second,
            least_plies: self.least.get() as u16,
            ..PuzzleTerms::default()
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
        self.request.run_on(&games, (app, job), take)
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
                Some(plies) if is_new && plies >= self.terms.least_plies => {
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
                        ply: nth,
                        engine: self.annotator.engine(&rules.book),
                        limits: self.limits.clone(),
                        rules: rules.book.rules().to_string(),
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
