//! The moves of repairs, compared at the plies where the repairs differ: those that people play are more probable.

use std::sync::Arc;

use tafl_rules::{Game, Move, Setup, Side};

use super::Repair;
use super::edit::{Edit, EditScope};
use super::move_model::MAX_COST;
use super::play_model::{MoveOdds, PlayContext};
use crate::replay::{self, ChosenRules};

/// The number of repairs whose edits determine the compared plies. A choice: these are nearly always all that differ by less
/// than what the moves can change.
const MAX_COMPARED: usize = 12;
/// The maximum number of compared plies.
const MAX_PLIES: usize = 6;
/// The maximum number of positions that are examined for a record. Each takes milliseconds.
const MAX_POSITIONS: usize = 56;
/// The number of best repairs whose next two moves are examined as well.
const MAX_CONTINUED: usize = 8;
/// The weight of the next moves, which the record contains. If they fit one of the repairs better, this is only a hint.
/// With 0.5, the played move is the first of the repairs in 52.5 % of other games, with 0 in 50.3 %, and with 1 in 51.8 %.
const NEXT_MOVES: f64 = 0.5;
/// The number of first plies that are compared if one side's moves may be written for another board.
const FIRST_PLIES: usize = 4;

/// The positions of a record's repairs that were examined.
#[derive(Default)]
struct ExaminedPositions {
    positions: Vec<ExaminedPosition>,
    /// The log odds of the move after an inserted one, by its index. They are examined for one of the possible insertions and
    /// used for all: each leads to a position of its own, and any legal move may be the inserted one.
    after_insertion: Vec<(usize, f64)>,
}

struct ExaminedPosition {
    rules: Arc<ChosenRules>,
    setup: Setup,
    side: Side,
    context: PlayContext,
    odds: MoveOdds,
}

/// Returns the cost of the moves of each repair, compared with moves of mean probability; `None` for repairs with too many
/// positions. `move_costs` are the parts of the repairs' costs that it replaces.
pub(super) fn costs(repairs: &[Repair], move_costs: &[f64]) -> Vec<Option<f64>> {
    let mut plies: Vec<usize> = Vec::new();
    for edit in repairs.iter().take(MAX_COMPARED).flat_map(|repair| &repair.edits) {
        for ply in changed_plies(edit) {
            if !plies.contains(&ply) && plies.len() < MAX_PLIES {
                plies.push(ply);
            }
        }
    }
    plies.sort_unstable();
    let mut examined = ExaminedPositions::default();
    let capped = |log_odds: f64| -MAX_COST * (log_odds / MAX_COST).tanh();
    let log_odds = |repair: &Repair| {
        // Without another move, the probability of the moves is that of the record, which is part of no cost.
        let proposes_moves = repair.edits.iter().any(|edit| !changed_plies(edit).is_empty());
        if proposes_moves { examined.log_odds(repair, &plies) } else { Some(0.0) }
    };
    let mut odds: Vec<Option<f64>> = repairs.iter().map(log_odds).collect();
    // Costs of only a part of the best repairs can't be compared.
    if !odds.iter().take(MAX_COMPARED).all(Option::is_some) {
        return vec![None; repairs.len()];
    }
    let cost = |nth: usize| {
        odds[nth].map_or(repairs[nth].cost, |odds| repairs[nth].cost - move_costs[nth] + capped(odds))
    };
    let mut best: Vec<usize> = (0..repairs.len()).collect();
    best.sort_by(|one, other| cost(*one).total_cmp(&cost(*other)));
    best.truncate(MAX_CONTINUED);
    for (nth, change) in examined.continuations(repairs, &best) {
        odds[nth] = odds[nth].map(|odds| odds + NEXT_MOVES * change);
    }
    odds.into_iter().map(|odds| odds.map(capped)).collect()
}

/// Returns the ply of the only move that a repair proposes.
fn proposed_ply(repair: &Repair) -> Option<usize> {
    match repair.edits[..] {
        [Edit::Replace { at, .. } | Edit::Insert { at, .. } | Edit::Read { at, .. }] => Some(at),
        _ => None,
    }
}

/// Returns the game of a repaired record before its first ply.
pub(super) fn start_of(repair: &Repair) -> Game {
    replay::start(&repair.record, &repair.rules.book, None, &mut Vec::new())
}

/// Returns the plies of the original record that an edit changes.
fn changed_plies(edit: &Edit) -> Vec<usize> {
    match edit {
        Edit::Replace { at, .. }
        | Edit::Read { at, .. }
        | Edit::Insert { at, .. }
        | Edit::Remove { at, .. }
        | Edit::Relabel { scope: EditScope::From(at), .. } => vec![*at],
        Edit::Swap { at, with } => vec![*at, *with],
        Edit::Relabel { scope: EditScope::Moves(_), .. } => (0..FIRST_PLIES).collect(),
        _ => Vec::new(),
    }
}

/// A ply of a repaired record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RepairedPly {
    index: usize,
    /// Whether the move before it was inserted.
    follows_insertion: bool,
}

/// Returns the plies of a repaired record for those of the original one. An inserted move counts in addition.
fn repaired_plies(edits: &[Edit], plies: &[usize]) -> Vec<RepairedPly> {
    let mut repaired: Vec<RepairedPly> = Vec::new();
    for ply in plies {
        let (mut added, mut removed, mut is_inserted) = (0, 0, false);
        for edit in edits {
            match edit {
                Edit::Insert { at, .. } | Edit::Read { at, .. } if at < ply => added += 1,
                Edit::Insert { at, .. } if at == ply => is_inserted = true,
                Edit::Remove { at, n, .. } if at < ply => removed += n,
                _ => {}
            }
        }
        let index = (ply + added).saturating_sub(removed);
        repaired.push(RepairedPly { index, follows_insertion: false });
        repaired.extend(is_inserted.then_some(RepairedPly { index: index + 1, follows_insertion: true }));
    }
    repaired.dedup_by_key(|ply| ply.index);
    repaired
}

