//! The special cells of a board in pictures.

use tafl_rules::{ByZone, Cell, Goal, RuleSet, Side, ZoneKind};

/// The special cells of a board. A cell may be in several lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Zones {
    /// The cells of each zone.
    pub cells: ByZone<Vec<Cell>>,
    /// The cells on which a king wins; empty if he wins on the whole edge.
    pub goals: Vec<Cell>,
}

/// The way in which a special cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellMark {
    /// A cell on which a king wins.
    Goal,
    /// A cell of a zone, such as a corner that is not a goal.
    Zone(ZoneKind),
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
        Zones { cells: ByZone::from_fn(|kind| rules.zones[kind].cells.clone()), goals }
    }

    /// Returns the mark of a cell: throne first, then goal, then its first zone.
    pub fn mark(&self, cell: Cell) -> Option<CellMark> {
        let zone = self.cells.iter().find(|(_, cells)| cells.contains(&cell)).map(|(kind, _)| kind);
        match zone {
            Some(ZoneKind::Throne) => Some(CellMark::Zone(ZoneKind::Throne)),
            _ if self.goals.contains(&cell) => Some(CellMark::Goal),
            zone => zone.map(CellMark::Zone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> RuleSet {
        text.parse().expect("a rules string")
    }

    #[test]
    fn corner_goals_are_drawn_for_corner_escape() {
        let zones = Zones::of(&rules("dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"));
        assert_eq!(zones.goals, zones.cells.corners);
        assert_eq!(zones.goals.len(), 4);
        assert_eq!(zones.mark(Cell::new(24)), Some(CellMark::Zone(ZoneKind::Throne)));
        assert_eq!(zones.mark(Cell::new(0)), Some(CellMark::Goal));
        assert_eq!(zones.mark(Cell::new(1)), None);
    }

    #[test]
    fn an_edge_goal_marks_no_cell() {
        let zones = Zones::of(&rules("dim:7 esc:e start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"));
        assert_eq!(zones.goals, []);
        assert_eq!(zones.mark(Cell::new(0)), Some(CellMark::Zone(ZoneKind::Corner)));
    }
}
