//! Reads mutated inputs with every reader, or writes random records and reads them back, and reports panics.
//!
//! ```text
//! mutate --count 1000000 [--from N] [--seed N] [-j N] [FOLDER...]
//! mutate --round-trips --count 1000000
//! ```
//!
//! The input of an execution depends only on the seed, its number, and the files of the folders, so that a run can be
//! continued with `--from`, and `--show N` prints an input. `tests/fuzz/README.md` describes the results.

mod generator;
mod input;
mod mutator;
mod options;
mod reading;
mod round_trip;
mod run;

use std::process::ExitCode;

use input::SeedInputs;
use mutator::Mutator;
use options::Options;
use tafl_rules::Rng;

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
        if let Some(number) = options.show {
            println!("{}", round_trip::describe(options.seed, number));
            return Ok(true);
        }
        let work = || round_trip::RoundTrips::new(options.seed);
        return Ok(run::run(options, work));
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
    Ok(run::run(options, || reading::Readings::new(&seeds, options.seed)))
}
