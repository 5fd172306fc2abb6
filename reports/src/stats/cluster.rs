//! Trees of items from their distances: average linkage (UPGMA), and the support of its groups.

/// The distances between items: a symmetric matrix with zeros on its diagonal.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    n: usize,
    values: Vec<f64>,
}

impl Distances {
    /// Creates the distances of `n` items; `between` is called once for each pair, with the smaller index first.
    /// Values that are not finite or negative count as 0.
    pub fn new(n: usize, mut between: impl FnMut(usize, usize) -> f64) -> Distances {
        let mut values = vec![0.0; n * n];
        for one in 0..n {
            for other in one + 1..n {
                let distance = between(one, other);
                let distance = if distance.is_finite() { distance.max(0.0) } else { 0.0 };
                values[one * n + other] = distance;
                values[other * n + one] = distance;
            }
        }
        Distances { n, values }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns the distance between two items.
    ///
    /// # Panics
    ///
    /// Panics if there is no such item.
    pub fn between(&self, one: usize, other: usize) -> f64 {
        self.values[one * self.n + other]
    }

    /// Returns the other items, the nearest first; equal distances are in the order of the items.
    pub fn nearest(&self, item: usize) -> Vec<usize> {
        let mut others: Vec<usize> = (0..self.n).filter(|other| *other != item).collect();
        others.sort_by(|one, two| self.between(item, *one).total_cmp(&self.between(item, *two)));
        others
    }
}

/// A group of a tree, made of two smaller ones.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeJoin {
    /// The parts: an item below `n`, or `n` plus the index of an earlier join.
    pub parts: [usize; 2],
    /// The mean distance between the items of the parts.
    pub height: f64,
    /// The items of the group, rising.
    pub items: Vec<usize>,
}

/// Returns the tree by average linkage: the `n - 1` joins, the lowest one first. Among equal distances, the parts with the
/// smallest items are joined.
pub fn upgma(distances: &Distances) -> Vec<TreeJoin> {
    let n = distances.len();
    // The groups that are left: their number in the tree, their items, and the mean distances to the other groups.
    let mut groups: Vec<(usize, Vec<usize>)> = (0..n).map(|item| (item, vec![item])).collect();
    let mut mean: Vec<Vec<f64>> =
        (0..n).map(|one| (0..n).map(|other| distances.between(one, other)).collect()).collect();
    let mut joins = Vec::with_capacity(n.saturating_sub(1));
    while groups.len() > 1 {
        let (best, [one, other]) = nearest_pair(&mean);
        let (second, more) = groups.remove(other);
        let (first, items) = &mut groups[one];
        let [weight, added] = [items.len() as f64, more.len() as f64];
        let parts = [*first, second];
        items.extend(more);
        items.sort_unstable();
        *first = n + joins.len();
        joins.push(TreeJoin { parts, height: best, items: items.clone() });
        let column = mean.remove(other);
        for (at, row) in mean.iter_mut().enumerate() {
            let away = row.remove(other);
            if at != one {
                row[one] = (row[one] * weight + away * added) / (weight + added);
            }
        }
        // The row of the joined group.
        for at in 0..mean.len() {
            let from_other = column[if at < other { at } else { at + 1 }];
            mean[one][at] = if at == one {
                0.0
            } else {
                (mean[one][at] * weight + from_other * added) / (weight + added)
            };
        }
    }
    joins
}

/// Returns the least mean distance of two groups, and the groups.
fn nearest_pair(mean: &[Vec<f64>]) -> (f64, [usize; 2]) {
    let mut best = (f64::INFINITY, [0, 1]);
    for (one, row) in mean.iter().enumerate() {
        for (other, distance) in row.iter().enumerate().skip(one + 1) {
            if *distance < best.0 {
                best = (*distance, [one, other]);
            }
        }
    }
    best
}

/// Returns the items in the order of a tree, so that no branches cross.
pub fn tree_order(n: usize, joins: &[TreeJoin]) -> Vec<usize> {
    let mut order = Vec::with_capacity(n);
    let mut open: Vec<usize> = match joins.len() {
        0 => (0..n).rev().collect(),
        joined => vec![n + joined - 1],
    };
    while let Some(node) = open.pop() {
        match node.checked_sub(n).and_then(|join| joins.get(join)) {
            None => order.push(node),
            Some(join) => open.extend([join.parts[1], join.parts[0]]),
        }
    }
    order
}

