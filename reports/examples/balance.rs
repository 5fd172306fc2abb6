//! Prints the balance of each variant of a corpus.
//!
//! `cargo run --release -p tafl-reports --example balance -- games.corpus`

use std::error::Error;

use tafl_corpus::Corpus;
use tafl_reports::{BalanceOptions, GamesToLoad, balance, load_games};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: balance CORPUS (create one with `tafl import`)")?;
    let corpus = Corpus::open(path.as_ref())?;
    let games = load_games(&corpus, GamesToLoad::All)?;
    let findings = balance(&games, &BalanceOptions::default());
    println!("{:32} {:>8} {:>10} {:>10} {:>8}", "variant", "games", "attackers", "defenders", "balance");
    for found in &findings.variants {
        // Positive if the defenders are favored, or the reason why it can't be estimated.
        let balance =
            found.balance.as_ref().map_or_else(ToString::to_string, |balance| balance.value.to_string());
        let tally = &found.tally;
        println!(
            "{:32} {:8} {:10} {:10} {balance:>8}",
            found.variant.label(),
            tally.games,
            tally.attackers,
            tally.defenders
        );
    }
    Ok(())
}
