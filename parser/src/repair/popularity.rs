//! The proportions of the most frequent variants in recorded games.

/// The proportions of the variants with at least 0.5 % of the games of aagenielsen.dk, counted in half of them (14,438).
const SHARES: [(&str, f64); 20] = [
    ("copenhagen11", 0.338),
    ("tablut9_wtf", 0.092),
    ("fetlar11", 0.055),
    ("brandubh7", 0.054),
    ("old-hnefatafl-11x11", 0.050),
    ("tawlbwrdd11", 0.049),
    ("berserk-hnefatafl-11x11", 0.037),
    ("historical-hnefatafl-7x7-irish-brandubh-2", 0.035),
    ("simple-tafl-11x11", 0.031),
    ("historical-hnefatafl-13x13", 0.014),
    ("sea-battle-tafl-13x13", 0.011),
    ("historical-hnefatafl-7x7-scottish-ard-ri-throneless", 0.009),
    ("sea-battle-t-9x9", 0.009),
    ("sea-battle-tafl-11x11", 0.008),
    ("tyr-11x11", 0.008),
    ("tawlbwrdd-lewis-cross-11x11", 0.007),
    ("sea-battle-9x9-imperial-contest", 0.007),
    ("sea-battle-2526-9x9", 0.007),
    ("brandubh-7x7-walker", 0.006),
    ("tawlbwrdd-t-diamond-11x11", 0.006),
];

/// Returns the proportion of a variant of the catalog in recorded games; 0 for a rare one.
pub(super) fn popularity(variant: &str) -> f64 {
    SHARES.iter().find(|(name, _)| *name == variant).map_or(0.0, |(_, share)| *share)
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn popular_variants_are_in_the_catalog() {
        for (name, _) in SHARES {
            assert_eq!(catalog::find(name).map(|variant| variant.name), Some(name));
        }
        assert!(SHARES.iter().map(|(_, share)| share).sum::<f64>() < 1.0);
    }
}
