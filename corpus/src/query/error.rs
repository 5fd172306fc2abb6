//! Errors in the text of a query, with their places.

use tafl_rules::{SetupErrorKind, Span};

/// The reason why a text is not a query, and the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct QueryError {
    /// The place in the text.
    pub span: Span,
    /// The kind of the error.
    pub kind: QueryErrorKind,
}

/// The kind of an error in the text of a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryErrorKind {
    /// There is nothing.
    #[error("the query is empty")]
    Empty,
    /// The text is too long.
    #[error("the query has {found} bytes, at most {max} can be read")]
    TooLong {
        /// Its length.
        found: usize,
        /// The greatest length.
        max: usize,
    },
    /// Too much is nested.
    #[error("the query is nested more than {max} levels deep, or chains more than {max} parts with `then`")]
    TooDeep {
        /// The greatest depth.
        max: usize,
    },
    /// Something else is expected here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The expected part.
        expected: Expected,
        /// The part found instead.
        found: FoundText,
    },
    /// A word that means nothing.
    #[error("unknown word `{word}`{}", Hint(near))]
    UnknownWord {
        /// The word.
        word: String,
        /// The known word that is most like it.
        near: Option<&'static str>,
    },
    /// A field that does not exist.
    #[error("unknown field `{word}`{}", Hint(near))]
    UnknownField {
        /// The word.
        word: String,
        /// The known field that is most like it.
        near: Option<&'static str>,
    },
    /// A value that the field never has.
    #[error("unknown value `{value}` of `{field}`{}; expected {known}", Hint(near))]
    UnknownValue {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// The known value that is most like it.
        near: Option<&'static str>,
        /// The known values, or an example of them.
        known: String,
    },
    /// A parenthesis is never closed.
    #[error("unclosed parenthesis")]
    Unclosed,
    /// A parenthesis closes nothing.
    #[error("unmatched closing parenthesis")]
    Stray,
    /// A quotation mark without a second one.
    #[error("unterminated text; add a closing quotation mark")]
    UnclosedText,
    /// Texts and words can only be equal or different.
    #[error("`{field}` has texts; compare them with `:`, `=`, or `!=`")]
    NotOrdered {
        /// The field.
        field: &'static str,
    },
    /// A text without letters and digits.
    #[error("the text needs at least one letter or digit")]
    NoWords,
    /// The name of a player without letters and digits.
    #[error(
        "the text needs at least one letter or digit; unknown players have no name: `tafl sql` finds their games with \
         `attackers IS NULL`"
    )]
    NoName,
    /// A text with `~` whose words can't be compared like this.
    #[error("`~` takes 1 to {max} differing letters, and words longer than that, as in `name~1`")]
    BadFuzzy {
        /// The greatest number of letters.
        max: u8,
    },
    /// A number that is never reached.
    #[error("out of range; expected {min} to {max} for `{word}`")]
    OutOfRange {
        /// The subject of the comparison, or the word before the number.
        word: &'static str,
        /// The smallest allowed number.
        min: i64,
        /// The greatest allowed number.
        max: i64,
    },
    /// A sum has too many parts.
    #[error("a sum has at most {max} parts")]
    SumTooLong {
        /// The greatest number of parts.
        max: usize,
    },
    /// Two numbers are compared.
    #[error("both sides are constants; compare with something such as `ply`")]
    OnlyNumbers,
    /// A range ends before it begins.
    #[error("this range ends before it begins")]
    EmptyRange,
    /// A date that does not exist.
    #[error("`{0}` is not a date such as 2019, 2019-03 or 2019-03-17")]
    BadDate(String),
    /// A cell that no board has.
    #[error("`{0}` is not a cell such as d11, or one of the words edge, corner, throne")]
    BadArea(String),
    /// A move that cannot be read.
    #[error("`{0}` is not a move such as d4-d7")]
    BadMove(String),
    /// A text that does not name pieces.
    #[error("`{0}` are not pieces; expected the letters tcnkmg for attackers, TCNKMG for defenders")]
    BadPieces(String),
    /// A board that does not exist.
    #[error("`{0}` is not a board such as 11x11 or hex5")]
    BadShape(String),
    /// A position record that cannot be read.
    #[error("{0}")]
    BadPosition(SetupErrorKind),
    /// A pattern cannot be read.
    #[error("{0}")]
    BadPattern(PatternErrorKind),
}

