//! Maps of known variants.

use tafl_rules::catalog;

use super::*;
use crate::measure::tests::random_corpus;
use crate::measure::{GamesToLoad, load_games};

/// Returns the family that the name of a variant states: the first of the known families that it contains.
fn family(name: &str) -> Option<usize> {
    const FAMILIES: [&[&str]; 4] = [&["brandub"], &["sea-battle", "seabattle"], &["tawlbwrdd"], &["tablut"]];
    FAMILIES.iter().position(|words| words.iter().any(|word| name.contains(word)))
}

/// Returns the families of variants, and the proportion of pairs of two families that are farther apart than a pair of the
/// same family with one of both variants (the area under the curve), and of variants whose nearest one is of the family.
fn recovered(distances: &Distances, families: &[usize]) -> (f64, f64) {
    let n = families.len();
    let (mut right, mut all, mut nearest) = (0.0, 0.0, 0);
    for one in 0..n {
        let order = distances.nearest(one);
        nearest += usize::from(order.first().is_some_and(|other| families[*other] == families[one]));
        for kin in order.iter().filter(|other| families[**other] == families[one]) {
            for other in order.iter().filter(|other| families[**other] != families[one]) {
                let (near, far) = (distances.between(one, *kin), distances.between(one, *other));
                all += 1.0;
                right += if near < far { 1.0 } else { f64::from(u8::from(near == far)) / 2.0 };
            }
        }
    }
    (right / all, nearest as f64 / n as f64)
}

#[test]
fn families_are_recovered_by_their_rules() {
    let known: Vec<(usize, RuleSet)> =
        catalog::all().filter_map(|named| Some((family(named.name)?, named.rules()))).collect();
    let families: Vec<usize> = known.iter().map(|(family, _)| *family).collect();
    let rules: Vec<RuleSet> = known.into_iter().map(|(_, rules)| rules).collect();
    assert!((0..4).all(|family| families.iter().filter(|other| **other == family).count() >= 5));
    let points = RulePoints::of(&rules);
    let (above, nearest) = recovered(&points.distances(), &families);
    // Measured: 0.933, and every variant has its nearest one in its family.
    assert!(above > 0.9 && nearest > 0.97, "{above} {nearest}");
    // The measure does not find families that are none.
    let mut mixed = families.clone();
    (0..mixed.len()).for_each(|at| mixed.swap(at, (at * 37 + 11) % families.len()));
    let (above, nearest) = recovered(&points.distances(), &mixed);
    assert!((0.4..0.6).contains(&above) && nearest < 0.6, "{above} {nearest}");
    // Equal rules have no distance, and the distance is that of the differences in words.
    let twice = RulePoints::of(&[rules[0].clone(), rules[0].clone(), rules[1].clone()]);
    assert_eq!(twice.distances().between(0, 1), 0.0);
    assert_eq!(twice.between(0, 2), twice.between(2, 1));
}

#[test]
fn a_corpus_has_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 200);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let options = MapOptions { repetitions: 20.try_into().unwrap(), ..MapOptions::default() };
    let map = variant_map(&corpus, &games, &options, CancelCheck::NEVER).unwrap().unwrap();
    assert_eq!((map.variants.len(), map.omitted), (2, 0));
    assert_eq!(map.games.iter().sum::<u64>(), games.rows.len() as u64);
    let brandubh = map.variants.iter().position(|at| *at == games.variant("brandubh7").unwrap()).unwrap();
    let own: Vec<_> = games.rows.iter().filter(|game| game.variant == map.variants[brandubh]).collect();
    let mean = own.iter().map(|game| f64::from(game.plies).ln()).sum::<f64>() / own.len() as f64;
    let (length, n) = map.behavior.value(brandubh, BehaviorMetric::Length).unwrap();
    assert!((length.value - mean.exp()).abs() < 1e-9 && n == own.len() as u64);
    for metric in BehaviorMetric::ALL {
        let found = map.behavior.value(brandubh, metric);
        assert_eq!(
            found.is_none(),
            matches!(metric, BehaviorMetric::Drama | BehaviorMetric::LeadChanges | BehaviorMetric::Decided)
        );
        assert!(found.is_none_or(|(estimate, _)| estimate.is_sound()), "{metric:?} {found:?}");
    }
    assert_eq!(map.by_rules.support, [1.0]);
    assert!(map.by_behavior.distances.between(0, 1) > 0.0);
    assert_eq!(map.by_behavior.groups(1), [0, 0]);
    assert_eq!(map.by_behavior.groups(2).iter().sum::<usize>(), 1);
    let none = MapOptions { min_games: 1000, ..options };
    assert_eq!(variant_map(&corpus, &games, &none, CancelCheck::NEVER).unwrap(), None);
}
