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

/// Returns a count with a comma between groups of three digits: `28,876`.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `1 game`, `2,277 games`.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}
