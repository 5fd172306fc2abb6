//! Sentences about the ends of games.

use super::words::{Words, capitalized, number, ordinal};
use crate::piece::{Piece, Role};
use crate::ruleset::{Encirclement, Goal, NoMoves, RepetitionEffect, RepetitionRule, RepetitionScope};
use crate::side::Side;

/// Returns the sentences about the ways in which each side wins.
pub(super) fn wins(words: &Words<'_>) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for side in [Side::Defenders, Side::Attackers] {
        let ways = ways(words, side);
        if !ways.is_empty() {
            sentences.push(format!(
                "{} when {}.",
                capitalized(&words.side_does(side, "win", "wins")),
                ways.join(" or when ")
            ));
        }
    }
    if words.rules.exit_fort && words.has(Side::Defenders, Role::King) {
        sentences.push(format!(
            "{} also by an exit fort: {} is on the edge and can move, no enemy is inside the fort, \
             and no piece of its wall can ever be captured.",
            capitalized(&words.side_does(Side::Defenders, "win", "wins")),
            words.king(Side::Defenders)
        ));
    }
    sentences.extend(encirclement(words));
    sentences.push("A side that has lost all its pieces loses.".to_owned());
    if words.rules.no_moves == NoMoves::Lose {
        sentences.push("A side that has no legal move on its turn loses.".to_owned());
    }
    sentences
}

/// Returns the wins by a side's king or by the capture of the other king.
fn ways(words: &Words<'_>, side: Side) -> Vec<String> {
    let rules = words.rules;
    let mut ways = Vec::new();
    if words.has(side, Role::King) {
        let king = words.king(side);
        match &rules.goals[side] {
            Goal::None => {}
            Goal::Corners => ways.push(format!("{king} reaches a corner")),
            Goal::Edge => ways.push(format!("{king} reaches the edge of the board")),
            Goal::Cells(cells) if cells.len() == 1 => {
                ways.push(format!("{king} reaches {}", words.cells(cells)));
            }
            Goal::Cells(cells) => {
                ways.push(format!("{king} reaches one of the cells {}", words.cells(cells)))
            }
        }
    }
    let enemy = side.other();
    if words.has(enemy, Role::King) && rules.royal.contains(Piece::new(enemy, Role::King)) {
        ways.push(format!("{} is captured", words.king(enemy)));
    }
    ways
}

fn encirclement(words: &Words<'_>) -> Option<String> {
    let rest = match words.rules.encirclement {
        Encirclement::None => return None,
        Encirclement::Plain => "",
        Encirclement::Secure => ", and no piece of their ring can be captured from inside",
    };
    let [win, enclosed] =
        [words.side_does(Side::Attackers, "win", "wins"), words.side(Side::Defenders).to_owned()];
    Some(format!(
        "{} by encirclement: when no piece of {enclosed} can be reached from the edge of the board through empty cells{rest}.",
        capitalized(&win)
    ))
}

/// Returns the sentences about draws, repetition, and limits.
pub(super) fn draws(words: &Words<'_>) -> Vec<String> {
    let rules = words.rules;
    let mut sentences: Vec<String> = rules.repetition.iter().map(|rule| repetition(words, *rule)).collect();
    if rules.repetition.is_empty() {
        sentences.push("Repetition has no consequences.".to_owned());
    }
    match rules.no_moves {
        NoMoves::Lose => {}
        NoMoves::Draw => {
            sentences.push("The game is drawn when the side to move has no legal move.".to_owned());
        }
        NoMoves::Ignore => sentences.push(
            "The rules do not cover a side without a legal move: the game stops without a result.".to_owned(),
        ),
    }
    if let Some(plies) = rules.ply_limit {
        sentences.push(format!("The game is drawn after {plies} plies."));
    }
    if let Some(plies) = rules.captureless_limit {
        sentences.push(format!("The game is drawn after {plies} plies without a capture."));
    }
    sentences
}

fn repetition(words: &Words<'_>, rule: RepetitionRule) -> String {
    let defenders = words.side(Side::Defenders);
    let RepetitionRule::Counted { scope, count, effect } = rule else {
        return format!("{} may not make a move that restores an earlier board.", capitalized(defenders));
    };
    let times = ordinal(count);
    let then = match effect {
        RepetitionEffect::Draw => "the game is drawn".to_owned(),
        RepetitionEffect::MoverLoses => "the player who made the last move loses".to_owned(),
        RepetitionEffect::MoverWins => "the player who made the last move wins".to_owned(),
        RepetitionEffect::DefendersLose => words.side_does(Side::Defenders, "lose", "loses"),
        RepetitionEffect::Claim => "a player may claim the result; until then play continues".to_owned(),
    };
    let what = match scope {
        RepetitionScope::Position => {
            format!("When the same position with the same side to move occurs for the {times} time")
        }
        RepetitionScope::Sequence => {
            format!("When the same sequence of moves has been made {} times in a row", number(count.into()))
        }
        RepetitionScope::DefenderConfiguration => format!(
            "When the pieces of {defenders} are in the same places for the {times} time since the last capture, \
             while the king and at least four men are left"
        ),
    };
    let after = match effect {
        RepetitionEffect::DefendersLose => format!(" after a move of {defenders}"),
        RepetitionEffect::Draw
        | RepetitionEffect::MoverLoses
        | RepetitionEffect::MoverWins
        | RepetitionEffect::Claim => String::new(),
    };
    format!("{what}{after}, {then}.")
}

/// Returns all repetition rules as one text.
pub(super) fn repetitions(words: &Words<'_>, rules: &[RepetitionRule]) -> String {
    match rules {
        [] => "has no consequences".to_owned(),
        rules => rules.iter().map(|rule| repetition(words, *rule)).collect::<Vec<_>>().join(" "),
    }
}
