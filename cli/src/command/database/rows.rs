//! `tafl rows`: records as the rows of a corpus, a line each.

use tafl_corpus::ingest::Prepared;
use tafl_corpus::row_line::{schema, write_error, write_row};
use tafl_parser::reader::Batch;
use taflbase::database::PrepareWorker;
use taflbase::records::{RecordAt, RecordWorker};

use crate::args::database::rows::RowsArgs;
use crate::records::{self, AnswerLine, write_lines};
use crate::{Exit, Io};

/// The version of the program, which lines say.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, or an answer cannot be written.
pub(crate) fn run(args: &RowsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.schema {
        io.print(&schema())?;
        return Ok(Exit::Ok);
    }
    let config = records::replay_config(&args.input.variant, io)?;
    let reader = records::open(&args.input, io);
    let worker = || Rows(PrepareWorker::new(&config));
    Ok(write_lines(&reader, io, worker, |error, order, out| write_error(error, order, PROGRAM, out))?.0)
}

/// Writes records as rows.
struct Rows(PrepareWorker);

impl RecordWorker for Rows {
    type Answer = AnswerLine;

    fn enter(&mut self, batch: &Batch) {
        self.0.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> AnswerLine {
        let (source, parsed) = at.parse();
        let prepared = self.0.prepare(source, parsed);
        let mut text = Vec::new();
        write_row(&prepared, at.order(source.ordinal), PROGRAM, &mut text);
        // That a game was never played is no fault of its record.
        AnswerLine { text, is_bad: matches!(prepared, Prepared::Rejected(_)) && self.0.has_moves() }
    }
}
