//! Writers. A notation's inability to express something is returned as a list of losses; apart from these,
//! reading the text again gives the same [`Record`].

pub(crate) mod csv;
pub(crate) mod cyngesheall;
pub(crate) mod fen;
mod frame;
pub(crate) mod ftzm;
pub(crate) mod hen;
pub(crate) mod htp;
pub(crate) mod jsonl;
mod losses;
pub(crate) mod movelist;
mod moves;
pub(crate) mod ollamh;
pub(crate) mod opentafl;
pub(crate) mod pgn;
mod position;
mod retrace;
pub(crate) mod sgf;
pub(crate) mod skudpaisho;
pub(crate) mod uci;

use tafl_rules::{Coord, Outcome, Piece};

use crate::diagnostic::{Diagnostic, Lost};
use crate::record::Format;
use crate::record::Record;

pub use retrace::retrace;
pub(crate) use retrace::{move_text, reads_as};

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

/// The data of a replayed game that writers need.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayedMoves {
    /// The rules string.
    pub rules: Box<str>,
    /// The legal moves of the game, from the first one: one per step.
    pub plies: Vec<PlayedPly>,
    /// The captured pieces; plies refer to ranges of it.
    pub captures: Vec<(Coord, Piece)>,
    /// The outcome on the board.
    pub outcome: Option<Outcome>,
}

/// A legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedPly {
    /// The piece that moved.
    pub piece: Piece,
    /// The index of the first captured piece in [`PlayedMoves::captures`].
    pub first_capture: u32,
    /// The number of captured pieces.
    pub n_captures: u16,
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
/// Returns [`WriteError::ReadOnly`] unless the format [is writable](Format::is_writable).
pub fn write_record(
    game: WriteGame<'_>,
    format: Format,
    out: &mut String,
) -> Result<Vec<Diagnostic>, WriteError> {
    let mut losses = RecordLosses::new(format);
    let begin = out.len();
    let write = format.writer().ok_or(WriteError::ReadOnly { format })?;
    write(game, out, &mut losses);
    if format != Format::Jsonl {
        let n_controls = blank_controls(begin, out);
        if n_controls > 0 {
            losses.changed(Lost::Controls, n_controls);
        }
    }
    Ok(losses.into_diagnostics())
}

/// Returns whether a character is replaced by a blank.
fn is_control(symbol: char) -> bool {
    symbol.is_control() && !matches!(symbol, '\n' | '\r' | '\t')
}

/// Replaces control characters other than line ends and tabs by blanks, and returns their number: a NUL would
/// make a file look binary.
fn blank_controls(begin: usize, out: &mut String) -> usize {
    let n_controls = out[begin..].chars().filter(|symbol| is_control(*symbol)).count();
    if n_controls > 0 {
        let text = out[begin..].replace(is_control, " ");
        out.replace_range(begin.., &text);
    }
    n_controls
}

#[cfg(test)]
mod tests;
