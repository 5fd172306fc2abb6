//! Splits a stream into records, in bounded memory.
//!
//! [`Records`] reads a stream of any size: it decompresses gzip and Zstandard, detects the notation, and
//! returns [`Batch`]es of whole records with their positions in the file. Problems of the stream itself are
//! reported as [`FileFinding`]s; only failed reads are errors.

mod batch;
mod begin;
mod cut;
mod decoded;
pub(crate) mod encoding;
mod envelope;
mod lines;
mod options;
mod quoted_printable;
mod unpack;
mod utf16;

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::Arc;

use crate::diagnostic::{DiagnosticKind, HeaderFinding, TextFinding};
use crate::notation::detect;
use crate::record::{Cut, Format};
use crate::source::{LineCol, TextEnd};

pub use batch::{Batch, FileFinding};
pub use encoding::StreamEncoding;
pub use envelope::{ERROR_LINE_VERSION, ErrorLine, Order, RECORD_LINE_VERSION, RecordLine};
pub use options::{Container, ReadOptions};

use batch::{BatchText, RawRecord, Wrapped, decode};
use cut::{CutResult, Cutter};
use lines::LineState;
use unpack::Unpacked;

/// Returns the decompressed stream: gzip and Zstandard are recognized by their first bytes.
///
/// # Errors
///
/// Returns the error of reading the first bytes.
pub fn unpack<'r>(input: impl Read + Send + 'r) -> io::Result<impl Read + Send + 'r> {
    Unpacked::new(Box::new(input))
}

/// The records of a stream.
///
/// # Examples
///
/// ```
/// use tafl_parser::{ReadOptions, Records};
///
/// let mut records = Records::new("moves.csv", "d2-c2 e4-e1,0,0,White\n".as_bytes(), ReadOptions::default())?;
/// while let Some(batch) = records.next_batch()? {
///     for (source, parsed) in batch.parse() {
///         println!("{}:{}: {} moves", source.name, source.line, parsed.value.main().moves.len());
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Records<'r> {
    name: Arc<str>,
    input: Unpacked<'r>,
    format: Option<Format>,
    cut: Cut,
    options: ReadOptions,
    encoding: StreamEncoding,
    /// The state between record lines; `None` if the stream does not consist of record lines.
    lines: Option<LineState>,
    /// Bytes that were read but not yet returned.
    buffer: Vec<u8>,
    /// The offset of the buffer's first byte in the stream.
    base: u64,
    /// The position of the buffer's first byte.
    place: LineCol,
    /// The number of the next record.
    ordinal: u64,
    /// Whether carriage returns alone end the lines.
    has_cr_lines: bool,
    is_end: bool,
    is_cut_off: bool,
    findings: Vec<FileFinding>,
    /// The games other than tafl whose records were skipped.
    other_games: HashSet<Box<str>>,
    /// The header of the table to which the next records belong, with a line feed after it.
    header: Option<Arc<str>>,
}

/// A part at the front of the buffer.
#[derive(Debug, Clone, Copy)]
struct BufferFront {
    /// Its length in bytes.
    length: usize,
    /// The position of the first byte after it.
    place: LineCol,
}

/// The number of bytes used to detect the notation.
const HEAD: usize = 16 << 10;

/// The maximum number of games other than tafl that are reported. A site has a few hundred games; the limit
/// keeps memory bounded.
const MAX_OTHER_GAMES: usize = 1000;
/// The maximum size of the headers in a batch, which are repeated for every record of a table.
const MAX_REPEATED: usize = 4 << 20;

/// The byte order mark of UTF-8, which some programs write before a text.
const UTF_8: &[u8] = b"\xef\xbb\xbf";

