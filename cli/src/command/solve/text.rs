//! The text of `tafl solve`.

use std::fmt::Write as _;

use tafl_analyzer::{Dtm, GoalState, ProofVerdict, Solution};
use tafl_rules::{Count, Game, Side, counted};
use taflbase::Bounded;
use taflbase::engine::SolveRequest;

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
    request: &SolveRequest,
) -> String {
    let bound = request.plies.map(Bounded::get);
    let mut out = String::new();
    match solution.verdict {
        ProofVerdict::Win { side, plies } => {
            let plies = counted(plies.into(), "ply", "plies");
            let how = match (is_shortest, request.shortest) {
                (true, _) => ", which is the shortest win",
                (false, true) => "; the limits were too small to exclude a shorter win",
                (false, false) => "",
            };
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tafl_analyzer::{GoalReport, Nodes};
    use tafl_rules::{AnyRulebook, BySide, catalog};

    use super::*;

    #[test]
    fn a_win_that_may_not_be_the_shortest_is_reported_as_such() {
        let rules = catalog::find("brandubh7").unwrap().rules();
        let game = Game::new(&AnyRulebook::compile(&rules).unwrap());
        let won = GoalReport { state: GoalState::Proven(23), nodes: Nodes(10), hashfull: 0, forgotten: 0 };
        let found = Solution {
            verdict: ProofVerdict::Win { side: Side::Attackers, plies: 23 },
            goals: BySide { attackers: won, defenders: GoalReport { state: GoalState::Unasked, ..won } },
            proof: None,
            nodes: Nodes(10),
            time: Duration::ZERO,
        };
        let request = SolveRequest { shortest: true, ..SolveRequest::default() };
        assert_eq!(
            solution(&game, &found, false, &request),
            "proven: the attackers win within 23 plies; the limits were too small to exclude a shorter win\n  \
             attackers  win within 23 plies; 10 positions\n"
        );
    }
}
