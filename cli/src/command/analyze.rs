//! `tafl analyze`: answers queries about positions, each with a line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use taflbase::engine::AnalyzeReply;
use taflbase::{App, json_line};

use crate::args::engine::AnalyzeArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the file can't be opened, or an answer can't be written.
pub(crate) fn run(args: &AnalyzeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let input: Box<dyn BufRead + Send> = if args.input == Path::new("-") {
        io.take_stdin()
    } else {
        let file = File::open(&args.input).with_context(|| args.input.display().to_string())?;
        Box::new(BufReader::new(file))
    };
    let (app, job) = (App::new().with_rules_files(), io.job());
    let mut exit = Exit::Ok;
    args.request.process(input, &app, &job, |reply| -> anyhow::Result<ControlFlow<()>> {
        if matches!(reply, AnalyzeReply::Error { .. }) {
            exit = Exit::Findings;
        }
        io.print(&json_line(&reply))?;
        // The client may wait for the answer before it sends the next query.
        io.flush()?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(exit)
}
