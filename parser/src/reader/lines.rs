//! Streams of record lines: every line yields a record or a finding, in stream order.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;

use memchr::{memchr, memrchr};
use tafl_rules::{RuleSet, catalog};

use super::encoding::StreamEncoding;
use super::envelope::{
    ERROR_LINE_VERSION, ERROR_MARK, ErrorLine, RECORD_LINE_VERSION, RECORD_MARK, RecordLine,
};
use super::{Batch, FileFinding, HEAD, RawRecord, Records, UTF_8, Wrapped};
use crate::diagnostic::{TextFinding, TextPart};
use crate::lone_surrogate::lone_surrogate;
use crate::notation::detect;
use crate::record::Format;
use crate::replay::RuleChoice;
use crate::source::LineCol;

/// The number of bytes requested at once: the capacity of a pipe, so that a response does not wait for more
/// input.
const PORTION: usize = 64 << 10;

/// The maximum number of rules strings in the cache, and the maximum length of a cached string.
const MAX_KNOWN: usize = 256;
const LONGEST_KNOWN: usize = 4 << 10;

/// The maximum length of a line for a record of this size: half of it escape sequences, plus the other
/// fields.
const fn longest_line(largest: usize) -> usize {
    largest.saturating_mul(2).saturating_add(PORTION)
}

/// The state kept between lines.
#[derive(Debug, Default)]
pub(super) struct LineState {
    ready: VecDeque<Batch>,
    rules: HashMap<Box<str>, Result<RuleChoice, Box<str>>>,
}

/// The reason why a line is not a record.
struct Fault {
    kind: TextFinding,
    /// The record that it is about, if the line names it: source and line.
    record: Option<(Arc<str>, u64)>,
}

impl Fault {
    fn new(why: impl Into<Box<str>>) -> Fault {
        Fault { kind: TextFinding::BadLine { why: why.into() }, record: None }
    }

    /// Returns the fault of a record line or an error line of a newer version.
    fn newer(kind: &str, version: u64, known: u32) -> Fault {
        Fault::new(format!(
            "{kind} lines of version {version} are newer than {known}, the newest supported version"
        ))
    }

    /// Returns the fault of a line that serde_json rejects.
    fn of_json(line: &[u8], error: &serde_json::Error) -> Fault {
        let lone =
            lone_surrogate(line, error.column()).and_then(|place| std::str::from_utf8(&line[place]).ok());
        match lone {
            Some(escape) => Fault::new(TextFinding::LoneSurrogate.message(TextPart(escape))),
            None => Fault::new(shortened(error)),
        }
    }
}

/// Returns whether a stream with this beginning consists of record lines: one of its first lines is one.
pub(super) fn is_lines(head: &[u8]) -> bool {
    head.split(|byte| *byte == b'\n').any(begins)
}

/// Returns whether the very beginning can only be that of a record line.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = without_mark(head);
    head.starts_with(RECORD_MARK) || head.starts_with(ERROR_MARK)
}

/// Returns the beginning of a stream without the byte order mark of UTF-8.
fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(UTF_8).unwrap_or(head)
}

