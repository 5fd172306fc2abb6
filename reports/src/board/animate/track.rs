//! The paths of the pieces through a game, which match pieces between frames.

use std::collections::HashMap;

use tafl_rules::{Cell, Piece, Setup};

use super::Frame;

/// A piece from the frame in which it appears to the frame in which it disappears.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) piece: Piece,
    /// The cells of the piece: the frame in which it arrived, and the cell. Never empty.
    pub(super) stops: Vec<(usize, Cell)>,
    /// The first frame without the piece; `None` if it stays to the end.
    pub(super) end: Option<usize>,
}

/// Returns the tracks of all pieces, in order of appearance.
pub(super) fn tracks(frames: &[Frame]) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    let mut standing: HashMap<Cell, usize> = HashMap::new();
    for (number, frame) in frames.iter().enumerate() {
        let before = std::mem::take(&mut standing);
        let moved = landings(frames, number);
        let mut continued = vec![false; tracks.len()];
        for (cell, piece) in frame.setup.pieces() {
            let origin = moved.get(&cell).copied().unwrap_or(cell);
            let known = before.get(&origin).copied().filter(|track| tracks[*track].piece == piece);
            let track = match known {
                Some(track) => {
                    continued[track] = true;
                    if origin != cell {
                        tracks[track].stops.push((number, cell));
                    }
                    track
                }
                None => {
                    tracks.push(Track { piece, stops: vec![(number, cell)], end: None });
                    tracks.len() - 1
                }
            };
            standing.insert(cell, track);
        }
        for (_, track) in before {
            if !continued[track] {
                tracks[track].end = Some(number);
            }
        }
    }
    tracks
}

/// Maps each destination in frame `number` to the start cell of its piece.
fn landings(frames: &[Frame], number: usize) -> HashMap<Cell, Cell> {
    let (Some(before), Some(frame)) = (number.checked_sub(1).map(|last| &frames[last]), frames.get(number))
    else {
        return HashMap::new();
    };
    // A piece may make several steps; only the first start and the last destination matter.
    let (Some(first), Some(last)) = (frame.marks.moves.first(), frame.marks.moves.last()) else {
        return HashMap::new();
    };
    let arrived = |setup: &Setup, from: Cell, to: Cell| {
        let on_board = |cell: Cell| cell.index() < setup.shape().n_cells();
        on_board(from)
            && on_board(to)
            && setup.piece(from).is_none()
            && setup.piece(to).is_some()
            && before.setup.piece(to).is_none()
            && before.setup.piece(from) == setup.piece(to)
    };
    // A chain is either one frame with all its steps, or one frame per step.
    [(first.from, last.to), (last.from, last.to)]
        .into_iter()
        .filter(|(from, to)| arrived(&frame.setup, *from, *to))
        .take(1)
        .map(|(from, to)| (to, from))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Marks;
    use tafl_rules::{Move, Shape};

    fn frame(record: &str, mv: Option<(usize, usize)>) -> Frame {
        let setup = Setup::parse(Shape::square(5).expect("a size"), record).expect("a record");
        let moves = mv.map(|(from, to)| Move::new(Cell::new(from), Cell::new(to))).into_iter().collect();
        Frame { marks: Marks { moves, ..Marks::default() }, ..Frame::new(setup) }
    }

    #[test]
    fn a_moved_piece_keeps_its_track_and_a_captured_one_ends() {
        let frames = [frame("/tT3/5/2t2/5/5/", None), frame("/t1t2/5/5/5/5/", Some((12, 2)))];
        let found = tracks(&frames);
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].stops.as_slice(), found[0].end), ([(0, Cell::new(0))].as_slice(), None));
        assert_eq!((found[1].stops.as_slice(), found[1].end), ([(0, Cell::new(1))].as_slice(), Some(1)));
        assert_eq!(found[2].stops, [(0, Cell::new(12)), (1, Cell::new(2))]);
        assert_eq!(found[2].end, None);
    }

    #[test]
    fn a_move_that_did_not_happen_makes_no_track() {
        let frames = [frame("/t4/5/5/5/5/", None), frame("/1t3/5/5/5/5/", Some((7, 1)))];
        let found = tracks(&frames);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].end, Some(1));
    }

    #[test]
    fn a_mercenary_that_changes_sides_is_another_piece() {
        let frames = [frame("/m4/5/5/5/5/", None), frame("/M4/5/5/5/5/", None)];
        assert_eq!(tracks(&frames).len(), 2);
    }
}
