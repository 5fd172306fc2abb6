//! Tablebase probes in the search.

use tafl_rules::Position;

use super::repetition::RepetitionResult;
use super::searcher::SearchWorker;
use crate::score::Score;
use crate::solver::tablebase::Dtm;

impl<const N: usize> SearchWorker<'_, N> {
    /// Returns the tablebase score of a position, relative to the side to move and counted from the
    /// root.
    ///
    /// A position that neither side can win by force is a draw only if repetition is a draw for
    /// both sides.
    #[inline]
    pub(super) fn probe_tablebase(&self, pos: &Position<N>, ply: u16) -> Option<Score> {
        let tablebases = self.tablebases?;
        let is_near = |plies: u8| ply + u16::from(plies) + 2 < Score::MAX_PLY;
        match tablebases.probe(pos)? {
            Dtm::Win(plies) if is_near(plies) => Some(Score::win_in(ply + u16::from(plies))),
            Dtm::Loss(plies) if is_near(plies) => Some(Score::loss_in(ply + u16::from(plies))),
            Dtm::Win(_) | Dtm::Loss(_) => None,
            Dtm::Open => {
                let draws = |repetition: RepetitionResult| repetition == RepetitionResult::Draw;
                (draws(self.repetition.attackers) && draws(self.repetition.defenders)).then_some(Score::DRAW)
            }
        }
    }
}