/// Returns, for each join of a tree, the proportion of other trees that have a group of the same items.
pub fn support(joins: &[TreeJoin], others: &[Vec<TreeJoin>]) -> Vec<f64> {
    let has = |join: &TreeJoin, other: &[TreeJoin]| other.iter().any(|one| one.items == join.items);
    let count = |join: &TreeJoin| others.iter().filter(|other| has(join, other)).count();
    joins.iter().map(|join| count(join) as f64 / others.len().max(1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    /// The distances of six items, the same as in reports/tests/reference/cluster.py.
    fn six() -> Distances {
        let values = [2.0, 6.0, 10.0, 9.5, 7.0, 5.0, 9.0, 8.0, 6.5, 4.0, 5.0, 3.5, 3.0, 8.5, 9.25];
        let mut values = values.into_iter();
        Distances::new(6, |_, _| values.next().unwrap())
    }

    #[test]
    fn joins_match_other_programs() {
        // By linkage(..., "average") of scipy, see reports/tests/reference/cluster.py.
        let joins = upgma(&six());
        let heights: Vec<f64> = joins.iter().map(|join| join.height).collect();
        let known: [(f64, &[usize]); 5] = [
            (2.0, &[0, 1]),
            (3.0, &[3, 4]),
            (3.5, &[2, 5]),
            (6.125, &[0, 1, 2, 5]),
            (7.90625, &[0, 1, 2, 3, 4, 5]),
        ];
        assert!(heights.iter().zip(known).all(|(height, (known, _))| (height - known).abs() < 1e-12));
        let items: Vec<&[usize]> = joins.iter().map(|join| join.items.as_slice()).collect();
        assert_eq!(items, known.map(|(_, items)| items));
        let mut order = tree_order(6, &joins);
        assert_eq!(order.len(), 6);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }

    /// Joins the pair of groups with the least mean distance, computed from all pairs of items each time.
    fn slow(distances: &Distances) -> Vec<(Vec<usize>, f64)> {
        let mut groups: Vec<Vec<usize>> = (0..distances.len()).map(|item| vec![item]).collect();
        let mut joins = Vec::new();
        while groups.len() > 1 {
            let mean = |one: &[usize], other: &[usize]| {
                let sum: f64 =
                    one.iter().flat_map(|a| other.iter().map(move |b| distances.between(*a, *b))).sum();
                sum / (one.len() * other.len()) as f64
            };
            let pairs =
                (0..groups.len()).flat_map(|one| (one + 1..groups.len()).map(move |other| (one, other)));
            let (one, other) = pairs
                .min_by(|a, b| mean(&groups[a.0], &groups[a.1]).total_cmp(&mean(&groups[b.0], &groups[b.1])))
                .unwrap();
            let height = mean(&groups[one], &groups[other]);
            let more = groups.remove(other);
            groups[one].extend(more);
            groups[one].sort_unstable();
            joins.push((groups[one].clone(), height));
        }
        joins
    }

    #[test]
    fn random_trees_are_those_of_the_definition() {
        let mut rng = Rng::new(7);
        for n in 2..25 {
            let distances = Distances::new(n, |_, _| rng.unit() * 10.0);
            let (fast, slow) = (upgma(&distances), slow(&distances));
            assert_eq!(fast.len(), n - 1);
            for (join, (items, height)) in fast.iter().zip(&slow) {
                assert_eq!(&join.items, items);
                assert!((join.height - height).abs() < 1e-9, "{join:?} {height}");
            }
        }
    }

    #[test]
    fn support_counts_equal_groups() {
        let joins = upgma(&six());
        let other = Distances::new(6, |one, other| (one as f64 - other as f64).abs());
        let found = support(&joins, &[upgma(&six()), upgma(&other)]);
        assert_eq!((found[0], *found.last().unwrap()), (1.0, 1.0));
        assert!(found.iter().all(|part| *part >= 0.5));
        assert!(upgma(&Distances::new(1, |_, _| 0.0)).is_empty());
        assert_eq!(tree_order(0, &[]), [0; 0]);
        assert_eq!(tree_order(1, &[]), [0]);
        assert_eq!(six().nearest(0), [1, 2, 5, 4, 3]);
    }
}
