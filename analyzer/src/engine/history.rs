//! History heuristics: statistics of the quiet moves that caused cutoffs.
//!
//! See <https://www.chessprogramming.org/History_Heuristic>.

use tafl_rules::{Cell, Move, Side};

use super::params::HISTORY_LIMIT;

/// Returns a value after a bonus. The update shrinks near the limit ("gravity"), so that values
/// never exceed it.
#[inline]
fn gravity(value: i16, bonus: i32) -> i16 {
    let old = i32::from(value);
    let bonus = bonus.clamp(-HISTORY_LIMIT / 4, HISTORY_LIMIT / 4);
    (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16
}

/// A value for each side and pair of cells.
#[derive(Debug, Clone)]
struct CellPairs {
    n_cells: usize,
    values: Vec<i16>,
}

impl CellPairs {
    fn new(n_cells: usize) -> CellPairs {
        CellPairs { n_cells, values: vec![0; 2 * n_cells * n_cells] }
    }

    #[inline]
    fn index(&self, side: Side, first: Cell, second: Cell) -> usize {
        (side.index() * self.n_cells + first.index()) * self.n_cells + second.index()
    }

    /// Returns the values of a side and first cell, by second cell.
    #[inline]
    fn row(&self, side: Side, first: Cell) -> &[i16] {
        let start = (side.index() * self.n_cells + first.index()) * self.n_cells;
        &self.values[start..start + self.n_cells]
    }

    #[inline]
    fn get(&self, side: Side, first: Cell, second: Cell) -> i32 {
        i32::from(self.values[self.index(side, first, second)])
    }

    #[inline]
    fn add(&mut self, side: Side, first: Cell, second: Cell, bonus: i32) {
        let index = self.index(side, first, second);
        self.values[index] = gravity(self.values[index], bonus);
    }

    fn decay(&mut self) {
        self.values.iter_mut().for_each(|value| *value /= 2);
    }
}

/// Butterfly history: a score of quiet moves by the cutoffs they caused, indexed by side, source,
/// and target.
#[derive(Debug, Clone)]
pub(super) struct History(CellPairs);

impl History {
    pub(super) fn new(n_cells: usize) -> History {
        History(CellPairs::new(n_cells))
    }

    /// Halves every value.
    pub(super) fn decay(&mut self) {
        self.0.decay();
    }

    pub(super) fn clear(&mut self) {
        self.0.values.fill(0);
    }

    /// Returns the values of the moves from a cell, by target.
    #[inline]
    pub(super) fn row(&self, side: Side, from: Cell) -> &[i16] {
        self.0.row(side, from)
    }

    #[inline]
    pub(super) fn value(&self, side: Side, mv: Move) -> i32 {
        self.0.get(side, mv.from, mv.to)
    }

    #[inline]
    pub(super) fn add(&mut self, side: Side, mv: Move, bonus: i32) {
        self.0.add(side, mv.from, mv.to, bonus);
    }
}

/// Continuation history: a score of quiet moves by the cutoffs they caused after the previous move,
/// indexed by the targets of both moves.
#[derive(Debug, Clone)]
pub(super) struct ContinuationHistory(CellPairs);

impl ContinuationHistory {
    pub(super) fn new(n_cells: usize) -> ContinuationHistory {
        ContinuationHistory(CellPairs::new(n_cells))
    }

    /// Halves every value.
    pub(super) fn decay(&mut self) {
        self.0.decay();
    }

    pub(super) fn clear(&mut self) {
        self.0.values.fill(0);
    }

    /// Returns the values of the moves after `previous`, by target.
    #[inline]
    pub(super) fn row(&self, side: Side, previous: Move) -> &[i16] {
        self.0.row(side, previous.to)
    }

    #[inline]
    pub(super) fn add(&mut self, side: Side, previous: Option<Move>, mv: Move, bonus: i32) {
        if let Some(previous) = previous {
            self.0.add(side, previous.to, mv.to, bonus);
        }
    }
}
