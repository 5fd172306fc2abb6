//! Reads mutated inputs with every reader, or writes random records and reads them back, and reports panics.
//!
//! ```text
//! mutate --count 1000000 [--from N] [--seed N] [-j N] [FOLDER...]
//! mutate --round-trips --count 1000000
//! mutate --round-trips FOLDER...
//! mutate --target questions --seconds 600
//! ```
//!
//! The input of an execution depends only on the seed, its number, and the files of the folders, so that a run can be
//! continued with `--from`, and `--show N` prints an input. With folders, round trips are those of their records in all
//! notations. `tests/fuzz/README.md` describes the results.

mod input;
mod mutator;
mod options;
mod reading;
mod round_trip;
mod run;
mod target;

use std::process::ExitCode;

use input::{SeedInputs, list};
use mutator::Mutator;
use options::Options;
use round_trip::RoundTripRuns;
use tafl_rules::Rng;
use target::TargetRuns;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| start(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether nothing was found.
fn start(options: &Options) -> Result<bool, String> {
    if options.round_trips {
        return round_trips(options);
    }
    let seeds = SeedInputs::load(&options.folders)?;
    if let Some(number) = options.show {
        let mut mutator = Mutator::default();
        let mut rng = Rng::stream(options.seed, number);
        mutator.mutate(&seeds, &mut rng);
        println!("{}", mutator.text().escape_ascii());
        return Ok(true);
    }
    println!("{} inputs, checksum {:016x}", seeds.len(), seeds.checksum());
    if let Some(target) = options.target {
        return Ok(run::run(options, || TargetRuns::new(target, &seeds, options.seed)));
    }
    Ok(run::run(options, || reading::Readings::new(&seeds, options.seed)))
}

/// Writes random records, or those of folders, and reads them back. Returns whether nothing was found.
fn round_trips(options: &Options) -> Result<bool, String> {
    if !options.has_own_folders {
        if let Some(number) = options.show {
            println!("{}", RoundTripRuns::random(options.seed).describe(number));
            return Ok(true);
        }
        return Ok(run::run(options, || RoundTripRuns::random(options.seed)));
    }
    let mut paths = Vec::new();
    for folder in &options.folders {
        list(folder, &mut paths).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    paths.sort();
    let (records, n_others) = round_trip::read_valid(&paths)?;
    println!("{} records that validate, {n_others} others", records.len());
    if let Some(number) = options.show {
        println!("{}", RoundTripRuns::given(&records).describe(number));
        return Ok(true);
    }
    let left = round_trip::n_executions(&records).saturating_sub(options.from);
    let options = Options { count: left, ..options.clone() };
    Ok(run::run(&options, || RoundTripRuns::given(&records)))
}
