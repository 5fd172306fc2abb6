//! Symmetries between the boards of copies.

use tafl_rules::{Shape, Symmetry, shape_symmetries};

use crate::row::CopyNote;

/// Returns the id of the symmetry that takes the board of a game to that of a stored one, when both lead to the same
/// form of the line; `own` and `stored` are their orientations.
pub(crate) fn relative_symmetry(shape: Shape, own: u8, stored: u8) -> u8 {
    let all = shape_symmetries(shape);
    let (Some(own), Some(stored)) = (all.get(usize::from(own)), all.get(usize::from(stored))) else {
        return 0;
    };
    let leads = |symmetry: &&Symmetry| {
        shape.cells().all(|cell| stored.image(symmetry.image(cell)) == own.image(cell))
    };
    all.iter().find(leads).map_or(0, |symmetry| symmetry.id)
}

/// Returns copies of a game as copies of another one. `itself` is the note of the game as a copy of that: how its
/// board relates to that one, and its number of plies if it is a prefix.
pub(crate) fn rebased_copies(
    shape: Shape,
    copies: impl IntoIterator<Item = CopyNote>,
    itself: &CopyNote,
) -> Vec<CopyNote> {
    let carry = |note: CopyNote| CopyNote {
        symmetry: composed_symmetry(shape, note.symmetry, itself.symmetry),
        plies: note.plies.or(itself.plies),
        variant: note.variant.or_else(|| itself.variant.clone()),
        ..note
    };
    copies.into_iter().map(carry).collect()
}

/// Returns the id of the composition of two symmetries.
pub(crate) fn composed_symmetry(shape: Shape, first: u8, then: u8) -> u8 {
    if first == 0 || then == 0 {
        return first.max(then);
    }
    let all = shape_symmetries(shape);
    let (Some(first), Some(then)) = (all.get(usize::from(first)), all.get(usize::from(then))) else {
        return 0;
    };
    let does = |symmetry: &&Symmetry| {
        shape.cells().all(|cell| symmetry.image(cell) == then.image(first.image(cell)))
    };
    all.iter().find(does).map_or(0, |symmetry| symmetry.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_symmetries_one_after_another_are_one() {
        let shape = Shape::square(7).unwrap();
        for first in shape_symmetries(shape) {
            for then in shape_symmetries(shape) {
                let all = shape_symmetries(shape);
                let one = &all[usize::from(composed_symmetry(shape, first.id, then.id))];
                assert!(shape.cells().all(|cell| one.image(cell) == then.image(first.image(cell))));
            }
        }
    }
}
