//! Prints who wins the games of a corpus, a line for each variant:
//! `cargo run -p tafl-reports --example balance -- CORPUS`.

use std::error::Error;

use tafl_corpus::Corpus;
use tafl_reports::measure::{BalanceOptions, Chosen, balance, load};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a corpus; `tafl import` makes one")?;
    let corpus = Corpus::open(path.as_ref())?;
    let games = load(&corpus, Chosen::All)?;
    let findings = balance(&games, &BalanceOptions::default());
    println!("{:32} {:>8} {:>10} {:>10} {:>8}", "variant", "games", "attackers", "defenders", "balance");
    for found in &findings.variants {
        // Positive if the defenders are favored; a reason if there is too little to say.
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
