//! What a thread needs to make rows of records.

use tafl_corpus::ingest::{Judged, Prepared, Preparer};
use tafl_parser::{Parsed, Record, Source};

use crate::referee::Referee;

/// What a thread works with.
pub(in crate::command) struct Hands<'t> {
    pub(in crate::command) referee: Referee<'t>,
    pub(in crate::command) preparer: Preparer,
}

impl Hands<'_> {
    /// Replays a record and prepares it; says whether moves are written in it.
    pub(in crate::command) fn prepare(
        &mut self,
        source: Source<'_>,
        parsed: Parsed<Record>,
    ) -> (Prepared, bool) {
        let judged = self.referee.judge(parsed);
        let has_moves = !judged.record.main().moves.is_empty();
        let prepared = self.preparer.prepare(&Judged {
            source,
            record: &judged.record,
            replay: &judged.replay,
            verdict: judged.verdict,
            diagnostics: &judged.diagnostics,
        });
        (prepared, has_moves)
    }
}
