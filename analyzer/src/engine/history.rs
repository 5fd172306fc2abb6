//! Which moves were good elsewhere: killers and history.

use tafl_rules::{Move, Side};

use super::params::HISTORY_LIMIT;

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
        let old = i32::from(self.values[index]);
        let bonus = bonus.clamp(-HISTORY_LIMIT / 4, HISTORY_LIMIT / 4);
        self.values[index] = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    #[inline]
    fn index(&self, side: Side, mv: Move) -> usize {
        (side.index() * self.n_cells + mv.from.index()) * self.n_cells + mv.to.index()
    }
}
