//! The start of a stream: its container, its encoding, and its notation.

use std::io;

use super::lines::{self, LineState};
use super::unpack::Unpacked;
use super::{Container, HEAD, Records, StreamEncoding, UTF_8, quoted_printable};
use crate::diagnostic::TextFinding;
use crate::format::column_table;
use crate::notation::detect;
use crate::record::Format;

/// The number of bytes that identify a record line or an error line, including a byte order mark.
const MARK: usize = 21;

/// The first bytes of office documents: compound files (`.xls`), and ZIP archives (`.xlsx`, `.ods`).
const OFFICE_MARKS: [&[u8]; 2] = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PK\x03\x04"];

impl Records<'_> {
    /// Detects the container and the notation.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        self.encoding = self.input.encoding();
        if self.options.container == Container::RecordLines {
            self.lines = Some(LineState::default());
            return Ok(());
        }
        // A program that writes record lines may wait for the first answer before it writes more.
        self.fill(MARK)?;
        if !lines::begins(&self.buffer) {
            self.fill(HEAD)?;
        }
        if lines::is_lines(&self.buffer[..self.buffer.len().min(HEAD)]) {
            self.lines = Some(LineState::default());
        } else {
            self.decode_message()?;
            self.detect_line_ends();
            self.read_column_table()?;
            self.detect_format();
        }
        Ok(())
    }

    /// Decodes the lines of a quoted-printable message.
    fn decode_message(&mut self) -> io::Result<()> {
        if !quoted_printable::is_declared(&self.buffer[..self.buffer.len().min(HEAD)]) {
            return Ok(());
        }
        let begin = std::mem::take(&mut self.buffer);
        let rest = std::mem::replace(&mut self.input, Unpacked::new(Box::new(io::empty()))?);
        self.input = rest.decoded(begin);
        self.encoding = self.input.encoding();
        self.is_end = false;
        self.fill(HEAD)
    }

    /// Replaces carriage returns by line feeds from here on, if they alone end the lines, as on old Macintosh computers.
    fn detect_line_ends(&mut self) {
        let head = &self.buffer[..self.buffer.len().min(HEAD)];
        // The line feed of a last carriage return may follow.
        let known = if self.is_end { head } else { head.strip_suffix(b"\r").unwrap_or(head) };
        self.has_cr_lines = known.contains(&b'\r') && !head.contains(&b'\n');
        if self.has_cr_lines {
            end_with_line_feeds(&mut self.buffer);
        }
    }

    /// Replaces a table that is one JSON object by an object per line.
    fn read_column_table(&mut self) -> io::Result<()> {
        let head = &self.buffer[..self.buffer.len().min(HEAD)];
        let is_meant = || match self.options.format {
            Some(format) => format == Format::JsonRows,
            None => detect(head, Some(&self.name)).is_empty(),
        };
        if !column_table::is_likely(head) || !is_meant() {
            return Ok(());
        }
        self.fill(column_table::LARGEST_TABLE)?;
        let text = std::str::from_utf8(&self.buffer).ok().filter(|_| self.is_end);
        if let Some(rows) = text.and_then(column_table::rows) {
            self.buffer = rows.into_bytes();
            self.encoding = StreamEncoding::ColumnTable;
        }
        Ok(())
    }

    /// Detects the notation from the first bytes, and reports faults in them.
    fn detect_format(&mut self) {
        if self.buffer.starts_with(UTF_8) {
            self.buffer.drain(..UTF_8.len());
            self.base = UTF_8.len() as u64;
            if self.encoding == StreamEncoding::Utf8 {
                self.encoding = StreamEncoding::Utf8WithMark;
            }
        }
        let head = &self.buffer[..self.buffer.len().min(HEAD)];
        let problem = if OFFICE_MARKS.iter().any(|mark| head.starts_with(mark)) {
            Some(TextFinding::Spreadsheet)
        } else if memchr::memchr(0, head).is_some() || head.starts_with(b"%PDF-") {
            Some(TextFinding::Binary)
        } else if self.is_end && head.trim_ascii().is_empty() {
            Some(TextFinding::Empty)
        } else {
            self.format = self.format.or_else(|| detect(head, Some(&self.name)).first().copied());
            self.format.is_none().then_some(TextFinding::UnknownFormat)
        };
        match (problem, self.format) {
            (None, Some(format)) => self.cut = format.cut_of(head),
            (problem, _) => {
                self.format = None;
                self.report(problem.unwrap_or(TextFinding::UnknownFormat));
                self.buffer.clear();
                self.is_end = true;
            }
        }
    }
}

/// Replaces carriage returns by line feeds.
pub(super) fn end_with_line_feeds(text: &mut [u8]) {
    text.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}
