//! Labels games of people: `humans VARIANT NODES SECONDS SEED FILE GAMES.jsonl`.

use std::fs::{File, read_to_string};
use std::io::BufWriter;
use std::time::{Duration, Instant};

use tafl_analyzer::engine::Options;
use tafl_analyzer::learn::label::{Labeler, Labels};
use tafl_analyzer::learn::random::Random;
use tafl_analyzer::learn::sample;
use tafl_analyzer::limits::Nodes;
use tafl_rules::{AnyRulebook, Coord, Move, Side, catalog};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let rules = catalog::find(&words[1]).expect("a variant").rules();
    let book = AnyRulebook::compile(&rules).expect("rules");
    let shape = book.shape();
    let number = |at: usize| words[at].parse::<u64>().expect("a number");
    let text = read_to_string(&words[6]).expect("games");
    let field = |line: &str, name: &str| -> String {
        let at = line.find(&format!("\"{name}\":")).map_or(line.len(), |at| at + name.len() + 3);
        line[at..].trim_start_matches('"').split(['"', ',']).next().unwrap_or("").to_owned()
    };
    let mut lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| {
            let key = field(line, "AageGameTypeKey");
            catalog::find(&format!("aage-{key}")).is_some_and(|named| named.rules() == rules)
        })
        .collect();
    Random::new(number(4)).shuffle(&mut lines);
    println!("{} games", lines.len());
    let labels = Labels { nodes: Nodes(number(2)), ..Labels::default() };
    let mut labeler = Labeler::new(&book, Options { mebibytes: 2, ..Options::default() }, labels);
    let end = Instant::now() + Duration::from_secs(number(3));
    let mut samples = Vec::new();
    let mut results = [0; 3];
    for (line_number, line) in lines {
        if Instant::now() > end {
            break;
        }
        let at = line.find("\"Moves\":[").map_or(line.len(), |at| at + 9);
        let moves: Vec<Move> = line[at..]
            .split(']')
            .next()
            .unwrap_or("")
            .split(',')
            .map_while(|mv| {
                let mv = mv.trim_matches('"').split('x').next()?.replace('-', "");
                if mv.len() < 4 {
                    return None;
                }
                let split = 1 + mv[1..].find(|c: char| c.is_ascii_alphabetic())?;
                let cell = |name: &str| shape.cell(name.parse::<Coord>().ok()?);
                Some(Move::new(cell(&mv[..split])?, cell(&mv[split..])?))
            })
            .collect();
        let winner = match field(line, "WhoWon").as_str() {
            "White" => Some(Side::Defenders),
            "Black" => Some(Side::Attackers),
            _ => None,
        };
        if winner.is_none() && moves.len() < 60 {
            continue;
        }
        results[winner.map_or(1, |side| if side == Side::Attackers { 2 } else { 0 })] += 1;
        samples.extend(labeler.game(&moves, winner, line_number as u32));
    }
    println!("{results:?}, {} samples", samples.len());
    let mut out = BufWriter::new(File::create(&words[5]).expect("a file"));
    sample::write(&mut out, shape, &samples).expect("written");
}
