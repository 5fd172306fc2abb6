//! Analyzes a position: prints the engine's best lines, and a proof if the solver finds one.
//!
//! `cargo run --release -p tafl-analyzer --example analyze`

use tafl_analyzer::{Engine, Limits, Nodes, SearchOptions, prove_win};
use tafl_rules::{AnyRulebook, Game, RepetitionMode, Setup, Side, catalog};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = catalog::find("brandubh7").ok_or("no such variant")?.rules();
    let book = AnyRulebook::compile(&rules)?;
    let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/")?;
    let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce)?;

    // An engine is created for one rule set. It reuses what earlier searches of the same game
    // found.
    let mut engine = Engine::new(&book, SearchOptions::default());
    let limits = Limits { multi_pv: Some(3), ..Limits::nodes(20_000) };
    let report = engine.search(&game, &limits)?;
    for line in &report.lines {
        let moves: Vec<String> = line.moves.iter().map(|mv| mv.display(game.shape()).to_string()).collect();
        println!("{:>15}  {}", line.score.for_side(Side::Defenders).to_string(), moves.join(" "));
    }

    // A score is an estimate; a proof holds against every defense.
    match prove_win(&game, Nodes(100_000)) {
        Some(proof) => println!("the {} win within {} plies", proof.side, proof.plies),
        None => println!("no proof"),
    }
    Ok(())
}
