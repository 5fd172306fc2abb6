//! Record lines: a JSON object a line that holds the text of one record of any notation, and says where it stands.
//!
//! ```json
//! {"taflbase_record":1,"input":1,"source":"games.csv","place":17,"offset":2048,"ordinal":3,"format":"movelist","text":"d1-d3 ..."}
//! ```
//!
//! They are no notation but a container: what stands in `text` is read as what `format` says, with the places of the
//! original. An [`ErrorLine`] stands where a record could not be had; it is handed on as what it is. `FORMATS.md` has
//! every field.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Batch;
use crate::source::Source;

/// The version of record lines that is written, and the newest that is read.
pub const RECORD_LINE_VERSION: u32 = 1;

/// The version of error lines that is written, and the newest that is read.
pub const ERROR_LINE_VERSION: u32 = 1;

/// Where a record stands in the order of all inputs: the number of the input, then that of the record in it.
pub type Order = [u64; 2];

/// How a record line begins.
pub(super) const RECORD_MARK: &[u8] = b"{\"taflbase_record\"";

/// How an error line begins.
pub(super) const ERROR_MARK: &[u8] = b"{\"taflbase_error\"";

/// A record and where it stands, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine<'a> {
    /// [`RECORD_LINE_VERSION`].
    pub taflbase_record: u32,
    /// The number of the input among those that were cut, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// The file, as it was named; `-` for standard input.
    #[serde(borrow, default = "no_name")]
    pub source: Cow<'a, str>,
    /// The line of the file in which the record begins, from 1.
    #[serde(default = "one")]
    pub place: u64,
    /// Where the record begins in its (decompressed) file, in bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u64,
    /// The number of the record in its file, from 1.
    #[serde(default = "one")]
    pub ordinal: u64,
    /// The notation; none to find out.
    #[serde(borrow, default)]
    pub format: Option<Cow<'a, str>>,
    /// A variant or a rules string that is to be asked instead of the record's own; none in most lines.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Cow<'a, str>>,
    /// Whether bytes that were no UTF-8 are replaced in the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub replaced: bool,
    /// The text of the record, verbatim.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
}

/// What stands in the place of a record that could not be had, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorLine<'a> {
    /// [`ERROR_LINE_VERSION`].
    pub taflbase_error: u32,
    /// The file that the record comes from, where that is known.
    #[serde(borrow, default)]
    pub source: Option<Cow<'a, str>>,
    /// The line of that file in which the record begins, from 1.
    #[serde(default)]
    pub place: Option<u64>,
    /// The line of the stream that could not be used, from 1.
    #[serde(default)]
    pub line: u64,
    /// A code of `docs/diagnostics.md`.
    #[serde(borrow)]
    pub code: Cow<'a, str>,
    /// What is wrong, for people.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
}

fn no_name() -> Cow<'static, str> {
    Cow::Borrowed("-")
}

const fn one() -> u64 {
    1
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl<'a> RecordLine<'a> {
    /// Returns the line of the record of a batch with this number, from 0. `input` is the number of the input that is cut,
    /// from 1; records that stood in record lines keep theirs. `variant` is what the line says where the record said
    /// nothing of that kind.
    ///
    /// # Panics
    ///
    /// Panics if the batch has no such record.
    pub fn of(batch: &'a Batch, nth: usize, input: u64, variant: Option<&'a str>) -> RecordLine<'a> {
        let (source, replaced) = batch.placed(nth);
        let Source { name, text, base, line, ordinal } = source;
        let own = batch.wrapped.as_ref();
        RecordLine {
            taflbase_record: RECORD_LINE_VERSION,
            input: own.map_or(Some(input), |own| own.input),
            source: name.into(),
            place: line,
            offset: base,
            ordinal,
            format: batch.format().map(|format| format.name().into()),
            variant: variant.or(own.and_then(|own| own.variant.as_deref())).map(Cow::Borrowed),
            replaced,
            text: text.into(),
        }
    }

    /// Adds the line to `out`, with a line feed.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(self, out);
    }
}

impl ErrorLine<'_> {
    /// Adds the line to `out`, with a line feed.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(self, out);
    }
}

fn put(line: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, line).expect("texts and numbers can be written to memory");
    out.push(b'\n');
}
