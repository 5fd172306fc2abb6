//! The behavior of variants: values of each game, many of them after the metrics of Ludii.

use std::collections::{HashMap, HashSet};

use polars::prelude::DataType;
use tafl_corpus::{CancelCheck, CellContent, Corpus, MoveLogError, ReplayCursor, Result};
use tafl_rules::{Cell, Piece, Role, Shape, Side};

use crate::measure::evals::game_curves;
use crate::measure::games::{GameFacts, Games};
use crate::measure::tables::{plies_frame, table_error};
use crate::measure::win_length::is_played_out;
use crate::stats::dyadic::SharedPlayers;

/// A metric of games. Its value for a variant is the mean over its games.
///
/// The names in brackets are those of Ludii's metrics (Browne, *Evolutionary Game Design*, 2009, and the concepts of
/// ludii.games), with the difference if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BehaviorMetric {
    /// The attackers' score (Balance).
    Score,
    /// The proportion of draws among finished games (Drawishness).
    Draws,
    /// The proportion of games that ended by the rules: not by resignation, on time, or unfinished (Completion).
    Completion,
    /// The length in plies (Duration); the geometric mean.
    Length,
    /// The number of legal moves of a ply (Branching Factor); the geometric mean over games.
    Branching,
    /// The number of captured pieces per ply (Move Frequency of captures).
    Captures,
    /// The proportion of the pieces of the start that are captured (Piece Number Change).
    Captured,
    /// The proportion of the cells to which a piece moved (Board Coverage).
    Coverage,
    /// The mean length of a move relative to the longest one (Move Distance).
    MoveDistance,
    /// The proportion of the plies that a king makes.
    KingMoves,
    /// The proportion of the plies that restore a position of the game (Positional Repetition).
    Repetition,
    /// The distance of the destinations of moves from the middle: 0 in the middle, 1 at the edge.
    Outward,
    /// The proportion of the moves that end on the edge.
    EdgePlay,
    /// The distance of the defenders' king from the middle, over all plies.
    KingOutward,
    /// The distance of the captured pieces from the middle.
    CaptureOutward,
    /// The mean deficit of the later winner (Drama); needs evaluations.
    Drama,
    /// The number of changes of lead (Lead Change); needs evaluations.
    LeadChanges,
    /// The proportion of the game after which the winner stayed clearly ahead (Decisiveness); needs evaluations.
    Decided,
}

/// How the values of games become the value of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricScale {
    /// Their mean.
    Mean,
    /// Their geometric mean: the mean of the logarithms.
    Geometric,
}

impl BehaviorMetric {
    /// Every metric.
    pub const ALL: [BehaviorMetric; 18] = [
        BehaviorMetric::Score,
        BehaviorMetric::Draws,
        BehaviorMetric::Completion,
        BehaviorMetric::Length,
        BehaviorMetric::Branching,
        BehaviorMetric::Captures,
        BehaviorMetric::Captured,
        BehaviorMetric::Coverage,
        BehaviorMetric::MoveDistance,
        BehaviorMetric::KingMoves,
        BehaviorMetric::Repetition,
        BehaviorMetric::Outward,
        BehaviorMetric::EdgePlay,
        BehaviorMetric::KingOutward,
        BehaviorMetric::CaptureOutward,
        BehaviorMetric::Drama,
        BehaviorMetric::LeadChanges,
        BehaviorMetric::Decided,
    ];

    /// Returns the largest possible value: 1 for proportions and scores.
    pub(super) fn max(self) -> f64 {
        let is_number = matches!(self, BehaviorMetric::Captures | BehaviorMetric::LeadChanges);
        if is_number || self.scale() == MetricScale::Geometric { f64::INFINITY } else { 1.0 }
    }

    /// Returns the scale of the metric.
    pub const fn scale(self) -> MetricScale {
        match self {
            BehaviorMetric::Length | BehaviorMetric::Branching => MetricScale::Geometric,
            BehaviorMetric::Score
            | BehaviorMetric::Draws
            | BehaviorMetric::Completion
            | BehaviorMetric::Captures
            | BehaviorMetric::Captured
            | BehaviorMetric::Coverage
            | BehaviorMetric::MoveDistance
            | BehaviorMetric::KingMoves
            | BehaviorMetric::Repetition
            | BehaviorMetric::Outward
            | BehaviorMetric::EdgePlay
            | BehaviorMetric::KingOutward
            | BehaviorMetric::CaptureOutward
            | BehaviorMetric::Drama
            | BehaviorMetric::LeadChanges
            | BehaviorMetric::Decided => MetricScale::Mean,
        }
    }
}

/// The number of metrics.
pub(super) const METRICS: usize = BehaviorMetric::ALL.len();

/// The values of a game, on the scale of each metric.
pub(super) type GameValues = [Option<f64>; METRICS];

