//! Board patterns: the contents of some cells, at one place or at any.

pub(crate) mod game_matcher;
mod moved_layers;
pub(crate) mod placements;
mod text;

use tafl_rules::{Coord, Piece, PieceSet, Shape};

use crate::ply_state::CellContent;

/// A board pattern: rows of cells with their allowed contents, and where it may be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Where it may be placed.
    pub anchor: Anchor,
    /// The symmetries under which it is searched for.
    pub symmetries: PatternSymmetries,
    /// Whether it may also be found with the sides swapped.
    pub colors: Colors,
    /// The layers of which one must match under the placement. All layers have rows of the same lengths.
    pub look_for: Vec<Layer>,
    /// The layers of which none may match under the same placement.
    pub except: Vec<Layer>,
}

/// The symmetries under which a pattern or a position is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternSymmetries {
    /// All symmetries of the board.
    All,
    /// Only as written.
    AsWritten,
}

/// Where a pattern may be placed. Its first row is the lowest rank, its first cell the lowest file.
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
    /// Only as written.
    AsWritten,
    /// With the sides swapped as well. A pattern that names kings is swapped only in games in which both sides have
    /// one.
    Swapped,
}

/// The allowed contents of the cells of a pattern, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layer {
    /// The rows, the lowest rank first.
    pub rows: Vec<Vec<ContentMask>>,
}

/// The allowed contents of a cell: a set of [`CellContent`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentMask(u16);

impl ContentMask {
    /// The empty set: it matches no cell.
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

    /// Returns whether the set has a content.
    #[inline]
    pub const fn fits(self, content: CellContent) -> bool {
        self.0 >> content.code() & 1 == 1
    }

    /// Returns the union of both masks.
    #[must_use]
    pub const fn union(self, other: ContentMask) -> ContentMask {
        ContentMask(self.0 | other.0)
    }

    /// Returns the intersection of both masks.
    #[must_use]
    pub const fn intersection(self, other: ContentMask) -> ContentMask {
        ContentMask(self.0 & other.0)
    }

    /// Returns the complement of the mask.
    #[must_use]
    pub const fn complement(self) -> ContentMask {
        ContentMask(ContentMask::ANY.0 & !self.0)
    }

    /// Returns the contents of the set, in rising order.
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
    /// Returns the allowed contents of the middle cell. Meaningful only for odd numbers of rows and columns.
    pub(crate) fn middle(&self) -> ContentMask {
        let row = &self.rows[self.rows.len() / 2];
        row.get(row.len() / 2).copied().unwrap_or(ContentMask::ANY)
    }
}

/// Returns the boards with a number of ranks: at most a square one and a hexagonal one.
pub(crate) fn boards_with_ranks(n_ranks: usize) -> impl Iterator<Item = Shape> {
    let n_ranks = u8::try_from(n_ranks).unwrap_or(0);
    let boards = [Shape::square(n_ranks), Shape::hex(n_ranks.div_ceil(2))].into_iter().flatten();
    boards.filter(move |shape| shape.n_ranks() == i16::from(n_ranks))
}

/// Returns the content for the letter of a piece.
pub(crate) fn content_of(letter: char) -> CellContent {
    CellContent::of(Piece::from_letter(letter))
}
