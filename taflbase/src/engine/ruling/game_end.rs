//! Claims about the end of a game, decided on the board and by its last plies.

use tafl_rules::{
    Cell, Encirclement, EndCause, EndCell, Explanation, NoMoves, Outcome, Piece, Reason, Role, RuleSet,
    Setup, Shape, Side, counted, describe_piece, explain_ply,
};

use super::last_move::LastMoves;
use super::{RulingCell, RulingDecision, Verdict};
use crate::{Error, PlayedPosition, Result};

/// Decides whether the last ply of a side ended the game for a reason. Without moves, `last_mover` is the side that moved last, if
/// it is known.
pub(super) fn of_end(
    played: &PlayedPosition,
    mover: Side,
    last_mover: Option<Side>,
    reason: Reason,
) -> RulingDecision {
    if let Some((before, ply)) = played.before.as_ref().zip(played.plies.last()) {
        let explained = explain_ply(before, ply.mv).ok();
        return match explained.and_then(|explained| Some((explained.end.clone()?, explained))) {
            Some((end, explained)) if end.outcome.reason == reason => {
                ended(played.game.shape(), &explained, &end, None)
            }
            _ => not_ended(played, mover, reason),
        };
    }
    if reason == Reason::KingCaptured
        && let Some(decision) = without_king(played)
    {
        return decision;
    }
    if last_mover.is_some_and(|last_mover| last_mover != mover) {
        let sentence = format!("the {mover} are to move, so the last move was not theirs");
        return RulingDecision { sentence, ..RulingDecision::default() };
    }
    ended_by_last_move(played, mover, &|outcome| outcome.reason == reason)
        .unwrap_or_else(|| not_ended(played, mover, reason))
}

/// Returns the decision that a last move of a side could have ended the game as wanted, if there is one.
fn ended_by_last_move(
    played: &PlayedPosition,
    mover: Side,
    is_wanted: &dyn Fn(Outcome) -> bool,
) -> Option<RulingDecision> {
    let shape = played.game.shape();
    let found = LastMoves::of(played, mover).ending(is_wanted);
    let (explained, end) = found.first()?;
    let needs_last = end.outcome.reason == Reason::KingCaptured;
    let cells = || found.iter().map(|(explained, _)| format!("`{}`", shape.name(explained.ply.mv.to)));
    Some(ended(shape, explained, end, needs_last.then(|| cells().collect())))
}

/// Returns the decision that the king is captured, if the defenders have one at the start of the game, but none on this board.
fn without_king(played: &PlayedPosition) -> Option<RulingDecision> {
    let rules = played.game.rules();
    let has_king = |setup: &Setup| {
        setup.pieces().any(|(_, piece)| piece.side == Side::Defenders && rules.royal.contains(piece))
    };
    (has_king(&rules.start) && !has_king(&played.game.setup())).then(|| RulingDecision {
        verdict: Verdict::Yes,
        sentence: "the attackers win: the king is not on the board, so he was captured".to_owned(),
        rule: Some(Reason::KingCaptured.as_str()),
        ..RulingDecision::default()
    })
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
fn not_ended(played: &PlayedPosition, mover: Side, reason: Reason) -> RulingDecision {
    let (rules, setup) = (played.game.rules(), played.game.setup());
    let sentence = match reason {
        Reason::KingCaptured if around_king(rules, &setup).is_empty() => {
            "there is no king on the board".to_owned()
        }
        Reason::KingCaptured => "the king is not captured".to_owned(),
        Reason::ExitFort if !rules.exit_fort => "these rules have no exit fort".to_owned(),
        Reason::ExitFort => "there is no exit fort".to_owned(),
        Reason::Encirclement if rules.encirclement == Encirclement::None => {
            "these rules have no win by encirclement".to_owned()
        }
        Reason::Encirclement => "the defenders are not enclosed".to_owned(),
        _ => format!("the {mover} have not ended the game"),
    };
    let evidence = match reason {
        Reason::KingCaptured => around_king(rules, &setup),
        Reason::ExitFort if rules.exit_fort => without_fort(played, &setup),
        _ => Vec::new(),
    };
    RulingDecision { sentence, evidence, ..RulingDecision::default() }
}

/// Returns what is on the cells next to each royal king.
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
            sentence: format!("the {side} have {}", counted(game.count_moves(), "legal move", "legal moves")),
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
                "the last ply triggers no rule; the position has occurred {}",
                counted(ply.occurrences.max(1).into(), "time", "times")
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

/// Decides whether the game is over, or could be after some last move. Without moves, `last_mover` is the side that moved last, if
/// it is known.
pub(super) fn game_over(played: &PlayedPosition, last_mover: Option<Side>) -> RulingDecision {
    if let Some((before, ply)) = played.before.as_ref().zip(played.plies.last()) {
        let ended_by = explain_ply(before, ply.mv).ok().and_then(|own| Some((own.end.clone()?, own)));
        if let Some((end, explained)) = ended_by {
            return ended(played.game.shape(), &explained, &end, None);
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
    if let Some(decision) = without_king(played) {
        return decision;
    }
    let movers: &[Side] = match last_mover {
        Some(Side::Attackers) => &[Side::Attackers],
        Some(Side::Defenders) => &[Side::Defenders],
        None => &Side::ALL,
    };
    // The capture of a king depends on the last move, so another end comes first.
    let ends: [&dyn Fn(Outcome) -> bool; 2] =
        [&|outcome| outcome.reason != Reason::KingCaptured, &|outcome| {
            outcome.reason == Reason::KingCaptured
        }];
    let found = ends
        .into_iter()
        .find_map(|is_wanted| movers.iter().find_map(|mover| ended_by_last_move(played, *mover, is_wanted)));
    found.unwrap_or_else(|| {
        let of_whom = last_mover.map_or_else(String::new, |mover| format!(" of the {mover}"));
        RulingDecision {
            sentence: format!("no last move{of_whom} could have ended the game here"),
            ..RulingDecision::default()
        }
    })
}
