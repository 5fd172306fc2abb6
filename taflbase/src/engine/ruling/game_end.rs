//! Claims about the end of a game, decided on the board and by its last plies.

use tafl_rules::{
    Cell, Encirclement, EndCause, EndCell, Explanation, Game, Move, NoMoves, Outcome, Piece, Reason, Role,
    RuleSet, Setup, Shape, Side, describe_piece, explain_ply,
};

use super::last_move::LastMoves;
use super::{RulingCell, RulingDecision, Verdict};
use crate::{Error, PlayedPosition, Result};

/// Decides whether the last ply of a side ended the game for one of the given reasons.
pub(super) fn of_end(played: &PlayedPosition, mover: Side, reasons: &[Reason]) -> RulingDecision {
    let shape = played.game.shape();
    let is_wanted = |outcome: Outcome| reasons.contains(&outcome.reason);
    if let Some((before, ply)) = played.before.as_ref().zip(played.plies.last()) {
        return match explain_last(before, ply.mv)
            .and_then(|explained| Some((explained.end.clone()?, explained)))
        {
            Some((end, explained)) if is_wanted(end.outcome) => ended(shape, &explained, &end, None),
            _ => not_ended(played, mover, reasons),
        };
    }
    let found = LastMoves::of(played, mover).ending(&is_wanted);
    match found.first() {
        Some((explained, end)) => {
            let cells: Vec<String> =
                found.iter().map(|(explained, _)| format!("`{}`", shape.name(explained.ply.mv.to))).collect();
            let needs_last = end.outcome.reason == Reason::KingCaptured;
            ended(shape, explained, end, needs_last.then_some(cells))
        }
        None => not_ended(played, mover, reasons),
    }
}

/// Explains a ply from the position before it.
fn explain_last(before: &Game, mv: Move) -> Option<Explanation> {
    let mut before = before.clone();
    before.clear_outcome();
    explain_ply(&before, mv).ok()
}

/// The decision that the game has ended. `last` are the cells to which the last ply must have led, if it is not known.
fn ended(shape: Shape, explained: &Explanation, end: &EndCause, last: Option<Vec<String>>) -> RulingDecision {
    let mut sentence = end.describe(shape, &explained.ply);
    if let Some(cells) = last {
        sentence = format!(
            "{sentence}, provided that the last move was that of the piece on {}",
            cells.join(" or ")
        );
    }
    let captures = explained.captures.iter();
    let meaning = |cell: EndCell| match cell {
        EndCell::King => "king",
        EndCell::Inside => "inside",
        EndCell::Wall => "wall",
        EndCell::Ring => "ring",
    };
    RulingDecision {
        verdict: Verdict::Yes,
        sentence,
        rule: Some(end.outcome.reason.as_str()),
        evidence: captures.map(|cause| cause.describe(shape, explained.ply.mv, explained.piece)).collect(),
        cells: end
            .cells
            .iter()
            .map(|(cell, what)| RulingCell { cell: shape.name(*cell), meaning: meaning(*what) })
            .collect(),
        proof: None,
    }
}

/// The decision that the game has not ended in this way, with what is missing.
fn not_ended(played: &PlayedPosition, mover: Side, reasons: &[Reason]) -> RulingDecision {
    let (rules, setup) = (played.game.rules(), played.game.setup());
    let sentence = match reasons {
        [Reason::KingCaptured] if around_king(rules, &setup).is_empty() => {
            "there is no king on the board".to_owned()
        }
        [Reason::KingCaptured] => "the king is not captured".to_owned(),
        [Reason::ExitFort] if !rules.exit_fort => "these rules have no exit fort".to_owned(),
        [Reason::ExitFort] => "there is no exit fort".to_owned(),
        [Reason::Encirclement] if rules.encirclement == Encirclement::None => {
            "these rules have no win by encirclement".to_owned()
        }
        [Reason::Encirclement] => "the defenders are not enclosed".to_owned(),
        _ => format!("the {mover} have not ended the game"),
    };
    let evidence = match reasons {
        [Reason::KingCaptured] => around_king(rules, &setup),
        [Reason::ExitFort] if rules.exit_fort => without_fort(played, &setup),
        _ => Vec::new(),
    };
    RulingDecision { sentence, evidence, ..RulingDecision::default() }
}

/// Returns what is on the cells next to the defenders' king.
fn around_king(rules: &RuleSet, setup: &Setup) -> Vec<String> {
    let shape = setup.shape();
    let kings = setup.pieces().filter(|(_, piece)| rules.royal.contains(*piece));
    let describe = |cell: Cell| {
        let name = shape.name(cell);
        let zone = rules.zones.kind_at(cell).map_or("", |zone| zone.as_str());
        match (setup.piece(cell), zone) {
            (Some(piece), _) => format!("{} on `{name}`", describe_piece(piece)),
            (None, "") => format!("`{name}` is empty"),
            (None, zone) => format!("the empty {zone} `{name}`"),
        }
    };
    let around = |(cell, _): (Cell, Piece)| {
        let coord = shape.coord(cell);
        let steps = shape.axes().iter().flat_map(|step| [*step, step.back()]);
        let near: Vec<String> = steps.filter_map(|step| shape.cell(coord.plus(step))).map(describe).collect();
        format!("next to the king on `{}`: {}", shape.name(cell), near.join(", "))
    };
    kings.map(around).collect()
}

