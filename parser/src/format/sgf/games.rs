//! The games of SGF files.

use tafl_rules::Span;

use super::tree::GameTree;
use crate::source::Source;

/// The number of hnefatafl.
const HNEFATAFL: usize = 29;

/// The games by their number in `GM`, from 1.
const GAMES: [&str; 40] = [
    "Go",
    "Othello",
    "chess",
    "Gomoku",
    "Nine Men's Morris",
    "backgammon",
    "Chinese chess",
    "shogi",
    "Lines of Action",
    "Ataxx",
    "Hex",
    "Jungle",
    "Neutron",
    "Philosopher's Football",
    "Quadrature",
    "Trax",
    "Tantrix",
    "Amazons",
    "Octi",
    "Gess",
    "Twixt",
    "Zertz",
    "Plateau",
    "Yinsh",
    "Punct",
    "Gobblet",
    "Hive",
    "Exxit",
    "hnefatafl",
    "Kuba",
    "Tripples",
    "Chase",
    "Tumbling Down",
    "Sahara",
    "Byte",
    "Focus",
    "Dvonn",
    "Tamsk",
    "Gipf",
    "Kropki",
];

/// Returns the game of a tree if it is not hnefatafl, with the place that says so.
///
/// Without a number, the game is Go; but people leave the number out, so only moves of Go count.
pub(super) fn other_game(source: &Source<'_>, tree: GameTree<'_>) -> Option<(Span, &'static str)> {
    if let Some(number) = tree.properties().find(|property| &*property.name == "GM") {
        let game = number.first(source).trim().parse::<usize>().ok();
        return match game {
            Some(HNEFATAFL) => None,
            Some(game) => {
                let name = GAMES.get(game.wrapping_sub(1)).copied().unwrap_or("an unknown game");
                Some((number.first_span(), name))
            }
            None => Some((number.first_span(), "an unknown game")),
        };
    }
    let mut moves = tree.properties().filter(|property| matches!(&*property.name, "B" | "W"));
    let first = moves.find(|property| !property.first(source).is_empty())?;
    let is_point = |value: &str| value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_point(first.first(source)).then(|| (first.first_span(), GAMES[0]))
}
