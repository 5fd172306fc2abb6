//! The cells of an explanation, for highlighting on boards.

use super::{CaptureCause, Cause, EndCause, Explanation};
use crate::cell_set::CellSet;
use crate::moves::Move;
use crate::outcome::Reason;
use crate::piece::Role;

impl Cause {
    /// Returns the name of the rule in the JSON interface, such as `shieldwall`.
    pub const fn as_str(&self) -> &'static str {
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

    /// Returns the cells involved, other than those of the piece that moved and of the captured
    /// pieces.
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
    /// Returns the captors: the cell of the piece that moved and all cells that helped it.
    pub fn captors(&self, mv: Move) -> CellSet {
        self.cause.cells().iter().chain([mv.to]).collect()
    }
}

impl EndCause {
    /// Returns the cells that show why the game ended.
    pub fn cells(&self) -> CellSet {
        self.cells.iter().map(|(cell, _)| *cell).collect()
    }
}

impl Explanation {
    /// Returns the cells that show why the game ended: the king and his fort, the ring, or a
    /// captured king's cell and his captors. Empty if the game continues or its end is not visible
    /// on the board.
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
    use crate::cell_set::CellSet;
    use crate::explain::{Explanation, explain_ply};
    use crate::game::{Game, RepetitionMode};
    use crate::ruleset::{Encirclement, RuleSet};
    use crate::{AnyRulebook, Coord, Move, Setup, Shape, Side, catalog};

    /// Explains a move such as `d1-d3` in a position.
    fn explained(rules: &RuleSet, side: Side, position: &str, mv: &str) -> (Shape, Explanation) {
        let shape = rules.shape();
        let setup = Setup::parse(shape, position).unwrap();
        let book = AnyRulebook::compile(rules).unwrap();
        let game = Game::from_setup(&book, &setup, side, RepetitionMode::Report).unwrap();
        let cell = |name: &str| shape.cell(name.parse::<Coord>().unwrap()).unwrap();
        let (from, to) = mv.split_once('-').unwrap();
        (shape, explain_ply(&game, Move::new(cell(from), cell(to))).unwrap())
    }

    /// Explains a move on a 7x7 board with the given keys of the rules string.
    fn on_square(keys: &str, side: Side, position: &str, mv: &str) -> (Shape, Explanation) {
        let rules = format!("dim:7 {keys} start:{position}").parse().unwrap();
        explained(&rules, side, position, mv)
    }

    fn on_hexagon(encirclement: Encirclement, position: &str, mv: &str) -> (Shape, Explanation) {
        let rules = RuleSet { encirclement, ..catalog::find("hexentafl4").unwrap().rules() };
        explained(&rules, Side::Attackers, position, mv)
    }

    fn names(shape: Shape, cells: CellSet) -> String {
        cells.iter().map(|cell| shape.name(cell)).collect::<Vec<_>>().join(" ")
    }

    /// Returns each captured piece's cell, the rule of its capture, and its captors.
    fn captures((shape, explained): &(Shape, Explanation)) -> Vec<(String, &'static str, String)> {
        let one = |one: &crate::explain::CaptureCause| {
            (shape.name(one.cell), one.cause.as_str(), names(*shape, one.captors(explained.ply.mv)))
        };
        explained.captures.iter().map(one).collect()
    }

    fn end((shape, explained): &(Shape, Explanation)) -> String {
        names(*shape, explained.end_cells())
    }

    #[test]
    fn captors_of_a_man_are_the_moving_piece_and_the_opposite_cell() {
        let explained = on_square("cor:", Side::Attackers, "/6K/7/7/7/1tT4/7/3t3/", "d7-d6");
        assert_eq!(captures(&explained), []);
        let explained = on_square("cor:", Side::Attackers, "/6K/7/7/7/1tT4/7/3t3/", "d7-d5");
        assert_eq!(captures(&explained), [("c5".into(), "custodial", "b5 d5".into())]);
        assert_eq!(end(&explained), "");
        let explained = on_hexagon(Encirclement::None, "/4/3t1/2T3/2t4/4K1/5/4/", "d2-c2");
        assert_eq!(captures(&explained), [("c3".into(), "custodial", "c2 c4".into())]);
    }

    #[test]
    fn the_opposite_piece_takes_precedence_over_its_cell() {
        let across = |keys: &str, position: &str| {
            let (shape, explained) = on_square(keys, Side::Defenders, position, "b1-b4");
            let words = explained.captures[0].describe(shape, explained.ply.mv, explained.piece);
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
    fn captors_of_a_shieldwall_are_its_front_and_its_ends() {
        let position = "/2ttT2/2TT3/1T5/7/7/4K2/5t1/";
        let explained = on_square("sw:s", Side::Defenders, position, "b3-b1");
        let captors = "b1 e1 c2 d2".to_owned();
        let both =
            [("c1".into(), "shieldwall", captors.clone()), ("d1".into(), "shieldwall", captors.clone())];
        assert_eq!(captures(&explained), both);
    }

    #[test]
    fn end_cells_of_a_captured_king_are_his_cell_and_his_captors() {
        let explained = on_hexagon(Encirclement::None, "/3t/5/6/2tK3/3t2/2T2/4/", "d1-d3");
        assert_eq!(end(&explained), "d3 c4 d4 e5");
        assert_eq!(captures(&explained), [("d4".into(), "surrounded", "d3 c4 e5".into())]);
    }

    #[test]
    fn end_cells_of_an_encirclement_are_the_ring() {
        let explained = on_square("surf:y", Side::Attackers, "/3t3/7/7/2tKt2/2tTt2/3t3/7/", "d1-d3");
        assert_eq!(end(&explained), "d3 c4 e4 c5 e5 d6");
        let position = "/4/1ttt1/1t2t1/1t1K2t/1t2t1/1ttt1/4/";
        let explained = on_hexagon(Encirclement::Plain, position, "g4-f4");
        assert_eq!(end(&explained).split(' ').count(), 12, "{}", end(&explained));
        assert_eq!(end(&explained), "b2 c2 d2 b3 e3 b4 f4 c5 f5 d6 e6 f6");
    }

    #[test]
    fn end_cells_of_an_exit_fort_are_the_king_the_inside_and_the_wall() {
        let position = "/2TK1T1/4T2/3T3/7/t6/7/7/";
        let explained = on_square("efe:y sw:s", Side::Defenders, position, "d3-d2");
        assert_eq!(end(&explained), "c1 d1 e1 f1 d2 e2");
    }
}
