//! The content of a cell according to the record's own moves and marks, whatever the rules capture.
//!
//! A move that cannot be played may be an error in the record or in the rules. If the moves and marks of the
//! record itself leave a cell empty, or keep a piece on it, no capture rules make the move possible: the
//! record contradicts itself.

use tafl_rules::{Coord, Game, IllegalMove, Move, Piece, Setup};

use crate::diagnostic::PlayFinding;
use crate::record::Record;

/// Returns a diagnostic if a move is impossible by the record's own moves and marks.
///
/// `index` is the number of the move, and `start` the setup before the first one.
pub(super) fn contradiction(
    record: &Record,
    start: &Setup,
    game: &Game,
    index: usize,
    mv: Move,
    why: IllegalMove,
) -> Option<PlayFinding> {
    let shape = game.shape();
    let cell = match why {
        IllegalMove::NoPiece | IllegalMove::NotYourPiece { .. } => mv.from,
        IllegalMove::Blocked { by, .. } => by,
        IllegalMove::Occupied { .. } => mv.to,
        // All other reasons depend on the rules.
        _ => return None,
    };
    let name = shape.coord(cell);
    let (piece, since) = explain(record, start, index, name)?;
    (piece == game.piece(cell)).then_some(PlayFinding::ContradictsItself { cell: name, piece, since })
}

/// The piece on a cell according to the record alone, and the last move (start and destination) that changed
/// it.
type Explanation = (Option<Piece>, Option<(Coord, Coord)>);

/// Returns the piece on a cell after `n` moves according to the record alone, and the last move that changed
/// it.
fn explain(record: &Record, start: &Setup, n: usize, asked: Coord) -> Option<Explanation> {
    let shape = start.shape();
    let mut board = start.clone();
    let mut since = None;
    for written in record.main().moves.iter().take(n) {
        let (from, to) = (shape.cell(written.from)?, shape.cell(written.to)?);
        let piece = board.piece(from);
        board.put(from, None);
        board.put(to, piece);
        let marks = record.captures_of(written).iter().map(|capture| capture.cell);
        for cell in marks.clone().filter_map(|cell| shape.cell(cell)) {
            board.put(cell, None);
        }
        if [written.from, written.to].into_iter().chain(marks).any(|cell| cell == asked) {
            since = Some((written.from, written.to));
        }
    }
    Some((board.piece(shape.cell(asked)?), since))
}
