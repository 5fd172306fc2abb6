//! The keys of the sections of variants in a report that has other sections, too.

use std::collections::HashMap;

use crate::document::{UniqueKeys, section_form};
use crate::measure::VariantFindings;

/// The keys of the sections by the number of the variant.
pub(super) struct SectionKeys(HashMap<u32, String>);

impl SectionKeys {
    /// Returns keys for variants: their labels, with a number if another variant or one of the `others` has the same key.
    pub(super) fn of(variants: &[VariantFindings], others: &[&str]) -> SectionKeys {
        let mut keys = UniqueKeys::default();
        for key in others {
            keys.unique_by((*key).to_owned(), section_form);
        }
        let mut key = |variant: &VariantFindings| keys.unique_by(variant.variant.label(), section_form);
        SectionKeys(variants.iter().map(|variant| (variant.number, key(variant))).collect())
    }

    /// Returns the key of the section of a variant.
    pub(super) fn key(&self, variant: &VariantFindings) -> &str {
        self.0.get(&variant.number).map_or("", String::as_str)
    }
}
