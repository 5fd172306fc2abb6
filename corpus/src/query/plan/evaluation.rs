//! The data of a game that tests need besides the position.

use tafl_rules::{AnyRulebook, BySide, Cell, Event, Piece, Role, Setup, Side};

use super::QueryPlan;
use super::test::{BoardTest, CellTables, CompiledTest};
use super::tree::LocalTest;
use crate::move_log::{MoveLogError, ReplayCursor};
use crate::pattern::game_matcher::{MatchBuffers, MatchRange};
use crate::ply_state::{CellContent, PlyState};
use crate::query::PlySet;
use crate::query::number::Term;
use crate::query::token::n_pieces;

/// The maximum number of placements of a pattern that are tested at single positions beside other conditions: these
/// rule out most positions.
const FEW_PLACEMENTS: usize = 24;

/// The evaluation of a plan in a game, with the data that tests need besides the position.
pub(super) struct GameEvaluation<'p> {
    pub(super) tables: &'p CellTables,
    boards: &'p [BoardTest],
    /// For each board, the plies at which it matches, if it is a pattern that is tested at all plies at once.
    matches: Vec<Option<PlySet>>,
    pub(super) truth: Vec<bool>,
    wants: TrackedState,
    /// The number of plies of the game.
    pub(super) n_plies: u32,
    pub(super) n_pieces_at_start: BySide<u16>,
    /// The number of cells with each content before the last ply.
    pub(super) counts_before: [u16; CellContent::COUNT],
    counts_now: [u16; CellContent::COUNT],
    /// The cell of the first king of each side.
    pub(super) kings: BySide<Option<Cell>>,
    /// The rules, if captures are told apart.
    rulebook: Option<&'p AnyRulebook>,
    /// The boards before and after the last ply, if captures are told apart.
    board_before: Vec<CellContent>,
    board_now: Vec<CellContent>,
}

/// The data that the tests of a plan need during replay.
#[derive(Debug, Clone, Copy, Default)]
struct TrackedState {
    kings: bool,
    counts: bool,
}

impl<'p> GameEvaluation<'p> {
    pub(super) fn new(
        plan: &'p QueryPlan,
        cursor: &ReplayCursor<'_>,
        truth: Vec<bool>,
    ) -> Result<GameEvaluation<'p>, MoveLogError> {
        let state = cursor.state();
        let mut evaluation = GameEvaluation {
            tables: &plan.tables,
            boards: &plan.boards,
            matches: Vec::new(),
            truth,
            wants: TrackedState::of(plan),
            n_plies: state.ply + cursor.n_plies_left(),
            n_pieces_at_start: BySide::from_fn(|side| n_pieces(state, side)),
            counts_before: *state.counts(),
            counts_now: *state.counts(),
            kings: BySide::default(),
            rulebook: plan.rulebook.as_ref(),
            board_before: Vec::new(),
            board_now: if plan.rulebook.is_some() { state.board().to_vec() } else { Vec::new() },
        };
        for board in evaluation.boards {
            let matches = match board {
                BoardTest::Pattern(placed, matcher) if placed.len() > FEW_PLACEMENTS => {
                    let mut plies = PlySet::default();
                    matcher.find(cursor, MatchRange::WHOLE, &mut MatchBuffers::default(), &mut plies)?;
                    Some(plies)
                }
                BoardTest::Pattern(..) | BoardTest::Position(_) => None,
            };
            evaluation.matches.push(matches);
        }
        evaluation.find_kings(state);
        Ok(evaluation)
    }

    /// Updates the data after the ply that led to a position.
    #[inline]
    pub(super) fn advance(&mut self, state: &PlyState) {
        if self.wants.counts {
            self.counts_before = self.counts_now;
            self.counts_now = *state.counts();
        }
        if self.rulebook.is_some() {
            std::mem::swap(&mut self.board_before, &mut self.board_now);
            self.board_now.clear();
            self.board_now.extend_from_slice(state.board());
        }
        if self.wants.kings {
            self.find_kings(state);
        }
    }

    /// Returns the number of pieces that the last ply captured in the way of an event; `None` if the rules cannot be
    /// compiled.
    pub(super) fn captured_by(&self, event: Event, state: &PlyState) -> Option<i64> {
        if !state.facts.events.contains(event) || state.captured.is_empty() {
            return Some(0);
        }
        if state.captured.len() == 1 {
            return Some(1);
        }
        let mut before = Setup::empty(state.shape());
        for (cell, content) in state.shape().cells().zip(&self.board_before) {
            before.put(cell, content.piece());
        }
        let kinds = self.rulebook?.capture_kinds(&before, state.last?, &state.captured);
        Some(kinds.into_iter().filter(|kind| *kind == Some(event)).count() as i64)
    }

    fn find_kings(&mut self, state: &PlyState) {
        for side in Side::ALL {
            let king = CellContent::of(Some(Piece::new(side, Role::King)));
            let stays = match state.count(king) {
                0 => {
                    self.kings[side] = None;
                    true
                }
                1 => self.kings[side].is_some_and(|cell| state.at(cell) == king),
                2.. => false,
            };
            if !stays {
                let at = state.board().iter().position(|content| *content == king);
                self.kings[side] = at.map(Cell::new);
            }
        }
    }

    /// Returns whether a position or pattern of the query matches the position.
    #[inline]
    pub(super) fn board_holds(&self, number: usize, state: &PlyState) -> bool {
        match &self.boards[number] {
            BoardTest::Pattern(placed, _) => match &self.matches[number] {
                Some(plies) => plies.contains(state.ply as usize),
                None => placed.holds(state.board()),
            },
            BoardTest::Position(images) => images.holds(state),
        }
    }
}

impl TrackedState {
    fn of(plan: &QueryPlan) -> TrackedState {
        let mut wants = TrackedState::default();
        plan.root.each_local(&mut |_, local| wants.add(local));
        wants
    }

    fn add(&mut self, local: &LocalTest) {
        match local {
            LocalTest::Constant(_) | LocalTest::Game(_) => {}
            LocalTest::Test(test) => {
                self.counts |= matches!(test, CompiledTest::Took(_));
                self.kings |= match test {
                    CompiledTest::King(_, test) => test.needs_cell(),
                    CompiledTest::Number(numbers) => numbers
                        .terms
                        .iter()
                        .any(|(_, term)| matches!(term, Term::KingFile(_) | Term::KingRank(_))),
                    CompiledTest::Event(_)
                    | CompiledTest::Threat
                    | CompiledTest::ToMove(_)
                    | CompiledTest::Mover(_)
                    | CompiledTest::From(_)
                    | CompiledTest::To(_)
                    | CompiledTest::TookAt(_)
                    | CompiledTest::Piece(_)
                    | CompiledTest::Took(_)
                    | CompiledTest::Board(_) => false,
                };
            }
            LocalTest::All(parts) | LocalTest::Any(parts) => parts.iter().for_each(|part| self.add(part)),
            LocalTest::Not(part) => self.add(part),
        }
    }
}
