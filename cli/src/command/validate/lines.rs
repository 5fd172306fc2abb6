//! `tafl validate --format jsonl`: a line for each record.

use anyhow::bail;
use tafl_parser::ErrorLine;
use taflbase::records::ValidatedRecord;

use crate::args::records::ValidateArgs;
use crate::output::JsonLayout;
use crate::records::{AnswerLine, write_lines};
use crate::{Exit, Io, tally};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if an option needs more than one record, or an answer cannot be written.
pub(super) fn run(args: &ValidateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.request.limit.or(args.request.limit_per_code).is_some() || args.quarantine.is_some() {
        bail!(
            "--format jsonl answers every record; it can't be combined with --limit, --limit-per-code, or --quarantine"
        );
    }
    let fail_on = args.fail_on.severity();
    let line = |record: ValidatedRecord| AnswerLine::json(&record, record.level >= Some(fail_on));
    let reject = |error: &ErrorLine<'_>, _, out: &mut Vec<u8>| error.write(out);
    let (exit, summary) = write_lines(&args.request, JsonLayout::Lines, io, line, reject)?;
    let text = tally::to_text(&summary, io.error_style());
    io.notice(text.trim_end());
    Ok(exit)
}
