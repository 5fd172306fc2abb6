//! Plays games of a variant against itself and writes samples: `harvest VARIANT NODES SECONDS SEED FILE [NET|terms [STARTS]]`.

use std::fs::File;
use std::io::BufWriter;
use std::time::{Duration, Instant};

use std::sync::Arc;
use tafl_analyzer::engine::{NetChoice, Options};
use tafl_analyzer::learn::sample;
use tafl_analyzer::learn::selfplay::{Course, Harvest};
use tafl_analyzer::limits::Nodes;
use tafl_analyzer::net::Network;
use tafl_rules::{AnyRulebook, catalog};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let rules = catalog::find(&words[1]).expect("a variant").rules();
    let book = AnyRulebook::compile(&rules).expect("rules");
    let number = |at: usize| words[at].parse::<u64>().expect("a number");
    let course = Course { nodes: Nodes(number(2)), ..Course::default() };
    let net = match words.get(6).map(String::as_str) {
        None | Some("terms") => NetChoice::Terms,
        Some(path) => {
            let bytes = std::fs::read(path).expect("a network");
            NetChoice::Given(Arc::new(Network::from_bytes(&bytes).expect("a network")))
        }
    };
    let options = Options { mebibytes: 2, net, ..Options::default() };
    let starts = words.get(7).map_or(Vec::new(), |path| {
        let found = sample::read(&mut File::open(path).expect("samples"), book.shape()).expect("samples");
        found.into_iter().filter(|s| s.score.abs() < 500).map(|s| (s.setup, s.to_move)).collect()
    });
    let end = Instant::now() + Duration::from_secs(number(3));
    let mut harvest = Harvest::new(&book, options, course, number(4)).from_positions(starts);
    let mut samples = Vec::new();
    let mut games = 0;
    let (mut results, mut empty) = ([0u32; 3], 0);
    while Instant::now() < end {
        let found = harvest.game(games);
        match found.first() {
            Some(first) => results[usize::from(first.halves)] += 1,
            None => empty += 1,
        }
        samples.extend(found);
        games += 1;
    }
    println!(
        "{games} games, {} samples, defenders/draws/attackers {results:?}, empty {empty}",
        samples.len()
    );
    let mut out = BufWriter::new(File::create(&words[5]).expect("a file"));
    sample::write(&mut out, book.shape(), &samples).expect("written");
}
