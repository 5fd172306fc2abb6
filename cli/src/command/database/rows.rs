//! `tafl rows`: records as the rows of a corpus, a line each.

use tafl_corpus::ingest::{Prepared, Preparer};
use tafl_corpus::row_line::{schema, write_error, write_row};
use tafl_parser::reader::{Batch, ErrorLine, Order};
use tafl_parser::{Parsed, Record, Source};

use super::import::hands::Hands;
use crate::args::database::rows::RowsArgs;
use crate::clerk::{self, Clerk};
use crate::pipeline::Plan;
use crate::referee::Terms;
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
    let terms = Terms::new(&args.input.variant, io)?;
    let plan = Plan::new(&args.input, io);
    Ok(clerk::run(&plan, io, || Hands { referee: terms.referee(), preparer: Preparer::default() })?.exit)
}

impl Clerk for Hands<'_> {
    fn enter(&mut self, batch: &Batch) {
        self.referee.enter_batch(batch);
    }

    fn answer(
        &mut self,
        source: Source<'_>,
        parsed: Parsed<Record>,
        order: Order,
        out: &mut Vec<u8>,
    ) -> Exit {
        let (prepared, has_moves) = self.prepare(source, parsed);
        write_row(&prepared, order, PROGRAM, out);
        match prepared {
            // That a game was never played is no fault of its record.
            Prepared::Rejected(_) if has_moves => Exit::Findings,
            Prepared::Rejected(_) | Prepared::Game(_) => Exit::Ok,
        }
    }

    fn refuse(&self, error: &ErrorLine<'_>, order: Order, out: &mut Vec<u8>) {
        write_error(error, order, PROGRAM, out);
    }
}
