//! Parts of boards: what stands on some cells, wherever that may be.

pub(crate) mod placements;
pub(crate) mod shift;
mod text;

use tafl_rules::{Coord, Piece, PieceSet};

use crate::ply_state::CellContent;

/// A part of a board: rows of cells, each with what may stand on it, and where the rows may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Where it may lie.
    pub anchor: Anchor,
    /// Whether it may be turned and mirrored.
    pub turns: PatternSymmetries,
    /// Whether it may also be found with the sides swapped.
    pub colors: Colors,
    /// What is looked for: one of these, under the same placement. All layers have rows of the same lengths.
    pub look_for: Vec<Layer>,
    /// What may not be there, under the same placement.
    pub except: Vec<Layer>,
}

/// The symmetries under which a pattern or a position is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternSymmetries {
    /// All symmetries of the board.
    All,
    /// Only as it is written.
    AsItStands,
}

/// Where a pattern may lie. Its first row is the lowest rank, its first cell the lowest file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// Anywhere.
    Anywhere,
    /// It is the whole board.
    Board,
    /// Its first cell lies in a corner of the board.
    Corner,
    /// Its first row lies on an edge of the board.
    Edge,
    /// Its middle lies on a throne.
    Throne,
    /// Its middle is a king of the defenders.
    King,
    /// Its first cell lies there.
    At(Coord),
}

/// Whether a pattern may also be found with the sides swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colors {
    /// Only as it is written.
    AsWritten,
    /// With the sides swapped as well. Where it names kings, only in games in which both sides have one.
    Swapped,
}

/// What may stand on the cells of a pattern, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layer {
    /// The rows, the lowest rank first.
    pub rows: Vec<Vec<ContentMask>>,
}

/// What may stand on a cell: a set of [`CellContent`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentMask(u16);

impl ContentMask {
    /// Nothing at all: no cell fits.
    pub const NEVER: ContentMask = ContentMask(0);
    /// Only an empty cell.
    pub const EMPTY: ContentMask = ContentMask(1);
    /// Anything.
    pub const ANY: ContentMask = ContentMask((1 << CellContent::COUNT) - 1);
    /// Any piece.
    pub const PIECE: ContentMask = ContentMask(ContentMask::ANY.0 & !1);

    /// Returns the mask of one content.
    #[inline]
    pub const fn of(content: CellContent) -> ContentMask {
        ContentMask(1 << content.code())
    }

    /// Returns the mask of a set of pieces.
    pub fn of_pieces(pieces: PieceSet) -> ContentMask {
        pieces
            .iter()
            .fold(ContentMask::NEVER, |mask, piece| mask.union(ContentMask::of(CellContent::of(Some(piece)))))
    }

    /// Returns whether a content fits.
    #[inline]
    pub const fn fits(self, content: CellContent) -> bool {
        self.0 >> content.code() & 1 == 1
    }

    /// Returns what either mask has.
    #[must_use]
    pub const fn union(self, other: ContentMask) -> ContentMask {
        ContentMask(self.0 | other.0)
    }

    /// Returns what both masks have.
    #[must_use]
    pub const fn intersection(self, other: ContentMask) -> ContentMask {
        ContentMask(self.0 & other.0)
    }

    /// Returns what this mask lacks.
    #[must_use]
    pub const fn complement(self) -> ContentMask {
        ContentMask(ContentMask::ANY.0 & !self.0)
    }

    /// Returns the contents that fit, in rising order.
    pub fn contents(self) -> impl Iterator<Item = CellContent> {
        std::iter::once(None)
            .chain(Piece::all().map(Some))
            .map(CellContent::of)
            .filter(move |content| self.fits(*content))
    }

    /// Returns the same with the sides swapped.
    #[must_use]
    pub fn swapped(self) -> ContentMask {
        self.contents().fold(ContentMask::NEVER, |mask, content| {
            let piece = content.piece().map(|piece| Piece::new(piece.side.other(), piece.role));
            mask.union(ContentMask::of(CellContent::of(piece)))
        })
    }
}

impl Layer {
    /// Returns what may stand in the middle; of use for odd numbers of rows and columns.
    pub(crate) fn middle(&self) -> ContentMask {
        let row = &self.rows[self.rows.len() / 2];
        row.get(row.len() / 2).copied().unwrap_or(ContentMask::ANY)
    }
}

/// Returns the content that a piece's letter stands for.
pub(crate) fn content_of(letter: char) -> CellContent {
    CellContent::of(Piece::from_letter(letter))
}
