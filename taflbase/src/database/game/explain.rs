//! The reasons for captures and ends, in words and with the cells that a board can mark.

use tafl_rules::{Cause, CellSet, Explanation, Shape};

use super::answer::PlyReason;

/// Returns the explanation of a ply: an entry for each captured piece, a chain that continues, a repetition, and the end.
pub(super) fn ply_reasons(shape: Shape, explanation: &Explanation) -> Vec<PlyReason> {
    let names = |cells: CellSet| cells.iter().map(|cell| shape.name(cell)).collect::<Vec<_>>();
    // Backticks mark cells in a terminal; pages have a board for that.
    let plain = |words: String| words.replace('`', "");
    let mv = explanation.ply.mv;
    let mut list: Vec<PlyReason> = explanation
        .captures
        .iter()
        .map(|capture| {
            let kind = match capture.cause {
                Cause::Shieldwall { .. } => "shieldwall",
                _ => "captured",
            };
            PlyReason {
                kind,
                rule: Some(capture.cause.as_str()),
                captured: Some(shape.name(capture.cell)),
                winner: None,
                words: plain(capture.describe(shape, mv, explanation.piece)),
                cells: names(capture.captors(mv)),
            }
        })
        .collect();
    let on_target = |kind, words| PlyReason {
        kind,
        rule: None,
        captured: None,
        winner: None,
        words,
        cells: vec![shape.name(mv.to)],
    };
    if explanation.ply.goes_on {
        let words = format!("the {} goes on", explanation.piece.role.as_str());
        list.push(on_target("chain", words));
    }
    if let Some(hit) = explanation.ply.repetition {
        let words = format!("repetition: occurrence {} (rule {})", hit.occurrences, hit.rule);
        list.push(on_target("repetition", words));
    }
    if let Some(end) = &explanation.end {
        list.push(PlyReason {
            kind: "end",
            rule: Some(end.outcome.reason.as_str()),
            captured: None,
            winner: Some(end.outcome.winner_name()),
            words: plain(end.describe(shape, &explanation.ply)),
            cells: names(explanation.end_cells()),
        });
    }
    list
}
