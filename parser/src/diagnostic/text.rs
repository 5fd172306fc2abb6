//! Findings about the text itself.

use super::{MOST_TOLD, Page, Severity, TextPart};

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Text {
    /// A word among the moves of the game that is no move.
    BadMove,
    /// A word that is no move beside the game: among the moves of a variation, or in place of a refused one.
    BadMoveAside,
    /// Text where nothing of that kind belongs.
    Stray,
    /// A bracket that is not closed.
    Unclosed {
        /// The opening bracket.
        bracket: char,
    },
    /// A move number that does not follow the one before.
    MoveNumber {
        /// The number that would follow.
        expected: u32,
    },
    /// The address of a variation that leads nowhere.
    BadAddress,
    /// A line of a table without the right number of columns.
    Columns {
        /// How many it has.
        found: u32,
        /// How many it should have.
        expected: u32,
    },
    /// JSON that cannot be read.
    Json,
    /// A JSON field that is needed and missing.
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// A value that the field does not know.
    BadValue {
        /// The field.
        field: &'static str,
        /// What would have been right.
        expected: &'static str,
    },
    /// JSON lines of a newer version than this program knows.
    Version {
        /// The newest known version.
        known: u32,
    },
    /// A log without any move or board.
    NoMoves,
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// Bytes that are no text at all.
    Binary,
    /// A record larger than the reader takes.
    TooLarge {
        /// The most bytes.
        limit: u64,
    },
    /// Compressed bytes that end or break too early.
    Truncated,
    /// A text whose notation nobody recognises.
    UnknownFormat,
    /// A file without any record.
    Empty,
    /// A part that stops in the middle, such as a board of a log without some of its rows.
    Incomplete {
        /// What is missing.
        missing: &'static str,
    },
    /// A line that should be a record line and holds no record that can be read.
    BadLine {
        /// Why not.
        why: Box<str>,
    },
    /// A record with more findings than are told.
    TooMany {
        /// How many there are.
        found: u32,
    },
}

impl Text {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Text::BadMove | Text::BadMoveAside => &BAD_MOVE,
            Text::Stray => &STRAY,
            Text::Unclosed { .. } => &UNCLOSED,
            Text::MoveNumber { .. } => &MOVE_NUMBER,
            Text::BadAddress => &BAD_ADDRESS,
            Text::Columns { .. } => &COLUMNS,
            Text::Json => &JSON,
            Text::MissingField { .. } => &MISSING_FIELD,
            Text::BadValue { .. } => &BAD_VALUE,
            Text::Version { .. } => &VERSION,
            Text::NoMoves => &NO_MOVES,
            Text::NotUtf8 => &NOT_UTF8,
            Text::Binary => &BINARY,
            Text::TooLarge { .. } => &TOO_LARGE,
            Text::Truncated => &TRUNCATED,
            Text::UnknownFormat => &UNKNOWN_FORMAT,
            Text::Empty => &EMPTY,
            Text::Incomplete { .. } => &INCOMPLETE,
            Text::BadLine { .. } => &BAD_LINE,
            Text::TooMany { .. } => &TOO_MANY,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            Text::BadMove | Text::BadMoveAside => {
                format!("{part} is no move such as `d1-d3` or `d1-d3xe3`")
            }
            Text::Stray => format!("{part} does not belong here and was left out"),
            Text::Unclosed { bracket } => format!("the `{bracket}` of {part} is never closed"),
            Text::MoveNumber { expected } => format!("move number {part} stands where {expected} should"),
            Text::BadAddress => format!("{part} leads to no move of this game"),
            Text::Columns { found, expected } => {
                format!("the line has {found} columns instead of {expected}")
            }
            Text::Json => format!("{part} cannot be read as JSON of this format"),
            Text::MissingField { field } => format!("the field `{field}` is missing"),
            Text::BadValue { field, expected } => {
                format!("{part} is no value of `{field}`; expected {expected}")
            }
            Text::Version { known } => {
                format!("version {part} is newer than {known}, the newest that is known")
            }
            Text::NoMoves => "the record has no moves".to_owned(),
            Text::NotUtf8 => "the text is no UTF-8; unreadable bytes were replaced".to_owned(),
            Text::Binary => "this is no text but binary data".to_owned(),
            Text::TooLarge { limit } => {
                format!("the record is larger than {} MiB and was skipped", limit >> 20)
            }
            Text::Truncated => "the compressed file breaks off; what could be read was kept".to_owned(),
            Text::UnknownFormat => "the notation of this text is not recognized".to_owned(),
            Text::Empty => "the file holds no record".to_owned(),
            Text::Incomplete { missing } => format!("{part} breaks off: {missing} is missing"),
            Text::BadLine { why } => why.to_string(),
            Text::TooMany { found } => {
                format!(
                    "the text of this record has {found} findings; the first {MOST_TOLD} and the first of each kind are told"
                )
            }
        }
    }
}

