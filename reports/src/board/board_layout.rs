//! The geometry of a board, as used by pictures, for programs that draw boards themselves.

use tafl_rules::{Cell, Shape};

use super::View;
use super::layout::{CELL, Layout, cell_outline};
use super::scene::ScenePoint;

/// The positions of the cells of a board. The distance between the centers of two neighbors is 1, and y
/// increases downward.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardLayout {
    /// The width of the board.
    pub width: f32,
    /// The height of the board.
    pub height: f32,
    /// The corners of every cell, relative to its center.
    pub polygon: Vec<(f32, f32)>,
    middles: Vec<(f32, f32)>,
    in_picture: Vec<(f32, f32)>,
}

impl BoardLayout {
    /// Returns the layout of a board in the default view of its shape.
    pub fn usual(shape: Shape) -> BoardLayout {
        let layout = Layout::new(shape, View::usual(shape), 0, 0);
        let near = |value: f32| (value / CELL * 1e4).round() / 1e4;
        let middle = |cell: Cell| {
            let center = layout.center(cell);
            (near(center.x - layout.board.x), near(center.y - layout.board.y))
        };
        let in_picture = |cell: Cell| {
            let center = layout.center(cell);
            (center.x, center.y)
        };
        let corner = |point: ScenePoint| (near(point.x), near(point.y));
        BoardLayout {
            width: near(layout.board_size.0),
            height: near(layout.board_size.1),
            polygon: cell_outline(shape, ScenePoint::new(0.0, 0.0), CELL / 2.0)
                .into_iter()
                .map(corner)
                .collect(),
            middles: shape.cells().map(middle).collect(),
            in_picture: shape.cells().map(in_picture).collect(),
        }
    }

    /// Returns the center of a cell.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not on the board.
    pub fn middle(&self, cell: Cell) -> (f32, f32) {
        self.middles[cell.index()]
    }

    /// Returns the center of a cell in a [`BoardPicture`](super::BoardPicture), in the units of its SVG.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not on the board.
    pub fn middle_in_picture(&self, cell: Cell) -> (f32, f32) {
        self.in_picture[cell.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn middle(shape: Shape, name: &str) -> (f32, f32) {
        let cell = shape.cells().find(|cell| shape.name(*cell) == name).unwrap();
        BoardLayout::usual(shape).middle(cell)
    }

    #[test]
    fn rank_one_of_a_square_is_at_the_bottom() {
        let shape = Shape::square(11).unwrap();
        assert_eq!(middle(shape, "a1"), (0.5, 10.5));
        assert_eq!(middle(shape, "k11"), (10.5, 0.5));
        assert_eq!((BoardLayout::usual(shape).width, BoardLayout::usual(shape).height), (11.0, 11.0));
    }

    #[test]
    fn a_hexagon_has_all_its_corners_on_the_board() {
        let shape = Shape::hex(4).unwrap();
        let layout = BoardLayout::usual(shape);
        for cell in shape.cells() {
            for (dx, dy) in &layout.polygon {
                let (x, y) = (layout.middle(cell).0 + dx, layout.middle(cell).1 + dy);
                assert!((-0.001..layout.width + 0.001).contains(&x), "{} {x}", shape.name(cell));
                assert!((-0.001..layout.height + 0.001).contains(&y), "{} {y}", shape.name(cell));
            }
        }
    }

    #[test]
    fn neighbors_are_one_apart() {
        for shape in [Shape::square(9).unwrap(), Shape::hex(5).unwrap()] {
            let layout = BoardLayout::usual(shape);
            for cell in shape.cells() {
                for other in shape.neighbors(cell) {
                    let ((x, y), (u, v)) = (layout.middle(cell), layout.middle(other));
                    assert!(((x - u).hypot(y - v) - 1.0).abs() < 0.001, "{shape}");
                }
            }
        }
    }
}
