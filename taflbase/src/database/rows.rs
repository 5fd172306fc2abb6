//! Rows: records as a corpus stores them, with all their plies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{PreparedRecord, write_error_row, write_row};
use tafl_parser::{Batch, ErrorLine, Order};

use super::PrepareWorker;
use crate::records::{
    ReadCounts, RecordAt, RecordEvent, RecordInputs, RecordRequest, RecordSource, RecordWorker,
};
use crate::{Error, Job};

/// The version of the library, which row lines contain.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Write records as the rows of a corpus
///
/// # Examples
///
/// ```no_run
/// use taflbase::database::RowsRequest;
/// use taflbase::records::{RecordEvent, RecordInputs};
/// use taflbase::{App, Job, StreamRequest};
///
/// let request = RowsRequest { input: RecordInputs::of(["games.csv"]).by("brandubh7") };
/// let mut lines = Vec::new();
/// request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(row) = item.event {
///         row.write(&mut lines);
///     }
///     Ok(())
/// })?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RowsRequest {
    /// The records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub input: RecordInputs,
}

impl RecordRequest for RowsRequest {
    type Answer = RecordRow;
    type Summary = ();

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(RecordRow) -> T + Sync,
        take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<((), ReadCounts), E> {
        let worker = || RowWorker(PrepareWorker::new(&source.config)).map(&map);
        Ok(((), source.reader.process(job, worker, take)?))
    }
}

/// A record as a corpus stores or rejects it.
pub struct RecordRow {
    /// The rows of a game and its plies, or why the record can't be stored.
    pub prepared: PreparedRecord,
    /// The place in the order of all inputs.
    pub order: Order,
    /// Whether the record can't be stored, although it has moves. That a game was never played is not a fault.
    pub is_bad: bool,
}

impl RecordRow {
    /// Adds the row line to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_row(&self.prepared, self.order, PROGRAM, out);
    }

    /// Adds the row line of a record that can't be read to `out`.
    pub fn write_error(error: &ErrorLine<'_>, order: Order, out: &mut Vec<u8>) {
        write_error_row(error, order, PROGRAM, out);
    }
}

/// Prepares records, with their places.
struct RowWorker(PrepareWorker);

impl RecordWorker for RowWorker {
    type Answer = RecordRow;

    fn enter(&mut self, batch: &Batch) {
        self.0.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> RecordRow {
        let (source, parsed) = at.parse();
        let prepared = self.0.prepare(source, parsed);
        let is_bad = matches!(prepared, PreparedRecord::Rejected(_)) && self.0.has_moves();
        RecordRow { prepared, order: at.order(source.ordinal), is_bad }
    }
}