impl Records<'_> {
    /// Returns the next records with the same source, notation, and rules, or the error in the next line.
    pub(super) fn next_lines(&mut self) -> io::Result<Option<Batch>> {
        loop {
            if let Some(batch) = self.lines.as_mut().and_then(|lines| lines.ready.pop_front()) {
                return Ok(Some(batch));
            }
            if let Some(end) = memrchr(b'\n', &self.buffer) {
                self.take_lines(end + 1);
            } else if self.is_end && !self.buffer.is_empty() {
                self.take_lines(self.buffer.len());
            } else if self.is_end {
                let is_more = !self.findings.is_empty();
                return Ok(is_more.then(|| self.take_batch(self.uncounted(0), Vec::new())));
            } else if self.buffer.len() > longest_line(self.options.largest) {
                self.skip_line()?;
            } else {
                self.read_some()?;
            }
        }
    }

    /// Reads the available input without waiting for more.
    fn read_some(&mut self) -> io::Result<()> {
        let Some(left) = self.remaining_bytes() else { return Ok(()) };
        let before = self.buffer.len();
        self.buffer.resize(before + left.min(PORTION as u64) as usize, 0);
        let result = io::Read::read(&mut self.input, &mut self.buffer[before..]);
        self.buffer.truncate(before + result.as_ref().copied().unwrap_or(0));
        match result {
            Ok(0) => self.is_end = true,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if self.input.is_packed() && error.raw_os_error().is_none() => {
                self.is_end = true;
                self.report(TextFinding::Truncated);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Splits whole lines at the front of the buffer into batches.
    fn take_lines(&mut self, length: usize) {
        let tail = self.buffer.split_off(length);
        let bytes = std::mem::replace(&mut self.buffer, tail);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.take_line(line.strip_suffix(b"\n").unwrap_or(line));
            self.base += line.len() as u64;
            self.place.line += 1;
        }
    }

    fn take_line(&mut self, bytes: &[u8]) {
        let (largest, format) = (self.options.largest, self.options.format);
        let bytes = if self.base == 0 { without_mark(bytes) } else { bytes };
        let lines = self.lines.get_or_insert_default();
        match lines.read(bytes, format) {
            Ok((line, wrapped, format)) if line.text.len() <= largest => {
                lines.push(line, wrapped, format, self.options.batch);
            }
            Ok((line, ..)) => {
                let kind = TextFinding::TooLarge { limit: largest as u64 };
                self.push_fault(Fault { kind, record: place_of(&line) }, bytes);
            }
            Err(fault) => self.push_fault(fault, bytes),
        }
    }

    /// Adds a line that is not a record as a separate batch.
    fn push_fault(&mut self, fault: Fault, bytes: &[u8]) {
        let found = FileFinding {
            base: self.base,
            line: self.place.line,
            kind: fault.kind.into(),
            record: fault.record,
        };
        let batch = Batch {
            name: Arc::clone(&self.name),
            format: None,
            encoding: StreamEncoding::Utf8,
            text: String::from_utf8_lossy(bytes).into_owned() + "\n",
            records: Vec::new(),
            findings: vec![found],
            wrapped: Some(Wrapped { input: None, variant: None, rules: None }),
        };
        self.lines.get_or_insert_default().ready.push_back(batch);
    }

    /// Skips the rest of a line that is too long.
    fn skip_line(&mut self) -> io::Result<()> {
        let kind = TextFinding::TooLarge { limit: self.options.largest as u64 };
        self.push_fault(Fault { kind, record: None }, &[]);
        loop {
            if let Some(end) = memchr(b'\n', &self.buffer) {
                self.base += end as u64 + 1;
                self.place.line += 1;
                self.buffer.drain(..=end);
                return Ok(());
            }
            self.base += self.buffer.len() as u64;
            self.buffer.clear();
            if self.is_end {
                return Ok(());
            }
            self.read_some()?;
        }
    }
}

impl LineState {
    /// Parses a line: its fields, the data that it shares with other lines, and its notation. `format` is
    /// used if the line names no notation.
    fn read<'l>(
        &mut self,
        bytes: &'l [u8],
        format: Option<Format>,
    ) -> Result<(RecordLine<'l>, Wrapped, Format), Fault> {
        if bytes.trim_ascii().is_empty() {
            return Err(Fault::new("the line is empty"));
        }
        if bytes.starts_with(ERROR_MARK) {
            return Err(fault_of_line(bytes));
        }
        let line: RecordLine<'l> = match serde_json::from_slice(bytes) {
            Ok(line) => line,
            Err(error) => return Err(newer(bytes).unwrap_or_else(|| Fault::of_json(bytes, &error))),
        };
        if line.taflbase_record != RECORD_LINE_VERSION {
            return Err(newer(bytes).unwrap_or_else(|| Fault::new("the version of the record line is 0")));
        }
        let fault = |why: Box<str>| Fault { record: place_of(&line), ..Fault::new(why) };
        let format = match line.format.as_deref() {
            Some(name) => Format::from_name(name)
                .ok_or_else(|| fault(format!("unknown notation {}", TextPart(name)).into()))?,
            None => format
                .or_else(|| {
                    let head = &line.text.as_bytes()[..line.text.len().min(HEAD)];
                    detect(head, Some(&line.source)).first().copied()
                })
                .ok_or_else(|| fault("unrecognized notation; name it in the field `format`".into()))?,
        };
        let rules = match line.variant.as_deref() {
            Some(text) => Some(self.rules(text).map_err(fault)?),
            None => None,
        };
        let wrapped = Wrapped { input: line.input, variant: line.variant.as_deref().map(Arc::from), rules };
        Ok((line, wrapped, format))
    }

    /// Returns the rules for a name or a rules string.
    fn rules(&mut self, text: &str) -> Result<RuleChoice, Box<str>> {
        if let Some(known) = self.rules.get(text) {
            return known.clone();
        }
        if self.rules.len() >= MAX_KNOWN {
            self.rules.clear();
        }
        let rules = match catalog::find(text) {
            Some(named) => Ok(RuleChoice::named(named)),
            None => match text.parse::<RuleSet>() {
                Ok(rules) => RuleChoice::own(&rules).map_err(|error| error.to_string().into()),
                Err(_) => Err(format!("{} is neither a variant nor a rules string", TextPart(text)).into()),
            },
        };
        if text.len() <= LONGEST_KNOWN {
            self.rules.insert(text.into(), rules.clone());
        }
        rules
    }

    /// Appends a line to the last batch, or to a new one if that has another source, notation, or rules.
    fn push(&mut self, line: RecordLine<'_>, wrapped: Wrapped, format: Format, most: usize) {
        let fits = |batch: &&mut Batch| {
            !batch.records.is_empty()
                && *batch.name == *line.source
                && batch.format == Some(format)
                && batch.text.len() < most
                && batch.wrapped.as_ref().is_some_and(|known| known.is_like(&wrapped))
        };
        let known = self.ready.back_mut().filter(fits);
        let raw = |start: usize| RawRecord {
            range: start..start + line.text.len(),
            base: line.offset,
            place: LineCol { line: line.place, column: line.column },
            ordinal: line.ordinal,
            replaced: line.replaced,
            n_header: format.header_length(&line.text),
            header: None,
            table: None,
        };
        match known {
            Some(batch) => {
                batch.records.push(raw(batch.text.len()));
                batch.text.push_str(&line.text);
            }
            None => self.ready.push_back(Batch {
                name: Arc::from(&*line.source),
                format: Some(format),
                encoding: StreamEncoding::Utf8,
                text: line.text.to_string(),
                records: vec![raw(0)],
                findings: Vec::new(),
                wrapped: Some(wrapped),
            }),
        }
    }
}

