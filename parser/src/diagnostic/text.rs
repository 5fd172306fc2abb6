//! Diagnostics about the text itself.

mod pages;

use tafl_rules::counted;

use super::{MAX_REPORTED, Page, TextPart};
use crate::record::Format;

pub(super) use pages::PAGES;

/// Errors and oddities in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFinding {
    /// A word among the moves of the game that is not a move.
    BadMove,
    /// A word that is not a move outside the main line: in a variation, or in place of a refused move.
    BadMoveAside,
    /// A captured cell in place of the cell to which the piece moves, as in `e5xd4`.
    NoTarget,
    /// Text in a place where the notation allows none.
    Stray,
    /// A bracket that is never closed.
    Unclosed {
        /// The opening bracket.
        bracket: char,
    },
    /// A line in brackets among the tags that is not a tag.
    NotATag,
    /// A move number out of sequence.
    MoveNumber {
        /// The expected number.
        expected: u32,
    },
    /// A variation address that matches no move.
    BadAddress,
    /// A table row with the wrong number of columns.
    Columns {
        /// The number of columns in the row.
        found: u32,
        /// The expected number of columns.
        expected: u32,
    },
    /// A table whose header names no column of moves.
    NoMoveColumn,
    /// A table that two delimiters split equally well.
    AmbiguousDelimiter {
        /// The delimiter that was used.
        used: char,
        /// The other one.
        other: char,
    },
    /// A field that begins with a quote and has no closing one.
    UnclosedQuote,
    /// Invalid JSON.
    Json,
    /// An escape in JSON that is half of a character, such as `\ud800` without the other half.
    LoneSurrogate,
    /// A missing JSON field that is required.
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// A value that is invalid for its field.
    BadValue {
        /// The field.
        field: &'static str,
        /// The accepted values.
        expected: &'static str,
    },
    /// JSON lines of a newer version than this program supports.
    Version {
        /// The newest supported version.
        known: u32,
    },
    /// A log without any move or board.
    NoMoves,
    /// Bytes that are not valid UTF-8.
    NotUtf8,
    /// Binary data.
    Binary,
    /// A file of a spreadsheet program that is not text.
    Spreadsheet,
    /// A record larger than the reader's limit.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// Compressed data that is truncated or corrupt.
    Truncated,
    /// A text in an unknown notation.
    UnknownFormat,
    /// A text in which nothing can be read in the given notation.
    OtherFormat {
        /// The given notation.
        format: Format,
    },
    /// A file without a record.
    Empty,
    /// An incomplete part, such as a board in a log with missing rows.
    Incomplete {
        /// The missing part.
        missing: &'static str,
    },
    /// A record line that does not contain a readable record.
    BadLine {
        /// The reason.
        why: Box<str>,
    },
    /// Moves after a blank line that may be another game.
    DoubtfulGame,
    /// Text around a list of moves.
    SkippedText,
    /// A move with an `x`, but without the cell of the captured piece.
    MissingCapturedCell,
    /// A record with more diagnostics than are kept.
    TooMany {
        /// The total number of diagnostics.
        found: u32,
    },
    /// Lines of an engine session other than the game.
    SessionLines {
        /// The number of lines.
        count: u32,
    },
    /// A drawn board whose rows do not fit together.
    BadDrawing,
    /// A change of the position in the middle of a game, other than a move.
    PositionEdited,
    /// A turn that ends without a move.
    NoMoveInTurn,
    /// A valid property or command that has no place in a record.
    SkippedProperty,
    /// A variant that only a heading names.
    HeadingVariant {
        /// The name of the variant.
        variant: &'static str,
    },
    /// A text in Windows-1252.
    Windows1252,
}