/// The games of a variant on a map.
#[derive(Debug, Clone)]
pub(super) struct MappedGames {
    /// The values of each game.
    pub values: Vec<GameValues>,
    /// The players of the games, in the same order.
    pub shared: SharedPlayers,
}

/// Returns the values of the games of each variant.
///
/// # Errors
///
/// Returns the path of a missing or damaged file, or an error if the work was canceled.
pub(super) fn game_values(
    corpus: &Corpus,
    games: &Games,
    variants: &[u32],
    cancel: CancelCheck<'_>,
) -> Result<Vec<MappedGames>> {
    let numbers: HashMap<u32, usize> =
        variants.iter().enumerate().map(|(at, variant)| (*variant, at)).collect();
    let is_wanted = |game: &&GameFacts| !game.has_other_start() && numbers.contains_key(&game.variant);
    let wanted: Vec<&GameFacts> = games.rows.iter().filter(is_wanted).collect();
    let curves = game_curves(corpus, &wanted)?;
    let mut values = vec![Vec::new(); variants.len()];
    for alike in wanted.chunk_by(|one, two| one.segment == two.segment) {
        let Some(segment) = corpus.segments().get(alike[0].segment as usize) else { continue };
        let move_log = segment.move_log()?;
        let damaged = |error: MoveLogError| segment.move_log_error(error);
        let frame = plies_frame(segment, &["key", "moves"])?;
        let columns = || {
            let moves = frame.column("moves")?.cast(&DataType::UInt32)?;
            let moves: Vec<u32> = moves.u32()?.iter().map(Option::unwrap_or_default).collect();
            let keys: Vec<i64> = frame.column("key")?.i64()?.iter().map(Option::unwrap_or_default).collect();
            Ok((moves, keys))
        };
        let (moves, keys) = columns().map_err(|error| table_error(segment.plies_table().path(), &error))?;
        let first_plies = segment.first_plies()?;
        let mut cursor: Option<ReplayCursor<'_>> = None;
        let mut board: Option<BoardGeometry> = None;
        for game in alike {
            cancel.check()?;
            let cursor = move_log.cursor_in(&mut cursor, game.row).map_err(damaged)?;
            let row = game.row as usize;
            let plies = first_plies[row] as usize..first_plies[row + 1] as usize;
            let mut own = of_facts(game);
            let shape = cursor.state().shape();
            let board = match &mut board {
                Some(board) if board.shape == shape => board,
                other => other.insert(BoardGeometry::of(shape)),
            };
            of_board(game, board, cursor, &mut own).map_err(damaged)?;
            of_plies(&moves[plies.clone()], &keys[plies], &mut own);
            if let Some(curve) = curves.get(&game.id) {
                set(&mut own, BehaviorMetric::Drama, Some(curve.drama));
                set(&mut own, BehaviorMetric::LeadChanges, Some(curve.changes));
                set(&mut own, BehaviorMetric::Decided, Some(curve.decided));
            }
            values[numbers[&game.variant]].push((*game, own));
        }
    }
    Ok(values.into_iter().map(in_order_of_ids).collect())
}

/// Returns the games of a variant in the order of their IDs, so that random draws of games do not depend on the order of
/// the corpus.
fn in_order_of_ids(mut games: Vec<(&GameFacts, GameValues)>) -> MappedGames {
    games.sort_by_key(|(game, _)| game.id);
    let shared = SharedPlayers::of(games.iter().map(|(game, _)| game.pair()));
    MappedGames { values: games.into_iter().map(|(_, values)| values).collect(), shared }
}

fn set(values: &mut GameValues, metric: BehaviorMetric, value: Option<f64>) {
    values[metric as usize] = value.filter(|value| value.is_finite());
}

/// Returns the values that follow from the row of a game.
fn of_facts(game: &GameFacts) -> GameValues {
    let mut values = [None; METRICS];
    let score = game.attackers_score();
    set(&mut values, BehaviorMetric::Score, score);
    set(&mut values, BehaviorMetric::Draws, score.map(|score| f64::from(u8::from(score == 0.5))));
    let is_complete = score.is_some() && is_played_out(game);
    set(&mut values, BehaviorMetric::Completion, Some(f64::from(u8::from(is_complete))));
    if game.plies > 0 {
        let plies = f64::from(game.plies);
        let captured = f64::from(game.captures.attackers) + f64::from(game.captures.defenders);
        set(&mut values, BehaviorMetric::Length, Some(plies.ln()));
        set(&mut values, BehaviorMetric::Captures, Some(captured / plies));
    }
    values
}

/// The distances of the cells of a board.
struct BoardGeometry {
    shape: Shape,
    /// The distance of each cell from the middle: 0 in the middle, 1 at the edge.
    away: Vec<f64>,
    /// The length of the longest move.
    longest: f64,
}

