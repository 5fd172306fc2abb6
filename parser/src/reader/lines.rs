//! A stream of record lines: every line is answered, by a record or by a finding, in the order of the stream.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;

use memchr::{memchr, memrchr};
use tafl_rules::{RuleSet, catalog};

use super::envelope::{
    ERROR_LINE_VERSION, ERROR_MARK, ErrorLine, RECORD_LINE_VERSION, RECORD_MARK, RecordLine,
};
use super::{Batch, FileFinding, HEAD, RawRecord, Records, UTF_8, Wrapped};
use crate::diagnostic::{Text, TextPart};
use crate::notation::detect;
use crate::record::Format;
use crate::replay::Choice;

/// How many bytes are asked for at once: as much as a pipe holds, so that an answer does not wait for more.
const PORTION: usize = 64 << 10;

/// So many texts of rules are remembered, and those that are no longer than this.
const MOST_KNOWN: usize = 256;
const LONGEST_KNOWN: usize = 4 << 10;

/// How much longer than its record a line may be: half of it escapes, and what stands around it.
const fn longest_line(largest: usize) -> usize {
    largest.saturating_mul(2).saturating_add(PORTION)
}

/// What is kept between lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    ready: VecDeque<Batch>,
    rules: HashMap<Box<str>, Result<Choice, Box<str>>>,
}

/// Why a line is no record.
struct Fault {
    kind: Text,
    /// The record that is meant, where the line says so: source and line there.
    record: Option<(Arc<str>, u64)>,
}

impl Fault {
    fn new(why: impl Into<Box<str>>) -> Fault {
        Fault { kind: Text::BadLine { why: why.into() }, record: None }
    }
}

/// Returns whether a stream that begins so consists of record lines: one of its first lines is one.
pub(super) fn is_lines(head: &[u8]) -> bool {
    head.split(|byte| *byte == b'\n').any(begins)
}

/// Returns whether what stands at the very beginning can be nothing but a record line.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = without_mark(head);
    head.starts_with(RECORD_MARK) || head.starts_with(ERROR_MARK)
}

/// Returns the beginning of a stream without the mark of UTF-8.
fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(UTF_8).unwrap_or(head)
}

