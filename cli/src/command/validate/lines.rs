//! `tafl validate --format jsonl`: a line for each record, with everything that is to be said about it.

use std::sync::{Mutex, PoisonError};

use anyhow::bail;
use serde_json::json;
use tafl_parser::reader::{Batch, Order};
use tafl_parser::record::tag;
use tafl_parser::replay::Soundness;
use tafl_parser::{Format, Parsed, Record, Severity, Source};

use crate::args::records::ValidateArgs;
use crate::clerk::{self, Clerk};
use crate::command::replay::line::write_findings;
use crate::pipeline::Plan;
use crate::referee::{Referee, Terms};
use crate::tally::Tally;
use crate::{Exit, Io};

/// The version of the lines.
const VERSION: u32 = 1;

/// Runs the command.
///
/// # Errors
///
/// Fails when something is asked for that needs more than one record, or an answer cannot be written.
pub(super) fn run(args: &ValidateArgs, terms: &Terms, plan: &Plan, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.limit.is_some() || args.quarantine.is_some() {
        bail!(
            "with --format jsonl every record is answered for itself; --limit and --quarantine are for text and json"
        );
    }
    let tally = Mutex::new(Tally::default());
    let fail_on = args.fail_on.severity();
    let done =
        clerk::run(plan, io, || Checks { referee: terms.referee(), tally: &tally, fail_on, format: None })?;
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.files = done.files;
    let text = tally.to_text(io.error_style());
    io.notice(text.trim_end());
    Ok(done.exit)
}

/// What a thread works with.
struct Checks<'t> {
    referee: Referee<'t>,
    tally: &'t Mutex<Tally>,
    /// From which severity on a finding counts as something wrong.
    fail_on: Severity,
    /// The notation of the present batch.
    format: Option<Format>,
}

impl Clerk for Checks<'_> {
    fn enter(&mut self, batch: &Batch) {
        self.format = batch.format();
        self.referee.enter_batch(batch);
    }

    fn answer(&mut self, source: Source<'_>, parsed: Parsed<Record>, _: Order, out: &mut Vec<u8>) -> Exit {
        let judged = self.referee.judge(parsed);
        let tally = judged.tally();
        let worst = tally.worst();
        let verdict = match judged.verdict {
            Soundness::Sound => "sound",
            Soundness::Explained(_) => "explained",
            Soundness::Unexplained(_) => "unexplained",
        };
        let head = json!({
            "taflbase_validation": VERSION,
            "file": source.name,
            "game": source.ordinal,
            "place": source.line,
            "id": judged.record.tag(tag::ID),
            "format": judged.record.format.name(),
            "variant": judged.variant(),
            "moves": tally.moves,
            "plies": tally.plies,
            "verdict": verdict,
            "worst": worst.map(Severity::word),
        });
        let mut head = head.to_string();
        // The findings follow in the same object.
        head.truncate(head.len() - 1);
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(b",\"findings\":");
        write_findings(source, &judged, out);
        out.extend_from_slice(b"}\n");
        if let Some(format) = self.format {
            self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(format, &tally);
        }
        if worst >= Some(self.fail_on) { Exit::Findings } else { Exit::Ok }
    }
}
