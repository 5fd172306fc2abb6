//! Writes the balance of variants between people, for `reports/data/human_balance.tsv`: variant, games, and the attackers'
//! expected score between equals with its interval, of variants in the catalog with at least 100 games.
//!
//! `cargo run --release -p tafl-reports --example human_balance -- games.corpus > reports/data/human_balance.tsv`

use std::error::Error;

use tafl_corpus::Corpus;
use tafl_reports::{BalanceOptions, GamesToLoad, balance, load_games};

fn main() -> Result<(), Box<dyn Error>> {
    let path =
        std::env::args().nth(1).ok_or("usage: human_balance CORPUS (create one with `tafl import`)")?;
    let corpus = Corpus::open(path.as_ref())?;
    let games = load_games(&corpus, GamesToLoad::All)?;
    let findings = balance(&games, &BalanceOptions::default());
    println!("# variant\tgames\tattackers' expected score between equals\tlow\thigh");
    println!("# by reports/examples/human_balance.rs, from {} recorded games", games.rows.len());
    let mut rows: Vec<(u64, String)> = Vec::new();
    for found in &findings.variants {
        let (Some(name), Ok(adjusted)) = (&found.variant.name, &found.adjusted) else { continue };
        if adjusted.games >= 100 {
            let score = adjusted.expectation;
            let line = format!(
                "{name}\t{}\t{:.3}\t{:.3}\t{:.3}",
                adjusted.games, score.value, score.low, score.high
            );
            rows.push((adjusted.games, line));
        }
    }
    rows.sort_by(|one, two| two.0.cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
    rows.iter().for_each(|(_, line)| println!("{line}"));
    Ok(())
}
