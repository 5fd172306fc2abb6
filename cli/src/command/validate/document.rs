//! Formats of findings: text and JSON.

use tafl_rules::counted;
use taflbase::json_text;
use taflbase::records::{FindingLine, ValidationSummary};

use crate::io::ColorMode;
use crate::{Exit, records, tally};

/// A format of findings: the texts before, between, and after them.
pub(super) trait FindingDocument: Sync {
    /// Returns the text before the findings.
    fn begin(&self) -> String {
        String::new()
    }

    /// Returns the text between two findings.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Returns the text of a finding. It is called on the threads that check the records.
    fn finding(&self, line: &FindingLine<'_>) -> String;

    /// Returns the text after the findings.
    fn end(&self, run: &FinishedRun<'_>) -> String;
}

/// The result of a run, after its last finding.
pub(super) struct FinishedRun<'r> {
    /// The counts.
    pub(super) summary: &'r ValidationSummary,
    /// The number of findings that were not shown.
    pub(super) hidden: u64,
    /// The inputs that could not be read, with the reason.
    pub(super) unread: &'r [String],
    /// The exit of the program.
    pub(super) exit: Exit,
}

impl FinishedRun<'_> {
    /// Returns the sentence about findings that were not shown, if there are any.
    pub(super) fn hidden_text(&self) -> Option<String> {
        let more = counted(self.hidden, "more finding", "more findings");
        (self.hidden > 0).then(|| format!("{more} not shown"))
    }
}

/// Text with source lines, and a table of counts.
pub(super) struct TextFindings {
    /// Whether there are colors.
    pub(super) style: ColorMode,
}

impl FindingDocument for TextFindings {
    fn finding(&self, line: &FindingLine<'_>) -> String {
        let mut out = String::new();
        records::write_finding(line, self.style, &mut out);
        out.push('\n');
        out
    }

    fn end(&self, run: &FinishedRun<'_>) -> String {
        let mut out = run.hidden_text().map(|text| format!("{text}\n\n")).unwrap_or_default();
        out.push_str(&tally::to_text(run.summary, self.style));
        out
    }
}

/// One JSON object with findings and summary.
pub(super) struct JsonFindings;

impl FindingDocument for JsonFindings {
    fn begin(&self) -> String {
        "{\"findings\":[".to_owned()
    }

    fn separator(&self) -> &'static str {
        ",\n"
    }

    fn finding(&self, line: &FindingLine<'_>) -> String {
        let mut out = String::new();
        line.write_json(&mut out);
        out
    }

    fn end(&self, run: &FinishedRun<'_>) -> String {
        format!("],\n\"summary\":{}}}\n", json_text(run.summary))
    }
}
