//! The evaluation of tests at a moment of a game.

use tafl_rules::Side;

use super::state::GameEvaluation;
use super::test::{CellMask, Check, Numbers};
use super::tree::Local;
use crate::moment::{Content, Moment};
use crate::query::ast::KingTest;
use crate::query::number::Term;
use crate::query::token::n_pieces;

/// Returns whether what one moment shows holds there.
#[inline]
pub(super) fn holds(local: &Local, state: &GameEvaluation<'_>, moment: &Moment) -> bool {
    match local {
        Local::Constant(holds) => *holds,
        Local::Game(number) => state.truth[*number],
        Local::Check(check) => check.holds(state, moment),
        Local::All(parts) => parts.iter().all(|part| holds(part, state, moment)),
        Local::Any(parts) => parts.iter().any(|part| holds(part, state, moment)),
        Local::Not(part) => !holds(part, state, moment),
    }
}

impl Check {
    /// Returns whether the test holds.
    #[inline]
    fn holds(&self, state: &GameEvaluation<'_>, moment: &Moment) -> bool {
        match self {
            Check::Event(event) => moment.facts.events.contains(*event),
            Check::Number(numbers) => numbers.holds(state, moment),
            Check::King(side, test) => king_holds(*side, *test, state, moment),
            Check::Threat => Side::ALL
                .into_iter()
                .filter_map(|side| moment.facts.kings[side])
                .any(|sight| sight.distance == 1 || sight.in_danger),
            Check::ToMove(side) => moment.to_move == *side,
            Check::Mover(side) => {
                moved(moment).is_some_and(|content| content.piece().is_some_and(|piece| piece.side == *side))
            }
            Check::From(cells) => moment.last.is_some_and(|mv| cells.has(mv.from)),
            Check::To(cells) => moment.last.is_some_and(|mv| cells.has(mv.to)),
            Check::TookAt(cells) => moment.captured.iter().any(|cell| cells.has(*cell)),
            Check::Piece(mask) => moved(moment).is_some_and(|content| mask.fits(content)),
            Check::Took(contents) => contents
                .iter()
                .any(|content| moment.count(*content) < state.counts_before[usize::from(content.code())]),
            Check::Board(number) => state.board_holds(*number, moment),
        }
    }
}

/// Returns what moved: it stands where the move ended.
#[inline]
fn moved(moment: &Moment) -> Option<Content> {
    moment.last.map(|mv| moment.at(mv.to))
}

fn king_holds(side: Side, test: KingTest, state: &GameEvaluation<'_>, moment: &Moment) -> bool {
    let sight = moment.facts.kings[side];
    let stands = |cells: &CellMask| state.kings[side].is_some_and(|cell| cells.has(cell));
    match test {
        KingTest::Danger => sight.is_some_and(|sight| sight.in_danger),
        KingTest::Cordon => sight.is_some_and(|sight| sight.cordoned),
        KingTest::CanEscape => sight.is_some_and(|sight| sight.distance == 1),
        KingTest::OpenLine => sight.is_some_and(|sight| sight.lines > 0),
        KingTest::OnEdge => stands(&state.tables.edge),
        KingTest::OnThrone => stands(&state.tables.throne),
        KingTest::OnCorner => stands(&state.tables.corner),
    }
}

impl Numbers {
    fn holds(&self, state: &GameEvaluation<'_>, moment: &Moment) -> bool {
        let mut sum = 0;
        for (factor, term) in &self.terms {
            let Some(value) = value_of(*term, state, moment) else { return false };
            sum += factor * value;
        }
        self.comparison.holds(sum, self.right)
    }
}

fn value_of(term: Term, state: &GameEvaluation<'_>, moment: &Moment) -> Option<i64> {
    let king = |side: Side| state.kings[side].map(|cell| state.tables.places[cell.index()]);
    Some(match term {
        Term::Ply => i64::from(moment.ply),
        Term::PliesLeft => i64::from(state.n_plies) - i64::from(moment.ply),
        Term::Pieces => Side::ALL.into_iter().map(|side| i64::from(n_pieces(moment, side))).sum(),
        Term::PiecesOf(side) => n_pieces(moment, side).into(),
        Term::Kinds(pieces) => {
            pieces.iter().map(|piece| i64::from(moment.count(Content::of(Some(piece))))).sum()
        }
        Term::Captured => moment.captured.len() as i64,
        Term::Lost(side) => i64::from(state.n_pieces_at_start[side]) - i64::from(n_pieces(moment, side)),
        Term::KingDistance(side) => moment.facts.kings[side]?.distance.into(),
        Term::KingLines(side) => moment.facts.kings[side]?.lines.into(),
        Term::KingFile(side) => king(side)?.0.into(),
        Term::KingRank(side) => king(side)?.1.into(),
    })
}