impl TextFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            TextFinding::BadMove | TextFinding::BadMoveAside | TextFinding::NoTarget => &pages::BAD_MOVE,
            TextFinding::Stray => &pages::STRAY,
            TextFinding::Unclosed { .. } => &pages::UNCLOSED,
            TextFinding::NotATag => &pages::NOT_A_TAG,
            TextFinding::MoveNumber { .. } => &pages::MOVE_NUMBER,
            TextFinding::BadAddress => &pages::BAD_ADDRESS,
            TextFinding::Columns { .. } => &pages::COLUMNS,
            TextFinding::NoMoveColumn => &pages::NO_MOVE_COLUMN,
            TextFinding::AmbiguousDelimiter { .. } => &pages::AMBIGUOUS_DELIMITER,
            TextFinding::UnclosedQuote => &pages::UNCLOSED_QUOTE,
            TextFinding::Json | TextFinding::LoneSurrogate => &pages::JSON,
            TextFinding::MissingField { .. } => &pages::MISSING_FIELD,
            TextFinding::BadValue { .. } => &pages::BAD_VALUE,
            TextFinding::Version { .. } => &pages::VERSION,
            TextFinding::NoMoves => &pages::NO_MOVES,
            TextFinding::NotUtf8 => &pages::NOT_UTF8,
            TextFinding::Binary => &pages::BINARY,
            TextFinding::Spreadsheet => &pages::SPREADSHEET,
            TextFinding::TooLarge { .. } => &pages::TOO_LARGE,
            TextFinding::Truncated => &pages::TRUNCATED,
            TextFinding::UnknownFormat | TextFinding::OtherFormat { .. } => &pages::UNKNOWN_FORMAT,
            TextFinding::Empty => &pages::EMPTY,
            TextFinding::Incomplete { .. } => &pages::INCOMPLETE,
            TextFinding::BadLine { .. } => &pages::BAD_LINE,
            TextFinding::DoubtfulGame => &pages::DOUBTFUL_GAME,
            TextFinding::SkippedText => &pages::SKIPPED,
            TextFinding::MissingCapturedCell => &pages::MISSING_CAPTURE,
            TextFinding::TooMany { .. } => &pages::TOO_MANY,
            TextFinding::SessionLines { .. } => &pages::SESSION_LINES,
            TextFinding::BadDrawing => &pages::BAD_DRAWING,
            TextFinding::PositionEdited => &pages::POSITION_EDITED,
            TextFinding::NoMoveInTurn => &pages::NO_MOVE_IN_TURN,
            TextFinding::SkippedProperty => &pages::SKIPPED_PROPERTY,
            TextFinding::HeadingVariant { .. } => &pages::HEADING_VARIANT,
            TextFinding::Windows1252 => &pages::WINDOWS_1252,
        }
    }

    pub(crate) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            TextFinding::BadMove | TextFinding::BadMoveAside => {
                format!("{part} is not a move; expected one such as `d1-d3` or `d1-d3xe3`")
            }
            TextFinding::NoTarget => format!(
                "{part} has a captured cell, but not the cell to which the piece moves; expected a move such as `e5-e4xd4`"
            ),
            TextFinding::Stray => format!("{part} is out of place here and was skipped"),
            TextFinding::Unclosed { bracket } => format!("the `{bracket}` of {part} is not closed"),
            TextFinding::NotATag => format!("{part} is not a tag; expected `[Name \"text\"]`"),
            TextFinding::MoveNumber { expected } => {
                format!("move number {part} is out of sequence; expected {expected}")
            }
            TextFinding::BadAddress => format!("{part} does not match a move of this game"),
            TextFinding::Columns { found, expected } => {
                format!(
                    "the line has {}; expected {expected}",
                    counted(u64::from(*found), "column", "columns")
                )
            }
            TextFinding::NoMoveColumn => {
                "no column of moves; expected a column `moves`, or one for each side".to_owned()
            }
            TextFinding::AmbiguousDelimiter { used, other } => {
                format!(
                    "the columns may be separated by {} or by {}; read with {}",
                    delimiter(*used),
                    delimiter(*other),
                    delimiter(*used)
                )
            }
            TextFinding::UnclosedQuote => format!("the quote of {part} is not closed"),
            TextFinding::Json => format!("{part} is not valid JSON for this format"),
            TextFinding::LoneSurrogate => format!(
                "{part} is half of a character, which no text can contain: add the escape of the other half, or remove this one"
            ),
            TextFinding::MissingField { field } => format!("the field `{field}` is missing"),
            TextFinding::BadValue { field, expected } => {
                format!("{part} is not a value of `{field}`; expected {expected}")
            }
            TextFinding::Version { known } => {
                format!("version {part} is newer than {known}, the newest supported version")
            }
            TextFinding::NoMoves => "the record has no moves".to_owned(),
            TextFinding::NotUtf8 => "the text is not valid UTF-8; invalid bytes were replaced".to_owned(),
            TextFinding::Binary => "the file is not text but binary data".to_owned(),
            TextFinding::Spreadsheet => {
                "the file is a spreadsheet or another office document, not text".to_owned()
            }
            TextFinding::TooLarge { limit } if *limit < 1 << 20 => {
                format!("the record is larger than {} and was skipped", counted(*limit, "byte", "bytes"))
            }
            TextFinding::TooLarge { limit } => {
                format!("the record is larger than {} MiB and was skipped", limit >> 20)
            }
            TextFinding::Truncated => {
                "the compressed file is truncated; the readable part was kept".to_owned()
            }
            TextFinding::UnknownFormat => "unrecognized notation".to_owned(),
            TextFinding::OtherFormat { format } => format!("{part} is not a record in the notation {format}"),
            TextFinding::Empty => "the file contains no record".to_owned(),
            TextFinding::Incomplete { missing } => format!("{part} is incomplete: {missing} is missing"),
            TextFinding::BadLine { why } => why.to_string(),
            TextFinding::DoubtfulGame => {
                format!("{part} after a blank line may begin another game; read as part of the same game")
            }
            TextFinding::SkippedText => format!("the text {part} is not part of a game and was skipped"),
            TextFinding::MissingCapturedCell => {
                format!("the cell of the captured piece is missing after the `x` of {part}")
            }
            TextFinding::TooMany { found } => {
                format!(
                    "the text of this record has {found} findings; only the first {MAX_REPORTED} and the first of each code are shown"
                )
            }
            TextFinding::SessionLines { count: 1 } => {
                format!("{part} is a line of the engine session, not of the game, and was skipped")
            }
            TextFinding::SessionLines { count } => {
                format!("{count} lines of the engine session were skipped, beginning with {part}")
            }
            TextFinding::BadDrawing => {
                "invalid drawing of a board; it was not compared with the game".to_owned()
            }
            TextFinding::PositionEdited => format!("{part} changes the position in the middle of the game"),
            TextFinding::NoMoveInTurn => format!("{part} ends a turn without a move"),
            TextFinding::HeadingVariant { variant } => {
                format!("the variant `{variant}` is taken from the heading: {part}")
            }
            TextFinding::Windows1252 => "the text is not UTF-8; read as Windows-1252".to_owned(),
            TextFinding::SkippedProperty => {
                format!("{part} does not belong to a game record and was skipped")
            }
        }
    }
}

/// Returns the name of a delimiter of tables.
const fn delimiter(symbol: char) -> &'static str {
    match symbol {
        ',' => "`,`",
        ';' => "`;`",
        '|' => "`|`",
        _ => "a tab",
    }
}
