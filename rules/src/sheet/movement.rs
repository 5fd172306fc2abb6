//! Sentences about how pieces move.

use super::words::{Words, capitalized, number};
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::{Berserk, ByZone, Chain, Directions, Jump, Movement, ZoneKind};
use crate::shape::Shape;

pub(super) fn sentences(words: &Words<'_>) -> Vec<String> {
    let mut sentences = slides(words);
    sentences.extend(jumps(words));
    sentences.extend(berserk(words.rules.berserk));
    if words.rules.berserk != Berserk::None {
        sentences.extend(chain(words.rules.chain));
    }
    sentences
}

/// A sentence for each way to slide, the most common one first.
fn slides(words: &Words<'_>) -> Vec<String> {
    let mut ways: Vec<(Movement, PieceSet)> = Vec::new();
    for piece in words.in_play.iter() {
        let way = Movement { jump: Jump::None, ..words.rules.movement[piece] };
        match ways.iter_mut().find(|(known, _)| *known == way) {
            Some((_, pieces)) => *pieces = pieces.union(PieceSet::of(piece)),
            None => ways.push((way, PieceSet::of(piece))),
        }
    }
    // Soldiers first, then what most kinds of pieces do.
    ways.sort_by_key(|(_, pieces)| {
        let soldiers = pieces.iter().filter(|piece| piece.role == Role::Soldier).count();
        std::cmp::Reverse((soldiers, pieces.iter().count()))
    });
    let blocked = if words.in_play.iter().any(|piece| words.rules.movement[piece].jump != Jump::None) {
        "No piece ends its move on another, and none passes over another except by a jump."
    } else {
        "No piece moves onto or over another."
    };
    ways.iter()
        .map(|(way, pieces)| {
            let who = capitalized(&words.pieces_do(*pieces, "move", "moves"));
            format!("{who} {}.", slide(words.shape(), *way))
        })
        .chain([blocked.to_owned()])
        .collect()
}

/// `any number of empty cells along a rank or a file, like a rook in chess`.
pub(super) fn slide(shape: Shape, way: Movement) -> String {
    let lines = match (shape, way.directions) {
        (Shape::Square { .. }, Directions::Axes) => "along a rank or a file",
        (Shape::Square { .. }, Directions::Queen) => "along a rank, a file or a diagonal",
        (Shape::Hex { .. }, _) => "in one of the six directions",
    };
    let like = match (shape, way.directions) {
        (Shape::Square { .. }, Directions::Axes) => ", like a rook in chess",
        (Shape::Square { .. }, Directions::Queen) => ", like a queen in chess",
        (Shape::Hex { .. }, _) => "",
    };
    match way.max {
        None => format!("any number of empty cells {lines}{like}"),
        Some(1) => format!("one cell at a time {lines}"),
        Some(max) => format!("at most {} empty cells {lines}", number(max.into())),
    }
}

fn jumps(words: &Words<'_>) -> Vec<String> {
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
                Jump::Plain => " What is jumped over stays.".to_owned(),
                Jump::Capturing => " An enemy jumped over is captured.".to_owned(),
            };
            (!pieces.is_empty()).then(|| {
                format!(
                    "{} may also jump over one adjacent {} to the empty cell behind it.{rest}",
                    capitalized(&words.pieces(pieces)),
                    jumped_over(words)
                )
            })
        })
        .collect()
}

/// From or to which cells jumps go where they are restricted; only such cells as the board has.
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
        [] => " There is no cell from or to which it may jump.".to_owned(),
        _ => format!(" The jump must begin or end {}.", places.join(" or ")),
    }
}

/// `enemy man`, `enemy man or commander`, `man of either side` ...
pub(super) fn jumped_over(words: &Words<'_>) -> String {
    let roles: Vec<&str> = words.rules.jumped.iter().map(|role| role.word()).collect();
    let roles = if roles.is_empty() { "piece of no kind".to_owned() } else { roles.join(" or ") };
    if words.rules.jump_own { format!("{roles} of either side") } else { format!("enemy {roles}") }
}

/// What else is true of a piece that goes on.
pub(super) fn chain(chain: Chain) -> Vec<String> {
    let mut sentences = Vec::new();
    if chain.may_decline {
        sentences.push("A player may decline to go on.".to_owned());
    }
    if chain.after_jumps {
        sentences.push(
            "A jump that captures nothing also lets a piece go on, and is a step with which it may go on."
                .to_owned(),
        );
    }
    sentences
}

pub(super) fn berserk(berserk: Berserk) -> Option<String> {
    match berserk {
        Berserk::None => None,
        Berserk::Capture => Some(
            "A piece that captures goes on in the same turn, and must, as long as it can capture again; \
             a king may also end such a chain on his goal."
                .to_owned(),
        ),
        Berserk::AnyMove => Some(
            "A piece that captures moves again in the same turn; the chain ends with a move that captures nothing."
                .to_owned(),
        ),
    }
}
