//! `tafl verify`: whether a corpus is as it was written.

use serde::Serialize;
use tafl_corpus::CorpusError;
use tafl_corpus::verify::{Depth, Report, verify};

use crate::args::database::corpus::VerifyArgs;
use crate::args::rules::TextFormat;
use crate::number::{Count, counted};
use crate::{Exit, Io};
use taflbase::escape::escape;

/// The fields in this order are the JSON object; their names are an interface.
#[derive(Serialize)]
struct Json {
    files: u64,
    bytes: u64,
    games: u64,
    faults: Vec<String>,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when there is no corpus, or one of a newer version.
pub(crate) fn run(args: &VerifyArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let depth = if args.deep { Depth::Meaning } else { Depth::Files };
    let report = match verify(&args.corpus, depth) {
        // A damaged manifest is what was asked for, too.
        Err(fault @ CorpusError::Damaged { .. }) => Report { faults: vec![fault], ..Report::default() },
        other => other?,
    };
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    let is_fine = faults.is_empty();
    match args.format {
        TextFormat::Json => {
            let json = Json { files: report.files, bytes: report.bytes, games: report.games, faults };
            io.print(&(serde_json::to_string(&json).expect("a report has only texts and numbers") + "\n"))?;
        }
        TextFormat::Text => {
            for fault in &faults {
                io.print(&format!("{}\n", escape(fault)))?;
            }
            let files = counted(report.files, "file", "files");
            let bytes = counted(report.bytes, "byte", "bytes");
            let games =
                if args.deep { format!(", {} games played", Count(report.games)) } else { String::new() };
            let verdict = if is_fine {
                "no damage".to_owned()
            } else {
                counted(faults.len() as u64, "fault", "faults")
            };
            io.print(&format!("{files}, {bytes}{games}: {verdict}\n"))?;
        }
    }
    Ok(if is_fine { Exit::Ok } else { Exit::Findings })
}
