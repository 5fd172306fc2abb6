//! Compiled queries.

mod compile;
mod evaluate;
mod evaluation;
mod prefilter;
mod run;
mod test;
mod tree;

use std::sync::{Arc, OnceLock};

#[cfg(feature = "store")]
use tafl_rules::Berserk;
use tafl_rules::{
    AnyRulebook, Cell, RuleSet, RuleSetError, SetupError, Shape, Symmetry, rules_symmetries, shape_symmetries,
};

pub(crate) use self::run::{RunBuffers, SearchedGame};
use self::test::{BoardTest, CellTables};
use self::tree::PlanNode;
use super::ast::{Expr, PlyTest, Query};
use super::hit::{GameHit, Placement};
use super::prefilter::Prefilter;
use crate::move_log::{GameSetup, MoveLogError, ReplayCursor};
use crate::pattern::{Anchor, Pattern};
use crate::ply_state::PlyState;

/// The reason why a query cannot be compiled for a game setup.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Its rules cannot be read.
    #[error("the rules of the games cannot be read: {0}")]
    Rules(RuleSetError),
    /// Its start cannot be read.
    #[error("the start of the games cannot be read: {0}")]
    Start(SetupError),
}

/// A query compiled for the games of one setup, which have the same rules and start.
#[derive(Debug, Clone)]
pub struct QueryPlan {
    root: PlanNode,
    /// The positions and patterns of the query, in the order in which they are written.
    boards: Vec<BoardTest>,
    tables: Arc<CellTables>,
    filter: Prefilter,
    is_about_games: bool,
    n_conditions: usize,
    /// The rules, if the query tells captures apart and they can be compiled.
    rulebook: Option<AnyRulebook>,
}

impl Query {
    /// Compiles the query for the games of a setup.
    ///
    /// # Errors
    ///
    /// Fails if the rules or the start of the game setup cannot be read.
    pub fn compile(&self, game_setup: &GameSetup) -> Result<QueryPlan, PlanError> {
        Ok(self.compile_in(&CompiledSetup::of(game_setup)?))
    }

    /// Compiles the query for a compiled game setup.
    pub fn compile_in(&self, compiled_setup: &CompiledSetup) -> QueryPlan {
        compile::plan(self, compiled_setup, prefilter::MAX_TOKENS)
    }

    /// Compiles the query for many games of a compiled game setup. The prefilter may take longer to make and to look up.
    #[cfg(feature = "store")]
    pub(crate) fn compile_for_many(&self, compiled_setup: &CompiledSetup) -> QueryPlan {
        compile::plan(self, compiled_setup, prefilter::MAX_TOKENS_IN_LARGE)
    }

    /// Returns the positions and patterns of the query, in the order of [`Placement::pattern`].
    pub fn boards(&self) -> Vec<&PlyTest> {
        let mut boards = Vec::new();
        self.expr.each_test(&mut |test| {
            if matches!(test, PlyTest::Pattern(_) | PlyTest::Position { .. }) {
                boards.push(test);
            }
        });
        boards
    }
}

impl QueryPlan {
    /// Returns whether hits are games, not positions: then a hit has ply 0.
    pub fn is_about_games(&self) -> bool {
        self.is_about_games
    }

    /// Returns the necessary condition for hits.
    pub fn prefilter(&self) -> &Prefilter {
        &self.filter
    }

    /// Returns the numbers of the positions and patterns that do not fit on this board, see [`Query::boards`].
    pub fn misfits(&self) -> Vec<u16> {
        (0..).zip(&self.boards).filter(|(_, board)| !board.fits()).map(|(number, _)| number).collect()
    }

    /// Finds the hits in a game, in rising order of plies. The cursor is at the start of the game; the hits have no
    /// placement.
    ///
    /// # Errors
    ///
    /// Fails if the game in the move log is damaged.
    pub fn run(
        &self,
        cursor: &mut ReplayCursor<'_>,
        truth: &dyn super::GameTruth,
        hits: &mut Vec<GameHit>,
    ) -> Result<(), MoveLogError> {
        let game = SearchedGame { cursor, blocks: None, truth };
        run::run(self, game, &mut RunBuffers::default(), hits)
    }

    /// Returns whether each position is a hit or not regardless of the rest of its game. In this case, the conditions
    /// of [`QueryPlan::prefilter`] on blocks must hold for the block of the hit, not for any block of the game.
    pub fn is_about_single_plies(&self) -> bool {
        matches!(self.root, PlanNode::Local(..)) && !self.is_about_games
    }

    /// Finds the hits in a game, as [`QueryPlan::run`] does.
    ///
    /// # Errors
    ///
    /// Fails if the game in the move log is damaged.
    #[cfg(feature = "store")]
    pub(crate) fn find(
        &self,
        game: SearchedGame<'_, '_>,
        buffers: &mut RunBuffers,
        hits: &mut Vec<GameHit>,
    ) -> Result<(), MoveLogError> {
        run::run(self, game, buffers, hits)
    }

