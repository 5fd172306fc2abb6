//! What the search asks of tables of few pieces.

use tafl_rules::position::Position;

use super::recurrence::Recurrence;
use super::search::Searcher;
use crate::score::Score;
use crate::solver::tables::Known;

impl<const N: usize> Searcher<'_, N> {
    /// Returns the score of a position that tables know, relative to the side to move and counted from the root.
    ///
    /// Where neither side can force a win the tables decide only if repetition draws.
    #[inline]
    pub(super) fn in_tables(&self, pos: &Position<N>, ply: u16) -> Option<Score> {
        let tables = self.tables?;
        let is_near = |plies: u8| ply + u16::from(plies) + 2 < Score::MAX_PLY;
        match tables.probe(pos)? {
            Known::Win(plies) if is_near(plies) => Some(Score::win_in(ply + u16::from(plies))),
            Known::Loss(plies) if is_near(plies) => Some(Score::loss_in(ply + u16::from(plies))),
            Known::Win(_) | Known::Loss(_) => None,
            Known::Open => {
                let draws = |recurrence: Recurrence| recurrence == Recurrence::Draw;
                (draws(self.recurrence.attackers) && draws(self.recurrence.defenders)).then_some(Score::DRAW)
            }
        }
    }
}
