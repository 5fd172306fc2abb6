//! The state that a search thread keeps between the searches of a game.

use tafl_rules::Move;

use super::eval_cache::StaticEvalCache;
use super::history::{ContinuationHistory, History};
use super::ordering::RankedMoves;
use super::path_rules::PathState;
use super::static_order::StaticOrder;
use crate::net::RowSums;

/// The data of one ply of the search stack.
#[derive(Debug, Default, Clone)]
pub(super) struct StackEntry {
    pub(super) moves: RankedMoves,
    pub(super) path_state: PathState,
    /// The number of positions on the path before the chain in progress and its last capture.
    pub(super) chain_start: usize,
    /// Whether a jump was skipped, so that the score of the node depends on the path.
    pub(super) skips_jumps: bool,
    /// The quiet moves searched so far.
    pub(super) quiets: Vec<Move>,
    pub(super) killers: [Option<Move>; 2],
    /// The principal variation from this ply on.
    pub(super) pv: Vec<Move>,
    pub(super) is_after_null_move: bool,
    /// The move being searched; `None` for a null move.
    pub(super) mv: Option<Move>,
}

/// The histories and buffers of one thread. They live as long as the engine, so that a search can
/// use what earlier searches of the same game found.
#[derive(Debug)]
pub(super) struct ThreadState<const N: usize> {
    pub(super) history: History,
    pub(super) continuation: ContinuationHistory,
    pub(super) evals: StaticEvalCache,
    pub(super) row_sums: RowSums<N>,
    pub(super) static_order: StaticOrder,
    stack: Vec<StackEntry>,
}

impl<const N: usize> ThreadState<N> {
    pub(super) fn new(n_cells: usize) -> ThreadState<N> {
        ThreadState {
            history: History::new(n_cells),
            continuation: ContinuationHistory::new(n_cells),
            evals: StaticEvalCache::new(),
            row_sums: RowSums::new(),
            static_order: StaticOrder::default(),
            stack: Vec::new(),
        }
    }

    /// Prepares another search in the same game: halves the histories, and forgets the killers,
    /// which belong to the plies of one search.
    pub(super) fn begin_search(&mut self) {
        self.decay();
        for entry in &mut self.stack {
            (entry.killers, entry.mv, entry.is_after_null_move) = ([None; 2], None, false);
        }
    }

    /// Halves the histories, so that recent results count more.
    pub(super) fn decay(&mut self) {
        self.history.decay();
        self.continuation.decay();
    }

    /// Forgets everything, so that the next search behaves like that of a new thread.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.continuation.clear();
        self.stack.clear();
    }

    #[inline]
    pub(super) fn stack(&mut self, ply: u16) -> &mut StackEntry {
        let ply = usize::from(ply);
        if ply >= self.stack.len() {
            self.stack.resize(ply + 8, StackEntry::default());
        }
        &mut self.stack[ply]
    }

    /// Returns the move that led to a ply.
    #[inline]
    pub(super) fn previous_move(&self, ply: u16) -> Option<Move> {
        if ply == 0 { None } else { self.stack[usize::from(ply) - 1].mv }
    }
}
