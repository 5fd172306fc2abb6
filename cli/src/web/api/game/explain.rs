//! What explains a ply, in words and with the cells that a board can mark.

use serde_json::{Value, json};
use tafl_rules::explain::{Cause, Explanation};
use tafl_rules::{CellSet, Shape};

/// Returns what explains a ply: an entry for each piece that fell, for a chain that goes on, for a repetition and for the end.
pub(super) fn explain_json(shape: Shape, told: &Explanation) -> Vec<Value> {
    let names = |cells: CellSet| cells.iter().map(|cell| shape.name(cell)).collect::<Vec<_>>();
    // Backticks mark cells in a terminal; pages have a board for that.
    let plain = |words: String| words.replace('`', "");
    let mv = told.ply.mv;
    let mut list: Vec<Value> = told
        .captures
        .iter()
        .map(|capture| {
            let kind = match capture.cause {
                Cause::Shieldwall { .. } => "shieldwall",
                _ => "captured",
            };
            json!({
                "kind": kind,
                "rule": capture.cause.word(),
                "captured": shape.name(capture.cell),
                "words": plain(capture.words(shape, mv, told.piece)),
                "cells": names(capture.captors(mv)),
            })
        })
        .collect();
    if told.ply.goes_on {
        let words = format!("the {} goes on", told.piece.role.word());
        list.push(json!({ "kind": "chain", "words": words, "cells": [shape.name(mv.to)] }));
    }
    if let Some(hit) = told.ply.repetition {
        let words = format!("repetition: occurrence {} (rule {})", hit.occurrences, hit.rule);
        list.push(json!({ "kind": "repetition", "words": words, "cells": [shape.name(mv.to)] }));
    }
    if let Some(end) = &told.end {
        list.push(json!({
            "kind": "end",
            "rule": end.outcome.reason.words(),
            "winner": end.outcome.winner_word(),
            "words": plain(end.words(shape, &told.ply)),
            "cells": names(told.end_cells()),
        }));
    }
    list
}
