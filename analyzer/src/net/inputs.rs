//! The inputs of a network: planes of cells, with their images under symmetries.

use tafl_rules::{Bitboard, Piece, PieceSet, Position, Role, Rulebook, Shape, Side};

/// A plane of inputs: all pieces of a side, or all pieces of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plane {
    Side(Side),
    Kind(Piece),
}

/// The inputs of a network for some rules.
///
/// An input is a plane and a cell. The first two planes have all pieces of each side; each kind of
/// piece except soldiers has an additional plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkInputs {
    shape: Shape,
    planes: Vec<Plane>,
    /// The image of each cell under each symmetry of the rules.
    images: Vec<Vec<u16>>,
}

impl NetworkInputs {
    /// Returns the inputs for rules.
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

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of inputs.
    pub fn count(&self) -> usize {
        self.planes.len() * self.shape.n_cells()
    }

    /// Returns the number of planes.
    pub fn n_planes(&self) -> usize {
        self.planes.len()
    }

    /// Returns the number of symmetries of the rules.
    pub fn n_images(&self) -> usize {
        self.images.len()
    }

    /// Returns the image of an input under a symmetry.
    pub fn image(&self, symmetry: usize, input: usize) -> usize {
        let n_cells = self.shape.n_cells();
        input / n_cells * n_cells + usize::from(self.images[symmetry][input % n_cells])
    }

    /// Returns the kinds of pieces with a plane of their own.
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

    /// Returns the active inputs in a position.
    pub fn on<const N: usize>(&self, pos: &Position<N>) -> Vec<u16> {
        let n_cells = self.shape.n_cells();
        let of_plane = |plane: usize| {
            self.plane(pos, plane).into_iter().map(move |cell| (plane * n_cells + cell.index()) as u16)
        };
        (0..self.planes.len()).flat_map(of_plane).collect()
    }
}