impl BoardGeometry {
    fn of(shape: Shape) -> BoardGeometry {
        let files = || shape.cells().map(|cell| shape.coord(cell).file);
        let (low, high) = (files().min().unwrap_or(0), files().max().unwrap_or(0));
        let longest = f64::from((high - low).max(1));
        let away = |cell: Cell| {
            let coord = shape.coord(cell);
            // Twice the coordinates, because boards with an even side have no cell in the middle.
            let off = |part: i16| (2 * part - low - high).abs();
            f64::from(off(coord.file).max(off(coord.rank))) / longest
        };
        BoardGeometry { shape, away: shape.cells().map(away).collect(), longest }
    }
}

/// Sums over the plies of a game.
#[derive(Default)]
struct PlySums {
    plies: f64,
    /// The lengths of the moves, relative to the longest one.
    distance: f64,
    king_moves: f64,
    /// The distances of the destinations from the middle.
    outward: f64,
    on_edge: f64,
    /// The plies with the defenders' king on the board, and its distances from the middle.
    king_plies: f64,
    king_outward: f64,
    /// The captured pieces, and their distances from the middle.
    captured: f64,
    capture_outward: f64,
}

/// Adds the values that follow from the moves on the board.
fn of_board(
    game: &GameFacts,
    board: &BoardGeometry,
    cursor: &mut ReplayCursor<'_>,
    values: &mut GameValues,
) -> std::result::Result<(), MoveLogError> {
    let BoardGeometry { shape, away, longest } = board;
    let king = CellContent::of(Some(Piece::new(Side::Defenders, Role::King)));
    let pieces = cursor.state().board().iter().filter(|content| content.piece().is_some()).count();
    let mut visited = vec![false; shape.n_cells()];
    let mut sums = PlySums::default();
    let mut king_at = cursor.state().board().iter().position(|content| *content == king);
    while cursor.advance()? {
        let state = cursor.state();
        let Some(mv) = state.last else { continue };
        sums.plies += 1.0;
        visited[mv.to.index()] = true;
        let (from, to) = (shape.coord(mv.from), shape.coord(mv.to));
        let steps = (from.file - to.file).abs().max((from.rank - to.rank).abs());
        sums.distance += f64::from(steps) / longest;
        let is_king = state.at(mv.to).piece().is_some_and(|piece| piece.role == Role::King);
        sums.king_moves += f64::from(u8::from(is_king));
        sums.outward += away[mv.to.index()];
        sums.on_edge += f64::from(u8::from(shape.is_edge(mv.to)));
        for cell in &state.captured {
            sums.captured += 1.0;
            sums.capture_outward += away[cell.index()];
        }
        if king_at == Some(mv.from.index()) {
            king_at = Some(mv.to.index());
        }
        if let Some(at) = king_at.filter(|at| state.board()[*at] == king) {
            sums.king_plies += 1.0;
            sums.king_outward += away[at];
        }
    }
    let PlySums { plies, king_plies, captured, .. } = sums;
    if plies > 0.0 {
        let coverage = visited.iter().filter(|cell| **cell).count() as f64 / shape.n_cells() as f64;
        set(values, BehaviorMetric::Coverage, Some(coverage));
        set(values, BehaviorMetric::MoveDistance, Some(sums.distance / plies));
        set(values, BehaviorMetric::KingMoves, Some(sums.king_moves / plies));
        set(values, BehaviorMetric::Outward, Some(sums.outward / plies));
        set(values, BehaviorMetric::EdgePlay, Some(sums.on_edge / plies));
    }
    let all = f64::from(game.captures.attackers) + f64::from(game.captures.defenders);
    set(values, BehaviorMetric::Captured, (pieces > 0).then(|| all / pieces as f64));
    set(values, BehaviorMetric::KingOutward, (king_plies > 0.0).then(|| sums.king_outward / king_plies));
    set(values, BehaviorMetric::CaptureOutward, (captured > 0.0).then(|| sums.capture_outward / captured));
    Ok(())
}

/// Adds the values that follow from the table of plies: numbers of legal moves, and keys of positions.
fn of_plies(moves: &[u32], keys: &[i64], values: &mut GameValues) {
    if moves.is_empty() {
        return;
    }
    let n = moves.len() as f64;
    let mean = moves.iter().map(|moves| f64::from(*moves)).sum::<f64>() / n;
    set(values, BehaviorMetric::Branching, (mean > 0.0).then(|| mean.ln()));
    let mut seen = HashSet::with_capacity(keys.len());
    let repeated = keys.iter().filter(|key| !seen.insert(**key)).count();
    set(values, BehaviorMetric::Repetition, Some(repeated as f64 / n));
}
