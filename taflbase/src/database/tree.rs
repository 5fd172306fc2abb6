//! Opening trees.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{OpeningNode, QueryPosition, TreeLimits};
use tafl_rules::Shape;

use super::error::under;
use super::explore::choice;
use super::{CorpusRequest, CorpusSnapshot, FilterRequest, PositionCounts};
use crate::{App, Bounded, Job, PlayedPosition, PositionRequest, Result};

/// The depth of a tree in plies.
pub type TreeDepth = Bounded<1, 40, 3>;

/// The minimum number of games of a move in a tree.
pub type MinGames = Bounded<0, { u64::MAX }, 2>;

/// Show the tree of moves played from a position
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeRequest {
    /// The position.
    #[serde(flatten)]
    pub position: PositionRequest,
    /// The games that are counted.
    #[serde(flatten)]
    pub filter: FilterRequest,
    /// The depth of the tree in plies
    #[serde(default)]
    pub depth: TreeDepth,
    /// The minimum number of games of a move in the tree
    #[serde(default)]
    pub min_games: MinGames,
}

/// The unit that a tree counts by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum CountedBy {
    /// All games that have a position, whatever their order of moves.
    #[default]
    Position,
}

/// The tree of moves played from a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<String>,
    /// The moves that led to the position.
    pub moves_before: Vec<String>,
    /// The position record.
    pub position: String,
    /// The side to move: `attackers` or `defenders`.
    pub to_move: String,
    /// Whether only games with the same orientation of the board count.
    pub as_it_stands: bool,
    /// The query that games have to fit.
    #[serde(alias = "where")]
    pub query: Option<String>,
    /// Always `position`: a game counts for each position that it has.
    pub counted_by: CountedBy,
    /// The minimum number of games of a move in the tree.
    pub min_games: u64,
    /// The games that have the position.
    #[serde(flatten)]
    pub counts: PositionCounts,
    /// The moves that were played, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<TreeNode>,
}

/// A move of a tree, and the moves after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeNode {
    /// The move.
    pub r#move: String,
    /// The games that have the position after the move.
    #[serde(flatten)]
    pub counts: PositionCounts,
    /// The moves that were played from there, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<TreeNode>,
}

/// A tree, before it is written as an answer.
pub struct ExploredTree {
    /// The position.
    pub position: PlayedPosition,
    /// The tree.
    pub root: OpeningNode,
    filter: FilterRequest,
    min_games: u64,
}

impl TreeRequest {
    /// Counts the games with the positions of the tree.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a file is damaged, or the job is stopped.
    pub fn find(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<ExploredTree> {
        let position = self.position.play(app)?;
        let games = self.filter.games(corpus, job)?;
        let min_games = self.min_games.get();
        let extent = TreeLimits { depth: self.depth.get() as u32, min_games };
        let explorer = corpus.explorer()?;
        let start = QueryPosition::new(&position.game, &position.rules.book, self.filter.orientation());
        let root = under(job, |stop| explorer.tree(&start, extent, choice(games.as_deref()), stop))?;
        Ok(ExploredTree { position, root, filter: self.filter, min_games })
    }
}

impl CorpusRequest for TreeRequest {
    type Answer = TreeAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<TreeAnswer> {
        Ok(self.find(corpus, app, job)?.answer())
    }
}

impl ExploredTree {
    /// Returns the answer.
    pub fn answer(&self) -> TreeAnswer {
        let PlayedPosition { game, rules, .. } = &self.position;
        let shape = game.shape();
        TreeAnswer {
            variant: rules.variant.catalog_name().map(ToOwned::to_owned),
            moves_before: self.position.moves().map(|mv| mv.display(shape).to_string()).collect(),
            position: game.setup().to_string(),
            to_move: game.to_move().as_str().to_owned(),
            as_it_stands: self.filter.as_it_stands,
            query: self.filter.query.clone(),
            counted_by: CountedBy::Position,
            min_games: self.min_games,
            counts: (&self.root.counts).into(),
            children: nodes(&self.root, shape),
        }
    }
}

fn nodes(branch: &OpeningNode, shape: Shape) -> Vec<TreeNode> {
    let node = |child: &OpeningNode| {
        let mv = child.mv?.display(shape).to_string();
        Some(TreeNode { r#move: mv, counts: (&child.counts).into(), children: nodes(child, shape) })
    };
    branch.children.iter().filter_map(node).collect()
}
