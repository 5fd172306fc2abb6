//! Candidates: openings with random moves, at a rate for each side.

use std::sync::Arc;

use tafl_rules::{AnyRulebook, BySide, Game, Move, Rng, Side};

use super::super::opening::Opening;
use super::super::proof;
use crate::engine::{Engine, SearchOptions};
use crate::limits::Limits;

/// An opening that may be balanced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpeningCandidate {
    pub(super) moves: Opening,
    /// The number of random moves of each side; the others are the engine's.
    pub(super) random: BySide<u32>,
    /// The score after the opening, in hundredths, from the attackers' point of view.
    pub(super) score: i16,
    /// The key of the position, equal for mirror images.
    pub(super) key: u64,
}

/// The minimum number of plies of an opening.
const MIN_PLIES: u32 = 4;
/// The number of nodes of the searches for the moves that are not random.
const MOVE_NODES: u64 = 150;
/// The number of nodes of the search that scores a candidate.
const SCORE_NODES: u64 = 3_000;

/// Returns the probability that a move is random. Bias 1 means that only the defenders' moves are
/// random, and -1 only the attackers'.
fn random_rate(side: Side, bias: f64) -> f64 {
    match side {
        Side::Attackers => 0.5 * (1.0 - bias),
        Side::Defenders => 0.5 * (1.0 + bias),
    }
}

/// Makes a candidate. Returns `None` if the game ends or is decided.
///
/// The first two plies are random, so that candidates differ even if one side makes no other random
/// moves.
pub(super) fn make_candidate(
    book: &AnyRulebook,
    max_plies: u32,
    bias: f64,
    rng: &mut Rng,
) -> Option<OpeningCandidate> {
    let options = SearchOptions { mebibytes: 1, ..SearchOptions::default() };
    let mut engine = Engine::new(book, options);
    let mut game = Game::new(book);
    let mut moves: Vec<Move> = Vec::new();
    let mut random = BySide::default();
    let min_plies = MIN_PLIES.min(max_plies);
    let n_plies = min_plies as usize + rng.below((max_plies - min_plies + 1) as usize);
    // A chain of captures is completed, because games start between turns.
    while moves.len() < n_plies || game.chain().is_some() {
        let side = game.to_move();
        let mv = if moves.len() < 2 || rng.unit() < random_rate(side, bias) {
            random[side] += 1;
            *rng.pick(&game.moves())?
        } else {
            engine.search(&game, &Limits::nodes(MOVE_NODES)).ok()?.lines[0].moves[0]
        };
        if game.play(mv).ok()?.outcome.is_some() {
            return None;
        }
        moves.push(mv);
    }
    if proof::immediate_win(&game).is_some() {
        return None;
    }
    engine.new_game();
    let report = engine.search(&game, &Limits::nodes(SCORE_NODES)).ok()?;
    let score = report.lines[0].score.for_side(Side::Attackers);
    let key = game.canonical_key().0.0;
    (!score.is_decisive()).then_some(OpeningCandidate { moves, random, score: score.value(), key })
}

/// Returns the candidates whose scores are nearest to a center, without repeated positions.
pub(super) fn nearest(
    mut candidates: Vec<OpeningCandidate>,
    center: f64,
    n: usize,
    is_new: impl FnMut(&OpeningCandidate) -> bool,
) -> Vec<Arc<OpeningCandidate>> {
    candidates.retain(is_new);
    let distance = |candidate: &OpeningCandidate| (f64::from(candidate.score) - center).abs();
    candidates.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    candidates.truncate(n);
    candidates.into_iter().map(Arc::new).collect()
}
