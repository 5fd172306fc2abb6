//! Imports files of games into a corpus, and prints the first positions that a query finds.
//!
//! `cargo run --release -p taflbase --example import_and_search -- games.corpus games/ "shieldwall and result:attackers"`

use std::path::PathBuf;

use taflbase::database::{ImportRequest, OnCorpus, SearchRequest};
use taflbase::{App, Job, Request, StreamRequest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(corpus), Some(games), Some(query)) = (args.next(), args.next(), args.next()) else {
        return Err("usage: import_and_search CORPUS GAMES QUERY".into());
    };
    let (app, job, corpus) = (App::new(), Job::default(), PathBuf::from(corpus));

    let import =
        ImportRequest { corpus: corpus.clone(), paths: vec![games.into()], ..ImportRequest::default() };
    let imported = import.run(&app, &job, &mut |_event| Ok(()))?;
    println!("{} new games, {} in the corpus", imported.counts.added, imported.corpus_games);

    let request = SearchRequest { query, ..SearchRequest::default() };
    let answer = OnCorpus { corpus, request }.run(&app, &job)?;
    println!("{} hits in {} games", answer.summary.hits, answer.summary.games);
    for hit in answer.hits {
        let name = |player: Option<String>| player.unwrap_or_else(|| "?".to_owned());
        println!("{} - {}", name(hit.attackers), name(hit.defenders));
        if let Some(position) = hit.at {
            println!("  after ply {}: {}", position.ply, position.position);
        }
    }
    Ok(())
}
