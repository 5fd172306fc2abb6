//! Opening trees: the explorer asked again and again.

use tafl_rules::{AnyRulebook, Game, Move};

use super::{Choice, Counts, Explorer, Orientation, Place};
use crate::error::Result;
use crate::stop::Stop;

/// A position of an opening tree.
///
/// Games are counted by position, not by the moves that led there: all that came to it by whatever order of moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The move that leads here; nothing at the root.
    pub mv: Option<Move>,
    /// The games that have the position.
    pub counts: Counts,
    /// What was played from here often enough for the tree.
    pub children: Vec<Branch>,
}

/// How far a tree goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The most plies from the root.
    pub depth: u32,
    /// The fewest games that a position of the tree has, by the move that leads to it.
    pub min_games: u64,
}

impl Explorer {
    /// Returns the tree of what was played from where a game stands, the most frequent moves first.
    ///
    /// # Errors
    ///
    /// Returns which file is damaged.
    pub fn tree(
        &self,
        (game, book): (&Game, &AnyRulebook),
        orientation: Orientation,
        extent: Extent,
        choice: Choice<'_>,
    ) -> Result<Branch> {
        self.tree_until((game, book), orientation, extent, (choice, Stop::NEVER))
    }

    /// Returns the tree as [`Explorer::tree`] does, unless it takes too long.
    ///
    /// # Errors
    ///
    /// Returns which file is damaged, or that it was time to give up.
    pub fn tree_until(
        &self,
        (game, book): (&Game, &AnyRulebook),
        orientation: Orientation,
        extent: Extent,
        (choice, stop): (Choice<'_>, Stop<'_>),
    ) -> Result<Branch> {
        stop.check()?;
        let place = Place::new(game, book, orientation);
        let node = self.node_until(&place, choice, stop)?;
        let mut children = Vec::new();
        if extent.depth > 0 {
            for line in node.lines.iter().filter(|line| line.counts.n_games() >= extent.min_games.max(1)) {
                let mut next = place.game().clone();
                if next.watch(line.mv).is_err() {
                    continue;
                }
                let rest = Extent { depth: extent.depth - 1, ..extent };
                let branch = self.tree_until((&next, book), orientation, rest, (choice, stop))?;
                children.push(Branch { mv: Some(line.mv), ..branch });
            }
        }
        Ok(Branch { mv: None, counts: node.counts, children })
    }
}

impl Branch {
    /// Returns how many positions the tree has, this one included.
    pub fn n_positions(&self) -> usize {
        1 + self.children.iter().map(Branch::n_positions).sum::<usize>()
    }
}
