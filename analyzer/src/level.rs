//! Levels of play: limits of nodes, with the strength that was measured for them.

use crate::limits::Nodes;

/// A level of play.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{LEVELS, Level};
///
/// assert_eq!(Level::of_number(3), Some(LEVELS[2]));
/// assert_eq!(Level::nodes_of_elo(LEVELS[2].elo), LEVELS[2].nodes);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The number of the level, from 1.
    pub number: u8,
    /// The number of nodes of each search.
    pub nodes: Nodes,
    /// The rating in Elo, where random moves have 0.
    pub elo: i32,
}

/// The levels. `docs/protocols.md` has the command that measured their ratings, and the intervals.
pub const LEVELS: [Level; 7] = [
    level(1, 10, 460),
    level(2, 30, 619),
    level(3, 300, 926),
    level(4, 1_000, 1196),
    level(5, 3_000, 1376),
    level(6, 10_000, 1478),
    level(7, 100_000, 1632),
];

const fn level(number: u8, nodes: u64, elo: i32) -> Level {
    Level { number, nodes: Nodes(nodes), elo }
}

impl Level {
    /// Returns the level of a number.
    pub fn of_number(number: u8) -> Option<Level> {
        LEVELS.iter().find(|level| level.number == number).copied()
    }

    /// Returns the number of nodes for a rating, limited to those of the levels. Between two levels, it grows by the same
    /// factor with each point.
    pub fn nodes_of_elo(elo: i32) -> Nodes {
        let (lowest, highest) = (LEVELS[0], LEVELS[LEVELS.len() - 1]);
        if elo <= lowest.elo {
            return lowest.nodes;
        }
        let between = LEVELS.windows(2).find(|pair| elo < pair[1].elo);
        let Some([below, above]) = between else { return highest.nodes };
        let share = f64::from(elo - below.elo) / f64::from(above.elo - below.elo);
        let factor = above.nodes.0 as f64 / below.nodes.0 as f64;
        Nodes((below.nodes.0 as f64 * factor.powf(share)).round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_in_order() {
        for (at, pair) in LEVELS.windows(2).enumerate() {
            assert_eq!(usize::from(pair[0].number), at + 1);
            assert!(pair[0].nodes < pair[1].nodes && pair[0].elo < pair[1].elo, "{pair:?}");
        }
    }

    #[test]
    fn a_rating_has_the_nodes_of_its_level() {
        for level in LEVELS {
            assert_eq!(Level::nodes_of_elo(level.elo), level.nodes);
            assert_eq!(Level::of_number(level.number), Some(level));
        }
        let (fourth, fifth) = (LEVELS[3], LEVELS[4]);
        let between = Level::nodes_of_elo((fourth.elo + fifth.elo) / 2);
        assert!(fourth.nodes < between && between < fifth.nodes, "{between:?}");
        assert_eq!(Level::nodes_of_elo(i32::MIN), LEVELS[0].nodes);
        assert_eq!(Level::nodes_of_elo(i32::MAX), LEVELS[6].nodes);
        assert_eq!(Level::of_number(0), None);
    }
}
