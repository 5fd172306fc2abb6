//! Boards as text.

use std::fmt;

use crate::game::Game;
use crate::ruleset::{ByZone, Zone, ZoneKind};
use crate::setup::Setup;
use crate::shape::{Cell, Coord};

/// A board as text with rank 1 at the bottom, made by [`Setup::diagram`]. [`Game`]'s `Display` also
/// marks the special cells.
///
/// Pieces are the letters of position records. An empty cell is `.`, or `+` on the throne, `#` on a corner, `:` in a
/// camp, and `;` in a fortress.
#[derive(Debug, Clone, Copy)]
pub struct Diagram<'a> {
    setup: &'a Setup,
    zones: Option<&'a ByZone<Zone>>,
}

impl Setup {
    /// Returns the board as text for display; `Display` writes the position record instead.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::RuleSet;
    ///
    /// let start = RuleSet::named("brandubh7").unwrap().start;
    /// assert_eq!(start.to_string(), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    /// assert_eq!(
    ///     start.diagram().to_string(),
    ///     " 7 . . . t . . .
    ///  6 . . . t . . .
    ///  5 . . . T . . .
    ///  4 t t T K T t t
    ///  3 . . . T . . .
    ///  2 . . . t . . .
    ///  1 . . . t . . .
    ///    a b c d e f g"
    ///         .replace("\n    ", "\n")
    /// );
    /// ```
    pub fn diagram(&self) -> Diagram<'_> {
        Diagram { setup: self, zones: None }
    }
}

impl Diagram<'_> {
    fn letter(&self, cell: Cell) -> char {
        if let Some(piece) = self.setup.piece(cell) {
            return piece.letter();
        }
        match self.zones.and_then(|zones| zones.kind_at(cell)) {
            None => '.',
            Some(ZoneKind::Throne) => '+',
            Some(ZoneKind::Corner) => '#',
            Some(ZoneKind::Camp) => ':',
            Some(ZoneKind::Fort) => ';',
        }
    }
}

/// Draws square boards with rank numbers and file letters, and hexagonal boards with the names of
/// the first and the last cell of each rank.
impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.setup.shape();
        for rank in (0..shape.n_ranks()).rev() {
            let first = shape.first_file(rank);
            let last = first + shape.rank_len(rank) - 1;
            if shape.is_hex() {
                let indent = usize::try_from(shape.n_ranks() - shape.rank_len(rank)).unwrap_or(0);
                write!(f, "{:indent$}{:>3}", "", Coord::new(first, rank).to_string())?;
            } else {
                write!(f, "{:>2}", rank + 1)?;
            }
            for cell in (first..=last).filter_map(|file| shape.cell(Coord::new(file, rank))) {
                write!(f, " {}", self.letter(cell))?;
            }
            if shape.is_hex() {
                write!(f, " {}", Coord::new(last, rank))?;
            }
            if rank > 0 {
                writeln!(f)?;
            }
        }
        if !shape.is_hex() {
            write!(f, "\n  ")?;
            for letter in ('a'..).take(usize::try_from(shape.n_ranks()).unwrap_or(0)) {
                write!(f, " {letter}")?;
            }
        }
        Ok(())
    }
}

/// Draws the board with its special cells, followed by the side to move or the result of the game.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.setup();
        writeln!(f, "{}", Diagram { setup: &setup, zones: Some(&self.rules().zones) })?;
        match self.outcome() {
            Some(outcome) => write!(f, "{outcome}"),
            None => write!(f, "{} to move", self.to_move()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AnyRulebook, Game, RuleSet};

    fn drawn(name: &str) -> String {
        Game::new(&AnyRulebook::compile(&RuleSet::named(name).unwrap()).unwrap()).to_string()
    }

    #[test]
    fn a_game_is_drawn_with_its_special_cells() {
        let mut game = Game::new(&AnyRulebook::compile(&RuleSet::named("brandubh7").unwrap()).unwrap());
        for text in ["d1-f1", "d3-g3", "f1-e1", "d4-d3"] {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        let lines: Vec<String> = game.to_string().lines().map(str::to_owned).collect();
        assert_eq!(lines[0], " 7 # . . t . . #");
        assert_eq!(lines[3], " 4 t t T + T t t");
        assert_eq!(lines[4], " 3 . . . K . . T");
        assert_eq!(lines[7..], ["   a b c d e f g", "attackers to move"]);
    }

    #[test]
    fn ranks_of_a_hexagon_are_centered() {
        let text = drawn("hexentafl4");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 8);
        assert!(lines[0].starts_with("    d7 ") && lines[0].ends_with(" g7"), "{text}");
        assert!(lines[3].starts_with(" a4 ") && lines[3].ends_with(" g4"), "{text}");
        assert!(lines[6].starts_with("    a1 ") && lines[6].ends_with(" d1"), "{text}");
    }
}
