//! Record lines: one JSON object per line with the text and the position of one record in any notation.
//!
//! ```json
//! {"taflbase_record":1,"input":1,"source":"games.csv","place":17,"offset":2048,"ordinal":3,"format":"movelist","text":"d1-d3 ..."}
//! ```
//!
//! Record lines are a container, not a notation: `text` is read in the notation named by `format`, with the
//! positions of the original. An [`ErrorLine`] takes the place of a record that could not be obtained; it is
//! passed on unchanged. `FORMATS.md` lists all fields.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Batch;
use crate::source::Source;
use crate::text_safety::escape_json;

/// The written version of record lines, and the newest that can be read.
pub const RECORD_LINE_VERSION: u32 = 1;

/// The written version of error lines, and the newest that can be read.
pub const ERROR_LINE_VERSION: u32 = 1;

/// The sort order of a record among all inputs: the number of the input, then the number of the record in it.
pub type Order = [u64; 2];

/// The start of a record line.
pub(super) const RECORD_MARK: &[u8] = b"{\"taflbase_record\"";

/// The start of an error line.
pub(super) const ERROR_MARK: &[u8] = b"{\"taflbase_error\"";

/// A record and its position as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine<'a> {
    /// [`RECORD_LINE_VERSION`].
    pub taflbase_record: u32,
    /// The number of the input among those that were split, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// The name of the file as given; `-` for standard input.
    #[serde(borrow, default = "no_name")]
    pub source: Cow<'a, str>,
    /// The line of the file in which the record begins, from 1.
    #[serde(default = "one")]
    pub place: u64,
    /// The column of this line in which the record begins, in characters from 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub column: u64,
    /// The offset of the record in its decompressed file, in bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u64,
    /// The number of the record in its file, from 1.
    #[serde(default = "one")]
    pub ordinal: u64,
    /// The notation; `None` to detect it.
    #[serde(borrow, default)]
    pub format: Option<Cow<'a, str>>,
    /// A variant or a rules string that overrides the record's own; absent in most lines.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Cow<'a, str>>,
    /// Whether invalid UTF-8 was replaced in the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub replaced: bool,
    /// The text of the record, verbatim.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
}

/// The replacement of a record that could not be obtained, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorLine<'a> {
    /// [`ERROR_LINE_VERSION`].
    pub taflbase_error: u32,
    /// The file of the record, if known.
    #[serde(borrow, default)]
    pub source: Option<Cow<'a, str>>,
    /// The line of that file in which the record begins, from 1.
    #[serde(default)]
    pub place: Option<u64>,
    /// The line of the stream that could not be used, from 1.
    #[serde(default)]
    pub line: u64,
    /// A code from `docs/diagnostics.md`.
    #[serde(borrow)]
    pub code: Cow<'a, str>,
    /// The error message.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
}

fn no_name() -> Cow<'static, str> {
    Cow::Borrowed("-")
}

const fn one() -> u64 {
    1
}

const fn is_one(number: &u64) -> bool {
    *number == 1
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl<'a> RecordLine<'a> {
    /// Creates the line of the record with an index in a batch. `input` is the number of the input that is
    /// split, from 1; records from record lines keep theirs. `variant` is the variant or rules string to write;
    /// without it, records from record lines keep theirs.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    pub fn of(batch: &'a Batch, nth: usize, input: u64, variant: Option<&'a str>) -> RecordLine<'a> {
        let (source, replaced) = batch.placed(nth);
        let Source { name, text, base, line, column, ordinal, .. } = source;
        let own = batch.wrapped.as_ref();
        RecordLine {
            taflbase_record: RECORD_LINE_VERSION,
            input: own.map_or(Some(input), |own| own.input),
            source: name.into(),
            place: line,
            column,
            offset: base,
            ordinal,
            format: batch.format().map(|format| format.name().into()),
            variant: variant.or(own.and_then(|own| own.variant.as_deref())).map(Cow::Borrowed),
            replaced,
            text: text.into(),
        }
    }

    /// Appends the line to `out`, with a line feed.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(self, out);
    }
}

impl ErrorLine<'_> {
    /// Appends the line to `out`, with a line feed.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(self, out);
    }
}

fn put(line: &impl Serialize, out: &mut Vec<u8>) {
    let json = serde_json::to_string(line).expect("a line has only texts and numbers");
    out.extend_from_slice(escape_json(json).as_bytes());
    out.push(b'\n');
}
