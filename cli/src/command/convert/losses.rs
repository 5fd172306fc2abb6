//! What was lost on the way from one notation to another, counted and listed.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use tafl_parser::diagnostic::{DiagnosticKind, Loss};
use tafl_parser::{Code, Diagnostic, Format, Severity};

use crate::Io;
use crate::number::{Count, counted};
use crate::output::Output;
use taflbase::escape::escape;

/// A kind of loss, as it is summed up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    code: Code,
    /// What was lost, in words.
    pub(crate) words: String,
}

impl Kind {
    /// Returns the kind of a finding, and how many things it is about.
    pub(crate) fn of(diagnostic: &Diagnostic) -> (Kind, u64) {
        let code = diagnostic.code();
        let (words, count) = match &diagnostic.kind {
            DiagnosticKind::Loss(Loss::NotExpressible { what, count, .. }) => {
                (format!("left out: {what}"), u64::from(*count))
            }
            DiagnosticKind::Loss(Loss::Changed { what, count, .. }) => {
                (format!("changed: {what}"), u64::from(*count))
            }
            DiagnosticKind::Loss(Loss::NeedsRules { what, .. }) => {
                (format!("not known without the rules: {what}"), 1)
            }
            DiagnosticKind::Loss(Loss::IllegalTail { count }) => {
                ("written as they stand: moves that replay did not reach".to_owned(), u64::from(*count))
            }
            // Losses may get more kinds.
            DiagnosticKind::Loss(_)
            | DiagnosticKind::Text(_)
            | DiagnosticKind::Header(_)
            | DiagnosticKind::Rules(_)
            | DiagnosticKind::Legality(_)
            | DiagnosticKind::Capture(_)
            | DiagnosticKind::End(_)
            | DiagnosticKind::Play(_) => (code.name().to_owned(), 1),
        };
        (Kind { code, words }, count)
    }
}

/// How often something was lost.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    things: u64,
    games: u64,
}

/// What was lost in a run.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    games: u64,
    left_out: u64,
    sums: BTreeMap<Kind, Sum>,
}

impl Losses {
    /// Returns the number of games that were written.
    #[cfg(feature = "database")]
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Counts a game that was written.
    pub(crate) fn add_game(&mut self) {
        self.games += 1;
    }

    /// Counts a record of which nothing was written.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Counts a loss of a game.
    pub(crate) fn add(&mut self, kind: Kind, things: u64) {
        let sum = self.sums.entry(kind).or_default();
        sum.things += things;
        sum.games += 1;
    }

    /// Returns whether something could not be read or written that should have been.
    pub(crate) fn has_errors(&self) -> bool {
        let is_error = |kind: &Kind| kind.code.severity() == Severity::Error;
        self.left_out > 0 || self.sums.keys().any(is_error)
    }

    /// Returns what is said at the end: lines for people.
    pub(crate) fn summary(&self, format: Format) -> Vec<String> {
        let mut lines = vec![format!("{} written as {format}", counted(self.games, "game", "games"))];
        if self.left_out > 0 {
            lines.push(format!(
                "{} left out, see above",
                counted(self.left_out, "record was", "records were")
            ));
        }
        for (kind, sum) in &self.sums {
            lines.push(format!(
                "  {} {:<7} {} ({} in {})",
                kind.code,
                kind.code.severity(),
                kind.words,
                Count(sum.things),
                counted(sum.games, "game", "games")
            ));
        }
        lines
    }
}

/// The list of all losses.
pub(crate) enum Listing {
    /// Not asked for.
    None,
    /// On standard error.
    Stderr,
    /// In a file.
    File(Box<Output>),
}

impl Listing {
    /// Begins the list that `--losses` asks for.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be made.
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
    /// Fails when the file cannot be written.
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

    /// Puts the file into its place.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written to the end.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Listing::None | Listing::Stderr => Ok(()),
            Listing::File(output) => output.finish(),
        }
    }
}
