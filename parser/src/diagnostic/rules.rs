//! Findings about rules strings.

use tafl_rules::rulebook::CompileError;
use tafl_rules::text::ruleset::{RuleNoticeKind, RuleSetErrorKind};

use super::{Page, Severity};

/// What is wrong with, or worth knowing about, a rules string.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rules {
    /// It cannot be understood.
    Unreadable(RuleSetErrorKind),
    /// It was understood, and cannot be played.
    Unplayable(CompileError),
    /// It was understood, and something should be known.
    Notice(RuleNoticeKind),
    /// The record contradicts its rules, and would be right under others.
    RightUnder {
        /// The rules, as a name in the catalog; nothing where they have none.
        variant: Option<&'static str>,
        /// What would have to be different, in words; empty where a variant is meant as it stands.
        changes: Box<str>,
    },
}

impl Rules {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Rules::Unreadable(_) => &UNREADABLE,
            Rules::Unplayable(_) => &UNPLAYABLE,
            Rules::Notice(RuleNoticeKind::Unknown { .. }) => &UNKNOWN_KEY,
            Rules::Notice(RuleNoticeKind::RepetitionReversed { .. }) => &REVERSED,
            Rules::Notice(_) => &NOTICE,
            Rules::RightUnder { .. } => &RIGHT_UNDER,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            Rules::Unreadable(error) => error.to_string(),
            Rules::Unplayable(error) => error.to_string(),
            Rules::Notice(notice) => notice.to_string(),
            Rules::RightUnder { variant, changes } => {
                let rules = variant.map_or_else(|| "these rules".to_owned(), |name| format!("`{name}`"));
                match changes.is_empty() {
                    true => format!("the record would be right under {rules}"),
                    false => format!("the record would be right under {rules} with a change: {changes}"),
                }
            }
        }
    }
}

pub(super) static PAGES: &[&Page] =
    &[&UNREADABLE, &UNKNOWN_KEY, &REVERSED, &NOTICE, &UNPLAYABLE, &RIGHT_UNDER];

static UNREADABLE: Page = Page {
    code: "R001",
    name: "bad-rules",
    severity: Severity::Error,
    help: "`tafl rules explain` shows what a rules string says; the formats page lists all keys",
    explain: "The rules string of the record cannot be understood. A rules string begins with `dim:` and \
        the number of cells a side, has keys such as `esc:e`, and ends with `start:` and a position. \
        The message says what is wrong. Without rules the moves cannot be checked.",
};

static UNKNOWN_KEY: Page = Page {
    code: "R002",
    name: "unknown-rule-key",
    severity: Severity::Warning,
    help: "check the spelling; the formats page lists all keys",
    explain: "The rules string has a key that is not known, such as `escp:e`. It is kept when the rules \
        are written again, and has no effect on the game. If it was meant to change a rule, replay \
        will be wrong.",
};

static REVERSED: Page = Page {
    code: "R003",
    name: "reversed-repetition-key",
    severity: Severity::Note,
    help: "write `xrep:pos3win` or `xrep:pos3lose`, which can be read in one way only",
    explain: "OpenTafl's written notation says that with `tfr:w` the player wins who moves into the third \
        repetition, and with `tfr:l` he loses. OpenTafl's program does the opposite. Taflbase \
        follows what is written, keeps the letter, and can be told to read it as the program does.",
};

static NOTICE: Page = Page {
    code: "R004",
    name: "rules-notice",
    severity: Severity::Note,
    help: "see the message",
    explain: "Something about the rules string is worth knowing, though it was read without doubt. The \
        message says what.",
};

static UNPLAYABLE: Page = Page {
    code: "R005",
    name: "unplayable-rules",
    severity: Severity::Error,
    help: "`tafl rules explain` shows what a rules string says",
    explain: "The rules string can be read, but no game can be played by it: a side has two kings whose \
        capture loses, a side has no piece at all, or a rule for square boards is used on a hexagonal one.",
};

static RIGHT_UNDER: Page = Page {
    code: "R006",
    name: "right-under-other-rules",
    severity: Severity::Note,
    help: "`tafl infer` asks the same of many games, which tell more than one",
    explain: "The record contradicts the rules by which it was replayed, and would be right if a rule or two were \
        different, or under another variant from the same start. The message says which. That is no proof: \
        a single game may be right under many rules, and a slip of the pen can look like another rule. It \
        is said only where `tafl validate --attribute` asks for it.",
};
