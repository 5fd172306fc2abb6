//! Distances by rules: the number of points in which two rule sets differ.

use std::collections::BTreeMap;

use tafl_rules::{Rng, RuleSet, Symmetry, rules_differences, shape_symmetries};

use super::MapOptions;
use crate::stats::cluster::Distances;

/// The topic of the start, whose difference is a fraction.
const START: &str = "start";

/// The differences between the rules of each two variants.
#[derive(Debug, Clone, PartialEq)]
pub struct RulePoints {
    n: usize,
    /// The subjects of differences, such as `corner cells`.
    pub topics: Vec<String>,
    /// For each pair, with the smaller index first, the topics in which it differs, with the weight of the difference:
    /// 1, or for starts on the same board the proportion of cells that differ.
    pairs: Vec<Vec<(usize, f64)>>,
}

impl RulePoints {
    /// Compares each two rule sets; differences without effect on play do not count.
    pub fn of(rules: &[RuleSet]) -> RulePoints {
        let n = rules.len();
        let (mut topics, mut numbers) = (Vec::new(), BTreeMap::new());
        let mut pairs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
        for one in 0..n {
            for other in one + 1..n {
                let found = rules_differences(&rules[one], &rules[other]);
                let points = found.into_iter().filter(|difference| difference.matters).map(|difference| {
                    let weight = if difference.topic == START {
                        start_difference(&rules[one], &rules[other])
                    } else {
                        1.0
                    };
                    let number = *numbers.entry(difference.topic.clone()).or_insert_with(|| {
                        topics.push(difference.topic);
                        topics.len() - 1
                    });
                    (number, weight)
                });
                pairs.push(points.collect());
            }
        }
        RulePoints { n, topics, pairs }
    }

    /// Returns the topics in which two variants differ, with their weights.
    pub fn between(&self, one: usize, other: usize) -> &[(usize, f64)] {
        let (first, second) = (one.min(other), one.max(other));
        // The pairs of the earlier rows, and those of this row.
        let at = first * self.n - first * (first + 1) / 2 + second - first - 1;
        self.pairs.get(at).map_or(&[], Vec::as_slice)
    }

    /// Returns the distances: the sum of the weights.
    pub fn distances(&self) -> Distances {
        self.weighted(&vec![1.0; self.topics.len()])
    }

    fn weighted(&self, weights: &[f64]) -> Distances {
        Distances::new(self.n, |one, other| {
            self.between(one, other).iter().map(|(topic, weight)| weight * weights[*topic]).sum()
        })
    }

    /// Returns the distances of repetitions with topics drawn at random, as many as there are, with replacement.
    pub(super) fn repeated<'r>(&'r self, options: &MapOptions) -> impl Iterator<Item = Distances> + 'r {
        let mut rng = Rng::new(options.seed);
        (0..options.repetitions.get()).map(move |_| {
            let mut weights = vec![0.0; self.topics.len()];
            for _ in 0..weights.len() {
                let drawn = rng.below(weights.len());
                weights[drawn] += 1.0;
            }
            self.weighted(&weights)
        })
    }
}

/// Returns the proportion of the cells that are occupied in either start and differ; the least one over the symmetries of
/// the board. 1 for boards of different shapes.
fn start_difference(one: &RuleSet, other: &RuleSet) -> f64 {
    let shape = one.shape();
    if shape != other.shape() {
        return 1.0;
    }
    let turned = |symmetry: &Symmetry| {
        let (mut differ, mut occupied) = (0_u32, 0_u32);
        for cell in shape.cells() {
            let pieces = [one.start.piece(cell), other.start.piece(symmetry.image(cell))];
            if pieces != [None, None] {
                occupied += 1;
                differ += u32::from(pieces[0] != pieces[1]);
            }
        }
        f64::from(differ) / f64::from(occupied.max(1))
    };
    shape_symmetries(shape).iter().map(turned).fold(1.0, f64::min)
}
