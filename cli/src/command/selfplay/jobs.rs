//! `tafl selfplay --jobs`: reads one job per line, and writes its games as record lines.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use tafl_parser::{ERROR_LINE_VERSION, ErrorLine, in_order};
use taflbase::App;

use crate::args::play::SelfplayArgs;
use crate::{Exit, Io};

/// The maximum number of bytes of a job.
const MAX_LINE: u64 = 1 << 20;

/// The code of a line that is not a job.
const BAD_LINE: &str = "T019";

/// Runs the command for jobs.
///
/// # Errors
///
/// Returns an error if the file can't be read, or an answer can't be written.
pub(super) fn run(args: &SelfplayArgs, path: &Path, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (app, job) = (App::new().with_rules_files(), io.job());
    let input: Box<dyn Read + Send + '_> = if path == Path::new("-") {
        Box::new(io.take_stdin())
    } else {
        Box::new(File::open(path).with_context(|| path.display().to_string())?)
    };
    let mut input = BufReader::new(input);
    let mut number = 0;
    let mut failed = None;
    let next = || {
        let mut line = Vec::new();
        match read_line(&mut input, &mut line) {
            Ok(0) => None,
            Ok(_) => {
                number += 1;
                Some((number, line))
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        }
    };
    let work = |(number, line): (u64, Vec<u8>)| {
        let mut out = Vec::new();
        match args.request.run_job(&line, &app, &job, &mut out) {
            Ok(()) => (out, Exit::Ok),
            Err(error) => (error_line(number, &error), Exit::Findings),
        }
    };
    let mut exit = Exit::Ok;
    let mut result = Ok(());
    let sink = |(text, how): (Vec<u8>, Exit)| {
        exit = exit.and(how);
        result = io.write_bytes(&text).and_then(|()| io.flush());
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let threads = args.request.threads.get();
    in_order(threads, next, work, sink);
    result?;
    match failed {
        Some(error) => Err(error).with_context(|| path.display().to_string()),
        None => Ok(exit),
    }
}

/// Reads a line. A line that is too long is truncated.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    let count = input.by_ref().take(MAX_LINE).read_until(b'\n', line)?;
    if count as u64 == MAX_LINE && !line.ends_with(b"\n") {
        let mut rest = Vec::new();
        while input.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest)? > 0 && !rest.ends_with(b"\n") {
            rest.clear();
        }
    }
    Ok(count)
}

/// Returns the error line for a line that is not a job.
fn error_line(number: u64, error: &taflbase::Error) -> Vec<u8> {
    let mut out = Vec::new();
    let line = ErrorLine {
        taflbase_error: ERROR_LINE_VERSION,
        source: None,
        place: None,
        line: number,
        code: BAD_LINE.into(),
        message: error.to_string().into(),
    };
    line.write(&mut out);
    out
}
