//! Last moves that could have led to a position whose moves are not known.

use tafl_rules::{EndCause, Explanation, Game, Move, Outcome, RepetitionMode, Setup, Side, explain_ply};

use crate::PlayedPosition;

/// The last moves of a side that could have led to a position.
pub(super) struct LastMoves<'p> {
    played: &'p PlayedPosition,
    setup: Setup,
    mover: Side,
}

impl<'p> LastMoves<'p> {
    pub(super) fn of(played: &'p PlayedPosition, mover: Side) -> LastMoves<'p> {
        LastMoves { played, setup: played.game.setup(), mover }
    }

    /// Returns the moves that end the game as wanted, one for each cell to which they lead, in ascending order of cells.
    ///
    /// The moves are legal, and capture nothing but royal kings: the position still has every other piece.
    pub(super) fn ending(&self, is_wanted: &dyn Fn(Outcome) -> bool) -> Vec<(Explanation, EndCause)> {
        let Some(now) = self.game(&self.setup) else { return Vec::new() };
        let own = self.setup.pieces().filter(|(_, piece)| piece.side == self.mover);
        own.filter_map(|(to, piece)| {
            // A piece slides in both directions, so the cells that it can reach are those from which it may have come.
            now.targets(to).iter().find_map(|from| {
                let mut before = self.setup.clone();
                before.put(to, None);
                before.put(from, Some(piece));
                let explained = explain_ply(&self.game(&before)?, Move::new(from, to)).ok()?;
                let royal = self.played.game.rules().royal;
                let end = explained.end.clone().filter(|end| is_wanted(end.outcome))?;
                explained.captures.iter().all(|cause| royal.contains(cause.piece)).then_some((explained, end))
            })
        })
        .collect()
    }

    fn game(&self, setup: &Setup) -> Option<Game> {
        Game::from_setup(&self.played.rules.book, setup, self.mover, RepetitionMode::Report).ok()
    }
}
