//! Counts the results of each variant of a corpus, with a lazy query of polars.
//!
//! `cargo run --release -p tafl-corpus --example count_results -- games.corpus`

use std::path::Path;

use polars::prelude::{col, len};
use tafl_corpus::{Corpus, collect};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: count_results CORPUS")?;
    let corpus = Corpus::open(Path::new(&folder))?;
    let counts = corpus
        .scan_games()?
        .group_by([col("variant"), col("result")])
        .agg([len().alias("games"), col("plies").mean()])
        .sort(["variant", "result"], Default::default());
    println!("{}", collect(counts)?);
    Ok(())
}
