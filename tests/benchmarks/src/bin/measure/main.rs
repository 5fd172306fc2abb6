//! Measures parts of Taflbase in this process: speed of records and corpora, quality of repair and inference.
//!
//! ```text
//! cargo run --release -p tafl-benchmarks --features measure --bin measure -- PART [OPTION...]
//! ```
//!
//! Each speed is the median of several rounds, with the slowest, the fastest, and the ratio to something simpler in the same
//! run. Without files, the records of random games are measured.

mod corpus;
mod figure;
mod infer;
mod material;
mod options;
mod repair;
mod speed;
mod timing;

use clap::Parser;

use options::{Options, Part};

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    match options.part {
        Part::Parse | Part::Replay | Part::Perft => speed::run(&options),
        Part::Corpus => corpus::run(&options),
        Part::Repair => repair::run(&options),
        Part::Infer => infer::run(&options),
    }
}
