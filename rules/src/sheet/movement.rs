//! Sentences about the movement of pieces.

use super::words::{Words, capitalized, number};
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::{Berserk, ByZone, ChainRules, Directions, Goal, Jump, Movement, ZoneKind};
use crate::shape::Shape;
use crate::side::Side;

pub(super) fn sentences(words: &Words<'_>) -> Vec<String> {
    let mut sentences = slides(words);
    sentences.extend(jumps(words));
    if words.rules.forced_capture {
        sentences.push(FORCED_CAPTURE.to_owned());
    }
    let has_goal = |side: &Side| words.rules.goals[*side] != Goal::None;
    sentences.extend(berserk(words.rules.berserk, words.sides_with_king().iter().any(has_goal)));
    if words.rules.berserk != Berserk::None {
        sentences.extend(chain(words.rules.chain));
    }
    sentences
}

/// The sentence about forced captures.
const FORCED_CAPTURE: &str = "A player who can capture must do so, but may choose any move that captures.";

/// Returns a sentence for each way to slide, the most common one first.
fn slides(words: &Words<'_>) -> Vec<String> {
    let mut movements: Vec<(Movement, PieceSet)> = Vec::new();
    for piece in words.in_play.iter() {
        let movement = Movement { jump: Jump::None, ..words.rules.movement[piece] };
        match movements.iter_mut().find(|(known, _)| *known == movement) {
            Some((_, pieces)) => *pieces = pieces.union(PieceSet::of(piece)),
            None => movements.push((movement, PieceSet::of(piece))),
        }
    }
    // Soldiers first, then the movement shared by the most kinds of pieces.
    movements.sort_by_key(|(_, pieces)| {
        let soldiers = pieces.iter().filter(|piece| piece.role == Role::Soldier).count();
        std::cmp::Reverse((soldiers, pieces.iter().count()))
    });
    let blocked = if can_jump(words) {
        "No piece may move onto another piece, or over another piece except by a jump."
    } else {
        "No piece may move onto or over another piece."
    };
    movements
        .iter()
        .map(|(movement, pieces)| {
            let who = capitalized(&words.pieces_do(*pieces, "move", "moves"));
            format!("{who} {}.", slide(words.shape(), *movement))
        })
        .chain([blocked.to_owned()])
        .collect()
}

/// Returns whether a piece in play may jump over some kind of piece.
fn can_jump(words: &Words<'_>) -> bool {
    !words.rules.jumped.is_empty()
        && words.in_play.iter().any(|piece| words.rules.movement[piece].jump != Jump::None)
}

/// Returns a phrase such as `any number of empty cells along a rank or a file, like a rook in
/// chess`.
pub(super) fn slide(shape: Shape, movement: Movement) -> String {
    let lines = match (shape, movement.directions) {
        (Shape::Square { .. }, Directions::Axes) => "along a rank or a file",
        (Shape::Square { .. }, Directions::Queen) => "along a rank, a file, or a diagonal",
        (Shape::Hex { .. }, _) => "in one of the six directions",
    };
    let like = match (shape, movement.directions) {
        (Shape::Square { .. }, Directions::Axes) => ", like a rook in chess",
        (Shape::Square { .. }, Directions::Queen) => ", like a queen in chess",
        (Shape::Hex { .. }, _) => "",
    };
    match movement.max {
        None => format!("any number of empty cells {lines}{like}"),
        Some(1) => format!("one cell at a time {lines}"),
        Some(max) => format!("at most {} empty cells {lines}", number(max.into())),
    }
}

fn jumps(words: &Words<'_>) -> Vec<String> {
    if !can_jump(words) {
        return Vec::new();
    }
    [Jump::Restricted, Jump::Plain, Jump::Capturing]
        .into_iter()
        .filter_map(|jump| {
            let pieces: PieceSet = words
                .in_play
                .iter()
                .filter(|piece: &Piece| words.rules.movement[*piece].jump == jump)
                .collect();
            let rest = match jump {
                Jump::None => return None,
                Jump::Restricted => springboards(words),
                Jump::Plain => " The piece jumped over stays.".to_owned(),
                Jump::Capturing => " An enemy piece jumped over is captured.".to_owned(),
            };
            (!pieces.is_empty()).then(|| {
                format!(
                    "{} may also jump over one adjacent {} to the empty cell beyond it.{rest}",
                    capitalized(&words.pieces(pieces)),
                    jumped_over(words)
                )
            })
        })
        .collect()
}

/// Returns the sentence about the cells from or to which restricted jumps go; only zones that the
/// board has.
fn springboards(words: &Words<'_>) -> String {
    let places = ByZone {
        throne: "on the throne",
        corners: "on a corner cell",
        camps: "in a camp of its own side",
        forts: "in a fortress of its own side",
    };
    let has_cells = |kind: ZoneKind| !words.rules.zones[kind].is_empty();
    let places: Vec<&str> =
        places.iter().filter(|(kind, _)| has_cells(*kind)).map(|(_, place)| *place).collect();
    match places[..] {
        [] => " There are no such cells on this board, so it cannot jump.".to_owned(),
        _ => format!(" The jump must begin or end {}.", places.join(" or ")),
    }
}

/// Returns a phrase such as `enemy man`, `enemy man or commander`, or `man of either side`.
pub(super) fn jumped_over(words: &Words<'_>) -> String {
    let roles: Vec<&str> = words.rules.jumped.iter().map(|role| role.as_str()).collect();
    let roles = if roles.is_empty() { "piece of no kind".to_owned() } else { roles.join(" or ") };
    if words.rules.jump_own { format!("{roles} of either side") } else { format!("enemy {roles}") }
}

/// Returns the sentences about details of berserk chains.
pub(super) fn chain(chain: ChainRules) -> Vec<String> {
    let mut sentences = Vec::new();
    if chain.may_decline {
        sentences.push("A player may decline to continue the chain.".to_owned());
    }
    if chain.after_jumps {
        sentences.push("A jump without a capture also continues a chain.".to_owned());
    }
    sentences
}

/// Returns the sentence about berserk chains, if there are any, for a game with or without a king that has a goal.
pub(super) fn berserk(berserk: Berserk, has_goal: bool) -> Option<String> {
    match berserk {
        Berserk::None => None,
        Berserk::Capture => {
            let goal = if has_goal { "; a king may also end such a chain on his goal" } else { "" };
            Some(format!(
                "A piece that captures must move again in the same turn as long as it can capture again{goal}."
            ))
        }
        Berserk::AnyMove => Some(
            "A piece that captures moves again in the same turn; the chain ends with a move without a capture."
                .to_owned(),
        ),
    }
}