impl Records<'_> {
    /// Returns the next records with the same source, notation and rules, or what is wrong with the next line.
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
                return Ok(is_more.then(|| self.hand_out(self.uncounted(0), Vec::new())));
            } else if self.buffer.len() > longest_line(self.options.largest) {
                self.skip_line()?;
            } else {
                self.read_some()?;
            }
        }
    }

    /// Reads what is there, without waiting until there is more.
    fn read_some(&mut self) -> io::Result<()> {
        let Some(left) = self.left() else { return Ok(()) };
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
                self.find(Text::Truncated);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Makes batches of whole lines at the front of the buffer.
    fn take_lines(&mut self, length: usize) {
        let tail = self.buffer.split_off(length);
        let bytes = std::mem::replace(&mut self.buffer, tail);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.take_line(line.strip_suffix(b"\n").unwrap_or(line));
            self.base += line.len() as u64;
            self.line += 1;
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
                let kind = Text::TooLarge { limit: largest as u64 };
                self.push_fault(Fault { kind, record: place_of(&line) }, bytes);
            }
            Err(fault) => self.push_fault(fault, bytes),
        }
    }

    /// Adds a line that is no record as a batch of its own.
    fn push_fault(&mut self, fault: Fault, bytes: &[u8]) {
        let found =
            FileFinding { base: self.base, line: self.line, kind: fault.kind.into(), record: fault.record };
        let batch = Batch {
            name: Arc::clone(&self.name),
            format: None,
            text: String::from_utf8_lossy(bytes).into_owned() + "\n",
            records: Vec::new(),
            findings: vec![found],
            wrapped: Some(Wrapped { input: None, variant: None, rules: None }),
        };
        self.lines.get_or_insert_default().ready.push_back(batch);
    }

    /// Drops a line that is too long, up to its end.
    fn skip_line(&mut self) -> io::Result<()> {
        let kind = Text::TooLarge { limit: self.options.largest as u64 };
        self.push_fault(Fault { kind, record: None }, &[]);
        loop {
            if let Some(end) = memchr(b'\n', &self.buffer) {
                self.base += end as u64 + 1;
                self.line += 1;
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

impl Lines {
    /// Reads a line: what it says, what its records have in common, and their notation. `format` is asked where the line
    /// names none.
    fn read<'l>(
        &mut self,
        bytes: &'l [u8],
        format: Option<Format>,
    ) -> Result<(RecordLine<'l>, Wrapped, Format), Fault> {
        if bytes.trim_ascii().is_empty() {
            return Err(Fault::new("the line is empty"));
        }
        if bytes.starts_with(ERROR_MARK) {
            return Err(handed_on(bytes));
        }
        let line: RecordLine<'l> = match serde_json::from_slice(bytes) {
            Ok(line) => line,
            Err(error) => return Err(newer(bytes).unwrap_or_else(|| Fault::new(shortened(&error)))),
        };
        if line.taflbase_record != RECORD_LINE_VERSION {
            return Err(newer(bytes).unwrap_or_else(|| Fault::new("the version of the record line is 0")));
        }
        let fault = |why: Box<str>| Fault { record: place_of(&line), ..Fault::new(why) };
        let format = match line.format.as_deref() {
            Some(name) => Format::from_name(name)
                .ok_or_else(|| fault(format!("{} is no notation that is known", TextPart(name)).into()))?,
            None => format
                .or_else(|| {
                    let head = &line.text.as_bytes()[..line.text.len().min(HEAD)];
                    detect(head, Some(&line.source)).first().copied()
                })
                .ok_or_else(|| {
                    fault("the notation of the text is not recognized; `format` names it".into())
                })?,
        };
        let rules = match line.variant.as_deref() {
            Some(text) => Some(self.rules(text).map_err(fault)?),
            None => None,
        };
        let wrapped = Wrapped { input: line.input, variant: line.variant.as_deref().map(Arc::from), rules };
        Ok((line, wrapped, format))
    }

    /// Returns the rules of a name or a rules string.
    fn rules(&mut self, text: &str) -> Result<Choice, Box<str>> {
        if let Some(known) = self.rules.get(text) {
            return known.clone();
        }
        if self.rules.len() >= MOST_KNOWN {
            self.rules.clear();
        }
        let rules = match catalog::find(text) {
            Some(named) => Ok(Choice::named(named)),
            None => match text.parse::<RuleSet>() {
                Ok(rules) => Choice::own(&rules).map_err(|error| error.to_string().into()),
                Err(_) => Err(format!("{} is no variant and no rules string", TextPart(text)).into()),
            },
        };
        if text.len() <= LONGEST_KNOWN {
            self.rules.insert(text.into(), rules.clone());
        }
        rules
    }

    /// Adds a record to the last batch, or to a new one where that has another source, notation or rules.
    fn push(&mut self, line: RecordLine<'_>, wrapped: Wrapped, format: Format, most: usize) {
        let fits = |batch: &&mut Batch| {
            !batch.records.is_empty()
                && *batch.name == *line.source
                && batch.format == Some(format)
                && batch.text.len() < most
                && batch.wrapped.as_ref().is_some_and(|known| known.is_like(&wrapped))
        };
        let known = match self.ready.back_mut() {
            Some(batch) => Some(batch).filter(fits),
            None => None,
        };
        let raw = |start: usize| RawRecord {
            range: start..start + line.text.len(),
            base: line.offset,
            line: line.place,
            ordinal: line.ordinal,
            replaced: line.replaced,
        };
        match known {
            Some(batch) => {
                batch.records.push(raw(batch.text.len()));
                batch.text.push_str(&line.text);
            }
            None => self.ready.push_back(Batch {
                name: Arc::from(&*line.source),
                format: Some(format),
                text: line.text.to_string(),
                records: vec![raw(0)],
                findings: Vec::new(),
                wrapped: Some(wrapped),
            }),
        }
    }
}

/// Returns where the record of a line stands.
fn place_of(line: &RecordLine<'_>) -> Option<(Arc<str>, u64)> {
    Some((Arc::from(&*line.source), line.place))
}

/// Returns what an error line says.
fn handed_on(bytes: &[u8]) -> Fault {
    let line: ErrorLine<'_> = match serde_json::from_slice(bytes) {
        Ok(line) => line,
        Err(error) => return Fault::new(shortened(&error)),
    };
    if line.taflbase_error > ERROR_LINE_VERSION {
        return Fault::new(format!(
            "error lines of version {} are newer than {ERROR_LINE_VERSION}",
            line.taflbase_error
        ));
    }
    let why: Cow<'_, str> = match &*line.code {
        "T019" => line.message,
        code => format!("{code}: {}", line.message).into(),
    };
    let record = line.source.map(|source| (Arc::from(&*source), line.place.unwrap_or(1)));
    Fault { record, ..Fault::new(why) }
}

/// Returns that a line has a newer version, where it has.
fn newer(bytes: &[u8]) -> Option<Fault> {
    #[derive(serde::Deserialize)]
    struct Head {
        taflbase_record: u64,
    }
    let head: Head = serde_json::from_slice(bytes).ok()?;
    let version = head.taflbase_record;
    (version > u64::from(RECORD_LINE_VERSION)).then(|| {
        Fault::new(format!(
            "record lines of version {version} are newer than {RECORD_LINE_VERSION}, the newest that is known"
        ))
    })
}

/// Returns an error of JSON in a line: of its place only the column says something.
fn shortened(error: &serde_json::Error) -> Box<str> {
    let text = error.to_string();
    let text = text.replace(" at line 1 column ", " at column ");
    format!("this is no record line: {text}").into()
}

#[cfg(test)]
mod tests;
