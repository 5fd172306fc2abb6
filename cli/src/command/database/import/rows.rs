//! `tafl import --rows`: row lines become segments; nothing is replayed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, bail};
use tafl_corpus::ingest::{Ingest, Prepared};
use tafl_corpus::row_line::{RowError, RowReader};
use tafl_parser::parallel;
use tafl_parser::reader::unpacked;

use super::{finish, options};
use crate::args::database::corpus::ImportArgs;
use crate::number::Count;
use crate::{Exit, Io};
use taflbase::escape::escape;

/// About how many bytes are read at once.
const PORTION: usize = 256 << 10;

/// The most bytes that a line may have.
const LONGEST: u64 = 256 << 20;

/// Whole lines of a file, and the number of the first one.
struct Portion {
    name: String,
    first: u64,
    lines: Vec<Vec<u8>>,
}

/// A line that cannot be stored: where it stands, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}, line {line}: {error}; nothing was stored", escape(name))]
struct BadRow {
    name: String,
    line: u64,
    error: RowError,
}

/// Runs the command for row lines. All of them are stored, or none.
///
/// # Errors
///
/// Fails when a file cannot be read, a line is no row line of this version, somebody else writes, or the corpus cannot be
/// read or written.
pub(super) fn run(args: &ImportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let mut ingest = Ingest::begin(&args.corpus, &options(args))?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or_else(cores);
    let mut stdin = Some(io.take_stdin());
    for path in &args.rows {
        let bytes: Box<dyn Read + Send + '_> = if path == Path::new("-") {
            match stdin.take() {
                Some(stdin) => Box::new(stdin),
                None => bail!("`-` is named more than once; standard input is read once"),
            }
        } else if path.is_dir() {
            bail!("{}: this is a folder; name the files with the rows", path.display());
        } else {
            Box::new(File::open(path).with_context(|| path.display().to_string())?)
        };
        let input = unpacked(bytes).with_context(|| path.display().to_string())?;
        let mut lines = Lines { name: path.display().to_string(), input: BufReader::new(input), next: 1 };
        take_in((&mut lines, threads), &mut ingest, io)?;
    }
    let (summary, exit) = finish((ingest, &args.corpus), (0, 0), begun, io)?;
    io.print(&summary.write(args.format))?;
    Ok(exit)
}

/// The lines of a file, a portion at a time.
struct Lines<R> {
    name: String,
    input: BufReader<R>,
    /// The number of the next line.
    next: u64,
}

impl<R: Read> Lines<R> {
    fn portion(&mut self) -> anyhow::Result<Option<Portion>> {
        let mut portion = Portion { name: self.name.clone(), first: self.next, lines: Vec::new() };
        let mut size = 0;
        while size < PORTION {
            let mut line = Vec::new();
            let read = self.input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let count = read.with_context(|| self.name.clone())?;
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

fn take_in<R: Read + Send>(
    (lines, threads): (&mut Lines<R>, NonZeroUsize),
    ingest: &mut Ingest,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    let idle: Mutex<Vec<RowReader>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |portion: anyhow::Result<Portion>| -> anyhow::Result<Vec<Prepared>> {
        let mut reader = lock().pop().unwrap_or_default();
        let rows = read(&mut reader, portion?);
        lock().push(reader);
        rows
    };
    let mut result = Ok(());
    let sink = |rows: anyhow::Result<Vec<Prepared>>| {
        result = rows.and_then(|rows| {
            for row in rows {
                ingest.add(row)?;
            }
            let counts = ingest.summary();
            let games = Count(counts.added + counts.doubled + counts.rejected);
            io.progress(&format!("{games} games"));
            Ok(())
        });
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    parallel::in_order(threads, || lines.portion().transpose(), work, sink);
    io.end_progress();
    result
}

fn read(reader: &mut RowReader, portion: Portion) -> anyhow::Result<Vec<Prepared>> {
    let Portion { name, first, lines } = portion;
    let mut rows = Vec::with_capacity(lines.len());
    for (line, text) in (first..).zip(&lines) {
        match reader.read(text.trim_ascii_end()) {
            Ok(row) => rows.push(row),
            Err(error) => return Err(BadRow { name, line, error }.into()),
        }
    }
    Ok(rows)
}
