//! Measures a balance report: `balance_bench CORPUS`, or `balance_bench GAMES PLAYERS` for games that are made up.
//!
//! Games are made up as a table in Parquet of the columns that corpora have, so that reading is measured, too.

use std::time::Instant;

use tafl_corpus::Corpus;
use tafl_reports::measure::{BalanceOptions, Chosen, Games, balance, load};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().expect("usage: balance_bench CORPUS");
    let start = Instant::now();
    let corpus = Corpus::open(path.as_ref()).expect("the corpus opens");
    let games: Games = load(&corpus, Chosen::All).expect("the corpus can be read");
    println!("{} games, {} players read in {:?}", games.rows.len(), games.players.len(), start.elapsed());
    let start = Instant::now();
    let found = balance(&games, &BalanceOptions::default());
    println!("{} variants measured in {:?}; {}", found.variants.len(), start.elapsed(), memory());
    for variant in found.variants.iter().take(20) {
        let balance = variant.balance.as_ref().map(|b| format!("{} [{}, {}]", b.value, b.low, b.high));
        let elo = |elo: tafl_reports::stats::Estimate| {
            format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high)
        };
        println!(
            "{:45} {:6} {:28} attackers {:22} shrunk {:22} fdr {:.3}",
            variant.variant.label(),
            variant.tally.games,
            balance.unwrap_or_else(|missing| missing.to_string()),
            variant.adjusted.as_ref().map_or_else(|missing| missing.to_string(), |found| elo(found.elo)),
            variant.shrunk.map_or_else(String::new, elo),
            variant.p_fdr.unwrap_or(1.0),
        );
    }
}

/// Returns the most memory that the process had.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("memory unknown").to_owned()
}
