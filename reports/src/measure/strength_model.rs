//! The strengths of the players of a selection, with an advantage of the attackers in each variant: one fit, from which all
//! reports on players take their figures.

use tafl_corpus::GameResult;

use super::adjusted::{OverallFit, adjusted};
use super::games::{GameFacts, Games};
use super::roster::{Roster, league};
use crate::stats::strength::{FitOptions, Strength, Strengths, fit};
use crate::stats::{Estimate, NotEstimable};

/// The strengths of all players, and the attackers' advantage in each variant.
pub(super) struct StrengthModel {
    found: Result<(Strengths, Roster), NotEstimable>,
    /// The group of each variant in the fit; `None` for variants without games that count.
    groups: Vec<Option<u32>>,
    /// The advantage if there is only one variant, without the bias by strengths that change.
    advantage: Option<Estimate>,
}

impl StrengthModel {
    pub(super) fn of(games: &Games) -> StrengthModel {
        let mut groups: Vec<Option<u32>> = vec![None; games.variants.len()];
        let mut n_groups = 0;
        // Only games that count for strengths make a group: those that finished and name two players.
        let counted =
            games.rows.iter().filter(|game| game.result != GameResult::Unfinished && game.pair().is_some());
        for game in counted {
            if let Some(group @ None) = groups.get_mut(game.variant as usize) {
                *group = Some(n_groups);
                n_groups += 1;
            }
        }
        // In the order of the names, so that sums over variants do not depend on the order of the games.
        let mut order: Vec<usize> = (0..groups.len()).filter(|variant| groups[*variant].is_some()).collect();
        order.sort_by_cached_key(|variant| {
            (games.variants[*variant].label(), games.variants[*variant].rules_id)
        });
        for (group, variant) in (0..).zip(order) {
            groups[variant] = Some(group);
        }
        if n_groups <= 1 {
            let (found, advantage) = match adjusted(&games.rows) {
                Ok(OverallFit { adjusted, strengths, roster, .. }) => {
                    (Ok((strengths, roster)), Some(adjusted.elo))
                }
                Err(missing) => (Err(missing), None),
            };
            return StrengthModel { found, groups, advantage };
        }
        let group = |at: usize| groups.get(games.rows[at].variant as usize).copied().flatten();
        let (league, roster) = league(&games.rows, n_groups as usize, group);
        let found = fit(&league, &FitOptions::default()).map(|found| (found, roster));
        StrengthModel { found, groups, advantage: None }
    }

    /// Returns the strength of a player.
    ///
    /// # Errors
    ///
    /// Returns why it is missing: the reason for all players, or that the player has no finished game against another one.
    pub(super) fn strength(&self, player: u32) -> Result<Strength, NotEstimable> {
        let (found, roster) = self.found.as_ref().map_err(|missing| *missing)?;
        roster.find(player).and_then(|at| found.players[at]).ok_or(NotEstimable::NoOpponents)
    }

    /// Returns the reason why no player has a strength.
    pub(super) fn missing(&self) -> Option<NotEstimable> {
        self.found.as_ref().err().copied()
    }

    /// Returns the number of variants with an advantage of their own.
    pub(super) fn n_variants(&self) -> usize {
        self.groups.iter().flatten().count()
    }

    /// Returns the advantage if there is only one variant, in Elo.
    pub(super) fn advantage(&self) -> Option<Estimate> {
        self.advantage
    }

    /// Returns the log odds that the strengths predict for a game, from the attackers' point of view, and the draw weight; side
    /// skills are left out.
    pub(super) fn log_odds(&self, game: &GameFacts) -> Option<(f64, f64)> {
        let (found, _) = self.found.as_ref().ok()?;
        let [attackers, defenders] = game.pair()?;
        let group = self.groups.get(game.variant as usize).copied().flatten()?;
        let advantage = found.advantages.get(group as usize).copied().flatten()?;
        let gap = self.strength(attackers).ok()?.value - self.strength(defenders).ok()?.value;
        Some((gap + advantage.value, found.draw_weight))
    }
}
