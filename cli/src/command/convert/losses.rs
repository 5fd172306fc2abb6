//! The losses of a conversion: the totals as text, and the list as JSON.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use tafl_parser::Format;
use tafl_rules::{Count, counted};
use taflbase::escape::escape;
use taflbase::records::ConvertSummary;

use crate::Io;
use crate::output::Output;

/// Returns the totals as lines of text.
pub(crate) fn to_text(summary: &ConvertSummary, to: Format) -> Vec<String> {
    let mut lines = vec![format!("{} written as {to}", counted(summary.games, "game", "games"))];
    if summary.left_out > 0 {
        let records = counted(summary.left_out, "record", "records");
        lines.push(format!("{records} not written, see above"));
    }
    for (kind, sum) in &summary.losses {
        lines.push(format!(
            "  {} {:<7} {} ({} in {})",
            kind.code,
            kind.code.severity(),
            kind.what,
            Count(sum.count),
            counted(sum.games, "game", "games")
        ));
    }
    lines
}

/// The target of the list of losses.
pub(crate) enum Listing {
    /// No list was requested.
    None,
    /// On standard error.
    Stderr,
    /// In a file.
    File(Box<Output>),
}

impl Listing {
    /// Creates the target of `--losses`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be made.
    pub(crate) fn new(path: Option<&Path>) -> anyhow::Result<Listing> {
        match path {
            None => Ok(Listing::None),
            Some(path) if path.as_os_str() == "-" => Ok(Listing::Stderr),
            Some(path) => {
                let output =
                    Output::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
                Ok(Listing::File(Box::new(output)))
            }
        }
    }

    /// Adds lines of JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub(crate) fn write(&mut self, io: &mut Io<'_>, lines: &str) -> io::Result<()> {
        match self {
            Listing::None => Ok(()),
            Listing::Stderr => {
                lines.lines().for_each(|line| io.notice_always(&escape(line)));
                Ok(())
            }
            Listing::File(output) => output.write_all(lines.as_bytes()),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written to the end.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Listing::None | Listing::Stderr => Ok(()),
            Listing::File(output) => output.finish(),
        }
    }
}