pub(super) static PAGES: &[&Page] = &[
    &BAD_MOVE,
    &STRAY,
    &UNCLOSED,
    &MOVE_NUMBER,
    &BAD_ADDRESS,
    &COLUMNS,
    &JSON,
    &MISSING_FIELD,
    &BAD_VALUE,
    &VERSION,
    &NO_MOVES,
    &NOT_UTF8,
    &BINARY,
    &TOO_LARGE,
    &TRUNCATED,
    &UNKNOWN_FORMAT,
    &EMPTY,
    &INCOMPLETE,
    &BAD_LINE,
    &TOO_MANY,
];

static BAD_MOVE: Page = Page {
    code: "T001",
    name: "bad-move",
    severity: Severity::Error,
    help: "write cells as letter and number, with a hyphen between: `d1-d3`, captures behind an `x`",
    explain: "A word stands where a move should, but it cannot be read as one. In `d1-d3 e5-z e4-e2` the \
        word `e5-z` has no second cell. The word is left out and reading goes on behind it, so that \
        the moves around it are kept; but the moves behind it will then often be illegal, because \
        one is missing. Correct the word, or ask `tafl repair` for what was probably meant.",
};

static STRAY: Page = Page {
    code: "T002",
    name: "stray-text",
    severity: Severity::Warning,
    help: "remove the text, or put it into a comment",
    explain: "Text stands between the parts of a record, where its notation has no place for any: a \
        sentence between two turns of an OpenTafl record, for example. It is left out. If it was \
        meant as a comment, put it into the brackets or braces that the notation has for comments.",
};

static UNCLOSED: Page = Page {
    code: "T003",
    name: "unclosed-bracket",
    severity: Severity::Error,
    help: "close the bracket",
    explain: "A tag or a comment begins with a bracket and the record ends before the bracket is closed, \
        as in `[event: Spring cup` at the end of a file. What stands behind the bracket up to the \
        end of the line, for a tag, or up to the end of the record, for a comment, is taken as its \
        text.",
};

static MOVE_NUMBER: Page = Page {
    code: "T004",
    name: "move-number",
    severity: Severity::Warning,
    help: "check whether a turn is missing or stands twice",
    explain: "The numbers of turns should rise by one. In `1. d1-d3 e5-e2 3. g1-g3` the second turn is \
        missing, or only its number is wrong. Moves are taken in the order in which they stand, \
        whatever their numbers say.",
};

static BAD_ADDRESS: Page = Page {
    code: "T005",
    name: "bad-address",
    severity: Severity::Error,
    help: "give the number and letter of the move that the variation replaces, then the variation's \
        number: `12b.1.1a.`",
    explain: "A variation of an OpenTafl record begins with an address: `12b.1.1a.` is turn 1, first move, \
        of the first variation that replaces the second move of turn 12. This address names a move \
        that the record does not have. The variation cannot be put anywhere and is left out.",
};

static COLUMNS: Page = Page {
    code: "T006",
    name: "column-count",
    severity: Severity::Warning,
    help: "write moves, two counts and the outcome: `d1-d3 e5-e2,0,0,Ongoing`",
    explain: "A line of the CSV archives has four columns: moves, captures made by attackers, captures \
        made by defenders, outcome. This line has another number of them. The moves are read all the \
        same.",
};

static JSON: Page = Page {
    code: "T007",
    name: "bad-json",
    severity: Severity::Error,
    help: "check quotes, commas and brackets at this place",
    explain: "The text should be JSON and is not, or not of the shape that this format has: a missing \
        quote, a comma too many, a number where words should be. What stood before that place is kept; the \
        records around it are not touched.",
};

static MISSING_FIELD: Page = Page {
    code: "T008",
    name: "missing-field",
    severity: Severity::Error,
    help: "add the field",
    explain: "A record in JSON lacks a field without which the rest cannot be understood, such as the list \
        of moves. What can be read without it is kept.",
};

static BAD_VALUE: Page = Page {
    code: "T009",
    name: "bad-value",
    severity: Severity::Error,
    help: "see the formats page for the values that the field can have",
    explain: "A field has a value that it cannot have, such as a word where a number belongs, or a result \
        that is no result. The value is left out and the rest of the record is kept.",
};

