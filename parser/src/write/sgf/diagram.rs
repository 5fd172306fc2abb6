//! The position at each node, as set-up stones.

use std::fmt::Write;

use tafl_rules::{Cell, Coord, Piece, Role, Setup, Side};

use crate::record::{CaptureStyle, MoveLineId};
use crate::write::WriteGame;
use crate::write::game_start::{known_rules, stated_rules};
use crate::write::moves::as_written;
use crate::write::played::piece_after_capture;

/// A position; none if the start is unknown, the board is hexagonal, or a move starts from an empty cell.
#[derive(Debug, Clone)]
pub(super) struct SgfDiagram(Option<Setup>);

impl SgfDiagram {
    /// Returns the start of a game: that of the record, or that of its rules. The name of a variant gives the rules only if the
    /// captures are known, because without them, the later positions would be wrong.
    pub(super) fn start(game: WriteGame<'_>) -> SgfDiagram {
        let record = game.record;
        let start = record.start.as_ref().map(|start| start.setup.clone());
        let of_rules = || {
            let has_captures = game.played.is_some() || record.capture_style == CaptureStyle::Listed;
            let rules = if has_captures { known_rules(game) } else { stated_rules(game) };
            Some(rules?.start)
        };
        SgfDiagram(start.or_else(of_rules).filter(|setup| !setup.shape().is_hex()))
    }

    /// Returns the number of cells per side.
    pub(super) fn side(&self) -> Option<u8> {
        self.0.as_ref().map(|setup| setup.shape().side())
    }

    /// Appends all stones.
    pub(super) fn push_start(&self, out: &mut String) {
        let Some(setup) = &self.0 else { return };
        for (name, side) in [("AB", Side::Attackers), ("AW", Side::Defenders)] {
            let stones = setup.pieces().filter(|(_, piece)| piece.side == side);
            let cells: Vec<Coord> = stones.map(|(cell, _)| setup.shape().coord(cell)).collect();
            push_points(name, &cells, setup, out);
        }
        push_labels(setup, out);
    }

    /// Makes a move and appends the stones that it changes. Captures are those on the board, if the game was replayed.
    pub(super) fn push_move(&mut self, game: WriteGame<'_>, line: MoveLineId, nth: usize, out: &mut String) {
        let mv = &game.record.line(line).moves[nth];
        let ply = game.played.filter(|_| line == MoveLineId::MAIN).and_then(|played| {
            let ply = played.plies.get(nth)?;
            let first = ply.first_capture as usize;
            played.captures.get(first..first + usize::from(ply.n_captures))
        });
        let captured: Vec<Coord> = match ply {
            Some(captures) => captures.iter().map(|(cell, _)| *cell).collect(),
            None => as_written(game.record, mv).captures.into_iter().map(|(cell, _)| cell).collect(),
        };
        let Some(setup) = &mut self.0 else { return };
        let shape = setup.shape();
        let cells = (shape.cell(mv.from), shape.cell(mv.to));
        let (Some(from), Some(to)) = cells else { return self.0 = None };
        let Some(piece) = setup.piece(from) else { return self.0 = None };
        let mut captured: Vec<Cell> = captured.into_iter().filter_map(|coord| shape.cell(coord)).collect();
        // A cell may be listed twice.
        captured.sort_unstable();
        captured.dedup();
        let mut touched = captured.clone();
        touched.extend([from, to]);
        touched.sort_unstable();
        touched.dedup();
        let before: Vec<Option<Piece>> = touched.iter().map(|cell| setup.piece(*cell)).collect();
        for cell in captured {
            setup.put(cell, setup.piece(cell).and_then(piece_after_capture));
        }
        setup.put(from, None);
        setup.put(to, Some(piece));
        let side_now = |setup: &Setup, nth: usize| setup.piece(touched[nth]).map(|piece| piece.side);
        for (name, side) in [("AE", None), ("AB", Some(Side::Attackers)), ("AW", Some(Side::Defenders))] {
            let changed = (0..touched.len())
                .filter(|nth| side_now(setup, *nth) == side && before[*nth].map(|piece| piece.side) != side);
            let cells: Vec<Coord> = changed.map(|nth| shape.coord(touched[nth])).collect();
            push_points(name, &cells, setup, out);
        }
        push_labels(setup, out);
    }
}

fn push_points(name: &str, cells: &[Coord], setup: &Setup, out: &mut String) {
    if cells.is_empty() {
        return;
    }
    out.push_str(name);
    for cell in cells {
        write!(out, "[{}]", point(*cell, setup)).expect("a String takes everything");
    }
}

/// Appends the roles of the pieces that are not men, because stones have none.
fn push_labels(setup: &Setup, out: &mut String) {
    let mut name = "LB";
    for (cell, piece) in setup.pieces().filter(|(_, piece)| piece.role != Role::Soldier) {
        let letter = piece.role.letter().to_ascii_uppercase();
        write!(out, "{name}[{}:{letter}]", point(setup.shape().coord(cell), setup))
            .expect("a String takes everything");
        name = "";
    }
}

/// Returns a cell as a point: its column and its row from the top, as letters.
fn point(cell: Coord, setup: &Setup) -> String {
    let letter = |number: i16| match number {
        0..26 => char::from(b'a' + number as u8),
        _ => char::from(b'A' + (number - 26).clamp(0, 25) as u8),
    };
    let row = i16::from(setup.shape().side()) - 1 - cell.rank;
    [letter(cell.file), letter(row)].into_iter().collect()
}
