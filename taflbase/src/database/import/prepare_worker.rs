//! Records as rows of a corpus.

use std::sync::Arc;

use tafl_corpus::{CheckedRecord, PreparedRecord, Preparer};
use tafl_parser::{Batch, Parsed, Record, Source};

use crate::records::{RecordAt, RecordWorker, ReplayConfig, ReplayWorker, RequestedRules};

/// Replays records and prepares their rows.
pub struct PrepareWorker {
    replay: ReplayWorker,
    preparer: Preparer,
    /// Whether the last record has moves.
    has_moves: bool,
}

impl PrepareWorker {
    /// Creates a worker.
    pub fn new(config: &Arc<ReplayConfig>) -> PrepareWorker {
        PrepareWorker { replay: ReplayWorker::new(config), preparer: Preparer::default(), has_moves: true }
    }

    /// Prepares for records with these rules.
    pub(super) fn ask(&mut self, requested: RequestedRules) {
        self.replay.prepare(requested);
    }

    /// Replays a record, and returns its row or why it has none.
    pub fn prepare(&mut self, source: Source<'_>, parsed: Parsed<Record>) -> PreparedRecord {
        let replayed = self.replay.replay(parsed);
        self.has_moves = !replayed.record.main().moves.is_empty();
        self.preparer.prepare(&CheckedRecord {
            source,
            record: &replayed.record,
            replay: &replayed.replay,
            verdict: replayed.verdict,
            diagnostics: &replayed.diagnostics,
        })
    }
}

impl RecordWorker for PrepareWorker {
    type Answer = PreparedRecord;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> PreparedRecord {
        let (source, parsed) = at.parse();
        self.prepare(source, parsed)
    }

    fn has_moves(&self) -> bool {
        self.has_moves
    }
}
