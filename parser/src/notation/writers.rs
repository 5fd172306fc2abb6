//! The writers of notations. They are a table of their own, so that a program that only reads records doesn't contain them.

use crate::record::{Format, Record, WrittenMove};
use crate::write::{self, RecordLosses, WriteGame};

/// The functions that write a notation.
pub(super) struct FormatWriter {
    pub(super) format: Format,
    /// The reason why the notation cannot express a game at all.
    pub(super) refusal: fn(WriteGame<'_>) -> Option<String>,
    /// Appends a move in the form of the notation, as a repair writes it into a text.
    pub(super) push_move: fn(&Record, &WrittenMove, &mut String),
    /// Appends a record to a text; `None` if the notation is read-only.
    pub(super) write: Option<WriteRecord>,
}

/// A function that appends a record to a text.
pub(super) type WriteRecord = fn(WriteGame<'_>, &mut String, &mut RecordLosses);

/// The writer of a notation that is read-only.
const READ_ONLY: FormatWriter = FormatWriter {
    format: Format::OpenTafl,
    refusal: |_| None,
    push_move: write::push_opentafl_move,
    write: None,
};

/// The writers, in the order of [`Format::ALL`].
pub(super) static WRITERS: [FormatWriter; 21] = [
    FormatWriter { format: Format::OpenTafl, write: Some(write::opentafl::write), ..READ_ONLY },
    FormatWriter {
        format: Format::Cyngesheall,
        refusal: write::cyngesheall::refusal,
        push_move: write::push_upper_move,
        write: Some(write::cyngesheall::write),
    },
    FormatWriter { format: Format::MoveList, write: Some(write::movelist::write), ..READ_ONLY },
    FormatWriter { format: Format::AageNielsen, ..READ_ONLY },
    FormatWriter {
        format: Format::Pgn,
        push_move: write::push_cells_move,
        write: Some(write::pgn::write),
        ..READ_ONLY
    },
    FormatWriter { format: Format::HnefataflOrg, ..READ_ONLY },
    FormatWriter {
        format: Format::SkudPaiSho,
        refusal: write::skudpaisho::refusal,
        write: Some(write::skudpaisho::write),
        ..READ_ONLY
    },
    FormatWriter { format: Format::AbstractPlay, ..READ_ONLY },
    FormatWriter { format: Format::PlayTaflOnline, ..READ_ONLY },
    FormatWriter { format: Format::AshtonLog, ..READ_ONLY },
    FormatWriter { format: Format::LudiiTrial, ..READ_ONLY },
    FormatWriter { format: Format::Jsonl, write: Some(write::jsonl::write), ..READ_ONLY },
    FormatWriter { format: Format::Csv, write: Some(write::csv::write), ..READ_ONLY },
    FormatWriter { format: Format::Sgf, write: Some(write::sgf::write), ..READ_ONLY },
    FormatWriter {
        format: Format::Fen,
        refusal: write::fen::refusal,
        push_move: write::push_cells_move,
        write: Some(write::fen::write),
    },
    FormatWriter {
        format: Format::Uci,
        push_move: write::push_cells_move,
        write: Some(write::uci::write),
        ..READ_ONLY
    },
    FormatWriter {
        format: Format::Hen,
        refusal: write::hen::refusal,
        push_move: write::hen::push_move,
        write: Some(write::hen::write),
    },
    FormatWriter {
        format: Format::Ollamh,
        refusal: write::ollamh::refusal,
        write: Some(write::ollamh::write),
        ..READ_ONLY
    },
    FormatWriter {
        format: Format::Ftzm,
        refusal: write::ftzm::refusal,
        write: Some(write::ftzm::write),
        ..READ_ONLY
    },
    FormatWriter {
        format: Format::Htp,
        refusal: write::htp::refusal,
        write: Some(write::htp::write),
        ..READ_ONLY
    },
    FormatWriter { format: Format::JsonRows, ..READ_ONLY },
];
