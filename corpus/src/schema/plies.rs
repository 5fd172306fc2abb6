//! The table of plies.

use super::{ColumnType, ColumnUsage, TableColumn};

/// The columns of the table of plies, in order.
pub static PLIES: &[TableColumn] = &[
    column("game", ColumnType::Id, "The ID of the game."),
    column(
        "ply",
        ColumnType::UInt16,
        "The number of the ply in its game, from 1; all plies after 65535 have this number, too.",
    ),
    column("side", ColumnType::Text, "The side that moved: `attackers` or `defenders`."),
    column(
        "piece",
        ColumnType::Text,
        "The piece that moved: `man`, `king`, `commander`, `knight`, `mercenary` or `guard`.",
    ),
    column("from", ColumnType::Text, "The cell that it left."),
    column("to", ColumnType::Text, "The cell that it reached."),
    column(
        "captured",
        ColumnType::Text,
        "The cells of the captured pieces, separated by blanks; null if there are none.",
    ),
    column(
        "key",
        ColumnType::Id,
        "The canonical key of the position after the ply: the same for symmetric positions.",
    ),
    column("attackers", ColumnType::UInt16, "The number of the attackers' pieces after the ply."),
    column("defenders", ColumnType::UInt16, "The number of the defenders' pieces after the ply."),
    column("moves", ColumnType::UInt16, "The number of legal moves before the ply."),
    column(
        "king_distance",
        ColumnType::UInt8,
        "The fewest moves of the defenders' king to a goal while all others stay: 0 to 6; 7 for more moves, or without a path.",
    ),
    column(
        "king_lines",
        ColumnType::UInt8,
        "The number of goal cells to which he has an open line: 0 to 2, 3 for more.",
    ),
    column(
        "king_danger",
        ColumnType::Bool,
        "Whether the attackers, if it were their turn, could capture him with one move.",
    ),
    column("king_cordon", ColumnType::Bool, "Whether a cordon is closed around him."),
    column(
        "attackers_king_distance",
        ColumnType::UInt8,
        "The same for the attackers' king, in games with two kings.",
    ),
    column("attackers_king_lines", ColumnType::UInt8, "The same for the attackers' king."),
    column("attackers_king_danger", ColumnType::Bool, "The same for the attackers' king."),
    column("attackers_king_cordon", ColumnType::Bool, "The same for the attackers' king."),
    column(
        "events",
        ColumnType::Text,
        "The events of the ply, in words separated by blanks; null if it was only a move.",
    ),
];

const fn column(name: &'static str, kind: ColumnType, doc: &'static str) -> TableColumn {
    TableColumn { name, kind, usage: ColumnUsage::None, doc }
}
