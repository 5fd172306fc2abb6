//! Maps of variants: distances by rules and by behavior, as trees and in a plane, with the support of their groups.

mod behavior;
mod game_values;
mod rule_points;
#[cfg(test)]
mod tests;

use std::num::NonZeroU32;

use tafl_corpus::{CancelCheck, Corpus, Result};
use tafl_rules::RuleSet;

use super::games::Games;
use crate::stats::cluster::{Distances, TreeJoin, support, tree_order, upgma};
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::scaling::{PlanePositions, classical_scaling};

pub use behavior::{BehaviorTable, BehaviorValue};
pub use game_values::{BehaviorMetric, MetricScale};
pub use rule_points::RulePoints;

/// Options for a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapOptions {
    /// The maximum number of variants: those with the most games.
    pub max_variants: usize,
    /// The minimum number of games of a variant.
    pub min_games: u64,
    /// The number of repetitions for the support of groups.
    pub repetitions: NonZeroU32,
    /// The random seed of the repetitions.
    pub seed: u64,
}

impl Default for MapOptions {
    fn default() -> MapOptions {
        MapOptions {
            max_variants: 40,
            min_games: SMALL_SAMPLE,
            repetitions: NonZeroU32::new(200).expect("200 is not 0"),
            seed: 1,
        }
    }
}

/// A map of variants.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantMap {
    /// The variants as indices of [`Games::variants`], by number of games.
    pub variants: Vec<u32>,
    /// The number of games of each variant.
    pub games: Vec<u64>,
    /// The number of variants with fewer games, which are not on the map.
    pub omitted: u64,
    /// The behavior of each variant.
    pub behavior: BehaviorTable,
    /// The differences between the rules of each two variants.
    pub rules: RulePoints,
    /// The map by rules.
    pub by_rules: MapView,
    /// The map by behavior.
    pub by_behavior: MapView,
}

/// Distances with the tree and the plane that show them.
#[derive(Debug, Clone, PartialEq)]
pub struct MapView {
    /// The distances between the variants of the map.
    pub distances: Distances,
    /// The tree by average linkage.
    pub joins: Vec<TreeJoin>,
    /// The proportion of repetitions that have the group of each join.
    pub support: Vec<f64>,
    /// The variants in the order of the tree.
    pub order: Vec<usize>,
    /// The variants in the plane.
    pub plane: PlanePositions,
}

impl MapView {
    /// Creates the view of distances; `repeated` returns the distances of each repetition.
    fn of(distances: Distances, repeated: impl Iterator<Item = Distances>) -> MapView {
        let joins = upgma(&distances);
        let others: Vec<Vec<TreeJoin>> = repeated.map(|distances| upgma(&distances)).collect();
        MapView {
            support: support(&joins, &others),
            order: tree_order(distances.len(), &joins),
            plane: classical_scaling(&distances),
            joins,
            distances,
        }
    }

    /// Returns the group of each variant if the tree is cut into at most `max` groups; groups are numbered in the order
    /// of the tree.
    pub fn groups(&self, max: usize) -> Vec<usize> {
        let n = self.distances.len();
        let kept = &self.joins[..self.joins.len().saturating_sub(max.max(1) - 1)];
        let mut group_of = vec![usize::MAX; n];
        let mut next = 0;
        for variant in &self.order {
            if group_of[*variant] != usize::MAX {
                continue;
            }
            let largest = kept.iter().rev().find(|join| join.items.contains(variant));
            match largest {
                Some(join) => join.items.iter().for_each(|item| group_of[*item] = next),
                None => group_of[*variant] = next,
            }
            next += 1;
        }
        group_of
    }
}

/// Returns the map of the variants with the most games; `None` with fewer than two variants. Games that began from another
/// start are excluded.
///
/// # Errors
///
/// Returns the path of a missing or damaged file, or an error if the work was canceled.
pub fn variant_map(
    corpus: &Corpus,
    games: &Games,
    options: &MapOptions,
    cancel: CancelCheck<'_>,
) -> Result<Option<VariantMap>> {
    let mut counts: Vec<(u32, u64)> = (0..games.variants.len() as u32).map(|number| (number, 0)).collect();
    for game in games.rows.iter().filter(|game| !game.has_other_start()) {
        counts[game.variant as usize].1 += 1;
    }
    let parsed = |number: u32| games.variants[number as usize].rules.parse::<RuleSet>().ok();
    let all = counts.iter().filter(|(_, n)| *n > 0).count();
    let mut chosen: Vec<(u32, u64, RuleSet)> = counts
        .into_iter()
        .filter(|(_, n)| *n >= options.min_games.max(1))
        .filter_map(|(number, n)| Some((number, n, parsed(number)?)))
        .collect();
    chosen.sort_by_key(|(number, n, _)| (std::cmp::Reverse(*n), games.variants[*number as usize].label()));
    chosen.truncate(options.max_variants);
    if chosen.len() < 2 {
        return Ok(None);
    }
    let omitted = (all - chosen.len()) as u64;
    let variants: Vec<u32> = chosen.iter().map(|(number, _, _)| *number).collect();
    let values = game_values::game_values(corpus, games, &variants, cancel)?;
    let behavior = BehaviorTable::of(&values);
    let sets: Vec<RuleSet> = chosen.iter().map(|(_, _, rules)| rules.clone()).collect();
    let rules = RulePoints::of(&sets);
    cancel.check()?;
    let repeated_behavior = behavior.repeated(&values, options);
    let repeated_rules = rules.repeated(options);
    Ok(Some(VariantMap {
        by_rules: MapView::of(rules.distances(), repeated_rules),
        by_behavior: MapView::of(behavior.distances(), repeated_behavior),
        games: chosen.iter().map(|(_, n, _)| *n).collect(),
        variants,
        omitted,
        behavior,
        rules,
    }))
}
