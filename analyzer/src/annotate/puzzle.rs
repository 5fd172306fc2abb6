//! Puzzles: positions with exactly one winning move, found in games and verified.

use tafl_rules::{AnyRulebook, CanonicalKey, Game, Move, RepetitionMode, Setup, Side};

use super::context::options_for;
use super::curves::CurveChoice;
use super::expect::Phase;
use super::motif::{self, MotifKind, Voice};
use crate::engine::{Engine, EngineError};
use crate::limits::{Limits, Nodes};
use crate::score::{PovScore, Score};
use crate::solver::{self, GoalState, SolveBudget};

/// The size of the solver's table in mebibytes. Proofs of short wins are small.
const SOLVER_MEBIBYTES: usize = 4;

/// The requirements for a puzzle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PuzzleCriteria {
    /// The number of nodes of the verifying search, which searches two lines.
    pub nodes: u64,
    /// The maximum expectation of the side to move after its second-best move.
    pub max_second: f64,
    /// The minimum number of plies to the win; 1 would be an immediate win.
    pub min_plies: u16,
    /// The minimum number of legal moves.
    pub min_moves: usize,
}

impl Default for PuzzleCriteria {
    /// Returns the default requirements: 200,000 nodes, a second-best move with an expectation of
    /// at most 0.6, a win in at least three plies, and at least five legal moves.
    fn default() -> PuzzleCriteria {
        PuzzleCriteria { nodes: 200_000, max_second: 0.6, min_plies: 3, min_moves: 5 }
    }
}

/// A position with one winning move.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// The arrangement.
    pub setup: Setup,
    /// The side to move, which also wins.
    pub side: Side,
    /// The canonical key of the position: puzzles with the same key are equal up to symmetry.
    pub key: CanonicalKey,
    /// The winning line; its first move is the solution.
    pub line: Vec<Move>,
    /// The number of plies to the win.
    pub plies: u16,
    /// The winner's expectation after the second-best move.
    pub second: f64,
    /// The evidence that the solution is unique.
    pub verified: Verification,
    /// The themes.
    pub themes: Vec<PuzzleTheme>,
    /// The difficulty for an engine.
    pub difficulty: Difficulty,
}

/// The evidence for a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// A search with two lines.
    Margin {
        /// The maximum number of nodes of the search.
        nodes: Nodes,
    },
    /// The solver proved the win and refuted that any other move wins as fast. Only the margin
    /// shows that no other move wins more slowly.
    Solver {
        /// The number of plies within which the solution wins and no other move does.
        plies: u16,
    },
}

impl Verification {
    /// Returns the name used in JSON and tags.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verification::Margin { .. } => "margin",
            Verification::Solver { .. } => "solver",
        }
    }
}

/// The effort of an engine until it found the solution and kept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difficulty {
    /// The number of nodes.
    pub nodes: Nodes,
    /// The depth in plies.
    pub depth: u8,
}

/// The theme of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PuzzleTheme {
    /// The king is captured.
    CaptureKing,
    /// The king escapes to a corner.
    RunToCorner,
    /// The king escapes to the edge or to another goal.
    RunToEdge,
    /// The first move makes two threats.
    DoubleThreat,
    /// A shieldwall.
    Shieldwall,
    /// An exit fort.
    ExitFort,
    /// An encirclement.
    Encirclement,
    /// The first move neither captures nor threatens.
    QuietMove,
    /// The other side has no moves or men left.
    NoMove,
}

impl PuzzleTheme {
    /// All themes.
    pub const ALL: [PuzzleTheme; 9] = [
        PuzzleTheme::CaptureKing,
        PuzzleTheme::RunToCorner,
        PuzzleTheme::RunToEdge,
        PuzzleTheme::DoubleThreat,
        PuzzleTheme::Shieldwall,
        PuzzleTheme::ExitFort,
        PuzzleTheme::Encirclement,
        PuzzleTheme::QuietMove,
        PuzzleTheme::NoMove,
    ];