/// Returns which condition of an exit fort is not satisfied.
fn without_fort(played: &PlayedPosition, setup: &Setup) -> Vec<String> {
    let shape = setup.shape();
    let is_king = |piece: Piece| piece.side == Side::Defenders && piece.role == Role::King;
    let Some((king, _)) = setup.pieces().find(|(_, piece)| is_king(*piece)) else {
        return vec!["the defenders have no king on the board".to_owned()];
    };
    let name = shape.name(king);
    if !shape.is_edge(king) {
        return vec![format!("the king on `{name}` is not on the edge")];
    }
    let mut own = played.game.clone();
    own.clear_outcome();
    own.set_to_move(Side::Defenders);
    if own.targets(king).is_empty() {
        return vec![format!("the king on `{name}` cannot move")];
    }
    vec![
        "the cells that the king can reach through empty cells touch an attacker, or a man of their wall can be captured"
            .to_owned(),
    ]
}

/// Decides whether the side to move has no legal move.
pub(super) fn no_move(played: &PlayedPosition) -> RulingDecision {
    let mut game = played.enforced();
    game.clear_outcome();
    let side = game.to_move();
    match game.moves().first() {
        Some(mv) => RulingDecision {
            sentence: format!("the {side} have {} legal moves", game.count_moves()),
            evidence: vec![format!("for example, `{}` is legal", mv.display(game.shape()))],
            ..RulingDecision::default()
        },
        None => {
            let effect = match game.rules().no_moves {
                NoMoves::Lose => format!("and lose by these rules: the {} win", side.other()),
                NoMoves::Draw => "and the game is drawn by these rules".to_owned(),
                NoMoves::Ignore => "and these rules give no result for it".to_owned(),
            };
            RulingDecision {
                verdict: Verdict::Yes,
                sentence: format!("the {side} have no legal move, {effect}"),
                rule: Some(Reason::NoLegalMove.as_str()),
                ..RulingDecision::default()
            }
        }
    }
}

/// Decides whether the last ply triggers a repetition rule.
///
/// # Errors
///
/// Returns an error if no moves are given.
pub(super) fn repetition(played: &PlayedPosition) -> Result<RulingDecision> {
    let Some(ply) = played.plies.last() else {
        return Err(Error::parameter("moves", "a repetition depends on the moves, but none are given")
            .with_help("give all moves since the last capture with --moves"));
    };
    let Some(hit) = ply.repetition else {
        return Ok(RulingDecision {
            sentence: format!(
                "the last ply triggers no rule; the position has occurred {} times",
                ply.occurrences.max(1)
            ),
            ..RulingDecision::default()
        });
    };
    let effect = played.enforced().outcome().map_or_else(String::new, |outcome| format!(": {outcome}"));
    Ok(RulingDecision {
        verdict: Verdict::Yes,
        sentence: format!(
            "the last ply makes occurrence {} by the rule `{}`{effect}",
            hit.occurrences, hit.rule
        ),
        rule: Some(Reason::Repetition.as_str()),
        ..RulingDecision::default()
    })
}

/// Decides whether the game is over, or could be after some last move.
pub(super) fn game_over(played: &PlayedPosition) -> RulingDecision {
    let shape = played.game.shape();
    if let Some((before, ply)) = played.before.as_ref().zip(played.plies.last()) {
        let ended_by = explain_last(before, ply.mv).and_then(|own| Some((own.end.clone()?, own)));
        if let Some((end, explained)) = ended_by {
            return ended(shape, &explained, &end, None);
        }
        return match played.enforced().outcome() {
            Some(outcome) => RulingDecision {
                verdict: Verdict::Yes,
                sentence: outcome.to_string(),
                rule: Some(outcome.reason.as_str()),
                ..RulingDecision::default()
            },
            None => {
                RulingDecision { sentence: "the game is not over".to_owned(), ..RulingDecision::default() }
            }
        };
    }
    let mover = played.game.to_move().other();
    let is_board_end = |outcome: Outcome| outcome.reason != Reason::KingCaptured;
    match LastMoves::of(played, mover).ending(&is_board_end).first() {
        Some((explained, end)) => ended(shape, explained, end, None),
        None => RulingDecision {
            sentence: format!("no last move of the {mover} could have ended the game here"),
            ..RulingDecision::default()
        },
    }
}
