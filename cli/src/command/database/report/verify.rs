//! `tafl report --verify`: compares the figures of a report with a new one.

use std::path::Path;

use anyhow::{Context, bail};
use clap::Parser;
use tafl_reports::StoredReport;
use tafl_rules::counted;
use taflbase::database::ReportAnswer;
use taflbase::escape::{escape, escape_path};

use super::make;
use crate::args::database::DatabaseCommand;
use crate::args::{Cli, Command};
use crate::{Exit, Io};

/// The maximum number of differences that are listed.
const MAX_SHOWN: usize = 40;

/// Reads a report, recreates it, and lists the figures that differ.
///
/// # Errors
///
/// Returns an error if the file is not a report, or the report cannot be made again.
pub(crate) fn run(file: &Path, corpus: Option<&Path>, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = || file.display().to_string();
    let bytes = std::fs::read(file).with_context(name)?;
    let stored = StoredReport::read(&String::from_utf8_lossy(&bytes)).with_context(name)?;
    let words = stored.command().with_context(name)?;
    let line = std::iter::once("tafl".to_owned()).chain(words.clone());
    let mut request = match Cli::try_parse_from(line).map(|cli| cli.command) {
        Ok(Command::Database(DatabaseCommand::Report(args))) if args.verify.is_none() => match args.command {
            Some(request) if args.target.output.is_none() => request,
            Some(_) | None => bail!("{}: the command stored in the report does not create a report", name()),
        },
        Ok(_) | Err(_) => bail!("{}: the command of the report is unknown to this version", name()),
    };
    if let Some(corpus) = corpus {
        request = request.with_sources(vec![corpus.to_owned()]);
    }
    let (ReportAnswer { mut report, .. }, _) = make(&request, io)?;
    // The command stays that of the report, even if the corpus has another path now.
    report.provenance.command = words;
    if let Some(program) = stored.program().filter(|program| *program != report.provenance.version) {
        io.notice(&format!(
            "the report was made by Taflbase {}, this is {}",
            escape(program),
            report.provenance.version
        ));
    }
    let differences = stored.differences(&report);
    if differences.is_empty() {
        io.print(&format!("{}: all figures are equal\n", escape_path(file)))?;
        return Ok(Exit::Ok);
    }
    let mut out = String::new();
    for difference in differences.iter().take(MAX_SHOWN) {
        let shown = |value: &Option<String>| value.as_deref().map_or_else(|| "nothing".to_owned(), escape);
        out += &format!(
            "{}: {} in the report, {} now\n",
            escape(&difference.place),
            shown(&difference.stored),
            shown(&difference.now)
        );
    }
    if differences.len() > MAX_SHOWN {
        out += &format!("... and {} more\n", differences.len() - MAX_SHOWN);
    }
    out += &format!(
        "{}: {}\n",
        escape_path(file),
        counted(differences.len() as u64, "difference", "differences")
    );
    io.print(&out)?;
    Ok(Exit::Findings)
}
