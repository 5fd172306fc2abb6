//! Diagnostics: errors, warnings, and notes about a record, each with a stable code, a message, and a help
//! page.
//!
//! A [`Diagnostic`] is a text span and a [`DiagnosticKind`]. The kinds are grouped into one enum per subject:
//! [`TextFinding`] (codes `T...`), [`HeaderFinding`] (`H`), [`RulesFinding`] (`R`), [`LegalityFinding`] (`L`),
//! [`CaptureFinding`] (`C`), [`EndFinding`] (`E`), [`PlayFinding`] (`P`), and [`LossFinding`] (`W`). Codes and names are
//! stable and are never reused.

mod capture;
mod end;
mod findings;
mod header;
mod legality;
mod loss;
mod play;
mod rules;
mod text;

use std::fmt;

use tafl_rules::{Span, word_list};

use crate::record::Record;

pub use capture::CaptureFinding;
pub use end::EndFinding;
pub(crate) use findings::Findings;
pub use findings::MAX_REPORTED;
pub use header::HeaderFinding;
pub use legality::LegalityFinding;
pub use loss::{LossFinding, Lost};
pub use play::{ClosestVariants, PlayFinding};
pub use rules::RulesFinding;
pub use text::TextFinding;

/// A parsed value and the diagnostics about its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// The value: everything that could be read.
    pub value: T,
    /// The diagnostics, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Parsed<T> {
    /// Returns a value without diagnostics.
    pub const fn clean(value: T) -> Parsed<T> {
        Parsed { value, diagnostics: Vec::new() }
    }
}

impl Parsed<Record> {
    /// Returns whether the record has errors and no moves: nothing of its game was read.
    pub fn is_unreadable(&self) -> bool {
        self.value.main().moves.is_empty()
            && self.diagnostics.iter().any(|found| found.severity() == Severity::Error)
    }
}

/// A diagnostic: a text span and a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The smallest part of the record's text that it is about.
    pub span: Span,
    /// The kind, with its details.
    pub kind: DiagnosticKind,
}

impl Diagnostic {
    /// Creates a diagnostic about a part of the text.
    #[cold]
    pub fn new(span: Span, kind: impl Into<DiagnosticKind>) -> Diagnostic {
        Diagnostic { span, kind: kind.into() }
    }

    /// Returns the stable code of the kind.
    pub fn code(&self) -> Code {
        self.kind.code()
    }

    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.code().severity()
    }

    /// Returns whether the record contradicts itself here: no rules make the move possible after the moves before it, so that the
    /// rest of the game is unknown.
    pub fn is_contradiction(&self) -> bool {
        matches!(self.kind, DiagnosticKind::Play(PlayFinding::ContradictsItself { .. }))
    }

    /// Returns a one-line message that names the offending part of the record's `text` and the expected
    /// value: lowercase, without a final period.
    pub fn message(&self, text: &str) -> String {
        let part = TextPart(self.span.of(text));
        match &self.kind {
            DiagnosticKind::Text(kind) => kind.message(part),
            DiagnosticKind::Header(kind) => kind.message(part),
            DiagnosticKind::Rules(kind) => kind.message(),
            DiagnosticKind::Legality(kind) => kind.message(part),
            DiagnosticKind::Capture(kind) => kind.message(part),
            DiagnosticKind::End(kind) => kind.message(part),
            DiagnosticKind::Play(kind) => kind.message(part),
            DiagnosticKind::Loss(kind) => kind.message(),
        }
    }
}

/// The kind of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// About the text.
    Text(TextFinding),
    /// About tags and other statements on the game as a whole.
    Header(HeaderFinding),
    /// About a rules string.
    Rules(RulesFinding),
    /// About an illegal move.
    Legality(LegalityFinding),
    /// About captures.
    Capture(CaptureFinding),
    /// About the end of the game and its result.
    End(EndFinding),
    /// About the course of play.
    Play(PlayFinding),
    /// About information that a target format cannot express.
    Loss(LossFinding),
}

impl DiagnosticKind {
    /// Returns the stable code of the kind.
    pub fn code(&self) -> Code {
        Code(match self {
            DiagnosticKind::Text(kind) => kind.page(),
            DiagnosticKind::Header(kind) => kind.page(),
            DiagnosticKind::Rules(kind) => kind.page(),
            DiagnosticKind::Legality(kind) => kind.page(),
            DiagnosticKind::Capture(kind) => kind.page(),
            DiagnosticKind::End(kind) => kind.page(),
            DiagnosticKind::Play(kind) => kind.page(),
            DiagnosticKind::Loss(kind) => kind.page(),
        })
    }
}

