//! The turns that wait for a thread, in the order of their priority.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::query::{PreparedQuery, QueriedTurn};
use crate::{Error, ErrorKind, Result};

/// The maximum number of turns that wait. A turn has a game, which takes about a kilobyte.
const MAX_WAITING: usize = 1 << 20;

/// The waiting turns, and the queries that are not finished.
#[derive(Default)]
pub(super) struct TurnQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: BinaryHeap<WaitingTurn>,
    /// The number of turns that were ever added.
    n_added: u64,
    /// The queries with unfinished turns, by ID as JSON, each with the number of these turns.
    queries: HashMap<String, Vec<(Arc<PreparedQuery>, usize)>>,
    is_closed: bool,
}

struct WaitingTurn {
    number: u64,
    turn: QueriedTurn,
}

impl TurnQueue {
    /// Adds the turns of a query, unless the queue is closed.
    pub(super) fn add(&self, turns: Vec<QueriedTurn>) -> Result<()> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(Error::new(ErrorKind::Canceled, "the replies are no longer read"));
        }
        if state.waiting.len() + turns.len() > MAX_WAITING {
            let message = format!("too many queries; the limit is {MAX_WAITING} turns that wait");
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        if let Some(first) = turns.first() {
            let query = Arc::clone(&first.query);
            state.queries.entry(query.id.to_string()).or_default().push((query, turns.len()));
        }
        for turn in turns {
            state.n_added += 1;
            let number = state.n_added;
            state.waiting.push(WaitingTurn { number, turn });
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Returns the next turn, and waits for it; none once the queue is closed and empty.
    pub(super) fn next(&self) -> Option<QueriedTurn> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.waiting.pop() {
                return Some(next.turn);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Counts a turn as finished.
    pub(super) fn finish(&self, turn: &QueriedTurn) {
        let mut state = self.lock();
        let id = turn.query.id.to_string();
        let Some(queries) = state.queries.get_mut(&id) else { return };
        for (query, left) in queries.iter_mut() {
            if Arc::ptr_eq(query, &turn.query) {
                *left -= 1;
            }
        }
        queries.retain(|(_, left)| *left > 0);
        if queries.is_empty() {
            state.queries.remove(&id);
        }
    }

    /// Terminates the queries with an ID, and returns their number.
    pub(super) fn terminate(&self, id: &Value) -> usize {
        let state = self.lock();
        let queries = state.queries.get(&id.to_string()).map_or(&[][..], Vec::as_slice);
        queries.iter().for_each(|(query, _)| query.token.cancel());
        queries.len()
    }

    /// Terminates all queries, and returns their number.
    pub(super) fn terminate_all(&self) -> usize {
        let state = self.lock();
        let queries = state.queries.values().flatten();
        queries.map(|(query, _)| query.token.cancel()).count()
    }

    /// Marks the end of the input or of the replies.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns whether nothing can be added.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ord for WaitingTurn {
    /// Compares by priority; the earlier of two turns of the same priority is greater.
    fn cmp(&self, other: &WaitingTurn) -> Ordering {
        let priority = |waiting: &WaitingTurn| waiting.turn.query.priority;
        priority(self).cmp(&priority(other)).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for WaitingTurn {
    fn partial_cmp(&self, other: &WaitingTurn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for WaitingTurn {
    fn eq(&self, other: &WaitingTurn) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for WaitingTurn {}
