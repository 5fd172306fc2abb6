//! Measures what facts cost: random games are played again from their moves, with more and more asked of each ply.
//!
//! `cargo run --release -p tafl-rules --example facts_speed [VARIANT] [GAMES]`

use std::hint::black_box;
use std::time::Instant;

use tafl_rules::{AnyRulebook, Game, Move, catalog};

fn main() {
    let mut args = std::env::args().skip(1);
    let variant = args.next().unwrap_or_else(|| "copenhagen11".to_owned());
    let n_games: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(20);
    let Some(found) = catalog::find(&variant) else {
        println!("no variant {variant}");
        return;
    };
    let book = AnyRulebook::compile(&found.rules()).expect("the catalog's rules are sound");
    let games: Vec<Vec<Move>> = (0..n_games).map(|seed| random_game(&book, seed)).collect();
    let n_plies: usize = games.iter().map(Vec::len).sum();
    println!("{variant}: {n_games} games, {n_plies} plies; best of 60");
    let time = |what: &str, ply: &dyn Fn(&mut Game, Move)| {
        let run = || {
            let mut game = Game::new(&book);
            let begun = Instant::now();
            for moves in &games {
                game.restart();
                moves.iter().for_each(|mv| ply(&mut game, *mv));
            }
            begun.elapsed().as_nanos() as f64 / n_plies as f64
        };
        let best = (0..60).map(|_| run()).fold(f64::INFINITY, f64::min);
        println!("{best:7.0} ns a ply: {what}");
    };
    time("play", &|game, mv| _ = black_box(game.play(mv)));
    time("play, recomputed canonical key", &|game, mv| {
        _ = black_box(game.play(mv));
        black_box(game.canonical_key());
    });
    time("count moves, play", &|game, mv| {
        black_box(game.count_moves());
        _ = black_box(game.play(mv));
    });
    time("watch", &|game, mv| _ = black_box(game.watch(mv)));
    time("count moves, watch, canonical key", &|game, mv| {
        black_box(game.count_moves());
        _ = black_box(game.watch(mv));
        black_box(game.canonical_key());
    });
}

/// Returns the moves of a random game of at most 200 plies.
fn random_game(book: &AnyRulebook, seed: u64) -> Vec<Move> {
    let (mut game, mut state, mut moves) = (Game::new(book), seed, Vec::new());
    while game.outcome().is_none() && moves.len() < 200 {
        let legal = game.moves();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(mv) = legal.get((state >> 33) as usize % legal.len().max(1)) else { break };
        game.play(*mv).expect("listed moves are legal");
        moves.push(*mv);
    }
    moves
}
