//! Diagnostics about rules strings.

use tafl_rules::{CompileError, RuleNoticeKind, RuleSetErrorKind};

use super::{Page, Severity};

/// Errors and oddities in a rules string.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesFinding {
    /// The string cannot be parsed.
    Unreadable(RuleSetErrorKind),
    /// The string was parsed, but no game can be played by these rules.
    Unplayable(CompileError),
    /// The string was parsed, with a notice.
    Notice(RuleNoticeKind),
    /// The record contradicts its rules, but would be sound under other ones.
    RightUnder {
        /// The name of the variant in the catalog, or `None` for rules without a name.
        variant: Option<&'static str>,
        /// The changes to the rules, in words; empty if the variant applies without changes.
        changes: Box<str>,
    },
}

impl RulesFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            RulesFinding::Unreadable(_) => &UNREADABLE,
            RulesFinding::Unplayable(_) => &UNPLAYABLE,
            RulesFinding::Notice(RuleNoticeKind::Unknown { .. }) => &UNKNOWN_KEY,
            RulesFinding::Notice(RuleNoticeKind::RepetitionReversed { .. }) => &REVERSED,
            RulesFinding::Notice(_) => &NOTICE,
            RulesFinding::RightUnder { .. } => &RIGHT_UNDER,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            RulesFinding::Unreadable(error) => error.to_string(),
            RulesFinding::Unplayable(error) => error.to_string(),
            RulesFinding::Notice(notice) => notice.to_string(),
            RulesFinding::RightUnder { variant, changes } => {
                let rules = variant.map_or_else(|| "these rules".to_owned(), |name| format!("`{name}`"));
                if changes.is_empty() {
                    format!("the record would be sound under {rules}")
                } else {
                    format!("the record would be sound under {rules} with a change: {changes}")
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
    help: "`tafl rules explain` shows the meaning of a rules string; FORMATS.md lists all keys",
    explain: "The rules string of the record cannot be parsed. A rules string begins with `dim:` and the \
        number of cells per side, has keys such as `esc:e`, and ends with `start:` and a position. The \
        message names the error. Without rules the moves cannot be checked.",
};

static UNKNOWN_KEY: Page = Page {
    code: "R002",
    name: "unknown-rule-key",
    severity: Severity::Warning,
    help: "check the spelling; FORMATS.md lists all keys",
    explain: "The rules string has an unknown key, such as `escp:e`. The key is kept when the rules are \
        written again, and has no effect on the game. If it was meant to change a rule, replay will be \
        wrong.",
};

static REVERSED: Page = Page {
    code: "R003",
    name: "reversed-repetition-key",
    severity: Severity::Note,
    help: "write `xrep:pos3win` or `xrep:pos3lose`, which are unambiguous",
    explain: "According to OpenTafl's notation, `tfr:w` makes the player who moves into the third \
        repetition win, and `tfr:l` makes that player lose. OpenTafl's program does the opposite. Taflbase \
        follows the written notation and keeps the letter; an option makes it read the key as the program \
        does.",
};

static NOTICE: Page = Page {
    code: "R004",
    name: "rules-notice",
    severity: Severity::Note,
    help: "see the message",
    explain: "The rules string was read without ambiguity, but something about it is worth knowing. The \
        message states what.",
};

static UNPLAYABLE: Page = Page {
    code: "R005",
    name: "unplayable-rules",
    severity: Severity::Error,
    help: "`tafl rules explain` shows the meaning of a rules string",
    explain: "The rules string can be parsed, but no game can be played by it: for example, a side has two \
        kings whose capture loses, a side has no pieces at all, or a rule for square boards is used on a \
        hexagonal one.",
};

static RIGHT_UNDER: Page = Page {
    code: "R006",
    name: "right-under-other-rules",
    severity: Severity::Note,
    help: "`tafl infer` checks the same for many games, which is stronger evidence than one game",
    explain: "The record contradicts the rules by which it was replayed, but would be sound if one or two \
        rules were different, or under another variant. The message names them. This is \
        not proof: a single game may be sound under many rules, and a typing error can look like a \
        different rule. It is reported only by `tafl validate --attribute`.",
};
