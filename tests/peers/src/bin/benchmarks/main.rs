//! Measures every figure of `docs/benchmarks.md` and writes the page.
//!
//! ```text
//! cargo run --release --manifest-path tests/peers/Cargo.toml --bin benchmarks -- [OPTION...] [SECTION...]
//! ```
//!
//! Without names every section runs that isn't a build; a section that runs again replaces what it found before, so a run that
//! was broken off goes on with the sections that are left. See README.md.

mod child;
mod figure;
mod format;
mod goals;
mod machine;
mod options;
mod page;
mod place;
mod sections;
mod store;

use std::process::ExitCode;
use std::time::Instant;

use machine::Machine;
use options::Options;
use place::Place;
use sections::SECTIONS;
use store::{Outcome, Store};

fn run(options: &Options) -> Result<ExitCode, String> {
    if options.lists {
        for section in SECTIONS {
            println!("{:<11} {:<8} {}", section.name, section.time, section.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut place = Place::find(options)?;
    let mut store = Store::open(&place.results())?;
    let mut n_failed = 0;
    for section in options.chosen() {
        eprintln!("== {} ({})", section.name, section.time);
        place.build(section.needs)?;
        place.check_profile()?;
        let (before, begun) = (Machine::look(&place.root), Instant::now());
        match (section.run)(&place) {
            Ok(mut found) => {
                found.commands.iter_mut().for_each(|command| *command = place.plain(command));
                store.put(section.name, &Outcome { before, found, took: begun.elapsed() })?;
            }
            Err(error) => {
                eprintln!("error: {}: {error}", section.name);
                n_failed += 1;
            }
        }
        place.write(&page::page(&store))?;
    }
    place.write(&page::page(&store))?;
    eprintln!("{} written", place.page().display());
    Ok(if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
