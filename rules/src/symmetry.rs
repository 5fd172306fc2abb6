//! The symmetries of boards and of rule sets.

use crate::ruleset::RuleSet;
use crate::shape::{Cell, Coord, Shape};
use crate::side::Side;

/// A rotation or reflection of a board, as a renumbering of its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// The number of the symmetry, below 8 on square boards and below 12 on hexagonal boards; 0 is
    /// the identity.
    pub id: u8,
    /// The image of each cell.
    pub map: Vec<Cell>,
}

impl Symmetry {
    /// Returns the image of a cell.
    pub fn image(&self, cell: Cell) -> Cell {
        self.map[cell.index()]
    }

    /// Returns a description, such as `mirrored left to right`.
    pub fn describe(&self, shape: Shape) -> String {
        match shape {
            Shape::Square { .. } => SQUARE_WORDS[usize::from(self.id) % 8].to_owned(),
            Shape::Hex { .. } => match (self.id % 6, self.id / 6) {
                (0, 0) => "as it stands".to_owned(),
                (turns, 0) => format!("turned by {} degrees", 60 * u16::from(turns)),
                (0, _) => "mirrored across the long diagonal".to_owned(),
                (turns, _) => format!("mirrored, then turned by {} degrees", 60 * u16::from(turns)),
            },
        }
    }
}

const SQUARE_WORDS: [&str; 8] = [
    "as it stands",
    "mirrored left to right",
    "mirrored top to bottom",
    "turned by 180 degrees",
    "mirrored across the diagonal from a1",
    "turned counterclockwise by 90 degrees",
    "turned clockwise by 90 degrees",
    "mirrored across the other diagonal",
];

/// Returns every symmetry of a board: 8 of a square, 12 of a hexagon. The first one is the
/// identity.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Shape, shape_symmetries};
///
/// let shape = Shape::square(7).unwrap();
/// let corner = shape.corners()[0];
/// let images: Vec<_> = shape_symmetries(shape).iter().map(|symmetry| symmetry.image(corner)).collect();
/// assert_eq!(images.len(), 8);
/// assert!(images.iter().all(|image| shape.corners().contains(image)));
/// ```
pub fn shape_symmetries(shape: Shape) -> Vec<Symmetry> {
    let count = if shape.is_hex() { 12 } else { 8 };
    (0..count)
        .map(|id| Symmetry {
            id,
            map: shape
                .cells()
                .map(|cell| {
                    shape
                        .cell(rotate_or_reflect(shape, id, shape.coord(cell)))
                        .expect("symmetries stay on the board")
                })
                .collect(),
        })
        .collect()
}

fn rotate_or_reflect(shape: Shape, id: u8, coord: Coord) -> Coord {
    let last = shape.n_ranks() - 1;
    match shape {
        Shape::Square { .. } => {
            let Coord { file, rank } = coord;
            let (file, rank) = if id & 4 != 0 { (rank, file) } else { (file, rank) };
            Coord::new(
                if id & 1 != 0 { last - file } else { file },
                if id & 2 != 0 { last - rank } else { rank },
            )
        }
        Shape::Hex { .. } => {
            let middle = last / 2;
            let (mut q, mut r) = (coord.file - middle, coord.rank - middle);
            if id >= 6 {
                (q, r) = (r, q);
            }
            for _ in 0..id % 6 {
                // A rotation by 60 degrees maps (1,0) to (1,1) and (1,1) to (0,1).
                (q, r) = (q - r, q);
            }
            Coord::new(q + middle, r + middle)
        }
    }
}

/// Returns the symmetries that leave the board, start, special cells, and goals of the rules
/// unchanged.
///
/// # Examples
///
/// ```
/// use tafl_rules::{RuleSet, rules_symmetries};
///
/// assert_eq!(rules_symmetries(&RuleSet::named("brandubh7")?).len(), 8);
/// # Ok::<(), tafl_rules::catalog::UnknownVariant>(())
/// ```
pub fn rules_symmetries(rules: &RuleSet) -> Vec<Symmetry> {
    shape_symmetries(rules.shape()).into_iter().filter(|symmetry| preserves(symmetry, rules)).collect()
}

fn preserves(symmetry: &Symmetry, rules: &RuleSet) -> bool {
    let keeps = |cells: &[Cell]| cells.iter().all(|cell| cells.contains(&symmetry.image(*cell)));
    // If only the first of two shieldwalls is captured, "first" depends on directions.
    if rules.shieldwall.is_some_and(|wall| !wall.both_ways) && symmetry.id != 0 {
        return false;
    }
    rules.zones.values().all(|zone| keeps(&zone.cells))
        && keeps(&rules.camps_spared)
        && Side::ALL.into_iter().all(|side| keeps(&rules.goal_cells(side)))
        && rules.start.mapped(|cell| symmetry.image(cell)) == rules.start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_match_their_descriptions() {
        let shape = Shape::Square { side: 7 };
        let corner = |file, rank| shape.cell(Coord::new(file, rank)).unwrap();
        let upper_left = |words: &str| {
            let symmetry =
                shape_symmetries(shape).into_iter().find(|symmetry| symmetry.describe(shape) == words);
            symmetry.unwrap().image(corner(0, 6))
        };
        assert_eq!(upper_left("turned clockwise by 90 degrees"), corner(6, 6));
        assert_eq!(upper_left("turned counterclockwise by 90 degrees"), corner(0, 0));
    }

    #[test]
    fn symmetries_are_distinct_permutations_that_keep_neighbors() {
        for shape in [Shape::Square { side: 5 }, Shape::Square { side: 6 }, Shape::Hex { side: 4 }] {
            let symmetries = shape_symmetries(shape);
            for (i, symmetry) in symmetries.iter().enumerate() {
                let mut image = symmetry.map.clone();
                image.sort_unstable();
                assert_eq!(image, shape.cells().collect::<Vec<_>>());
                assert!(symmetries[..i].iter().all(|other| other.map != symmetry.map));
                for cell in shape.cells() {
                    let around: Vec<Cell> = shape.neighbors(symmetry.image(cell)).collect();
                    assert!(shape.neighbors(cell).all(|near| around.contains(&symmetry.image(near))));
                }
            }
        }
    }
}
