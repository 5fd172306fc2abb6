//! Plays two evaluations against each other: `netduel VARIANT (nodes|ms) LIMIT PAIRS A B SEED [SAMPLES]`, where A and B
//! are `terms` or files of networks; games begin with random moves, or with positions of a file of samples.

use std::sync::Arc;
use std::time::Duration;

use tafl_analyzer::engine::{NetChoice, Options};
use tafl_analyzer::learn::random::Random;
use tafl_analyzer::learn::sample::{self, Sample};
use tafl_analyzer::net::Network;
use tafl_analyzer::{Engine, Limits};
use tafl_rules::game::RepetitionMode;
use tafl_rules::{AnyRulebook, Game, Side, catalog};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let rules = catalog::find(&words[1]).expect("a variant").rules();
    let book = AnyRulebook::compile(&rules).expect("rules");
    let number = |at: usize| words[at].parse::<u64>().expect("a number");
    let limits = if words[2] == "ms" {
        Limits::time(Duration::from_millis(number(3)))
    } else {
        Limits::nodes(number(3))
    };
    let engine = |word: &str| {
        let net = match word {
            "terms" => NetChoice::Terms,
            "builtin" => NetChoice::BuiltIn,
            path => {
                let bytes = std::fs::read(path).expect("a network");
                NetChoice::Given(Arc::new(Network::from_bytes(&bytes).expect("a network")))
            }
        };
        Engine::new(&book, Options { mebibytes: 8, net, ..Options::default() })
    };
    let mut engines = [engine(&words[5]), engine(&words[6])];
    let mut random = Random::new(number(7));
    let samples: Vec<Sample> = words.get(8).map_or(Vec::new(), |path| {
        sample::read(&mut std::fs::File::open(path).expect("samples"), book.shape()).expect("samples")
    });
    let mut counts = [0_u32; 5];
    let (mut by_side, mut plies, mut nodes, mut times) = ([[0_u32; 3]; 2], 0, [0_u64; 2], [0.0_f64; 2]);
    for pair in 1..=number(4) {
        let opening = opening(&book, &mut random, &samples, &mut engines[1]);
        let mut points = 0;
        for first in 0..2 {
            let mut game = opening.clone();
            engines.iter_mut().for_each(Engine::clear);
            let mut length = 0;
            while game.outcome().is_none() && length < 250 {
                let player = if game.to_move() == Side::Attackers { first } else { 1 - first };
                let Ok(report) = engines[player].search(&game, &limits) else { break };
                nodes[player] += report.nodes.0;
                times[player] += report.time.as_secs_f64();
                game.play(report.lines[0].moves[0]).expect("legal");
                length += 1;
            }
            plies += length;
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            let halves = match winner {
                None => 1,
                Some(winner) if (winner == Side::Attackers) == (first == 0) => 2,
                Some(_) => 0,
            };
            by_side[first][halves] += 1;
            points += halves;
        }
        counts[points] += 1;
        if pair == number(4) || pair % 25 == 0 {
            let n = pair as f64;
            let mean =
                counts.iter().enumerate().map(|(at, count)| at as f64 / 4.0 * f64::from(*count)).sum::<f64>()
                    / n;
            let variance = counts
                .iter()
                .enumerate()
                .map(|(at, count)| (at as f64 / 4.0 - mean).powi(2) * f64::from(*count))
                .sum::<f64>()
                / n;
            let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
            let half = 1.96 * (variance / n).sqrt();
            println!(
                "{pair} pairs {counts:?}: {:.1} %, Elo {:+.0} [{:+.0} {:+.0}]; A attacks L/D/W {:?}, A defends {:?}; {} plies; nps {:.0} {:.0}",
                100.0 * mean,
                elo(mean),
                elo(mean - half),
                elo(mean + half),
                by_side[0],
                by_side[1],
                plies / (2 * pair as usize),
                nodes[0] as f64 / times[0],
                nodes[1] as f64 / times[1]
            );
        }
    }
}

fn opening(book: &AnyRulebook, random: &mut Random, samples: &[Sample], judge: &mut Engine) -> Game {
    loop {
        let mut game = Game::new(book);
        if samples.is_empty() {
            for _ in 0..4 + random.below(3) {
                let moves = game.moves();
                if game.outcome().is_some() || moves.is_empty() {
                    break;
                }
                let _ = game.play(moves[random.below(moves.len())]);
            }
        } else {
            let sample = &samples[random.below(samples.len())];
            if sample.score.abs() > 400 {
                continue;
            }
            game = Game::from_setup(book, &sample.setup, sample.to_move, RepetitionMode::Enforce)
                .expect("board");
        }
        judge.clear();
        let Ok(report) = judge.search(&game, &Limits::nodes(2000)) else { continue };
        if report.lines[0].score.for_side(Side::Attackers).value().abs() < 700 {
            return game;
        }
    }
}
