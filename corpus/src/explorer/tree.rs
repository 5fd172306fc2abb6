//! Opening trees: repeated explorer queries.

use tafl_rules::Move;

use super::{Explorer, GameSubset};
use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::openings::{GameCounts, QueryPosition};

/// A position of an opening tree.
///
/// Games are counted by position: the order of the moves that led to it does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningNode {
    /// The move that leads here; `None` at the root.
    pub mv: Option<Move>,
    /// The games that have the position.
    pub counts: GameCounts,
    /// The moves that were played often enough for the tree.
    pub children: Vec<OpeningNode>,
}

/// The limits of an opening tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// The maximum number of plies from the root.
    pub depth: u32,
    /// The minimum number of games that played the move to a position of the tree.
    pub min_games: u64,
}

impl Explorer {
    /// Returns the tree of the moves that were played from a position, the most frequent first.
    ///
    /// # Errors
    ///
    /// Returns the damaged file, or that the operation was canceled.
    pub fn tree(
        &self,
        position: &QueryPosition,
        limits: TreeLimits,
        games: GameSubset<'_>,
        cancel: CancelCheck<'_>,
    ) -> Result<OpeningNode> {
        cancel.check()?;
        let stats = self.position(position, games, cancel)?;
        let mut children = Vec::new();
        if limits.depth > 0 {
            for line in stats.moves.iter().filter(|line| line.counts.n_games() >= limits.min_games.max(1)) {
                let Some(next) = position.after(line.mv) else { continue };
                let rest = TreeLimits { depth: limits.depth - 1, ..limits };
                let branch = self.tree(&next, rest, games, cancel)?;
                children.push(OpeningNode { mv: Some(line.mv), ..branch });
            }
        }
        Ok(OpeningNode { mv: None, counts: stats.counts, children })
    }
}

impl OpeningNode {
    /// Returns the number of positions in the tree, this one included.
    pub fn n_positions(&self) -> usize {
        1 + self.children.iter().map(OpeningNode::n_positions).sum::<usize>()
    }
}