/// Returns the source and the line of a record line.
fn place_of(line: &RecordLine<'_>) -> Option<(Arc<str>, u64)> {
    Some((Arc::from(&*line.source), line.place))
}

/// Converts an error line into the fault that it reports.
fn fault_of_line(bytes: &[u8]) -> Fault {
    let line: ErrorLine<'_> = match serde_json::from_slice(bytes) {
        Ok(line) => line,
        Err(error) => return Fault::new(shortened(&error)),
    };
    if line.taflbase_error > ERROR_LINE_VERSION {
        return Fault::newer("error", line.taflbase_error.into(), ERROR_LINE_VERSION);
    }
    let why: Cow<'_, str> = match &*line.code {
        "T019" => line.message,
        code => format!("{code}: {}", line.message).into(),
    };
    let record = line.source.map(|source| (Arc::from(&*source), line.place.unwrap_or(1)));
    Fault { record, ..Fault::new(why) }
}

/// Returns the fault of a line with a newer version, if it has one.
fn newer(bytes: &[u8]) -> Option<Fault> {
    #[derive(serde::Deserialize)]
    struct Head {
        taflbase_record: u64,
    }
    let head: Head = serde_json::from_slice(bytes).ok()?;
    let version = head.taflbase_record;
    (version > u64::from(RECORD_LINE_VERSION)).then(|| Fault::newer("record", version, RECORD_LINE_VERSION))
}

/// Returns the message of a JSON error, with only the column of its position.
fn shortened(error: &serde_json::Error) -> Box<str> {
    let text = error.to_string();
    let text = text.replace(" at line 1 column ", " at column ");
    format!("not a record line: {text}").into()
}

#[cfg(test)]
mod tests;
