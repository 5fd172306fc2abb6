//! `tafl rows`: records as the rows of a corpus, a line each.

use tafl_corpus::row_schema;
use taflbase::database::RecordRow;

use crate::args::database::rows::RowsArgs;
use crate::output::JsonLayout;
use crate::records::{AnswerLine, write_lines};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or an answer cannot be written.
pub(crate) fn run(args: &RowsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.schema {
        io.print(&row_schema())?;
        return Ok(Exit::Ok);
    }
    let line = |row: RecordRow| {
        let mut text = Vec::new();
        row.write(&mut text);
        AnswerLine { text, is_bad: row.is_bad }
    };
    Ok(write_lines(&args.request, JsonLayout::Lines, io, line, RecordRow::write_error)?.0)
}