/// The kind of an error in a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternErrorKind {
    /// There are no cells.
    #[error("the pattern has no cells")]
    Empty,
    /// A letter that means nothing.
    #[error(
        "`{0}` is not a pattern symbol; expected a piece (tcnkmg TCNKMG), `x` any attacker, `o` any defender, \
         `*` any piece, `.` empty, `?` anything, and sets such as [tk.] or [^T]"
    )]
    Letter(char),
    /// A set has no end.
    #[error("this set of contents has no `]`")]
    UnclosedSet,
    /// A set that nothing fits.
    #[error("this set is empty")]
    EmptySet,
    /// A row has another length than the first.
    #[error("row {row} has {found} cells, the first row has {expected}")]
    RowLength {
        /// The row, counted from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// Rows that do not form a board.
    #[error("these rows do not form a board")]
    NoBoard,
    /// It is larger than every board.
    #[error(
        "the pattern is {columns} cells wide and {rows} high; the largest board has {max} by {max} cells"
    )]
    TooLarge {
        /// The cells of its longest row.
        columns: usize,
        /// Its rows.
        rows: usize,
        /// The greatest side of a board.
        max: usize,
    },
    /// It has no cell in its middle.
    #[error("a pattern anchored to the throne or the king needs odd numbers of rows and columns")]
    NoMiddle,
    /// The middle cannot be a king of the defenders.
    #[error("the middle of a pattern around the king must allow `K`")]
    NoKing,
    /// Layers of different size.
    #[error("the rows of this layer differ in length from those of the first one")]
    LayerSize,
    /// Everything fits.
    #[error("the pattern has no condition: it matches every board")]
    NoConditions,
}

/// A part of a query that is expected at some place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// The beginning of a condition.
    Condition,
    /// `and`, `or`, `then`, `before` or the end.
    Connective,
    /// A comparison.
    Comparison,
    /// `:` and a value, or a comparison.
    Value,
    /// A number.
    Number,
    /// A number, or a word for one.
    Term,
    /// An opening parenthesis.
    Parenthesis,
    /// A cell.
    Cell,
    /// A text in quotation marks.
    Text,
}

/// The part of a query found in place of the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundText {
    /// The end of the query.
    End,
    /// Some text.
    Text(String),
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Expected::Condition => "a condition",
            Expected::Connective => "`and`, `or`, `then`, `before` or the end",
            Expected::Comparison => "one of < <= = != >= >",
            Expected::Value => "`:` and a value, or one of < <= = != >= >",
            Expected::Number => "a number",
            Expected::Term => "a number, or a word for one such as `ply` or `#t`",
            Expected::Parenthesis => "`(`",
            Expected::Cell => "a cell such as d11",
            Expected::Text => "a text in quotation marks",
        })
    }
}

impl std::fmt::Display for FoundText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FoundText::End => f.write_str("the end"),
            FoundText::Text(text) => write!(f, "`{text}`"),
        }
    }
}

/// The suggestion at the end of a message, such as `, did you mean `date`?`; empty without one.
struct Hint<'a>(&'a Option<&'static str>);

impl std::fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |near| write!(f, ", did you mean `{near}`?"))
    }
}

impl QueryError {
    /// Returns the error with its place, `base` bytes further.
    pub(crate) fn shift(self, base: usize) -> QueryError {
        QueryError { span: self.span.shift(base), kind: self.kind }
    }
}
