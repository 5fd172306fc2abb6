//! Records as text. Writing is strict: what a notation cannot say is returned as a list of losses, and reading the text
//! again gives the same [`Record`] but for these.

pub(crate) mod cyngesheall;
mod frame;
pub(crate) mod jsonl;
mod losses;
pub(crate) mod movelist;
mod moves;
pub(crate) mod opentafl;
pub(crate) mod pgn;
mod retrace;
pub(crate) mod skudpaisho;

use tafl_rules::{Coord, Outcome, Piece};

use crate::diagnostic::{Diagnostic, Lost};
use crate::record::Format;
use crate::record::Record;

pub use retrace::retrace;
pub(crate) use retrace::{move_text, reads_as};

pub(crate) use losses::RecordLosses;

/// A record to be written, and what replay knows about it.
#[derive(Debug, Clone, Copy)]
pub struct WriteGame<'a> {
    /// What was written.
    pub record: &'a Record,
    /// What happened on the board; nothing where the rules are not known.
    ///
    /// In its own format a record is written as it was. In another one the captures and the letters of pieces are those
    /// of the board, as far as the game was replayed.
    pub played: Option<&'a Played>,
}

/// What happened on the board, as far as writers need it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Played {
    /// The rules string.
    pub rules: Box<str>,
    /// The legal moves of the game, from the first one: a step each.
    pub plies: Vec<PlayedPly>,
    /// The pieces that fell; plies point into it.
    pub captures: Vec<(Coord, Piece)>,
    /// How the game ended on the board.
    pub outcome: Option<Outcome>,
}

/// A legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedPly {
    /// The piece that moved.
    pub piece: Piece,
    /// The index of the first piece that fell, in [`Played::captures`].
    pub first_capture: u32,
    /// How many fell.
    pub n_captures: u16,
}

/// Why a record could not be written at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format is only read.
    #[error(
        "records cannot be written as `{format}`; writable are opentafl, cyngesheall, movelist, pgn, skudpaisho, jsonl"
    )]
    ReadOnly {
        /// The format.
        format: Format,
    },
}

/// Adds a record to a text, and returns what the format cannot say, as diagnostics of the group
/// [`Loss`](crate::diagnostic::Loss).
///
/// Records that are written one behind the other make a file of that format.
///
/// # Errors
///
/// Returns [`WriteError::ReadOnly`] unless the format [is writable](Format::is_writable).
pub fn write(game: WriteGame<'_>, format: Format, out: &mut String) -> Result<Vec<Diagnostic>, WriteError> {
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

/// Returns whether a character is written as a blank.
fn is_control(symbol: char) -> bool {
    symbol.is_control() && !matches!(symbol, '\n' | '\r' | '\t')
}

/// Replaces control characters other than the ends of lines and tabs by blanks, and returns how many there were: a NUL
/// would make a file of games a binary one.
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