    /// Returns the number of hits in a game, which is faster than finding them.
    ///
    /// # Errors
    ///
    /// Fails if the game in the move log is damaged.
    #[cfg(feature = "store")]
    pub(crate) fn count(
        &self,
        game: SearchedGame<'_, '_>,
        buffers: &mut RunBuffers,
    ) -> Result<u64, MoveLogError> {
        run::count(self, game, buffers)
    }

    /// Returns the placement of the first position or pattern of the query that matches a position.
    pub fn placement_at(&self, state: &PlyState) -> Option<Placement> {
        self.boards.iter().find_map(|board| board.find(state))
    }

    /// Sets the placements of hits of a game, which are in rising order of plies. The cursor is at the start of the
    /// game.
    ///
    /// # Errors
    ///
    /// Fails if the game in the move log is damaged.
    pub fn locate(&self, cursor: &mut ReplayCursor<'_>, hits: &mut [GameHit]) -> Result<(), MoveLogError> {
        if self.boards.is_empty() || self.is_about_games {
            return Ok(());
        }
        for hit in hits {
            while cursor.state().ply < hit.ply {
                if !cursor.advance()? {
                    return Ok(());
                }
            }
            hit.placement = self.placement_at(cursor.state());
        }
        Ok(())
    }
}

impl Query {
    /// Returns the cells that a position or pattern of the query covers under a placement, except those without a
    /// condition; in rising order.
    pub fn cells(&self, shape: Shape, placement: &Placement) -> Vec<Cell> {
        let boards = self.boards();
        match boards.get(usize::from(placement.pattern)) {
            Some(PlyTest::Pattern(pattern)) => cells_of(pattern, shape, placement),
            Some(PlyTest::Position { setup, .. }) if setup.shape() == shape => shape.cells().collect(),
            Some(_) | None => Vec::new(),
        }
    }
}

fn cells_of(pattern: &Pattern, shape: Shape, placement: &Placement) -> Vec<Cell> {
    let symmetries = shape_symmetries(shape);
    let Some(symmetry) = symmetries.get(usize::from(placement.symmetry)) else { return Vec::new() };
    let mut cells: Vec<Cell> = Vec::new();
    for layer in &pattern.look_for {
        for (row, rank) in layer.rows.iter().zip(0..) {
            let first = if pattern.anchor == Anchor::Board { shape.first_file(rank) } else { 0 };
            for (mask, file) in row.iter().zip(first..) {
                let coord = tafl_rules::Coord::new(
                    file + i16::from(placement.files),
                    rank + i16::from(placement.ranks),
                );
                let cell = shape.cell(coord).filter(|_| *mask != crate::pattern::ContentMask::ANY);
                cells.extend(cell.map(|cell| symmetry.image(cell)));
            }
        }
    }
    cells.sort();
    cells.dedup();
    cells
}

/// A game setup compiled for queries.
#[derive(Debug, Clone)]
pub struct CompiledSetup {
    rules: RuleSet,
    start: tafl_rules::Setup,
    symmetries: Vec<Symmetry>,
    /// The sets of cells that tests need, made on first use and shared by all queries.
    tables: OnceLock<Arc<CellTables>>,
}

impl CompiledSetup {
    /// Compiles a game setup.
    ///
    /// # Errors
    ///
    /// Fails if its rules or its start cannot be read.
    pub fn of(game_setup: &GameSetup) -> Result<CompiledSetup, PlanError> {
        let rules: RuleSet = game_setup.rules.parse().map_err(PlanError::Rules)?;
        let start = tafl_rules::Setup::parse(rules.shape(), &game_setup.start).map_err(PlanError::Start)?;
        let symmetries = rules_symmetries(&rules);
        Ok(CompiledSetup { symmetries, rules, start, tables: OnceLock::new() })
    }

    /// Returns whether a query for one position has the same plan for both setups: its images and its keys depend on the
    /// board, on the symmetries, and on whether there are chains of captures.
    #[cfg(feature = "store")]
    pub(crate) fn has_positions_of(&self, other: &CompiledSetup) -> bool {
        let ids =
            |setup: &CompiledSetup| setup.symmetries.iter().map(|symmetry| symmetry.id).collect::<Vec<_>>();
        let has_chains = |setup: &CompiledSetup| setup.rules.berserk != Berserk::None;
        self.start.shape() == other.start.shape()
            && has_chains(self) == has_chains(other)
            && ids(self) == ids(other)
    }
}

impl Expr {
    /// Calls `visit` for every test of positions, in the order in which they are written.
    fn each_test<'e>(&'e self, visit: &mut dyn FnMut(&'e PlyTest)) {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().for_each(|part| part.each_test(visit)),
            Expr::Not(part)
            | Expr::Ever(part)
            | Expr::Never(part)
            | Expr::First(part)
            | Expr::Last(part)
            | Expr::Count(part, ..) => part.each_test(visit),
            Expr::Then(parts) | Expr::Before(parts) => {
                parts.first.each_test(visit);
                parts.last.each_test(visit);
            }
            Expr::Ply(test) => visit(test),
            Expr::Game(_) | Expr::Setup(_) => {}
        }
    }
}
