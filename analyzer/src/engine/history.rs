//! Which moves were good elsewhere: killers and history.

use tafl_rules::{Cell, Move, Side};

use super::params::HISTORY_LIMIT;

/// What followed well on moves of the other side, by the cells to which both went; and the last move that refuted one.
#[derive(Debug, Clone)]
pub(super) struct Continuation {
    n_cells: usize,
    values: Vec<i16>,
    refutations: Vec<Option<Move>>,
}

impl Continuation {
    pub(super) fn new(n_cells: usize) -> Continuation {
        let n_pairs = 2 * n_cells * n_cells;
        Continuation { n_cells, values: vec![0; n_pairs], refutations: vec![None; n_pairs] }
    }

    /// Makes everything count half.
    pub(super) fn fade(&mut self) {
        self.values.iter_mut().for_each(|value| *value /= 2);
    }

    #[inline]
    pub(super) fn value(&self, side: Side, before: Option<Move>, mv: Move) -> i32 {
        before.map_or(0, |before| i32::from(self.values[self.index(side, before.to, mv.to)]))
    }

    #[inline]
    pub(super) fn refutation(&self, side: Side, before: Option<Move>) -> Option<Move> {
        before.and_then(|before| self.refutations[self.index(side, before.from, before.to)])
    }

    #[inline]
    pub(super) fn add(&mut self, side: Side, before: Option<Move>, mv: Move, bonus: i32) {
        let Some(before) = before else { return };
        let index = self.index(side, before.to, mv.to);
        self.values[index] = raised(self.values[index], bonus);
    }

    #[inline]
    pub(super) fn refute(&mut self, side: Side, before: Option<Move>, mv: Move) {
        let Some(before) = before else { return };
        let index = self.index(side, before.from, before.to);
        self.refutations[index] = Some(mv);
    }

    #[inline]
    fn index(&self, side: Side, one: Cell, other: Cell) -> usize {
        (side.index() * self.n_cells + one.index()) * self.n_cells + other.index()
    }
}

/// Returns a value raised or lowered by a bonus; the nearer to the limit, the less.
#[inline]
fn raised(value: i16, bonus: i32) -> i16 {
    let old = i32::from(value);
    let bonus = bonus.clamp(-HISTORY_LIMIT / 4, HISTORY_LIMIT / 4);
    (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16
}

/// How often quiet moves refuted something, by side, cell from and cell to; less for those that did not.
#[derive(Debug, Clone)]
pub(super) struct History {
    n_cells: usize,
    values: Vec<i16>,
}

impl History {
    pub(super) fn new(n_cells: usize) -> History {
        History { n_cells, values: vec![0; 2 * n_cells * n_cells] }
    }

    /// Makes everything count half.
    pub(super) fn fade(&mut self) {
        self.values.iter_mut().for_each(|value| *value /= 2);
    }

    #[inline]
    pub(super) fn value(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.values[self.index(side, mv)])
    }

    /// Raises or lowers a value by a bonus; the nearer to the limit, the less.
    #[inline]
    pub(super) fn add(&mut self, side: Side, mv: Move, bonus: i32) {
        let index = self.index(side, mv);
        self.values[index] = raised(self.values[index], bonus);
    }

    #[inline]
    fn index(&self, side: Side, mv: Move) -> usize {
        (side.index() * self.n_cells + mv.from.index()) * self.n_cells + mv.to.index()
    }
}
