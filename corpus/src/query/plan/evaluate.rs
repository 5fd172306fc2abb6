//! The evaluation of tests at a position of a game.

use tafl_rules::Side;

use super::evaluation::GameEvaluation;
use super::test::{CellMask, CompiledTest, LinearInequality};
use super::tree::LocalTest;
use crate::ply_state::{CellContent, PlyState};
use crate::query::ast::KingTest;
use crate::query::number::Term;
use crate::query::token::n_pieces;

/// Returns whether a test holds at a position.
#[inline]
pub(super) fn holds(local: &LocalTest, evaluation: &GameEvaluation<'_>, state: &PlyState) -> bool {
    match local {
        LocalTest::Constant(holds) => *holds,
        LocalTest::Game(number) => evaluation.truth[*number],
        LocalTest::Test(check) => check.holds(evaluation, state),
        LocalTest::All(parts) => parts.iter().all(|part| holds(part, evaluation, state)),
        LocalTest::Any(parts) => parts.iter().any(|part| holds(part, evaluation, state)),
        LocalTest::Not(part) => !holds(part, evaluation, state),
    }
}

impl CompiledTest {
    /// Returns whether the test holds.
    #[inline]
    fn holds(&self, evaluation: &GameEvaluation<'_>, state: &PlyState) -> bool {
        match self {
            CompiledTest::Event(event) => state.facts.events.contains(*event),
            CompiledTest::Number(numbers) => numbers.holds(evaluation, state),
            CompiledTest::King(side, test) => king_holds(*side, *test, evaluation, state),
            CompiledTest::Threat => Side::ALL
                .into_iter()
                .filter_map(|side| state.facts.kings[side])
                .any(|status| status.distance == 1 || status.in_danger),
            CompiledTest::ToMove(side) => state.to_move == *side,
            CompiledTest::Mover(side) => {
                moved(state).is_some_and(|content| content.piece().is_some_and(|piece| piece.side == *side))
            }
            CompiledTest::From(cells) => state.last.is_some_and(|mv| cells.has(mv.from)),
            CompiledTest::To(cells) => state.last.is_some_and(|mv| cells.has(mv.to)),
            CompiledTest::TookAt(cells) => state.captured.iter().any(|cell| cells.has(*cell)),
            CompiledTest::Piece(mask) => moved(state).is_some_and(|content| mask.fits(content)),
            CompiledTest::Took(contents) => contents
                .iter()
                .any(|content| state.count(*content) < evaluation.counts_before[usize::from(content.code())]),
            CompiledTest::Board(number) => evaluation.board_holds(*number, state),
        }
    }
}

/// Returns the content that moved: that of the cell where the move ended.
#[inline]
fn moved(state: &PlyState) -> Option<CellContent> {
    state.last.map(|mv| state.at(mv.to))
}

fn king_holds(side: Side, test: KingTest, evaluation: &GameEvaluation<'_>, state: &PlyState) -> bool {
    let status = state.facts.kings[side];
    let is_in = |cells: &CellMask| evaluation.kings[side].is_some_and(|cell| cells.has(cell));
    match test {
        KingTest::Danger => status.is_some_and(|status| status.in_danger),
        KingTest::Cordon => status.is_some_and(|status| status.cordoned),
        KingTest::CanEscape => status.is_some_and(|status| status.distance == 1),
        KingTest::OpenLine => status.is_some_and(|status| status.lines > 0),
        KingTest::OnEdge => is_in(&evaluation.tables.edge),
        KingTest::OnThrone => is_in(&evaluation.tables.throne),
        KingTest::OnCorner => is_in(&evaluation.tables.corner),
    }
}

impl LinearInequality {
    fn holds(&self, evaluation: &GameEvaluation<'_>, state: &PlyState) -> bool {
        let mut sum = 0;
        for (factor, term) in &self.terms {
            let Some(value) = value_of(*term, evaluation, state) else { return false };
            sum += factor * value;
        }
        self.comparison.holds(sum, self.right)
    }
}

fn value_of(term: Term, evaluation: &GameEvaluation<'_>, state: &PlyState) -> Option<i64> {
    let king = |side: Side| evaluation.kings[side].map(|cell| evaluation.tables.places[cell.index()]);
    Some(match term {
        Term::Ply => i64::from(state.ply),
        Term::PliesLeft => i64::from(evaluation.n_plies) - i64::from(state.ply),
        Term::Pieces => Side::ALL.into_iter().map(|side| i64::from(n_pieces(state, side))).sum(),
        Term::PiecesOf(side) => n_pieces(state, side).into(),
        Term::Kinds(pieces) => {
            pieces.iter().map(|piece| i64::from(state.count(CellContent::of(Some(piece))))).sum()
        }
        Term::Captured => state.captured.len() as i64,
        Term::CapturedBy(event) => evaluation.captured_by(event, state)?,
        Term::Lost(side) => i64::from(evaluation.n_pieces_at_start[side]) - i64::from(n_pieces(state, side)),
        Term::KingDistance(side) => state.facts.kings[side]?.distance.into(),
        Term::KingLines(side) => state.facts.kings[side]?.lines.into(),
        Term::KingFile(side) => king(side)?.0.into(),
        Term::KingRank(side) => king(side)?.1.into(),
    })
}
