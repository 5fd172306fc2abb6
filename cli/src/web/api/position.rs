//! Positions and boards: what stands where, what can be played, what happened.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tafl_reports::board::{Plan, Zones};
use tafl_rules::facts::{Facts, KingSight};
use tafl_rules::{Cell, CellSet, Game, Piece, PieceSet, Ply, RuleSet, Setup, Shape, Side, explain, sheet};

use taflbase::{CompiledVariant, PlayedPosition};

use crate::web::call::Call;
use crate::web::params::{POSITION, RULES};
use crate::web::problem::Problem;
use crate::web::routes::{JSON, Method, Reply, Route, Work};

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        name: "board",
        method: Method::Get,
        path: "/api/board",
        summary: "The board of some rules: where its cells are, what they are, the start, the rules in words.",
        params: &[RULES],
        work: Work::Quick,
        types: &[JSON],
        answer: |call| call.rules().map(|ruled| board(&ruled).into()),
    },
    Route {
        name: "position",
        method: Method::Get,
        path: "/api/position",
        summary: "A position: its pieces, the legal moves, and what led there.",
        params: &[POSITION],
        work: Work::Quick,
        types: &[JSON],
        answer: answer_position,
    },
];

fn answer_position(call: &Arc<Call>) -> Result<Reply, Problem> {
    call.position().map(|standing| position(&standing).into())
}

/// Returns the board of some rules.
pub(crate) fn board(ruled: &CompiledVariant) -> Value {
    let (variant, rules) = (&ruled.variant, &ruled.variant.rules);
    let shape = rules.shape();
    let kind = match shape {
        Shape::Square { .. } => "square",
        Shape::Hex { .. } => "hex",
    };
    let (plan, zones) = (Plan::usual(shape), Zones::of(rules));
    let cells = shape.cells().map(|cell| {
        let (x, y) = plan.middle(cell);
        json!({ "name": shape.name(cell), "x": x, "y": y, "marks": marks(rules, &zones, cell) })
    });
    let sides = variant.sides();
    let sections = sheet::sheet(rules, sides);
    let rules_sections =
        sections.iter().map(|section| json!({ "title": section.title, "sentences": section.sentences }));
    json!({
        "variant": variant.named.map(|named| named.name),
        "title": variant.named.map_or_else(|| variant.name(), |named| named.title.to_owned()),
        "rules": rules.to_string(),
        "shape": { "kind": kind, "name": shape.to_string(), "side": shape.side() },
        "sides": { "attackers": sides.attackers, "defenders": sides.defenders },
        "first": rules.first_mover.word(),
        "cells": cells.collect::<Vec<_>>(),
        "polygon": plan.polygon,
        "width": plan.width,
        "height": plan.height,
        "start": rules.start.to_string(),
        "rules_words": sections.iter().flat_map(|section| &section.sentences).collect::<Vec<_>>(),
        "rules_sections": rules_sections.collect::<Vec<_>>(),
    })
}

/// Returns what a cell is, besides a cell.
fn marks(rules: &RuleSet, zones: &Zones, cell: Cell) -> Vec<&'static str> {
    // Where not every piece may stop, people see a cell that is closed.
    let is_closed = rules.zones.values().any(|zone| zone.contains(cell) && zone.stop != PieceSet::ALL);
    [
        (zones.cells.throne.contains(&cell), "throne"),
        (zones.cells.corners.contains(&cell), "corner"),
        (zones.cells.camps.contains(&cell), "camp"),
        (zones.cells.forts.contains(&cell), "fort"),
        (zones.goals.contains(&cell), "goal"),
        (is_closed, "stop"),
    ]
    .into_iter()
    .filter_map(|(is_so, word)| is_so.then_some(word))
    .collect()
}

