//! Searches a corpus, and prints the first hits with their boards.
//!
//! `cargo run --release -p tafl-corpus --example search_corpus -- games.corpus "shieldwall and result:attackers"`

use std::num::NonZeroUsize;
use std::path::Path;

use tafl_corpus::{Corpus, Count, Page, Query, Searcher};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(text)) = (args.next(), args.next()) else {
        return Err("usage: search_corpus CORPUS QUERY".into());
    };
    let corpus = Corpus::open(Path::new(&folder))?;
    let query = Query::parse(&text)?;
    let searcher = Searcher::open(&corpus, NonZeroUsize::MIN);
    let answer = searcher.search(&query, Page { offset: 0, limit: 5, count: Count::All })?;
    println!("{} hits in {} games", answer.total.number(), answer.games.number());
    for row in searcher.rows(&corpus, &query, &answer.hits)? {
        let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_owned());
        let (attackers, defenders) = (name(&row.game.attackers), name(&row.game.defenders));
        println!("{attackers} - {defenders}, after ply {}:", row.spot.found.hit.ply);
        println!("{}", row.spot.position);
    }
    Ok(())
}
