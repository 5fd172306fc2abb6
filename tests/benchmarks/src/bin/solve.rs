//! Solves a position without a time limit, and prints the progress of the proof numbers.
//!
//! `solve VARIANT NODES MEBIBYTES GOAL PLIES POSITION SIDE MOVES...`; a dash selects the default:
//! `solve brandubh7 100000000 2048 defenders - - - d2-f2`.

use std::time::Instant;

use tafl_analyzer::{
    Certificate, CertificateOrigin, Limits, Nodes, SolveBudget, check_certificate, solve_with_progress,
};
use tafl_rules::{AnyRulebook, Coord, Game, Move, RepetitionMode, Setup, catalog};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize| words.get(at).map(String::as_str).filter(|word| *word != "-");
    let name = word(0).unwrap_or("brandubh7");
    let rules = match catalog::find(name) {
        Some(named) => named.rules(),
        None => name.parse().expect("a variant or a rules string"),
    };
    let number = |at: usize, default: u64| word(at).map_or(default, |word| word.parse().expect("a number"));
    let book = AnyRulebook::compile(&rules).expect("rules that can be played");
    let setup = word(5).map_or_else(
        || rules.start.clone(),
        |record| Setup::parse(rules.shape(), record).expect("a position of this board"),
    );
    let to_move = word(6).map_or(rules.first_mover, |side| side.parse().expect("a side"));
    let mut game = Game::from_setup(&book, &setup, to_move, RepetitionMode::Enforce).expect("a position");
    let cell = |name: &str| rules.shape().cell(name.parse::<Coord>().expect("a cell")).expect("a cell");
    let mut moves = Vec::new();
    for text in words.iter().skip(7) {
        let (from, to) = text.split_once('-').expect("a move such as d2-f2");
        let mv = Move::new(cell(from), cell(to));
        game.play(mv).expect("a legal move");
        moves.push(mv);
    }
    let budget = SolveBudget {
        limits: Limits { nodes: Some(Nodes(number(1, 10_000_000))), ..Limits::default() },
        mebibytes: number(2, 512) as usize,
        goal: word(3).map(|side| side.parse().expect("a side")),
        plies: word(4).map(|plies| plies.parse().expect("a number of plies")),
    };
    let started = Instant::now();
    let solution = solve_with_progress(&game, &budget, |goals| {
        println!("{:8.1} s  attackers {:?}", started.elapsed().as_secs_f64(), goals.attackers);
        println!("            defenders {:?}", goals.defenders);
    })
    .expect("a position that can be solved");
    println!(
        "{:?} with {} positions in {:.1} s",
        solution.verdict,
        solution.nodes.0,
        solution.time.as_secs_f64()
    );
    println!("{:?}", solution.goals);
    if let Some(proof) = solution.proof {
        let line: Vec<String> = proof.line.iter().map(|mv| mv.display(rules.shape()).to_string()).collect();
        println!("{} steps; {}", proof.steps.len(), line.join(" "));
        let origin = CertificateOrigin { start: setup, to_move, moves };
        let certificate = Certificate { rules, origin, proof };
        println!("{:?}", check_certificate(&certificate, Nodes(2_000_000_000)));
    }
}
