//! The limit of the work of a repair.

use std::cell::Cell;

/// The remaining number of plies that may be played for a record.
#[derive(Debug)]
pub(super) struct PlyBudget(Cell<u64>);

impl PlyBudget {
    pub(super) fn new(plies: u64) -> PlyBudget {
        PlyBudget(Cell::new(plies))
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    pub(super) fn spend(&self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}
