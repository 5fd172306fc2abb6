//! Workers that answer records, one per thread.

use tafl_parser::{Batch, Order, Parsed, Record, Source};

/// Answers records. One serves one thread.
pub trait RecordWorker: Send {
    /// The answer about a record.
    type Answer: Send;

    /// Prepares for the records of a batch.
    fn enter(&mut self, batch: &Batch);

    /// Returns the answer about a record of that batch.
    fn record(&mut self, at: RecordAt<'_>) -> Self::Answer;

    /// Returns an answer about the whole batch, after those about its records.
    fn end(&mut self, _batch: &Batch) -> Option<Self::Answer> {
        None
    }

    /// Returns whether the record that was answered last has moves. It is only used if
    /// [`ReadSettings::needs_moves`](super::ReadSettings::needs_moves) is set.
    fn has_moves(&self) -> bool {
        true
    }

    /// Returns a worker that also applies `map` to each answer, on the thread of the worker.
    fn map<T: Send, F: Fn(Self::Answer) -> T + Send>(self, map: F) -> MapWorker<Self, F>
    where
        Self: Sized,
    {
        MapWorker { worker: self, map }
    }
}

/// A worker with a function of its answers, from [`RecordWorker::map`].
pub struct MapWorker<W, F> {
    worker: W,
    map: F,
}

impl<T: Send, W: RecordWorker, F: Fn(W::Answer) -> T + Send> RecordWorker for MapWorker<W, F> {
    type Answer = T;

    fn enter(&mut self, batch: &Batch) {
        self.worker.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> T {
        (self.map)(self.worker.record(at))
    }

    fn end(&mut self, batch: &Batch) -> Option<T> {
        self.worker.end(batch).map(&self.map)
    }

    fn has_moves(&self) -> bool {
        self.worker.has_moves()
    }
}

/// A record of a batch.
#[derive(Clone, Copy)]
pub struct RecordAt<'b> {
    /// The batch.
    pub batch: &'b Batch,
    /// The number of the record in the batch, from 0.
    pub nth: usize,
    /// The number of the input, from 0.
    pub input: usize,
    /// Whether the input may contain no records, as files of folders may.
    pub is_found: bool,
}

impl<'b> RecordAt<'b> {
    /// Parses the record.
    pub fn parse(&self) -> (Source<'b>, Parsed<Record>) {
        self.batch.parse_one(self.nth)
    }

    /// Returns the position of a record with this number in its file in the order of all inputs.
    pub fn order(&self, ordinal: u64) -> Order {
        [self.batch.input().unwrap_or(self.input as u64 + 1), ordinal]
    }
}
