//! What `tafl solve` says.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tafl_analyzer::solver::{GoalReport, GoalState, Solution, Verdict};
use tafl_rules::{BySide, Game, Side};

use super::is_solved;
use crate::number::{Count, counted};
use taflbase::Variant;

/// Returns a line that says how far the search is.
pub(super) fn progress(goals: &BySide<GoalReport>) -> String {
    let numbers = |side: Side| match goals[side].state {
        GoalState::Open { proof_number, disproof_number } => format!("{proof_number}/{disproof_number}"),
        GoalState::Proven(_)
        | GoalState::Refuted
        | GoalState::Exhausted
        | GoalState::Unwritten
        | GoalState::Unasked => "-".to_owned(),
    };
    let nodes = goals.attackers.nodes.0 + goals.defenders.nodes.0;
    let (attackers, defenders) = (numbers(Side::Attackers), numbers(Side::Defenders));
    format!("{}: attackers {attackers}, defenders {defenders}", counted(nodes, "position", "positions"))
}

/// Returns the answer as text.
pub(super) fn text(game: &Game, solution: &Solution, is_shortest: bool, bound: Option<u16>) -> String {
    let mut out = String::new();
    match solution.verdict {
        Verdict::Win { side, plies } => {
            let plies = counted(plies.into(), "ply", "plies");
            let how = if is_shortest { ", and not sooner" } else { "" };
            let _ = writeln!(out, "proven: the {side} win within {plies}{how}");
        }
        Verdict::WinByRepetition(side) => {
            let _ = writeln!(out, "the {side} win: the {} can only repeat themselves", side.other());
        }
        Verdict::Draw => out.push_str("a draw: neither side can force a win\n"),
        Verdict::Unknown => out.push_str("unknown\n"),
    }
    if let Some(proof) = &solution.proof {
        let line: Vec<String> = proof.line.iter().map(|mv| mv.text(game.shape())).collect();
        let _ = writeln!(out, "  {}", line.join(" "));
    }
    for side in Side::ALL {
        let goal = &solution.goals[side];
        if let Some(words) = state(goal.state, bound) {
            let _ = writeln!(out, "  {side:<9}  {words}; {}", counted(goal.nodes.0, "position", "positions"));
        }
        if goal.forgotten > 0 {
            let _ = writeln!(out, "  {:<9}  {} proofs forgotten: --hash is small", "", Count(goal.forgotten));
        }
    }
    out
}

fn state(state: GoalState, bound: Option<u16>) -> Option<String> {
    let within = bound.map_or(String::new(), |plies| {
        format!(" within {}, rules about repetition aside", counted(plies.into(), "ply", "plies"))
    });
    match state {
        GoalState::Proven(plies) => Some(format!("win within {}", counted(plies.into(), "ply", "plies"))),
        GoalState::Refuted => Some(format!("cannot force a win{within}")),
        GoalState::Exhausted => Some("no win found, but it may have been overlooked".to_owned()),
        GoalState::Open { proof_number, disproof_number } => {
            Some(format!("open{within}, proof number {proof_number}, disproof number {disproof_number}"))
        }
        GoalState::Unwritten => Some("a win was found, but not written down; not claimed".to_owned()),
        GoalState::Unasked => None,
    }
}

/// Returns the answer as JSON.
pub(super) fn json(variant: &Variant, game: &Game, solution: &Solution, is_shortest: bool) -> Value {
    let goal = |side: Side| {
        let goal = &solution.goals[side];
        let (state, numbers) = match goal.state {
            GoalState::Proven(_) => ("proven", None),
            GoalState::Refuted => ("refuted", None),
            GoalState::Exhausted => ("exhausted", None),
            GoalState::Open { proof_number, disproof_number } => {
                ("open", Some((proof_number, disproof_number)))
            }
            GoalState::Unwritten => ("unwritten", None),
            GoalState::Unasked => ("unasked", None),
        };
        json!({
            "state": state,
            "proof_number": numbers.map(|(proof, _)| proof),
            "disproof_number": numbers.map(|(_, disproof)| disproof),
            "nodes": goal.nodes.0,
            "forgotten": goal.forgotten,
        })
    };
    let (winner, plies) = match solution.verdict {
        Verdict::Win { side, plies } => (Some(side.word()), Some(plies)),
        Verdict::WinByRepetition(side) => (Some(side.word()), None),
        Verdict::Draw => (Some("draw"), None),
        Verdict::Unknown => (None, None),
    };
    let proof = solution.proof.as_ref();
    let line = proof.map(|proof| proof.line.iter().map(|mv| mv.text(game.shape())).collect::<Vec<_>>());
    json!({
        "variant": variant.name(),
        "position": game.setup().to_string(),
        "side": game.to_move().word(),
        "solved": is_solved(solution),
        "winner": winner,
        "plies": plies,
        "shortest": is_shortest,
        "line": line,
        "steps": proof.map(|proof| proof.steps.len()),
        "goals": { "attackers": goal(Side::Attackers), "defenders": goal(Side::Defenders) },
        "nodes": solution.nodes.0,
        "seconds": solution.time.as_secs_f64(),
        "solver": format!("taflbase {}", env!("CARGO_PKG_VERSION")),
    })
}
