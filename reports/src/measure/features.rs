//! Features of rules as covariates of the advantage, and families of variants.

use std::collections::HashMap;

use tafl_rules::{Arming, CaptureMode, Goal, RuleSet, Side, ZoneKind};

use crate::stats::Estimate;
use crate::stats::hierarchy::{PooledEstimates, PoolingModel};
use crate::stats::interval::Z95;
use crate::stats::multiple::benjamini_hochberg;
use crate::stats::normal::two_sided;
use crate::stats::strength::elo;

/// A feature of rules.
struct RuleFeature {
    /// The key for programs.
    key: &'static str,
    /// The difference whose effect is estimated.
    about: &'static str,
    value: fn(&RuleSet) -> f64,
}

/// The features, most important first: with few variants, only the first ones are used.
const FEATURES: [RuleFeature; 6] = [
    RuleFeature {
        key: "edge",
        about: "the king escapes to the edge, instead of corners or other cells",
        value: |rules| flag(rules.goals[Side::Defenders] == Goal::Edge),
    },
    RuleFeature { key: "board", about: "twice as many cells", value: |rules| log2(rules.shape().n_cells()) },
    RuleFeature {
        key: "armed_king",
        about: "the king takes part in captures",
        value: |rules| flag(rules.king_arming != Arming::Unarmed),
    },
    RuleFeature {
        key: "weak_king",
        about: "two attackers capture the king away from the throne",
        value: |rules| flag(rules.king_capture.elsewhere == CaptureMode::Custodian),
    },
    RuleFeature {
        key: "throne",
        about: "the board has a throne",
        value: |rules| flag(!rules.zones[ZoneKind::Throne].is_empty()),
    },
    RuleFeature {
        key: "attackers",
        about: "a tenth more attackers per defender",
        value: |rules| {
            let count = |side| rules.start.pieces().filter(|(_, piece)| piece.side == side).count();
            (log2(count(Side::Attackers)) - log2(count(Side::Defenders))) / 1.1f64.log2()
        },
    },
];

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn log2(n: usize) -> f64 {
    (n.max(1) as f64).log2()
}

/// The effect of a feature on the attackers' advantage, over variants that differ in it.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureEffect {
    /// The key of the feature for programs.
    pub key: String,
    /// The difference between variants.
    pub about: String,
    /// The change of the attackers' advantage in Elo.
    pub elo: Estimate,
    /// The two-sided p-value.
    pub p: f64,
    /// The same, adjusted for the false discovery rate over the features (Benjamini and Hochberg).
    pub p_fdr: f64,
}

/// The features of variants, ready for pooling.
pub(crate) struct VariantFeatures {
    /// The model.
    pub(crate) model: PoolingModel,
    used: Vec<&'static RuleFeature>,
}

/// The minimum number of variants per covariate.
const VARIANTS_PER_FEATURE: usize = 6;

/// The minimum number of variants with and without a feature.
const MIN_WITH: usize = 3;

