//! The text of `tafl solve`.

use std::fmt::Write as _;

use tafl_analyzer::{Dtm, GoalState, ProofVerdict, Solution};
use tafl_rules::{Count, Game, Side, counted};
use taflbase::Bounded;

/// Returns the result of the tablebases for a position.
pub(super) fn tables(side: Side, known: Dtm) -> String {
    let (winner, plies) = match known {
        Dtm::Win(plies) => (side, plies),
        Dtm::Loss(plies) => (side.other(), plies),
        Dtm::Open => {
            return "tables: neither side can force a win, ignoring repetition and history\n".to_owned();
        }
    };
    let plies = counted(plies.into(), "ply", "plies");
    format!("tables: the {winner} win in {plies} with best play, ignoring history\n")
}

/// Returns the result of a proof search.
pub(super) fn solution(
    game: &Game,
    solution: &Solution,
    is_shortest: bool,
    bound: Option<Bounded<1, 1000, 1>>,
) -> String {
    let bound = bound.map(Bounded::get);
    let mut out = String::new();
    match solution.verdict {
        ProofVerdict::Win { side, plies } => {
            let plies = counted(plies.into(), "ply", "plies");
            let how = if is_shortest { ", which is the shortest win" } else { "" };
            let _ = writeln!(out, "proven: the {side} win within {plies}{how}");
        }
        ProofVerdict::WinByRepetition(side) => {
            let _ = writeln!(out, "the {side} win: the {} can only repeat positions", side.other());
        }
        ProofVerdict::Draw => out.push_str("a draw: neither side can force a win\n"),
        ProofVerdict::Unknown => out.push_str("unknown\n"),
    }
    if let Some(proof) = &solution.proof {
        let line: Vec<String> = proof.line.iter().map(|mv| mv.display(game.shape()).to_string()).collect();
        let _ = writeln!(out, "  {}", line.join(" "));
    }
    for side in Side::ALL {
        let goal = &solution.goals[side];
        if let Some(words) = state(goal.state, bound) {
            let _ = writeln!(out, "  {side:<9}  {words}; {}", counted(goal.nodes.0, "position", "positions"));
        }
        if goal.forgotten > 0 {
            let _ =
                writeln!(out, "  {:<9}  {} proofs discarded: use a larger --hash", "", Count(goal.forgotten));
        }
    }
    out
}

fn state(state: GoalState, bound: Option<u64>) -> Option<String> {
    let within = bound.map_or(String::new(), |plies| {
        format!(" within {}, ignoring the rules about repetition", counted(plies, "ply", "plies"))
    });
    match state {
        GoalState::Proven(plies) => Some(format!("win within {}", counted(plies.into(), "ply", "plies"))),
        GoalState::Refuted => Some(format!("cannot force a win{within}")),
        GoalState::Exhausted => Some("no win found, but one may exist".to_owned()),
        GoalState::Open { proof_number, disproof_number } => {
            Some(format!("open{within}, proof number {proof_number}, disproof number {disproof_number}"))
        }
        GoalState::Unwritten => {
            Some("a win was found without a complete proof, so it is not claimed".to_owned())
        }
        GoalState::Unasked => None,
    }
}