impl<'r> Records<'r> {
    /// Starts reading a stream; `name` is used in messages and helps to detect the notation.
    ///
    /// # Errors
    ///
    /// Returns the error of reading the first bytes.
    pub fn new(name: &str, input: impl Read + Send + 'r, options: ReadOptions) -> io::Result<Records<'r>> {
        let input = Unpacked::new(Box::new(input))?;
        // A batch size of zero would never produce a record.
        let options = ReadOptions { batch: options.batch.max(1), ..options };
        let mut records = Records {
            name: name.into(),
            input,
            format: options.format,
            cut: Cut::Lines,
            options,
            encoding: StreamEncoding::Utf8,
            lines: None,
            buffer: Vec::new(),
            base: 0,
            place: LineCol::START,
            ordinal: 1,
            has_cr_lines: false,
            is_end: false,
            is_cut_off: false,
            findings: Vec::new(),
            other_games: HashSet::new(),
            header: None,
        };
        records.begin()?;
        Ok(records)
    }

    /// Returns the stream's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the notation, or `None` if it was not recognized.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns whether the stream has at least as many bytes as [`ReadOptions::unpacked`] allows, so that its
    /// end was not read.
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Returns the next records, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the error of a failed read. A corrupt compressed stream is reported as a finding instead.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        if self.lines.is_some() {
            return self.next_lines();
        }
        let mut records = Vec::new();
        let mut wanted = self.options.batch;
        loop {
            self.fill(wanted)?;
            let used = self.cut_records(&mut records);
            if !records.is_empty() {
                return Ok(Some(self.take_batch(used, records)));
            }
            if self.is_end {
                self.drop_front(self.uncounted(self.buffer.len()));
                if self.ordinal == 1 && self.header.take().is_some() {
                    self.report(TextFinding::Empty);
                }
                let is_more = !self.findings.is_empty();
                return Ok(is_more.then(|| self.take_batch(self.uncounted(0), records)));
            }
            self.drop_front(used);
            if self.buffer.len() > self.options.largest {
                self.skip_record()?;
            }
            wanted =
                (self.buffer.len() * 2).min(self.options.largest.saturating_add(1)).max(self.options.batch);
        }
    }

    fn report(&mut self, kind: TextFinding) {
        self.findings.push(FileFinding {
            base: self.base,
            line: self.place.line,
            kind: kind.into(),
            record: None,
        });
    }

    /// Returns the number of bytes that may still be read; if none are left, marks the stream as cut off and
    /// returns `None`.
    fn remaining_bytes(&mut self) -> Option<u64> {
        let left = self.options.unpacked.saturating_sub(self.base + self.buffer.len() as u64);
        if left == 0 {
            self.is_end = true;
            self.is_cut_off = true;
        }
        (left > 0).then_some(left)
    }