static VERSION: Page = Page {
    code: "T010",
    name: "newer-version",
    severity: Severity::Error,
    help: "read this file with the version of the program that wrote it, or a newer one",
    explain: "JSON lines written by Taflbase carry the version of their schema. This record has a version \
        that is newer than this program knows, so that something in it could be misunderstood. It is \
        not read.",
};

static NO_MOVES: Page = Page {
    code: "T011",
    name: "no-moves",
    severity: Severity::Note,
    help: "nothing needs to be done if the game was never played",
    explain: "A log has neither a move nor a board: the game was agreed but never played, or the log was cut off. \
        The record is valid; it is reported so that counts can be understood. Records of other notations \
        without moves, such as puzzles that show only a position, are not reported.",
};

static NOT_UTF8: Page = Page {
    code: "T012",
    name: "bad-encoding",
    severity: Severity::Warning,
    help: "save the file as UTF-8",
    explain: "The text holds bytes that are no UTF-8; probably it was saved in an older encoding such as \
        Latin-1. Moves are not affected. In names and comments the unreadable bytes were replaced by \
        a mark.",
};

static BINARY: Page = Page {
    code: "T013",
    name: "binary-data",
    severity: Severity::Error,
    help: "give a text file in UTF-8, or in UTF-16 with its mark; .gz and .zst are read as they are",
    explain: "The file begins with bytes that no text has. Perhaps it is a PDF, an image, a database, or \
        compressed in a way that this program does not read: it reads gzip and Zstandard. A text in \
        UTF-16 is read where it begins with the mark of that encoding, as editors write it; without the \
        mark, save it as UTF-8. Nothing of the file was read.",
};

static TOO_LARGE: Page = Page {
    code: "T014",
    name: "record-too-large",
    severity: Severity::Error,
    help: "check whether the file is in the notation that it was read as",
    explain: "A single record is larger than the reader holds in memory, for example a file of one line of \
        a gigabyte. No game is that long: most likely the text is in another notation, or no record \
        at all. The record was skipped and reading went on behind it.",
};

static TRUNCATED: Page = Page {
    code: "T015",
    name: "truncated-file",
    severity: Severity::Error,
    help: "copy or download the file again",
    explain: "A compressed file ends or breaks before its end, as after an interrupted download. \
        Everything before the break was read; the last record may be cut short.",
};

static UNKNOWN_FORMAT: Page = Page {
    code: "T016",
    name: "unknown-format",
    severity: Severity::Error,
    help: "name the notation with `--as`, such as `--as movelist`; of a copied text, keep the moves only",
    explain: "The text looks like none of the notations that are known. If you know which one it is in, \
        say so with `--as`, for example `--as movelist`. Of a text that was copied from a page or a letter, \
        keep the moves only, such as `1. d1-d3 e5-e2`: lines before them that begin with `#` are comments. \
        Nothing of the file was read.",
};

static EMPTY: Page = Page {
    code: "T017",
    name: "empty-file",
    severity: Severity::Warning,
    help: "check whether this is the right file",
    explain: "The file holds nothing, or only blank lines. An empty file is no error of notation, but hardly what \
        was wanted.",
};

static INCOMPLETE: Page = Page {
    code: "T018",
    name: "incomplete",
    severity: Severity::Warning,
    help: "look into the source of the record for the rest",
    explain: "A part of the record is missing: some rows of a board in a log, for example, or the move before a \
        board that differs from the last one. What was complete is kept.",
};

static BAD_LINE: Page = Page {
    code: "T019",
    name: "bad-record-line",
    severity: Severity::Error,
    help: "see the formats page for what a record line has",
    explain: "The stream is one of record lines, each a JSON object with the text of a record and its place, and \
        this line is none of them: it is empty, broken, of a newer version, names a notation or rules that are \
        not known, or says itself that the record could not be had. Nothing of the line is used; the lines \
        around it are not touched, and the answers keep their order.",
};

static TOO_MANY: Page = Page {
    code: "T020",
    name: "too-many-findings",
    severity: Severity::Warning,
    help: "check whether the file is in the notation that it was read as",
    explain: "The text of a single record is wrong in more than a thousand places. No game is written so badly: \
        most likely it is in another notation, or no record at all. The first thousand findings are told and, of \
        the others, the first of each kind, so that a broken file neither fills memory nor buries what else was \
        found.",
};
