//! Lines of play up to symmetry.

use tafl_rules::{Move, RuleSet, Shape, Symmetry, rules_symmetries};

use super::games::Games;

/// A board with the symmetries of its rules.
#[derive(Debug, Clone)]
pub(super) struct BoardSymmetry {
    pub(super) shape: Shape,
    /// The symmetries, including the identity.
    pub(super) symmetries: Vec<Symmetry>,
}

impl BoardSymmetry {
    pub(super) fn of(rules: &RuleSet) -> BoardSymmetry {
        BoardSymmetry { shape: rules.shape(), symmetries: rules_symmetries(rules) }
    }

    /// Returns the board of a variant, which is an index in [`Games::variants`]; `None` if its rules cannot be read.
    pub(super) fn of_variant(games: &Games, variant: u32) -> Option<BoardSymmetry> {
        let rules: RuleSet = games.variants.get(variant as usize)?.rules.parse().ok()?;
        Some(BoardSymmetry::of(&rules))
    }

    /// Returns the smallest of the symmetric lines.
    pub(super) fn canonical(&self, line: &[Move]) -> Vec<Move> {
        let image = |symmetry: &Symmetry| -> Vec<Move> {
            line.iter().map(|mv| Move::new(symmetry.image(mv.from), symmetry.image(mv.to))).collect()
        };
        self.symmetries.iter().map(image).min().unwrap_or_else(|| line.to_vec())
    }

    /// Returns a line as text, such as `d1-d3 e5-e2`.
    pub(super) fn text(&self, line: &[Move]) -> String {
        let moves: Vec<String> = line.iter().map(|mv| mv.display(self.shape).to_string()).collect();
        moves.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_lines_have_the_same_canonical_line() {
        let board = BoardSymmetry::of(&RuleSet::named("brandubh7").unwrap());
        let cell = |name: &str| board.shape.cells().find(|cell| board.shape.name(*cell) == name).unwrap();
        let line = |moves: [[&str; 2]; 2]| moves.map(|[from, to]| Move::new(cell(from), cell(to)));
        let one = board.canonical(&line([["d2", "c2"], ["d3", "a3"]]));
        assert_eq!(one, board.canonical(&line([["d2", "e2"], ["d3", "g3"]])));
        assert_ne!(one, board.canonical(&line([["d2", "e2"], ["d3", "a3"]])));
        assert_eq!(board.text(&line([["d2", "c2"], ["d3", "a3"]])), "d2-c2 d3-a3");
    }
}
