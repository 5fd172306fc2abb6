//! Measures every figure of `docs/benchmarks.md` and writes the page.
//!
//! ```text
//! cargo run --release -p tafl-benchmarks --bin benchmarks -- [OPTION...] [SECTION...]
//! ```
//!
//! Without names, all sections run except `matches`, `tests`, `cold`, and `distribution`. The findings of a section replace its
//! earlier ones, so after an interruption, only the remaining sections have to be named. See README.md.

mod child;
mod figure;
mod format;
mod goals;
mod machine;
mod options;
mod page;
mod sections;
mod store;
mod workspace;

use std::process::ExitCode;
use std::time::Instant;

use machine::Machine;
use options::Options;
use sections::SECTIONS;
use store::{Outcome, Store};
use workspace::Workspace;

fn run(options: &Options) -> Result<ExitCode, String> {
    if options.lists {
        for section in SECTIONS {
            println!("{:<11} {:<8} {}", section.name, section.time, section.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut workspace = Workspace::find(options)?;
    let mut store = Store::open(&workspace.results())?;
    let mut n_failed = 0;
    for section in options.chosen() {
        eprintln!("== {} ({})", section.name, section.time);
        workspace.build(section.needs)?;
        workspace.check_profile()?;
        let (before, begun) = (Machine::read(&workspace.root), Instant::now());
        match (section.run)(&workspace) {
            Ok(mut found) => {
                found.commands.iter_mut().for_each(|command| *command = workspace.plain(command));
                store.put(section.name, &Outcome { before, found, took: begun.elapsed() })?;
            }
            Err(error) => {
                eprintln!("error: {}: {error}", section.name);
                n_failed += 1;
            }
        }
        workspace.write(&page::page(&store))?;
    }
    workspace.write(&page::page(&store))?;
    eprintln!("{} written", workspace.page().display());
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