impl VariantFeatures {
    /// Returns the features of variants, given by their rules strings. Without readable rules, there are none.
    pub(crate) fn of(rules: &[&str]) -> VariantFeatures {
        let rules: Option<Vec<RuleSet>> = rules.iter().map(|text| text.parse().ok()).collect();
        let none = VariantFeatures { model: PoolingModel::default(), used: Vec::new() };
        let Some(rules) = rules else { return none };
        let mut starts = HashMap::new();
        let families = rules
            .iter()
            .map(|rules| {
                let next = starts.len();
                *starts.entry((rules.shape(), rules.start.to_string())).or_insert(next)
            })
            .collect();
        let (mut used, mut covariates): (_, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for feature in &FEATURES {
            if (used.len() + 1) * VARIANTS_PER_FEATURE > rules.len() {
                break;
            }
            let column = centered(rules.iter().map(feature.value).collect());
            if column.iter().filter(|number| **number > 1e-9).count() >= MIN_WITH
                && column.iter().filter(|number| **number < -1e-9).count() >= MIN_WITH
                && is_independent(&column, &covariates)
            {
                used.push(feature);
                covariates.push(column);
            }
        }
        VariantFeatures { model: PoolingModel { covariates, families }, used }
    }

    /// Returns the number of families.
    pub(crate) fn n_families(&self) -> u64 {
        self.model.families.iter().max().map_or(0, |max| *max as u64 + 1)
    }

    /// Returns the effects of the features.
    pub(crate) fn effects(&self, found: &PooledEstimates) -> Vec<FeatureEffect> {
        let p = |effect: &Estimate| two_sided(effect.value / (effect.width() / (2.0 * Z95)));
        let values: Vec<f64> = found.effects.iter().map(p).collect();
        let adjusted = benjamini_hochberg(&values);
        let effects = self.used.iter().zip(&found.effects).zip(values.iter().zip(&adjusted));
        effects
            .map(|((feature, effect), (p, p_fdr))| FeatureEffect {
                key: feature.key.to_owned(),
                about: feature.about.to_owned(),
                elo: effect.map(elo),
                p: *p,
                p_fdr: *p_fdr,
            })
            .collect()
    }
}

fn centered(mut column: Vec<f64>) -> Vec<f64> {
    let mean = column.iter().sum::<f64>() / column.len().max(1) as f64;
    column.iter_mut().for_each(|number| *number -= mean);
    column
}

/// Returns whether at least a tenth of the variance of a centered column is not explained by others.
fn is_independent(column: &[f64], others: &[Vec<f64>]) -> bool {
    let dot = |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(one, two)| one * two).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut rest = Vec::new();
    for next in others.iter().map(Vec::as_slice).chain([column]) {
        rest = next.to_vec();
        for known in &basis {
            let factor = dot(&rest, known) / dot(known, known);
            rest.iter_mut().zip(known).for_each(|(number, known)| *number -= factor * known);
        }
        basis.push(rest.clone());
    }
    let all = dot(column, column);
    all > 0.0 && dot(&rest, &rest) > 0.1 * all
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn known_variants_have_their_features() {
        let value = |key: &str, name: &str| {
            let feature = FEATURES.iter().find(|feature| feature.key == key).unwrap();
            (feature.value)(&catalog::find(name).unwrap().rules())
        };
        assert_eq!((value("edge", "copenhagen11"), value("edge", "tablut9_wtf")), (0.0, 1.0));
        assert_eq!(value("board", "copenhagen11"), 121f64.log2());
        // 24 attackers against 13 defenders.
        assert!((value("attackers", "copenhagen11") - (24.0f64 / 13.0).ln() / 1.1f64.ln()).abs() < 1e-9);
        assert_eq!((value("armed_king", "brandubh7"), value("throne", "brandubh7")), (1.0, 1.0));
    }

    #[test]
    fn the_catalog_has_several_features_and_families() {
        let rules: Vec<String> = catalog::all().map(|variant| variant.rules().to_string()).collect();
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        let all = VariantFeatures::of(&rules);
        assert!(all.used.len() >= 4, "{}", all.used.len());
        assert!(all.n_families() > 10 && (all.n_families() as usize) < rules.len());
        assert!(all.model.covariates.iter().all(|column| column.iter().sum::<f64>().abs() < 1e-9));
        // Few variants have no covariates, and neither have unreadable rules.
        assert!(VariantFeatures::of(&rules[..5]).used.is_empty());
        assert!(VariantFeatures::of(&["no rules"; 90]).used.is_empty());
        assert!(VariantFeatures::of(&[rules[0]; 90]).used.is_empty());
    }

    #[test]
    fn dependent_columns_are_left_out() {
        let one = vec![1.0, -1.0, 1.0, -1.0];
        assert!(is_independent(&[1.0, 1.0, -1.0, -1.0], std::slice::from_ref(&one)));
        assert!(!is_independent(&[2.0, -2.0, 2.0, -2.0], std::slice::from_ref(&one)));
        assert!(!is_independent(&[0.0; 4], &[]));
    }
}
