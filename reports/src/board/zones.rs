//! The special cells of a board, as pictures show them.

use tafl_rules::ruleset::Goal;
use tafl_rules::{Cell, RuleSet, Side};

/// The special cells of a board. A cell may be in several lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Zones {
    /// The throne.
    pub throne: Vec<Cell>,
    /// Cells with the rules of corners.
    pub corners: Vec<Cell>,
    /// Cells on which a king wins; empty where he wins anywhere on the edge.
    pub goals: Vec<Cell>,
    /// The attackers' fortresses.
    pub camps: Vec<Cell>,
    /// The defenders' fortresses.
    pub forts: Vec<Cell>,
}

/// What kind of special cell a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ZoneKind {
    /// The throne.
    Throne,
    /// A cell on which a king wins.
    Goal,
    /// A corner on which nobody wins.
    Corner,
    /// The attackers' fortress.
    Camp,
    /// The defenders' fortress.
    Fort,
}

impl Zones {
    /// Returns the special cells of a game.
    pub fn of(rules: &RuleSet) -> Zones {
        let mut goals: Vec<Cell> = Side::ALL
            .into_iter()
            .filter(|side| rules.goals[*side] != Goal::Edge)
            .flat_map(|side| rules.goal_cells(side))
            .collect();
        goals.sort_unstable();
        goals.dedup();
        Zones {
            throne: rules.throne.cells.clone(),
            corners: rules.corners.cells.clone(),
            goals,
            camps: rules.camps.cells.clone(),
            forts: rules.forts.cells.clone(),
        }
    }

    /// Returns what a cell is shown as: the first kind in the order of [`ZoneKind`] that holds it.
    pub fn kind(&self, cell: Cell) -> Option<ZoneKind> {
        let lists = [
            (&self.throne, ZoneKind::Throne),
            (&self.goals, ZoneKind::Goal),
            (&self.corners, ZoneKind::Corner),
            (&self.camps, ZoneKind::Camp),
            (&self.forts, ZoneKind::Fort),
        ];
        lists.into_iter().find(|(cells, _)| cells.contains(&cell)).map(|(_, kind)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> RuleSet {
        text.parse().expect("a rules string")
    }

    #[test]
    fn goals_are_corners_where_the_king_escapes_there() {
        let zones = Zones::of(&rules("dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"));
        assert_eq!(zones.goals, zones.corners);
        assert_eq!(zones.goals.len(), 4);
        assert_eq!(zones.kind(Cell::new(24)), Some(ZoneKind::Throne));
        assert_eq!(zones.kind(Cell::new(0)), Some(ZoneKind::Goal));
        assert_eq!(zones.kind(Cell::new(1)), None);
    }

    #[test]
    fn an_edge_goal_marks_no_cell() {
        let zones = Zones::of(&rules("dim:7 esc:e start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"));
        assert_eq!(zones.goals, []);
        assert_eq!(zones.kind(Cell::new(0)), Some(ZoneKind::Corner));
    }
}
