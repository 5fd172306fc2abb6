//! Findings as workflow commands of GitHub Actions, which annotate lines: `::error file=games/a.csv,line=3::message`.

use tafl_parser::Severity;
use tafl_rules::counted;
use taflbase::records::FindingLine;

use super::document::{FindingDocument, FinishedRun};
use super::place::{MarkedColumns, WorkingFolder, message_in_record};

/// One command per finding, and one for the summary.
///
/// Every line that is printed is a command: the runner also obeys commands in other lines, which could come from a record.
pub(super) struct GithubFindings {
    folder: WorkingFolder,
}

impl GithubFindings {
    /// Creates the format for the working folder, which is that of the repository in a workflow.
    pub(super) fn new() -> GithubFindings {
        GithubFindings { folder: WorkingFolder::current() }
    }
}

impl FindingDocument for GithubFindings {
    fn finding(&self, line: &FindingLine<'_>) -> String {
        let finding = &line.finding;
        let command = match finding.level {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let file = self.folder.relative(&line.file).unwrap_or_else(|| line.file.clone().into_owned());
        let mut out = format!("::{command} file={},line={}", property(&file), finding.line);
        if let Some(MarkedColumns { start, end, .. }) = MarkedColumns::of(line) {
            // GitHub accepts columns only if the annotation ends in the line in which it begins.
            out.push_str(&format!(",endLine={},col={start},endColumn={end}", finding.line));
        }
        let title = property(&format!("{} {}", finding.code, finding.name));
        let text = data(&format!("{}\nhelp: {}", message_in_record(line), finding.help));
        out.push_str(&format!(",title={title}::{text}\n"));
        out
    }

    fn end(&self, run: &FinishedRun<'_>) -> String {
        let games = &run.summary.games;
        let mut text = format!(
            "{} in {}: {} sound, {} with warnings, {} with errors",
            counted(games.games, "game", "games"),
            counted(run.summary.files, "file", "files"),
            games.sound,
            games.with_warnings,
            games.with_errors
        );
        if let Some(hidden) = run.hidden_text() {
            text.push_str(&format!("; {hidden}"));
        }
        let mut out = String::new();
        for unread in run.unread {
            out.push_str(&format!("::error title=tafl validate::{}\n", data(unread)));
        }
        out.push_str(&format!("::notice title=tafl validate::{}\n", data(&text)));
        out
    }
}

/// Returns the text of a command, in which the runner decodes these characters.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns the value of a property, which also ends at a colon and a comma.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
