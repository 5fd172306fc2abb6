//! The players' choices before they play: the start, and their sides.

use super::RuleSet;
use crate::piece::Piece;
use crate::setup::Setup;
use crate::shape::{Cell, Coord, Shape};
use crate::side::Side;

/// The cells on which a side may rearrange its pieces before the first move. A piece on such a cell may
/// be moved to another empty one; all other pieces stay.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Rearrangement {
    /// None: the start is fixed.
    #[default]
    None,
    /// Every cell of the board.
    Anywhere,
    /// The cells at most this many files and ranks from the middle of the board, without the middle
    /// itself; on hexagonal boards at most this many steps.
    Near(u8),
    /// The cells farther from the middle.
    Far(u8),
    /// These cells, in ascending order.
    Cells(Vec<Cell>),
}

/// The reason why a game cannot begin with an arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The board is another one.
    #[error("the board is not that of the rules")]
    OtherBoard,
    /// A side has another number of pieces of a kind.
    #[error("the {} have {found} pieces of the kind `{piece}`, and {expected} by the rules", .piece.side)]
    OtherPieces {
        /// The kind of pieces.
        piece: Piece,
        /// Their number in the arrangement.
        found: usize,
        /// Their number by the rules.
        expected: usize,
    },
    /// A side changed a cell on which it may not rearrange its pieces.
    #[error("the {side} may not rearrange a piece on `{cell}`")]
    FixedCell {
        /// The side.
        side: Side,
        /// The cell.
        cell: Coord,
    },
}

impl RuleSet {
    /// Returns the cells on which a side may rearrange its pieces before the first move, in ascending
    /// order.
    pub fn rearrangement_cells(&self, side: Side) -> Vec<Cell> {
        let shape = self.shape();
        let distances = |wanted: &dyn Fn(u8) -> bool| {
            let is_wanted =
                |cell: &Cell| steps_from_middle(shape, *cell).is_some_and(|steps| steps > 0 && wanted(steps));
            shape.cells().filter(is_wanted).collect()
        };
        match &self.rearrangement[side] {
            Rearrangement::None => Vec::new(),
            Rearrangement::Anywhere => shape.cells().collect(),
            Rearrangement::Near(most) => distances(&|steps| steps <= *most),
            Rearrangement::Far(least) => distances(&|steps| steps > *least),
            Rearrangement::Cells(cells) => cells.clone(),
        }
    }

    /// Returns whether a side may rearrange its pieces before the first move.
    pub fn has_rearrangement(&self) -> bool {
        Side::ALL.into_iter().any(|side| self.rearrangement[side] != Rearrangement::None)
    }

    /// Checks that a game may begin with an arrangement: the start of the rules, or one to which the
    /// sides may rearrange their pieces.
    ///
    /// # Errors
    ///
    /// Returns the first reason why not.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{RuleSet, Setup};
    ///
    /// let text = "dim:7 xarr:d=near1 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    /// let rules: RuleSet = text.parse()?;
    /// let start = |rows: &str| Setup::parse(rules.shape(), rows).unwrap();
    /// assert_eq!(rules.check_start(&start("/3t3/3t3/2T4/ttTKTtt/3T3/3t3/3t3/")), Ok(()));
    /// assert!(rules.check_start(&start("/2t4/3t3/3T3/ttTKTtt/3T3/3t3/3t3/")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_start(&self, start: &Setup) -> Result<(), StartError> {
        let shape = self.shape();
        if start.shape() != shape {
            return Err(StartError::OtherBoard);
        }
        for piece in Piece::all() {
            let (found, expected) = (start.count(piece), self.start.count(piece));
            if found != expected {
                return Err(StartError::OtherPieces { piece, found, expected });
            }
        }
        for side in Side::ALL {
            let cells = self.rearrangement_cells(side);
            let own = |setup: &Setup, cell: Cell| setup.piece(cell).filter(|piece| piece.side == side);
            let is_changed = |cell: &Cell| own(start, *cell) != own(&self.start, *cell);
            if let Some(cell) = shape.cells().find(|cell| is_changed(cell) && !cells.contains(cell)) {
                return Err(StartError::FixedCell { side, cell: shape.coord(cell) });
            }
        }
        Ok(())
    }
}

/// Returns the number of steps in any direction between a cell and the middle of the board; `None` if the
/// board has no middle cell.
fn steps_from_middle(shape: Shape, cell: Cell) -> Option<u8> {
    let (middle, cell) = (shape.coord(shape.center()?), shape.coord(cell));
    let (files, ranks) = (cell.file - middle.file, cell.rank - middle.rank);
    let straight = files.abs().max(ranks.abs());
    // The third axis of hexagonal boards leads along files and ranks at once.
    let steps = if shape.is_hex() { straight.max((files - ranks).abs()) } else { straight };
    u8::try_from(steps).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Role;

    fn rules(keys: &str) -> RuleSet {
        format!("dim:7 {keys} start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/").parse().unwrap()
    }

    #[test]
    fn cells_near_and_far_leave_out_the_middle() {
        let rules = rules("xarr:a=far2;d=near1");
        assert_eq!(rules.rearrangement_cells(Side::Defenders).len(), 8);
        assert_eq!(rules.rearrangement_cells(Side::Attackers).len(), 24);
        let hex: RuleSet =
            "dim:4 xtopo:hex xarr:d=near1;a=far1 start:/t2t/5/3T2/t1TK2t/3T2/5/t2t/".parse().unwrap();
        assert_eq!(hex.rearrangement_cells(Side::Defenders).len(), 6);
        assert_eq!(hex.rearrangement_cells(Side::Attackers).len(), 30);
    }

    #[test]
    fn a_start_keeps_its_pieces_and_the_fixed_cells() {
        let check = |keys: &str, rows: &str| {
            let rules = rules(keys);
            rules.check_start(&Setup::parse(rules.shape(), rows).unwrap())
        };
        let start = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        let (moved, lacking) = ("/3t3/3t3/2T4/ttTKTtt/3T3/3t3/3t3/", "/3t3/3t3/7/ttTKTtt/3T3/3t3/3t3/");
        let fixed = |side, name: &str| StartError::FixedCell { side, cell: name.parse().unwrap() };
        assert_eq!(check("xarr:d=near1", start), Ok(()));
        assert_eq!(check("xarr:d=near1", moved), Ok(()));
        assert_eq!(check("xarr:d=any", moved), Ok(()));
        assert_eq!(check("xarr:d=c3,d3", moved), Ok(()));
        assert_eq!(check("xarr:a=any", moved), Err(fixed(Side::Defenders, "c3")));
        assert_eq!(check("xarr:d=d3,e3", moved), Err(fixed(Side::Defenders, "c3")));
        assert_eq!(
            check("xarr:d=near1", "/2tt3/7/3T3/ttTKTtt/3T3/3t3/3t3/"),
            Err(fixed(Side::Attackers, "c1")),
            "both sides are checked"
        );
        let piece = Piece::new(Side::Defenders, Role::Soldier);
        assert_eq!(
            check("xarr:d=near1", lacking),
            Err(StartError::OtherPieces { piece, found: 3, expected: 4 })
        );
        assert_eq!(
            check("xarr:d=near1", lacking).unwrap_err().to_string(),
            "the defenders have 3 pieces of the kind `T`, and 4 by the rules"
        );
    }
}