macro_rules! into_kind {
    ($($variant:ident($group:ident))*) => {$(
        impl From<$group> for DiagnosticKind {
            fn from(kind: $group) -> DiagnosticKind {
                DiagnosticKind::$variant(kind)
            }
        }
    )*};
}
into_kind! {
    Text(TextFinding) Header(HeaderFinding) Rules(RulesFinding) Legality(LegalityFinding)
    Capture(CaptureFinding) End(EndFinding) Play(PlayFinding) Loss(LossFinding)
}

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; the record is sound.
    Note,
    /// Doubtful: the record can be used, but part of it is incorrect.
    Warning,
    /// Wrong: part of the record was not read, or did not happen.
    Error,
}

impl Severity {
    /// Returns the severity in lowercase: `note`, `warning`, or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The stable code of a diagnostic, with its documentation. It is displayed as `L001`.
#[derive(Debug, Clone, Copy)]
pub struct Code(&'static Page);

impl Code {
    /// Returns all codes, by group and number.
    pub fn all() -> impl Iterator<Item = Code> {
        let groups = [
            text::PAGES,
            header::PAGES,
            rules::PAGES,
            legality::PAGES,
            capture::PAGES,
            end::PAGES,
            play::PAGES,
            loss::PAGES,
        ];
        groups.into_iter().flatten().map(|page| Code(page))
    }

    /// Finds a code by number (`L001`, in upper or lowercase) or by name (`illegal-move`).
    pub fn find(text: &str) -> Option<Code> {
        Code::all().find(|code| code.as_str().eq_ignore_ascii_case(text) || code.name() == text)
    }

    /// Returns the code as text: a letter and three digits.
    pub const fn as_str(self) -> &'static str {
        self.0.code
    }

    /// Returns the name: lowercase words joined by hyphens.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the severity.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// Returns one sentence of advice.
    pub const fn help(self) -> &'static str {
        self.0.help
    }

    /// Returns a short explanation: the meaning, an example, and the remedy.
    pub const fn explain(self) -> &'static str {
        self.0.explain
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for Code {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The documentation of a code.
#[derive(Debug)]
struct Page {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    help: &'static str,
    explain: &'static str,
}

/// Formats names as a list: `` `a`, `b`, or `c` `` with the word `or`.
fn listed(names: &[&str], word: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    word_list(&names, word)
}

/// A part of a text as shown in messages: on one line, cut after 40 characters.
#[derive(Clone, Copy)]
pub(crate) struct TextPart<'a>(pub(crate) &'a str);

impl fmt::Display for TextPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 40;
        f.write_str("`")?;
        for symbol in self.0.chars().take(MOST) {
            write!(f, "{}", if symbol.is_control() { ' ' } else { symbol })?;
        }
        f.write_str(if self.0.chars().nth(MOST).is_some() { "...`" } else { "`" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_well_formed() {
        let mut seen = std::collections::HashSet::new();
        for code in Code::all() {
            assert!(
                seen.insert(code.as_str()) && seen.insert(code.name()),
                "{code} or its name is used twice"
            );
            let (group, number) = code.as_str().split_at(1);
            assert!(
                "THRLCEPW".contains(group) && number.len() == 3 && number.parse::<u16>().is_ok(),
                "{code}"
            );
            assert!(code.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{code}");
            assert!(!code.help().is_empty() && code.explain().len() > 80, "{code} is too short");
        }
    }

    #[test]
    fn a_code_is_found_by_number_and_by_name() {
        assert_eq!(Code::find("l001").map(Code::name), Some("illegal-move"));
        assert_eq!(Code::find("result-mismatch").map(Code::as_str), Some("E001"));
        assert_eq!(Code::find("X999"), None);
    }

    #[test]
    fn a_message_names_the_text_on_one_short_line() {
        let text = format!("d1\nd3{}", "x".repeat(100));
        let finding = Diagnostic::new(Span::new(0, text.len()), TextFinding::BadMove);
        let message = finding.message(&text);
        assert!(message.starts_with("`d1 d3xxx") && message.contains("...`"), "{message}");
    }
}
