//! Findings about what a record says of the game as a whole.

use tafl_rules::text::setup::SetupErrorKind;

use super::{Page, Severity, TextPart};

/// What is wrong with a header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Header {
    /// A value that its tag does not know.
    BadTag {
        /// The tag.
        tag: &'static str,
        /// What would have been right.
        expected: &'static str,
    },
    /// The same tag twice.
    Duplicate,
    /// A statement that the moves or the rules contradict.
    Contradiction {
        /// What the statement is about: `first mover` or `start`.
        about: &'static str,
    },
    /// A variant that nobody knows.
    UnknownVariant,
    /// Other tags behind the rules tag of an OpenTafl record.
    RulesNotLast,
    /// A position that does not fit its board.
    BadSetup(SetupErrorKind),
    /// A variant's name beside other rules.
    OtherRules,
    /// No rules and no variant; the moves fit a variant of the catalog.
    Guessed {
        /// The name of the variant.
        variant: &'static str,
    },
    /// A record that begins in the middle of a game.
    BeginningMissing,
    /// Another edition of the variant: another start, or other options.
    OtherEdition {
        /// What differs: `start`, or options as a rules string has them.
        differs: &'static str,
    },
}

impl Header {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Header::BadTag { .. } => &BAD_TAG,
            Header::Duplicate => &DUPLICATE,
            Header::Contradiction { .. } => &CONTRADICTION,
            Header::UnknownVariant => &UNKNOWN_VARIANT,
            Header::RulesNotLast => &RULES_NOT_LAST,
            Header::BadSetup(_) => &BAD_SETUP,
            Header::OtherRules => &OTHER_RULES,
            Header::Guessed { .. } => &GUESSED,
            Header::BeginningMissing => &BEGINNING,
            Header::OtherEdition { .. } => &OTHER_EDITION,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            Header::BadTag { tag, expected } => format!("{part} is no value of `{tag}`; expected {expected}"),
            Header::Duplicate => format!("{part} is said a second time"),
            Header::Contradiction { about: "start" } => {
                format!("{part} cannot be the start by the rules, which have one of their own")
            }
            Header::Contradiction { about } => format!("{part} ({about}) is contradicted by the moves"),
            Header::UnknownVariant => format!("{part} is no variant that the catalog has"),
            Header::RulesNotLast => "the rules tag should be the last tag".to_owned(),
            Header::BadSetup(error) => error.to_string(),
            Header::OtherRules => format!("the variant {part} has other rules than the record"),
            Header::BeginningMissing => {
                format!("{part} is impossible so soon after the start: the beginning of the game is missing")
            }
            Header::OtherEdition { differs: "start" } => {
                "the moves fit only another start of the variant".to_owned()
            }
            Header::OtherEdition { differs } => {
                format!("the moves fit only another edition of the variant: `{differs}`")
            }
            Header::Guessed { variant } => format!("the record names no variant; read as `{variant}`"),
        }
    }
}

pub(super) static PAGES: &[&Page] = &[
    &BAD_TAG,
    &DUPLICATE,
    &CONTRADICTION,
    &UNKNOWN_VARIANT,
    &RULES_NOT_LAST,
    &BAD_SETUP,
    &OTHER_RULES,
    &GUESSED,
    &BEGINNING,
    &OTHER_EDITION,
];

static BAD_TAG: Page = Page {
    code: "H001",
    name: "bad-tag",
    severity: Severity::Warning,
    help: "see the formats page for the values that the tag can have",
    explain: "A tag or a field of the header has a value that cannot be understood, such as \
        `[result:white]` where OpenTafl has 1, 0, -1 and ?. The value is kept as it is written and \
        has no effect.",
};

static DUPLICATE: Page = Page {
    code: "H002",
    name: "duplicate-tag",
    severity: Severity::Warning,
    help: "keep one of the two",
    explain: "The same statement stands twice in the header. The first one counts, both are kept.",
};

static CONTRADICTION: Page = Page {
    code: "H003",
    name: "header-contradiction",
    severity: Severity::Warning,
    help: "find out which of the two is right",
    explain: "The header says something that the rest of the record contradicts: that the attackers move first, \
        for example, when the first move is made by a defender, or a start that is not for the board of \
        the rules. The moves and the rules count.",
};

static UNKNOWN_VARIANT: Page = Page {
    code: "H004",
    name: "unknown-variant",
    severity: Severity::Error,
    help: "name the variant with `--variant`, or give the rules with `--rules`",
    explain: "The record names a variant that the catalog does not have. Its moves were read, but nothing \
        could be checked. `tafl rules list` shows all names and aliases.",
};

static RULES_NOT_LAST: Page = Page {
    code: "H005",
    name: "rules-tag-not-last",
    severity: Severity::Note,
    help: "put the rules tag behind all other tags",
    explain: "OpenTafl expects the rules tag behind all other tags. This record has other tags behind it. \
        Taflbase reads them in any order; OpenTafl may not.",
};

static BAD_SETUP: Page = Page {
    code: "H006",
    name: "bad-position",
    severity: Severity::Error,
    help: "give a row for every rank, rank 1 first, and in each row as many cells as the board has",
    explain: "A position record does not fit its board: a row is longer or shorter than a rank, a letter \
        stands for no piece, or there are too few rows. `/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/` is a \
        position on a board of seven ranks. The message names the rank and the column.",
};

static OTHER_RULES: Page = Page {
    code: "H008",
    name: "variant-contradicts-rules",
    severity: Severity::Warning,
    help: "remove one of the two",
    explain: "The record names a variant and gives a rules string, and the two do not say the same. The \
        rules string counts.",
};

static GUESSED: Page = Page {
    code: "H009",
    name: "variant-guessed",
    severity: Severity::Note,
    help: "name the variant with `--variant` if it is another one",
    explain: "The record does not say which rules it was played by, nor does the file's name mention a variant. The \
        variants of the catalog whose board it fits were tried, and the first under which the record has the \
        fewest errors was taken.",
};

static BEGINNING: Page = Page {
    code: "H010",
    name: "beginning-missing",
    severity: Severity::Error,
    help: "find the moves before the first one, or give the position with which the record begins",
    explain: "The first or second move of the record begins on an empty cell, or moves a piece of the wrong \
        side, or cannot go where it goes, and no repair makes the others legal: the record begins in the \
        middle of a game, or goes on from a position that it does not give. Nothing behind that move can \
        be checked.",
};

static OTHER_EDITION: Page = Page {
    code: "H011",
    name: "other-edition",
    severity: Severity::Note,
    help: "nothing needs to be done",
    explain: "The variant was played under the same name from more than one start, or its rules were changed \
        while people played it, and the record does not say which holds. The first edition of the \
        catalog does not fit the moves; another one does, and was taken.",
};