    /// Reads until the buffer holds `wanted` bytes or the stream ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        while !self.is_end && self.buffer.len() < wanted {
            let Some(left) = self.remaining_bytes() else { break };
            let known = self.buffer.len();
            let missing = ((wanted - known) as u64).min(left);
            match self.input.by_ref().take(missing).read_to_end(&mut self.buffer) {
                Ok(0) => self.is_end = true,
                Ok(_) if self.has_cr_lines => begin::end_with_line_feeds(&mut self.buffer[known..]),
                Ok(_) => {}
                Err(error) if self.input.is_packed() && error.raw_os_error().is_none() => {
                    self.is_end = true;
                    self.report(TextFinding::Truncated);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns a part at the front of the buffer after which the position is not known yet.
    fn uncounted(&self, length: usize) -> BufferFront {
        BufferFront { length, place: self.place.after(&self.buffer[..length]) }
    }

    /// Splits off whole records at the front of the buffer and returns the processed part.
    fn cut_records(&mut self, records: &mut Vec<RawRecord>) -> BufferFront {
        let mut at = 0;
        let mut place = self.place;
        let (mut counted, mut repeated) = (0, 0);
        let text_end = if self.is_end { TextEnd::Known } else { TextEnd::Unknown };
        let mut cutter = Cutter::new(self.cut, &self.buffer, text_end);
        if let Some(header) = &self.header {
            cutter.set_header(header);
        }
        loop {
            match cutter.next(at) {
                CutResult::Record { start, end } => {
                    let range = at + start..at + end;
                    if let Some(other) = self.other_notation(&self.buffer[range.clone()]) {
                        // The records of a batch have one notation.
                        at = range.start;
                        if !records.is_empty() {
                            break;
                        }
                        (self.format, self.cut) = (Some(other), other.cut());
                        cutter = Cutter::new(self.cut, &self.buffer, text_end);
                        continue;
                    }
                    place = place.after(&self.buffer[counted..range.start]);
                    counted = range.start;
                    let (base, ordinal) = (self.base + range.start as u64, self.ordinal);
                    at = range.end;
                    if let Some(game) = self.format.and_then(|it| it.other_game(&self.buffer[range.clone()]))
                    {
                        let is_new =
                            self.other_games.len() < MAX_OTHER_GAMES && self.other_games.insert(game.clone());
                        let kind: DiagnosticKind = HeaderFinding::OtherGame { game }.into();
                        self.findings.extend(is_new.then_some(FileFinding {
                            base,
                            line: place.line,
                            kind,
                            record: None,
                        }));
                        continue;
                    }
                    self.ordinal += 1;
                    if range.len() > self.options.largest {
                        let kind = TextFinding::TooLarge { limit: self.options.largest as u64 }.into();
                        self.findings.push(FileFinding { base, line: place.line, kind, record: None });
                        continue;
                    }
                    let header = self.header.clone();
                    repeated += header.as_ref().map_or(0, |header| header.len());
                    records.push(RawRecord {
                        range,
                        base,
                        place,
                        ordinal,
                        replaced: false,
                        n_header: header.as_ref().map_or(0, |header| header.len()),
                        header,
                        table: None,
                    });
                    if repeated > MAX_REPEATED {
                        break;
                    }
                }
                CutResult::Header { start, end } => {
                    let text = encoding::decode_text(&self.buffer[at + start..at + end]) + "\n";
                    cutter.set_header(&text);
                    self.header = Some(text.into());
                    at += end;
                }
                CutResult::Nothing => break at = self.buffer.len(),
                CutResult::More { start } => break at += start,
            }
        }
        BufferFront { length: at, place: place.after(&self.buffer[counted..at]) }
    }

    /// Returns the notation of a record if it differs from that of the records before it: people put games of several
    /// programs into one file. Only notations that begin with unmistakable signs are told apart.
    fn other_notation(&self, record: &[u8]) -> Option<Format> {
        let is_framed = |format: Format| matches!(format.cut(), Cut::TagBlocks | Cut::GameTrees);
        let present = self.format.filter(|format| is_framed(*format) && self.options.format.is_none())?;
        let is_tree = cut::is_game_tree(record);
        if is_tree == (present.cut() == Cut::GameTrees) {
            return None;
        }
        let head = &record[..record.len().min(HEAD)];
        let other = detect(head, None).first().copied().filter(|other| is_framed(*other))?;
        (is_tree == (other.cut() == Cut::GameTrees)).then_some(other)
    }

    /// Makes a batch from the front of the buffer.
    fn take_batch(&mut self, used: BufferFront, records: Vec<RawRecord>) -> Batch {
        let tail = self.buffer.split_off(used.length);
        let bytes = std::mem::replace(&mut self.buffer, tail);
        self.base += used.length as u64;
        self.place = used.place;
        let BatchText { text, records, is_utf8 } = decode(bytes, records);
        let findings = std::mem::take(&mut self.findings);
        let encoding = match self.encoding {
            StreamEncoding::Utf8 if !is_utf8 => StreamEncoding::NotUtf8,
            encoding => encoding,
        };
        Batch {
            name: Arc::clone(&self.name),
            format: self.format,
            encoding,
            text,
            records,
            findings,
            wrapped: None,
        }
    }

    fn drop_front(&mut self, used: BufferFront) {
        self.base += used.length as u64;
        self.place = used.place;
        self.buffer.drain(..used.length);
    }

    /// Skips a record that is too large, up to the next possible start of a record.
    fn skip_record(&mut self) -> io::Result<()> {
        self.report(TextFinding::TooLarge { limit: self.options.largest as u64 });
        self.ordinal += 1;
        loop {
            match cut::resume(self.cut, &self.buffer) {
                Some(at) => {
                    self.drop_front(self.uncounted(at));
                    return Ok(());
                }
                // A marker across the end of the buffer is short.
                None => {
                    let length = self.buffer.len().saturating_sub(cut::LONGEST_SIGN);
                    self.drop_front(self.uncounted(length));
                }
            }
            if self.is_end {
                self.drop_front(self.uncounted(self.buffer.len()));
                return Ok(());
            }
            self.fill(self.options.batch.max(4 * cut::LONGEST_SIGN))?;
        }
    }
}

#[cfg(test)]
mod tests;
