//! The cells of an explanation, for boards that show it.

use super::{CaptureCause, Cause, EndCause, Explanation};
use crate::game::CellSet;
use crate::moves::Move;
use crate::outcome::Reason;
use crate::piece::Role;

impl Cause {
    /// Returns the word of the JSON interface for the rule, such as `shieldwall`.
    pub const fn word(&self) -> &'static str {
        match self {
            Cause::Custodial { .. } => "custodial",
            Cause::Edge => "edge",
            Cause::Surrounded { .. } => "surrounded",
            Cause::Pierced { .. } => "pierced",
            Cause::Linnaean { .. } => "linnaean",
            Cause::HexCorner { .. } => "hex_corner",
            Cause::Shieldwall { .. } => "shieldwall",
            Cause::Jumped => "jumped",
        }
    }

    /// Returns the cells that took part, besides that of the piece that moved and those of the pieces that fell.
    pub fn cells(&self) -> CellSet {
        match self {
            Cause::Custodial { across } | Cause::Pierced { across } => CellSet::from_iter([across.cell]),
            Cause::Surrounded { captors } => captors.iter().map(|captor| captor.cell).collect(),
            Cause::Linnaean { throne } => CellSet::from_iter([*throne]),
            Cause::HexCorner { other } => CellSet::from_iter([*other]),
            Cause::Shieldwall { front, ends, .. } => front.iter().chain(ends.iter()).collect(),
            Cause::Edge | Cause::Jumped => CellSet::default(),
        }
    }
}

impl CaptureCause {
    /// Returns the captors: the cell of the piece that moved, and everything that helped it.
    pub fn captors(&self, mv: Move) -> CellSet {
        self.cause.cells().iter().chain([mv.to]).collect()
    }
}

impl EndCause {
    /// Returns the cells that show the end.
    pub fn cells(&self) -> CellSet {
        self.cells.iter().map(|(cell, _)| *cell).collect()
    }
}

