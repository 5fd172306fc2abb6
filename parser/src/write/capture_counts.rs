//! The numbers of captures by each side, which some notations write beside the moves.

use tafl_rules::{Berserk, BySide, Reason, Side};

use super::game_start::stated_rules;
use super::losses::RecordLosses;
use super::moves::{captures_of_ply, is_king};
use super::{PlayedMoves, WriteGame};
use crate::diagnostic::Lost;

/// The numbers of captures that do not contradict the listed ones.
#[derive(Debug, Clone, Copy, Default)]
struct WriterCaptureBounds {
    least: u32,
    most: u32,
}

impl WriteGame<'_> {
    /// Returns the numbers of captures of the record. If the text has captures of the replay that contradict them, returns
    /// the numbers of these captures, and lists the loss.
    pub(super) fn capture_counts_to_write(
        self,
        lists_kings: bool,
        losses: &mut RecordLosses,
    ) -> Option<BySide<u32>> {
        let written = self.record.capture_counts?.by;
        let n_moves = self.record.main().moves.len();
        let is_own = self.record.format == losses.format();
        // Readers do not compare the numbers of a game that they cannot replay to its end.
        let Some(played) = self.played.filter(|played| !is_own && played.plies.len() == n_moves) else {
            return Some(written);
        };
        let has_chains = || stated_rules(self).is_some_and(|rules| rules.berserk != Berserk::None);
        let is_right = |bounds: &BySide<WriterCaptureBounds>| {
            let is_within = |side: Side| (bounds[side].least..=bounds[side].most).contains(&written[side]);
            Side::ALL.into_iter().all(is_within)
        };
        let accepted = accepted_counts(played, lists_kings, false);
        if is_right(&accepted) || (has_chains() && is_right(&accepted_counts(played, lists_kings, true))) {
            return Some(written);
        }
        losses.changed(Lost::CaptureCounts, 1);
        Some(BySide::from_fn(|side| accepted[side].most))
    }
}

/// Returns the numbers of captures that readers accept: a king whose capture ends the game may be left out, and, in games
/// with chains, the captures of the last turns.
fn accepted_counts(played: &PlayedMoves, lists_kings: bool, has_chains: bool) -> BySide<WriterCaptureBounds> {
    let mut bounds = BySide::<WriterCaptureBounds>::default();
    let ends_with_king = played.outcome.is_some_and(|outcome| outcome.reason == Reason::KingCaptured);
    for (nth, ply) in played.plies.iter().enumerate() {
        let captures = captures_of_ply(played, ply);
        let n_kings = captures.clone().filter(|(_, letter)| is_king(*letter)).count() as u32;
        let n_men = captures.count() as u32 - n_kings;
        let may_be_left_out = has_chains && nth + 2 >= played.plies.len();
        let of_side = &mut bounds[ply.piece.side];
        of_side.most += n_men + if lists_kings { n_kings } else { 0 };
        of_side.least += match (may_be_left_out, lists_kings && !ends_with_king) {
            (true, _) => 0,
            (false, true) => n_men + n_kings,
            (false, false) => n_men,
        };
    }
    bounds
}
