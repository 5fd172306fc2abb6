//! `tafl validate --format jsonl`: a line for each record.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::bail;
use tafl_parser::reader::ErrorLine;
use taflbase::records::{RecordReader, RecordWorker, ReplayConfig, ValidateWorker, ValidationSummary};

use crate::args::records::ValidateArgs;
use crate::records::{AnswerLine, write_lines};
use crate::{Exit, Io, tally};

/// Runs the command.
///
/// # Errors
///
/// Fails when something is asked for that needs more than one record, or an answer cannot be written.
pub(super) fn run(
    args: &ValidateArgs,
    config: &Arc<ReplayConfig>,
    reader: &RecordReader<'_>,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    if args.limit.is_some() || args.quarantine.is_some() {
        bail!(
            "with --format jsonl every record is answered for itself; --limit and --quarantine are for text and json"
        );
    }
    let summary = Mutex::new(ValidationSummary::default());
    let lock = || summary.lock().unwrap_or_else(PoisonError::into_inner);
    let fail_on = args.fail_on.severity();
    let worker = || {
        ValidateWorker::new(config, false).map(|record| {
            lock().add(record.notation, &record.check);
            let mut text = serde_json::to_vec(&record).expect("an answer has only strings and numbers");
            text.push(b'\n');
            AnswerLine { text, is_bad: record.check.worst() >= Some(fail_on) }
        })
    };
    let (exit, counts) = write_lines(reader, io, worker, |error, _, out| ErrorLine::write(error, out))?;
    lock().files = counts.files;
    let text = tally::to_text(&lock(), io.error_style());
    io.notice(text.trim_end());
    Ok(exit)
}
