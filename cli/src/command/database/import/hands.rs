//! What a thread needs to make rows of records.

use tafl_corpus::ingest::{Judged, Prepared, Preparer};
use tafl_parser::reader::Batch;
use tafl_parser::{Parsed, Record, Source};
use taflbase::records::{RecordAt, RecordWorker, ReplayWorker};

/// What a thread works with.
pub(in crate::command) struct Hands {
    pub(in crate::command) replay: ReplayWorker,
    pub(in crate::command) preparer: Preparer,
    /// Whether the last record has moves.
    pub(in crate::command) has_moves: bool,
}

impl Hands {
    /// Replays a record and prepares it.
    pub(in crate::command) fn prepare(&mut self, source: Source<'_>, parsed: Parsed<Record>) -> Prepared {
        let replayed = self.replay.replay(parsed);
        self.has_moves = !replayed.record.main().moves.is_empty();
        self.preparer.prepare(&Judged {
            source,
            record: &replayed.record,
            replay: &replayed.replay,
            verdict: replayed.verdict,
            diagnostics: &replayed.diagnostics,
        })
    }
}

impl RecordWorker for Hands {
    type Answer = Prepared;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Prepared {
        let (source, parsed) = at.parse();
        self.prepare(source, parsed)
    }

    fn has_moves(&self) -> bool {
        self.has_moves
    }
}
