//! The common distribution of the variants' advantages.

use std::collections::HashMap;

use super::features::{FeatureEffect, VariantFeatures};
use crate::stats::hierarchy::{MeasuredValue, partially_pool_by};
use crate::stats::strength::{Advantage, elo};
use crate::stats::{Estimate, NotEstimable};

/// The common distribution of the variants' advantages, in Elo.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonAdvantage {
    /// The mean advantage of the attackers over all variants.
    pub mean: Estimate,
    /// The standard deviation of the true advantages, around the means that the features of the rules predict.
    pub sd: f64,
    /// The interval for the advantage of a further variant with average features.
    pub range: Estimate,
    /// The advantage that the features of the rules predict, by rules string.
    pub expected: HashMap<String, f64>,
    /// The proportion of the differences between variants that is not due to chance.
    pub real: f64,
    /// The number of variants with an advantage.
    pub n: u64,
    /// The effects of rule features on the advantage; empty for few variants.
    pub effects: Vec<FeatureEffect>,
    /// The standard deviation of the part of the advantage that the variants of a family share; 0 without families.
    pub family_sd: f64,
    /// The number of families: variants with the same start position.
    pub families: u64,
}

/// Returns the common distribution of the advantages of variants, given with their rules strings, and each advantage in Elo,
/// partially pooled.
///
/// # Errors
///
/// Returns the reason if the distribution cannot be estimated.
pub(super) fn pool(variants: &[(Advantage, &str)]) -> Result<(CommonAdvantage, Vec<Estimate>), NotEstimable> {
    let measured: Vec<MeasuredValue> = variants.iter().map(|(advantage, _)| (*advantage).into()).collect();
    let rules: Vec<&str> = variants.iter().map(|(_, rules)| *rules).collect();
    let features = VariantFeatures::of(&rules);
    let found = partially_pool_by(&measured, &features.model)?;
    let common = CommonAdvantage {
        mean: found.mean.map(elo),
        sd: elo(found.sd),
        expected: rules
            .iter()
            .map(ToString::to_string)
            .zip(found.expected.iter().copied().map(elo))
            .collect(),
        range: found.range().map(elo),
        real: found.real,
        n: variants.len() as u64,
        effects: features.effects(&found),
        family_sd: elo(found.family_sd),
        families: features.n_families(),
    };
    Ok((common, found.partially_pooled.iter().map(|pooled| pooled.map(elo)).collect()))
}