/// Returns a position.
pub(crate) fn position(standing: &PlayedPosition) -> Value {
    let game = &standing.game;
    let shape = game.shape();
    let setup = game.setup();
    let pieces: Vec<Value> = setup.pieces().map(|(cell, piece)| piece_json(shape, cell, piece)).collect();
    let history = history(standing);
    let last = history.last().cloned();
    let mut lost = Map::new();
    for side in Side::ALL {
        let n = |setup: &Setup| setup.pieces().filter(|(_, piece)| piece.side == side).count();
        lost.insert(side.word().to_owned(), json!(n(&standing.start).saturating_sub(n(&setup))));
    }
    json!({
        "variant": standing.rules.variant.name(),
        "position": setup.to_string(),
        "to_move": game.to_move().word(),
        "ply": standing.plies.len(),
        "pieces": pieces,
        "moves": moves(game),
        "history": history,
        "last": last,
        "captured": lost,
        "outcome": outcome(standing),
        "key": format!("{:016x}", game.canonical_key().0.0),
        "facts": facts(&game.facts()),
    })
}

fn piece_json(shape: Shape, cell: Cell, piece: Piece) -> Value {
    json!({
        "cell": shape.name(cell),
        "side": piece.side.word(),
        "role": piece.role.word(),
        "code": piece.letter().to_string(),
    })
}

/// Returns the legal moves by the cell that they begin on; none after an end.
fn moves(game: &Game) -> Map<String, Value> {
    let shape = game.shape();
    let mut moves: Map<String, Value> = Map::new();
    if game.outcome().is_some() {
        return moves;
    }
    for mv in game.moves() {
        let targets = moves.entry(shape.name(mv.from)).or_insert_with(|| json!([]));
        if let Value::Array(targets) = targets {
            targets.push(shape.name(mv.to).into());
        }
    }
    moves
}

/// Returns the plies that led to a position.
fn history(standing: &PlayedPosition) -> Vec<Value> {
    let shape = standing.game.shape();
    // Roles move with their pieces: what stands on each cell is followed from the start.
    let mut setup = standing.start.clone();
    let mut all = Vec::with_capacity(standing.plies.len());
    for ply in &standing.plies {
        let piece = setup.piece(ply.mv.from);
        all.push(json!({
            "move": ply.mv.text(shape),
            "captured": names(shape, &ply.captured),
            "side": ply.side.word(),
            "role": piece.map(|piece| piece.role.word()),
            "repetition": ply.repetition.is_some(),
        }));
        follow(&mut setup, ply);
    }
    all
}

/// Does on an arrangement what a ply did on the board.
fn follow(setup: &mut Setup, ply: &Ply) {
    let piece = setup.piece(ply.mv.from);
    setup.put(ply.mv.from, None);
    setup.put(ply.mv.to, piece);
    for cell in ply.captured.iter().filter(|cell| *cell != ply.mv.to) {
        let turned = setup
            .piece(cell)
            .filter(|piece| piece.role == tafl_rules::Role::Mercenary)
            .map(|piece| Piece { side: piece.side.other(), ..piece });
        setup.put(cell, turned);
    }
}

fn names(shape: Shape, cells: &CellSet) -> Vec<String> {
    cells.iter().map(|cell| shape.name(cell)).collect()
}

/// Returns how the game ended, if it did, with the cells that show it.
fn outcome(standing: &PlayedPosition) -> Value {
    let Some(outcome) = standing.game.outcome() else { return Value::Null };
    let shape = standing.game.shape();
    let told = standing.before.as_ref().zip(standing.plies.last());
    let told = told.and_then(|(before, ply)| explain::ply(before, ply.mv).ok());
    let cells: Vec<String> = told
        .as_ref()
        .and_then(|told| told.end.as_ref())
        .map(|end| end.cells.iter().map(|(cell, _)| shape.name(*cell)).collect())
        .unwrap_or_default();
    let words = told.and_then(|told| told.lines(shape).pop());
    json!({
        "winner": outcome.winner_word(),
        "reason": outcome.reason.words(),
        "words": words,
        "cells": cells,
    })
}

/// Returns how kings stand.
fn facts(facts: &Facts) -> Value {
    let king = |side: Side| {
        facts.kings[side].map(|king: KingSight| {
            json!({
                "distance": king.distance,
                "is_far": king.distance >= KingSight::FAR,
                "open_lines": king.lines,
                "in_danger": king.in_danger,
                "cordoned": king.cordoned,
            })
        })
    };
    json!({ "kings": { "attackers": king(Side::Attackers), "defenders": king(Side::Defenders) } })
}