    /// Returns the name used in JSON and tags.
    pub const fn as_str(self) -> &'static str {
        match self {
            PuzzleTheme::CaptureKing => "capture-king",
            PuzzleTheme::RunToCorner => "run-to-corner",
            PuzzleTheme::RunToEdge => "run-to-edge",
            PuzzleTheme::DoubleThreat => "double-threat",
            PuzzleTheme::Shieldwall => "shieldwall",
            PuzzleTheme::ExitFort => "exit-fort",
            PuzzleTheme::Encirclement => "encirclement",
            PuzzleTheme::QuietMove => "quiet-move",
            PuzzleTheme::NoMove => "no-move",
        }
    }
}

/// Returns the puzzle in a position, if it is one. Ignores the history of the game, because a
/// puzzle is a position. The stop flag and the time of `limits` end each search early; the answer is
/// then meaningless.
///
/// # Errors
///
/// Returns an error if the requirements allow no search. A position that cannot be searched is not
/// a puzzle.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Curves, Limits, PuzzleCriteria, find_puzzle};
/// use tafl_rules::{AnyRulebook, RuleSet, Setup, Side};
///
/// let book = AnyRulebook::compile(&RuleSet::named("brandubh7")?)?;
/// // From d1 both corners are open to the king.
/// let setup = Setup::parse(book.shape(), "/7/2tK1t1/3t3/7/T6/7/7/")?;
/// let criteria = PuzzleCriteria { nodes: 5_000, min_moves: 3, ..PuzzleCriteria::default() };
/// let curves = Curves::built_in();
/// let found = find_puzzle(&book, (&setup, Side::Defenders), curves.of(None), &criteria, &Limits::default())?;
/// assert_eq!(found.map(|puzzle| puzzle.plies), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_puzzle(
    book: &AnyRulebook,
    at: (&Setup, Side),
    curve: CurveChoice<'_>,
    criteria: &PuzzleCriteria,
    limits: &Limits,
) -> Result<Option<Puzzle>, EngineError> {
    let (setup, side) = at;
    let Ok(game) = Game::from_setup(book, setup, side, RepetitionMode::Enforce) else { return Ok(None) };
    if game.outcome().is_some() || game.count_moves() < criteria.min_moves as u64 {
        return Ok(None);
    }
    let one_line = Limits { multi_pv: None, nodes: Some(Nodes(criteria.nodes)), ..limits.clone() };
    let two_lines = Limits { multi_pv: Some(2), ..one_line.clone() };
    let mut engine = Engine::new(book, options_for(&two_lines));
    let report = match engine.search(&game, &two_lines) {
        Ok(report) => report,
        Err(error @ EngineError::ZeroLimit(_)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let [best, second, ..] = &report.lines[..] else { return Ok(None) };
    let Some(plies) = win_in(best.score, side).filter(|plies| *plies >= criteria.min_plies) else {
        return Ok(None);
    };
    let phase = Phase::of(&book.rules().start, setup, 0);
    let part = curve.expect(side, second.score, phase).for_side(side);
    if part > criteria.max_second {
        return Ok(None);
    }
    let Some(difficulty) = difficulty(&mut engine, &game, best.moves[0], &one_line)? else { return Ok(None) };
    Ok(Some(Puzzle {
        setup: setup.clone(),
        side,
        key: game.canonical_key().0,
        line: best.moves.clone(),
        plies,
        second: part,
        verified: match proven(&game, best.moves[0], plies, &one_line) {
            Some(plies) => Verification::Solver { plies },
            None => Verification::Margin { nodes: Nodes(criteria.nodes) },
        },
        themes: puzzle_themes(&game, &best.moves),
        difficulty,
    }))
}

/// Returns the number of plies to a side's win, or `None` if the score is not a win.
fn win_in(score: PovScore, side: Side) -> Option<u16> {
    let score = score.for_side(side);
    score.distance().filter(|_| score > Score::DRAW)
}

/// Returns the number of plies within which the solver proves that the solution wins, if it refutes
/// that any other move wins as fast.
fn proven(game: &Game, solution: Move, plies: u16, limits: &Limits) -> Option<u16> {
    let side = game.to_move();
    let wins = |mv: Move, within: u16| -> Option<GoalState> {
        let mut game = game.clone();
        let ply = game.play(mv).ok()?;
        if let Some(outcome) = ply.outcome {
            return Some(if outcome.winner == Some(side) {
                GoalState::Proven(0)
            } else {
                GoalState::Refuted
            });
        }
        if within == 0 {
            // No ply is left to win with, and the solver does not accept a bound of zero.
            return Some(GoalState::Refuted);
        }
        let budget = SolveBudget {
            limits: limits.clone(),
            mebibytes: SOLVER_MEBIBYTES,
            plies: Some(within),
            goal: Some(side),
        };
        Some(solver::solve(&game, &budget).ok()?.goals[side].state)
    };
    let within = plies.checked_sub(1)?;
    if !matches!(wins(solution, within)?, GoalState::Proven(_)) {
        return None;
    }
    let others = game.moves().into_iter().filter(|mv| *mv != solution);
    let mut all_fail = others.map(|mv| matches!(wins(mv, within), Some(GoalState::Refuted)));
    all_fail.all(|fails| fails).then_some(plies)
}

/// Searches again with one line and returns when the solution was first found and then kept; `None`
/// if it is not found.
fn difficulty(
    engine: &mut Engine,
    game: &Game,
    solution: Move,
    limits: &Limits,
) -> Result<Option<Difficulty>, EngineError> {
    engine.new_game();
    let mut seen: Option<Difficulty> = None;
    let report = engine.search_with_info(game, limits, |report| {
        seen = match seen {
            _ if report.lines[0].moves[0] != solution => None,
            None => Some(Difficulty { nodes: report.nodes, depth: report.depth.0 }),
            Some(before) => Some(before),
        };
    })?;
    let is_found =
        report.lines[0].moves[0] == solution && win_in(report.lines[0].score, game.to_move()).is_some();
    Ok(seen.filter(|_| is_found))
}

/// Returns the themes of a winning line.
fn puzzle_themes(game: &Game, line: &[Move]) -> Vec<PuzzleTheme> {
    let shape = game.shape();
    let mut themes = Vec::new();
    let mut after = game.clone();
    let first =
        line.first().and_then(|mv| motif::motifs_of_move(&mut after, *mv, Voice::Done)).unwrap_or_default();
    let does = |kind: MotifKind| first.iter().any(|motif| motif.kind == kind);
    if does(MotifKind::TwoOpenLines) || (does(MotifKind::KingInDanger) && does(MotifKind::OpenLine)) {
        themes.push(PuzzleTheme::DoubleThreat);
    }
    if first.is_empty() {
        themes.push(PuzzleTheme::QuietMove);
    }
    for motif in motif::motifs_of_line(game, line, Voice::Done) {
        let theme = match motif.kind {
            MotifKind::KingCaptured => PuzzleTheme::CaptureKing,
            MotifKind::KingEscapes if shape.corners().contains(&motif.cell) => PuzzleTheme::RunToCorner,
            MotifKind::KingEscapes => PuzzleTheme::RunToEdge,
            MotifKind::ExitFort => PuzzleTheme::ExitFort,
            MotifKind::Encirclement => PuzzleTheme::Encirclement,
            MotifKind::Shieldwall => PuzzleTheme::Shieldwall,
            MotifKind::NoMove => PuzzleTheme::NoMove,
            MotifKind::Linnaean
            | MotifKind::ManyCaptured
            | MotifKind::Capture
            | MotifKind::TwoOpenLines
            | MotifKind::OpenLine
            | MotifKind::KingInDanger => continue,
        };
        themes.push(theme);
    }
    themes.sort_unstable();
    themes.dedup();
    themes
}
