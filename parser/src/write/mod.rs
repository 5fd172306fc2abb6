//! Writers. A notation's inability to express something is returned as a list of losses; apart from these,
//! reading the text again gives the same [`Record`].

mod capture_counts;
mod controls;
pub(crate) mod csv;
pub(crate) mod cyngesheall;
pub(crate) mod fen;
mod frame;
pub(crate) mod ftzm;
mod game_start;
pub(crate) mod hen;
pub(crate) mod htp;
pub(crate) mod jsonl;
mod losses;
pub(crate) mod movelist;
mod moves;
pub(crate) mod ollamh;
pub(crate) mod opentafl;
pub(crate) mod pgn;
mod played;
mod position;
mod retrace;
pub(crate) mod sgf;
pub(crate) mod skudpaisho;
mod stated;
pub(crate) mod uci;

use crate::diagnostic::{Diagnostic, Lost};
use crate::record::Format;
use crate::record::Record;

pub use played::{PlayedMoves, PlayedPly};
pub use retrace::retrace;
pub(crate) use retrace::{
    move_text, move_text_like, push_cells_move, push_opentafl_move, push_upper_move, reads_as,
};

pub(crate) use losses::RecordLosses;

/// A record to write, and its replay.
#[derive(Debug, Clone, Copy)]
pub struct WriteGame<'a> {
    /// The record.
    pub record: &'a Record,
    /// The game on the board; `None` if the rules are unknown.
    ///
    /// In its own format a record is written as it was. In other formats, captures and piece letters are
    /// those on the board, as far as the game was replayed.
    pub played: Option<&'a PlayedMoves>,
}

/// The reason why a record could not be written at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format is read-only.
    #[error("records cannot be written as `{format}`; expected one of {}", writable_formats())]
    ReadOnly {
        /// The format.
        format: Format,
    },
    /// The format cannot express the game: its text would be another game.
    #[error("`{format}` cannot express the game: {reason}")]
    NotExpressible {
        /// The format.
        format: Format,
        /// The reason, in words.
        reason: Box<str>,
    },
}

/// Returns the names of the formats that can be written.
fn writable_formats() -> String {
    let names = Format::ALL.into_iter().filter(|format| format.is_writable()).map(Format::name);
    names.collect::<Vec<_>>().join(", ")
}

/// Appends a record to a text, and returns the information that the format cannot express, as diagnostics of
/// the group [`LossFinding`](crate::LossFinding).
///
/// Consecutive records form a valid file of the format.
///
/// # Errors
///
/// Returns [`WriteError::ReadOnly`] unless the format [is writable](Format::is_writable), and
/// [`WriteError::NotExpressible`] for a game on a board, or from a start, that the format does not have. Nothing
/// is appended then.
pub fn write_record(
    game: WriteGame<'_>,
    format: Format,
    out: &mut String,
) -> Result<Vec<Diagnostic>, WriteError> {
    let mut losses = RecordLosses::new(format);
    let write = format.writer().ok_or(WriteError::ReadOnly { format })?;
    if let Some(reason) = format.refusal(game) {
        return Err(WriteError::NotExpressible { format, reason: reason.into() });
    }
    // In its own notation, and in ours, a record is written as it is.
    let is_translated = format != game.record.format && format != Format::Jsonl;
    let completed = game.played.filter(|_| is_translated).and_then(|played| played.completed(game.record));
    let mut game = game;
    if let Some(completed) = &completed {
        losses.left_out(Lost::TakenBack, completed.n_left_out);
        losses.deviations(completed.n_deviations);
        game.record = &completed.record;
    }
    let blanked = (format != Format::Jsonl).then(|| controls::blank(game)).flatten();
    if let Some(blanked) = &blanked {
        losses.changed(Lost::Controls, blanked.n_controls);
        game = WriteGame { record: &blanked.record, played: blanked.played.as_ref() };
    }
    write(game, out, &mut losses);
    Ok(losses.into_diagnostics())
}

#[cfg(test)]
mod tests;
