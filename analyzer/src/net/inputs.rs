//! Which inputs a network has under some rules: planes of cells, and where symmetries take them.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Piece, PieceSet, Role, Shape, Side};

/// A kind of content that a network sees: all pieces of a side, or those with a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plane {
    Side(Side),
    Kind(Piece),
}

/// The inputs of networks under some rules.
///
/// An input is a plane and a cell. The first planes are all pieces of each side; each kind of piece but the men has one
/// of its own besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkInputs {
    shape: Shape,
    planes: Vec<Plane>,
    /// For each symmetry of the rules, where it takes each cell.
    images: Vec<Vec<u16>>,
}

impl NetworkInputs {
    /// Returns the inputs of rules.
    pub fn of<const N: usize>(book: &Rulebook<N>) -> NetworkInputs {
        let kinds = book.pieces().iter().filter(|piece| piece.role != Role::Soldier).map(Plane::Kind);
        let images = book.symmetries().iter().map(|symmetry| {
            let image = |cell| symmetry.image(cell).index() as u16;
            book.shape().cells().map(image).collect()
        });
        NetworkInputs {
            shape: book.shape(),
            planes: Side::ALL.into_iter().map(Plane::Side).chain(kinds).collect(),
            images: images.collect(),
        }
    }

    /// Returns the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns how many inputs there are.
    pub fn count(&self) -> usize {
        self.planes.len() * self.shape.n_cells()
    }

    /// Returns how many planes there are.
    pub fn n_planes(&self) -> usize {
        self.planes.len()
    }

    /// Returns how many symmetries the rules have.
    pub fn n_images(&self) -> usize {
        self.images.len()
    }

    /// Returns where a symmetry takes an input.
    pub fn image(&self, symmetry: usize, input: usize) -> usize {
        let n_cells = self.shape.n_cells();
        input / n_cells * n_cells + usize::from(self.images[symmetry][input % n_cells])
    }

    /// Returns the kinds of pieces that have a plane of their own.
    pub fn kinds(&self) -> PieceSet {
        let kind = |plane: &Plane| match plane {
            Plane::Side(_) => None,
            Plane::Kind(piece) => Some(*piece),
        };
        self.planes.iter().filter_map(kind).collect()
    }

    /// Returns the cells of a plane in a position.
    #[inline]
    pub fn plane<const N: usize>(&self, pos: &Position<N>, plane: usize) -> Bitboard<N> {
        match self.planes[plane] {
            Plane::Side(side) => pos.side(side),
            Plane::Kind(piece) => pos.pieces(piece),
        }
    }

    /// Returns the inputs that are on in a position.
    pub fn on<const N: usize>(&self, pos: &Position<N>) -> Vec<u16> {
        let n_cells = self.shape.n_cells();
        let of_plane = |plane: usize| {
            self.plane(pos, plane).into_iter().map(move |cell| (plane * n_cells + cell.index()) as u16)
        };
        (0..self.planes.len()).flat_map(of_plane).collect()
    }
}