impl Explanation {
    /// Returns the cells that show the end of the game: those of the king and his fort or of the ring, and where a king
    /// fell, his cell and his captors. Empty where the game goes on, or no cell shows its end.
    pub fn end_cells(&self) -> CellSet {
        let Some(end) = &self.end else { return CellSet::default() };
        let kings = self.captures.iter().filter(|capture| capture.piece.role == Role::King);
        let fallen = kings.filter(|_| end.outcome.reason == Reason::KingCaptured).flat_map(|capture| {
            capture.captors(self.ply.mv).iter().chain([capture.cell]).collect::<Vec<_>>()
        });
        end.cells().iter().chain(fallen).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::{Explanation, ply};
    use crate::game::{CellSet, Game, RepetitionMode};
    use crate::ruleset::{Encirclement, RuleSet};
    use crate::{AnyRulebook, Coord, Move, Setup, Shape, Side, catalog};

    /// Explains a move such as `d1-d3` in a position.
    fn told(rules: &RuleSet, side: Side, position: &str, mv: &str) -> (Shape, Explanation) {
        let shape = rules.shape();
        let setup = Setup::parse(shape, position).unwrap();
        let book = AnyRulebook::compile(rules).unwrap();
        let game = Game::from_setup(&book, &setup, side, RepetitionMode::Report).unwrap();
        let cell = |name: &str| shape.cell(name.parse::<Coord>().unwrap()).unwrap();
        let (from, to) = mv.split_once('-').unwrap();
        (shape, ply(&game, Move::new(cell(from), cell(to))).unwrap())
    }

    /// Explains a move on a board of seven by seven cells, by rules with these keys.
    fn on_square(keys: &str, side: Side, position: &str, mv: &str) -> (Shape, Explanation) {
        let rules = format!("dim:7 {keys} start:{position}").parse().unwrap();
        told(&rules, side, position, mv)
    }

    fn on_hexagon(encirclement: Encirclement, position: &str, mv: &str) -> (Shape, Explanation) {
        let rules = RuleSet { encirclement, ..catalog::find("hexentafl4").unwrap().rules() };
        told(&rules, Side::Attackers, position, mv)
    }

    fn names(shape: Shape, cells: CellSet) -> String {
        cells.iter().map(|cell| shape.name(cell)).collect::<Vec<_>>().join(" ")
    }

    /// Returns where each piece fell, by which rule, and its captors.
    fn captures((shape, told): &(Shape, Explanation)) -> Vec<(String, &'static str, String)> {
        let one = |one: &crate::explain::CaptureCause| {
            (shape.name(one.cell), one.cause.word(), names(*shape, one.captors(told.ply.mv)))
        };
        told.captures.iter().map(one).collect()
    }

    fn end((shape, told): &(Shape, Explanation)) -> String {
        names(*shape, told.end_cells())
    }

    #[test]
    fn a_man_has_the_piece_that_moved_and_what_is_across_as_captors() {
        let told = on_square("cor:", Side::Attackers, "/6K/7/7/7/1tT4/7/3t3/", "d7-d6");
        assert_eq!(captures(&told), []);
        let told = on_square("cor:", Side::Attackers, "/6K/7/7/7/1tT4/7/3t3/", "d7-d5");
        assert_eq!(captures(&told), [("c5".into(), "custodial", "b5 d5".into())]);
        assert_eq!(end(&told), "");
        let told = on_hexagon(Encirclement::None, "/4/3t1/2T3/2t4/4K1/5/4/", "d2-c2");
        assert_eq!(captures(&told), [("c3".into(), "custodial", "c2 c4".into())]);
    }

    #[test]
    fn a_piece_falls_against_the_piece_across_or_else_against_the_cell_under_it() {
        let across = |keys: &str, position: &str| {
            let (shape, told) = on_square(keys, Side::Defenders, position, "b1-b4");
            let words = told.captures[0].words(shape, told.ply.mv, told.piece);
            words
                .strip_prefix("the attackers' man on `c4` falls between the man on `b4` and ")
                .map(str::to_owned)
        };
        let throned = "/1T5/7/7/2tK3/7/7/5t1/";
        assert_eq!(across("cor: cenh:", throned).as_deref(), Some("the king on `d4`"));
        let hostile = "the throne `d4`, hostile with the king on it";
        assert_eq!(across("cor: ka:n", throned).as_deref(), Some(hostile));
        let camp = "/1T5/7/7/2tt3/7/4K2/5t1/";
        assert_eq!(across("cor: cen: afor:d4 aforh:t", camp).as_deref(), Some("the camp `d4`"));
    }

    #[test]
    fn a_shieldwall_has_its_front_and_its_ends_as_captors() {
        let position = "/2ttT2/2TT3/1T5/7/7/4K2/5t1/";
        let told = on_square("sw:s", Side::Defenders, position, "b3-b1");
        let captors = "b1 e1 c2 d2".to_owned();
        let both =
            [("c1".into(), "shieldwall", captors.clone()), ("d1".into(), "shieldwall", captors.clone())];
        assert_eq!(captures(&told), both);
    }

    #[test]
    fn the_end_of_a_king_is_his_cell_and_his_captors() {
        let told = on_hexagon(Encirclement::None, "/3t/5/6/2tK3/3t2/2T2/4/", "d1-d3");
        assert_eq!(end(&told), "d3 c4 d4 e5");
        assert_eq!(captures(&told), [("d4".into(), "surrounded", "d3 c4 e5".into())]);
    }

    #[test]
    fn the_end_by_encirclement_is_the_ring() {
        let told = on_square("surf:y", Side::Attackers, "/3t3/7/7/2tKt2/2tTt2/3t3/7/", "d1-d3");
        assert_eq!(end(&told), "d3 c4 e4 c5 e5 d6");
        let position = "/4/1ttt1/1t2t1/1t1K2t/1t2t1/1ttt1/4/";
        let told = on_hexagon(Encirclement::Plain, position, "g4-f4");
        assert_eq!(end(&told).split(' ').count(), 12, "{}", end(&told));
        assert_eq!(end(&told), "b2 c2 d2 b3 e3 b4 f4 c5 f5 d6 e6 f6");
    }

    #[test]
    fn the_end_by_a_fort_is_the_king_his_room_and_the_wall() {
        let position = "/2TK1T1/4T2/3T3/7/t6/7/7/";
        let told = on_square("efe:y sw:s", Side::Defenders, position, "d3-d2");
        assert_eq!(end(&told), "c1 d1 e1 f1 d2 e2");
    }
}
