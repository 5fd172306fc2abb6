//! A question made ready for the games of one arena.

mod compile;
mod evaluate;
mod needs;
mod run;
mod state;
mod test;
mod tree;

use tafl_rules::ruleset::RuleSet;
use tafl_rules::symmetry::{self, Symmetry};
use tafl_rules::text::ruleset::RuleSetError;
use tafl_rules::text::setup::SetupError;
use tafl_rules::{Cell, Shape};

use self::test::{BoardTest, CellTables};
use self::tree::Node;
use super::ast::{Expr, Query, Test};
use super::hit::{Hit, Placement};
use super::need::Need;
use crate::moment::Moment;
use crate::pattern::{Anchor, Pattern};
use crate::tape::{Arena, Player, TapeError};

/// Why a question cannot be asked of the games of an arena.
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

/// A question made ready for the games of one arena: the same rules and the same start.
#[derive(Debug, Clone)]
pub struct Plan {
    root: Node,
    /// The boards and patterns of the question, in the order in which they are written.
    boards: Vec<BoardTest>,
    tables: CellTables,
    need: Need,
    is_about_games: bool,
    n_conditions: usize,
}

impl Query {
    /// Makes the question ready for the games of an arena.
    ///
    /// # Errors
    ///
    /// Returns that the rules or the start of the arena cannot be read.
    pub fn compile(&self, arena: &Arena) -> Result<Plan, PlanError> {
        Ok(self.compile_in(&Ring::of(arena)?))
    }

    /// Makes the question ready for the games of an arena that was read before.
    pub fn compile_in(&self, ring: &Ring) -> Plan {
        compile::plan(self, ring)
    }

    /// Returns the boards and patterns of the question, in the order of [`Placement::pattern`].
    pub fn boards(&self) -> Vec<&Test> {
        let mut boards = Vec::new();
        self.expr.each_test(&mut |test| {
            if matches!(test, Test::Pattern(_) | Test::Position { .. }) {
                boards.push(test);
            }
        });
        boards
    }
}

impl Plan {
    /// Returns whether hits are games, not positions: then a hit has ply 0.
    pub fn is_about_games(&self) -> bool {
        self.is_about_games
    }

    /// Returns what a game must have so that it can have hits.
    pub fn needs(&self) -> &Need {
        &self.need
    }

    /// Returns the numbers of the boards and patterns that this board has no room for, see [`Query::boards`].
    pub fn misfits(&self) -> Vec<u16> {
        (0..).zip(&self.boards).filter(|(_, board)| !board.fits()).map(|(number, _)| number).collect()
    }

    /// Finds the hits in a game, in rising order of plies. The player stands at the start; the hits have no placement.
    ///
    /// # Errors
    ///
    /// Returns that the game on the tape is damaged.
    pub fn run(
        &self,
        player: &mut Player<'_>,
        truth: &dyn super::GameTruth,
        hits: &mut Vec<Hit>,
    ) -> Result<(), TapeError> {
        run::run(self, player, truth, hits)
    }

    /// Returns whether each moment shows by itself whether it is a hit. Then what [`Plan::needs`] says of blocks must
    /// hold for the block of the hit, not for any block of the game.
    pub fn is_about_moments(&self) -> bool {
        matches!(self.root, Node::Local(..)) && !self.is_about_games
    }

    /// Finds the hits in some blocks of a game, in rising order of plies, as [`Plan::run`] does. `blocks` says whether
    /// hits may lie in a block of the game, by its number from 0; where moments do not show by themselves whether they
    /// are hits, it is not asked.
    ///
    /// # Errors
    ///
    /// Returns that the game on the tape is damaged.
    pub fn run_in(
        &self,
        (player, blocks): (&mut Player<'_>, &dyn Fn(u32) -> bool),
        truth: &dyn super::GameTruth,
        hits: &mut Vec<Hit>,
    ) -> Result<(), TapeError> {
        run::run_in(self, (player, blocks), truth, hits)
    }

    /// Returns where the first board or pattern of the question lies that lies on this board.
    pub fn place(&self, moment: &Moment) -> Option<Placement> {
        self.boards.iter().find_map(|board| board.find(moment))
    }

    /// Says of hits of a game, in rising order, how boards and patterns lie there. The player stands at the start.
    ///
    /// # Errors
    ///
    /// Returns that the game on the tape is damaged.
    pub fn locate(&self, player: &mut Player<'_>, hits: &mut [Hit]) -> Result<(), TapeError> {
        if self.boards.is_empty() || self.is_about_games {
            return Ok(());
        }
        for hit in hits {
            while player.moment().ply < hit.ply {
                if !player.advance()? {
                    return Ok(());
                }
            }
            hit.placement = self.place(player.moment());
        }
        Ok(())
    }
}

impl Query {
    /// Returns the cells of a board on which a board or pattern of the question lies, but for those where it asks for
    /// nothing; in rising order.
    pub fn cells(&self, shape: Shape, placement: &Placement) -> Vec<Cell> {
        let boards = self.boards();
        match boards.get(usize::from(placement.pattern)) {
            Some(Test::Pattern(pattern)) => cells_of(pattern, shape, placement),
            Some(Test::Position { setup, .. }) if setup.shape() == shape => shape.cells().collect(),
            Some(_) | None => Vec::new(),
        }
    }
}

fn cells_of(pattern: &Pattern, shape: Shape, placement: &Placement) -> Vec<Cell> {
    let symmetries = symmetry::of_shape(shape);
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
                let cell = shape.cell(coord).filter(|_| *mask != crate::pattern::Mask::ANY);
                cells.extend(cell.map(|cell| symmetry.image(cell)));
            }
        }
    }
    cells.sort();
    cells.dedup();
    cells
}

/// What questions need of an arena, read once for all of them.
#[derive(Debug, Clone)]
pub struct Ring {
    rules: RuleSet,
    start: tafl_rules::Setup,
    symmetries: Vec<Symmetry>,
}

impl Ring {
    /// Reads an arena.
    ///
    /// # Errors
    ///
    /// Returns that its rules or its start cannot be read.
    pub fn of(arena: &Arena) -> Result<Ring, PlanError> {
        let rules: RuleSet = arena.rules.parse().map_err(PlanError::Rules)?;
        let start = tafl_rules::Setup::parse(rules.shape(), &arena.start).map_err(PlanError::Start)?;
        Ok(Ring { symmetries: symmetry::of_rules(&rules), rules, start })
    }
}

impl Expr {
    /// Calls `visit` for every test of moments, in the order in which they are written.
    fn each_test<'e>(&'e self, visit: &mut dyn FnMut(&'e Test)) {
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
            Expr::Moment(test) => visit(test),
            Expr::Game(_) | Expr::Arena(_) => {}
        }
    }
}
