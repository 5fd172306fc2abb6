//! The table of evaluations.

use super::{Field, Kind, Usage};

/// The columns of the table of evaluations, in order. Scores and expectations are the attackers'.
pub static EVALS: &[Field] = &[
    column(
        "run",
        Kind::Text,
        "The run: engine, limits, curves and thresholds as sixteen hexadecimal digits.",
    ),
    column("game", Kind::Int64, "The number of the game."),
    column(
        "ply",
        Kind::UInt16,
        "The number of the ply in its game, from 1; 65535 stands for all later ones, too.",
    ),
    column("side", Kind::Text, "Who moved: `attackers` or `defenders`."),
    column(
        "score_before",
        Kind::Int16,
        "The attackers' score before the ply, in hundredths of a man; null where a win was found.",
    ),
    column("score_after", Kind::Int16, "The same after the ply."),
    column(
        "win_before",
        Kind::Int16,
        "In how many plies the attackers win from the position before; negative where the defenders do.",
    ),
    column("win_after", Kind::Int16, "The same from the position after the ply."),
    column(
        "ended",
        Kind::Text,
        "Who won with this ply: `attackers`, `defenders` or `draw`; null if it ended nothing.",
    ),
    column("expected_before", Kind::Float64, "What the attackers could expect before the ply, from 0 to 1."),
    column("expected_after", Kind::Float64, "What they could expect after it."),
    column(
        "loss",
        Kind::Float64,
        "The expectation that the mover lost, from 0 to 1; null where it is not known.",
    ),
    column(
        "judgement",
        Kind::Text,
        "`good`, `inaccuracy`, `mistake` or `blunder`; null where it is not known.",
    ),
    column("best", Kind::Text, "The engine's move, such as `d4-d1`."),
    column("depth", Kind::UInt16, "How deep the search before the ply was, in plies."),
    column("engine", Kind::Text, "The engine: name, version, parameters, weights."),
    column("limits", Kind::Text, "The limits of each search."),
    column("curves", Kind::Text, "The curves and thresholds."),
];

const fn column(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, usage: Usage::None, doc }
}
