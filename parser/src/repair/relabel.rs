//! Relabelings of the cells of a board: numbered from another corner, with another origin, or without a
//! letter.

use tafl_rules::{Coord, Shape, Symmetry, shape_symmetries};

use crate::record::{WrittenCapture, WrittenMove};

/// A relabeling of the cells of a board. It maps the writer's labels to ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relabel {
    /// The writer sees the board rotated or mirrored: the number of a symmetry of the board, from 1.
    Symmetry(u8),
    /// The writer counts files or ranks from another number: the offsets to be added.
    Shift {
        /// To the file.
        file: i8,
        /// To the rank.
        rank: i8,
    },
    /// The writer skips the letter i, as in Go.
    WithoutI,
}

/// A relabeling prepared for a board.
#[derive(Debug, Clone)]
pub(super) struct Map {
    pub(super) relabel: Relabel,
    shape: Shape,
    symmetry: Option<Symmetry>,
}

/// The index of the letter i among the files.
const LETTER_I: i16 = 8;

impl Map {
    /// Returns all relabelings of a board.
    pub(super) fn all(shape: Shape) -> Vec<Map> {
        let symmetries = shape_symmetries(shape).into_iter().skip(1);
        let mut maps: Vec<Map> = symmetries
            .map(|symmetry| Map { relabel: Relabel::Symmetry(symmetry.id), shape, symmetry: Some(symmetry) })
            .collect();
        let shifts = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let shifts = shifts.into_iter().map(|(file, rank)| Relabel::Shift { file, rank });
        let others = shifts.chain((shape.n_ranks() > LETTER_I).then_some(Relabel::WithoutI));
        maps.extend(others.map(|relabel| Map { relabel, shape, symmetry: None }));
        maps
    }

    /// Returns the map of a relabeling for a board.
    pub(super) fn of(relabel: Relabel, shape: Shape) -> Option<Map> {
        Map::all(shape).into_iter().find(|map| map.relabel == relabel)
    }

    /// Returns our label of a cell; an invalid label does not change.
    pub(super) fn image(&self, coord: Coord) -> Coord {
        match self.relabel {
            Relabel::Symmetry(_) => {
                let cell = self.shape.cell(coord);
                let image = cell.zip(self.symmetry.as_ref()).map(|(cell, symmetry)| symmetry.image(cell));
                image.map_or(coord, |cell| self.shape.coord(cell))
            }
            Relabel::Shift { file, rank } => {
                Coord::new(coord.file + i16::from(file), coord.rank + i16::from(rank))
            }
            Relabel::WithoutI if coord.file > LETTER_I => Coord::new(coord.file - 1, coord.rank),
            Relabel::WithoutI => coord,
        }
    }

    /// Returns the moves with our labels.
    pub(super) fn moves(&self, moves: &[WrittenMove]) -> Vec<WrittenMove> {
        let image =
            |mv: &WrittenMove| WrittenMove { from: self.image(mv.from), to: self.image(mv.to), ..*mv };
        moves.iter().map(image).collect()
    }

    /// Returns the captures with our labels.
    pub(super) fn captures(&self, captures: &[WrittenCapture]) -> Vec<WrittenCapture> {
        captures.iter().map(|capture| WrittenCapture { cell: self.image(capture.cell), ..*capture }).collect()
    }
}

impl Relabel {
    /// Describes the relabeling on a board, such as `mirrored left to right`.
    pub fn describe(self, shape: Shape) -> String {
        match self {
            Relabel::Symmetry(id) => match shape_symmetries(shape).get(usize::from(id)) {
                Some(symmetry) => symmetry.describe(shape),
                None => "turned".to_owned(),
            },
            Relabel::Shift { file: 0, rank } => format!("with ranks shifted by {rank:+}"),
            Relabel::Shift { file, rank: 0 } => format!("with files shifted by {file:+}"),
            Relabel::Shift { file, rank } => format!("with files shifted by {file:+} and ranks by {rank:+}"),
            Relabel::WithoutI => "with files that skip the letter i".to_owned(),
        }
    }

    /// Returns the name used in JSON.
    pub fn name(self) -> String {
        match self {
            Relabel::Symmetry(id) => format!("symmetry-{id}"),
            Relabel::Shift { file, rank } => format!("shift{file:+}{rank:+}"),
            Relabel::WithoutI => "without-i".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coord(name: &str) -> Coord {
        name.parse().unwrap()
    }

    #[test]
    fn names_are_turned_into_ours() {
        let eleven = Shape::square(11).unwrap();
        let image = |relabel, name| Map::of(relabel, eleven).unwrap().image(coord(name)).to_string();
        assert_eq!(image(Relabel::Symmetry(1), "a3"), "k3");
        assert_eq!(image(Relabel::Symmetry(4), "c5"), "e3");
        assert_eq!(image(Relabel::Shift { file: 0, rank: 1 }, "a3"), "a4");
        assert_eq!(
            (image(Relabel::WithoutI, "l3"), image(Relabel::WithoutI, "h3")),
            ("k3".into(), "h3".into())
        );
        assert_eq!(image(Relabel::Symmetry(1), "z3"), "z3");
    }

    #[test]
    fn hexagons_have_eleven_turns_and_small_boards_no_letter_i() {
        let turns = |shape| Map::all(shape).iter().filter(|map| map.symmetry.is_some()).count();
        assert_eq!((turns(Shape::hex(4).unwrap()), turns(Shape::square(7).unwrap())), (11, 7));
        assert!(Map::of(Relabel::WithoutI, Shape::square(7).unwrap()).is_none());
    }
}
