//! Writes the balance of variants between people, for `reports/data/human_balance.tsv`: variant, games, and the attackers'
//! expected score between equals with its interval, of variants in the catalog with at least 100 games.
//!
//! `cargo run --release -p tafl-reports --example human_balance -- games.corpus > reports/data/human_balance.tsv`

use std::error::Error;

use tafl_corpus::Corpus;
use tafl_reports::{GamesToLoad, HumanBalance, human_balances_of, load_games};

fn main() -> Result<(), Box<dyn Error>> {
    let path =
        std::env::args().nth(1).ok_or("usage: human_balance CORPUS (create one with `tafl import`)")?;
    let corpus = Corpus::open(path.as_ref())?;
    let games = load_games(&corpus, GamesToLoad::All)?;
    println!("# variant\tgames\tattackers' expected score between equals\tlow\thigh");
    println!("# by reports/examples/human_balance.rs, from {} recorded games", games.rows.len());
    for HumanBalance { variant, games, score } in human_balances_of(&games) {
        println!("{variant}\t{games}\t{:.3}\t{:.3}\t{:.3}", score.value, score.low, score.high);
    }
    Ok(())
}
