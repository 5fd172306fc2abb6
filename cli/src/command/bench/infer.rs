//! How often rules are found again from games whose variant is hidden.

mod compare;
mod hidden;

use std::num::NonZeroUsize;
use std::time::Instant;

use serde_json::json;
use tafl_parser::Record;
use tafl_parser::infer::{InferOptions, infer, probe};

use crate::args::rules::TextFormat;
use crate::args::tools::BenchArgs;
use crate::{Exit, Io};

use compare::{Recovery, compare};
use hidden::Hidden;

/// Runs the measurement.
///
/// # Errors
///
/// Fails when a file cannot be read, or the answer cannot be written.
pub(super) fn run(args: &BenchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or(cores);
    io.progress("reading the games");
    let all = match args.input.is_empty() {
        true => hidden::own(threads)?,
        false => hidden::of_files(&args.input)?,
    };
    let mut rows = Vec::new();
    for hidden in &all {
        io.progress(&format!("infer {}", hidden.name));
        rows.push(recover(hidden, threads));
    }
    io.end_progress();
    match args.format {
        TextFormat::Text => io.print(&compare::table(&rows))?,
        TextFormat::Json => {
            let list: Vec<_> = rows.iter().map(Recovery::json).collect();
            io.print(&format!("{:#}\n", json!({ "threads": threads, "infer": list })))?;
        }
    }
    Ok(Exit::Ok)
}

/// Infers the rules of games, and compares them with the true ones.
fn recover(hidden: &Hidden, threads: NonZeroUsize) -> Recovery {
    let records: Vec<&Record> = hidden.records.iter().collect();
    let begin = Instant::now();
    let options = InferOptions { without: Some(hidden.rules.clone()), threads, ..InferOptions::default() };
    let found = infer(&records, &options);
    let seconds = begin.elapsed().as_secs_f64();
    let (probes, n_agreeing) = probe(&records, &hidden.rules, threads);
    compare(hidden, &found, (&probes, n_agreeing), seconds)
}
