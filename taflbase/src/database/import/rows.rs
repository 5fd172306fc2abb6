//! The import of row lines: nothing is replayed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tafl_corpus::{Ingest, PreparedRecord, RowReader};
use tafl_parser::{in_order, unpack};

use super::ImportRequest;
use crate::escape::escape_path;
use crate::{Error, ErrorKind, Job, Progress, Result};

/// The approximate number of bytes that are read at once.
const PORTION: usize = 256 << 10;

/// The maximum length of a line in bytes.
const MAX_LINE: u64 = 256 << 20;

/// Adds the rows of a request to its corpus: all of them, or none. Returns what has to be finished.
pub(super) fn import<'i>(
    request: &ImportRequest,
    stdin: Option<Box<dyn BufRead + Send + 'i>>,
    job: &Job,
) -> Result<Ingest> {
    let mut ingest = request.begin()?;
    let threads = request.threads.get();
    let mut stdin = Some(stdin.unwrap_or_else(|| Box::new(BufReader::new(io::stdin()))));
    for path in &request.rows {
        let name = escape_path(path);
        let bytes: Box<dyn Read + Send + '_> = if path == Path::new("-") {
            let twice = "`-` is given more than once, but standard input can be read only once";
            Box::new(stdin.take().ok_or_else(|| Error::parameter("rows", twice))?)
        } else if path.is_dir() {
            let message = format!("{name}: this is a folder; name the files with the rows");
            return Err(Error::parameter("rows", message));
        } else {
            Box::new(File::open(path).map_err(|error| unreadable(&name, &error))?)
        };
        let input = unpack(bytes).map_err(|error| unreadable(&name, &error))?;
        let mut lines = RowLines { name, input: BufReader::new(input), next: 1, max_line: MAX_LINE };
        add_lines(&mut lines, threads, &mut ingest, job)?;
    }
    Ok(ingest)
}

fn unreadable(name: &str, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{name}: {error}"))
}

/// Whole lines of a file, and the number of the first one.
struct Portion {
    name: String,
    first: u64,
    lines: Vec<Vec<u8>>,
}

/// The lines of a file, a portion at a time.
struct RowLines<R> {
    name: String,
    input: BufReader<R>,
    /// The number of the next line.
    next: u64,
    /// The maximum length of a line in bytes.
    max_line: u64,
}

impl<R: Read> RowLines<R> {
    fn portion(&mut self) -> Result<Option<Portion>> {
        let mut portion = Portion { name: self.name.clone(), first: self.next, lines: Vec::new() };
        let mut size = 0;
        while size < PORTION {
            let mut line = Vec::new();
            let read = self.input.by_ref().take(self.max_line + 1).read_until(b'\n', &mut line);
            let count = read.map_err(|error| unreadable(&self.name, &error))?;
            if count as u64 > self.max_line {
                let (name, line, max) = (&self.name, self.next, self.max_line);
                let message = format!("{name}, line {line}: longer than {max} bytes; nothing was stored");
                return Err(Error::new(ErrorKind::TooLarge, message));
            }
            if count == 0 {
                break;
            }
            size += count;
            self.next += 1;
            portion.lines.push(line);
        }
        Ok((!portion.lines.is_empty()).then_some(portion))
    }
}

fn add_lines<R: Read + Send>(
    lines: &mut RowLines<R>,
    threads: NonZeroUsize,
    ingest: &mut Ingest,
    job: &Job,
) -> Result<()> {
    let idle: Mutex<Vec<RowReader>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |portion: Result<Portion>| -> Result<Vec<PreparedRecord>> {
        let mut reader = lock().pop().unwrap_or_default();
        let rows = read(&mut reader, portion?);
        lock().push(reader);
        rows
    };
    let mut result = Ok(());
    let sink = |rows: Result<Vec<PreparedRecord>>| {
        result = job.check().and(rows).and_then(|rows| {
            for row in rows {
                ingest.add(row)?;
            }
            let counts = ingest.summary();
            let done = counts.added + counts.doubled + counts.rejected;
            job.report(&Progress { done, unit: "games", proportion: None, detail: "" });
            Ok(())
        });
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    in_order(threads, || lines.portion().transpose(), work, sink);
    result
}

fn read(reader: &mut RowReader, portion: Portion) -> Result<Vec<PreparedRecord>> {
    let Portion { name, first, lines } = portion;
    let mut rows = Vec::with_capacity(lines.len());
    for (line, text) in (first..).zip(&lines) {
        rows.push(reader.read(text.trim_ascii_end()).map_err(|error| {
            let message = format!("{name}, line {line}: {error}; nothing was stored");
            Error::new(ErrorKind::BadRecord, message)
        })?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_an_error_and_not_two_lines() {
        let lines = |text: &'static str| RowLines {
            name: "rows.jsonl".to_owned(),
            input: BufReader::new(text.as_bytes()),
            next: 1,
            max_line: 4,
        };
        let portion = lines("abc\nabcd").portion().unwrap().unwrap();
        assert_eq!(portion.lines, [&b"abc\n"[..], b"abcd"]);
        let error = lines("abc\nabcde\n").portion().err().unwrap();
        assert_eq!(error.kind, ErrorKind::TooLarge);
        assert!(error.message.contains("rows.jsonl, line 2: longer than 4 bytes"), "{error}");
    }
}