/// Returns the moves around a ply of a repaired record.
fn context(repair: &Repair, nth: usize) -> PlayContext {
    let mv = |nth: Option<usize>| nth.and_then(|nth| repair.replay.plies.get(nth)).map(|ply| ply.mv);
    // Sides alternate, except for the steps of a turn, which are rare.
    PlayContext {
        own_before: mv(nth.checked_sub(2)),
        other_before: mv(nth.checked_sub(1)),
        other_after: mv(Some(nth + 1)),
        own_after: mv(Some(nth + 2)),
    }
}

impl ExaminedPositions {
    /// Compares repairs that propose different moves at the same ply by the two moves after it. Returns the indexes of the
    /// repairs, each with the log odds of its next moves, relative to the mean of the repairs at this ply.
    fn continuations(&mut self, repairs: &[Repair], best: &[usize]) -> Vec<(usize, f64)> {
        let mut compared = Vec::new();
        let mut plies: Vec<usize> = best.iter().filter_map(|nth| proposed_ply(&repairs[*nth])).collect();
        plies.sort_unstable();
        plies.dedup();
        for ply in plies {
            let at_ply = best.iter().copied().filter(|nth| proposed_ply(&repairs[*nth]) == Some(ply));
            let odds: Option<Vec<(usize, f64)>> =
                at_ply.map(|nth| Some((nth, self.odds_of_next(&repairs[nth], ply)?))).collect();
            let Some(odds) = odds else { continue };
            let mean = odds.iter().map(|(_, odds)| odds).sum::<f64>() / odds.len().max(1) as f64;
            compared.extend(odds.into_iter().map(|(nth, odds)| (nth, odds - mean)));
        }
        compared
    }

    /// Returns the log odds of the two moves after a ply.
    fn odds_of_next(&mut self, repair: &Repair, ply: usize) -> Option<f64> {
        let played = &repair.replay.plies;
        let mut game = start_of(repair);
        let mut sum = 0.0;
        for (nth, next) in played.iter().enumerate().take(ply + 3) {
            game.clear_outcome();
            if nth > ply {
                sum += self.of_move(&game, &repair.rules, context(repair, nth), next.mv)?;
            }
            game.play(next.mv).ok()?;
        }
        Some(sum)
    }

    /// Returns the logarithm of the probability of a repair's moves at these plies, relative to that of random moves.
    fn log_odds(&mut self, repair: &Repair, plies: &[usize]) -> Option<f64> {
        let wanted = repaired_plies(&repair.edits, plies);
        let played = &repair.replay.plies;
        let mut game = start_of(repair);
        let mut sum = 0.0;
        for (nth, ply) in played.iter().enumerate().take(wanted.last().map_or(0, |last| last.index + 1)) {
            game.clear_outcome();
            if let Some(place) = wanted.iter().find(|place| place.index == nth) {
                let known = self.after_insertion.iter().find(|(index, _)| *index == nth);
                sum += match known.filter(|_| place.follows_insertion) {
                    Some((_, log_odds)) => *log_odds,
                    None => {
                        let context = context(repair, nth);
                        let log_odds = self.of_move(&game, &repair.rules, context, ply.mv)?;
                        self.after_insertion.extend(place.follows_insertion.then_some((nth, log_odds)));
                        log_odds
                    }
                };
            }
            game.play(ply.mv).ok()?;
        }
        Some(sum)
    }

    /// Returns the log odds of a move; `None` if too many positions were examined.
    fn of_move(
        &mut self,
        game: &Game,
        rules: &Arc<ChosenRules>,
        context: PlayContext,
        mv: Move,
    ) -> Option<f64> {
        let (setup, side) = (game.setup(), game.to_move());
        let known = self.positions.iter().position(|known| {
            Arc::ptr_eq(&known.rules, rules)
                && known.side == side
                && known.context == context
                && known.setup == setup
        });
        let known = match known {
            Some(known) => known,
            None if self.positions.len() < MAX_POSITIONS => {
                let odds = MoveOdds::new(game, &rules.book, context);
                self.positions.push(ExaminedPosition {
                    rules: Arc::clone(rules),
                    setup,
                    side,
                    context,
                    odds,
                });
                self.positions.len() - 1
            }
            None => return None,
        };
        Some(self.positions[known].odds.of(mv))
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Coord;

    use super::*;

    fn inserted(at: usize) -> Edit {
        let right = (Coord::new(0, 0), Coord::new(0, 1));
        Edit::Insert { at, right, captures: Box::default() }
    }

    #[test]
    fn plies_after_an_edit_are_shifted_and_an_inserted_move_counts_in_addition() {
        let removed = Edit::Remove { at: 2, n: 2, doubled: true };
        for (edits, expected) in [
            (vec![], vec![2, 5]),
            (vec![inserted(2)], vec![2, 3, 6]),
            (vec![inserted(4)], vec![2, 6]),
            (vec![removed], vec![2, 3]),
        ] {
            let plies = repaired_plies(&edits, &[2, 5]);
            let indexes: Vec<usize> = plies.iter().map(|ply| ply.index).collect();
            assert_eq!(indexes, expected, "{edits:?}");
            let n_following = plies.iter().filter(|ply| ply.follows_insertion).count();
            assert_eq!(n_following, usize::from(expected.len() == 3), "{edits:?}");
        }
    }
}
