//! Proportions as percentages.

/// The maximum number of decimals of a percentage: those of one among a million.
const MAX_DECIMALS: usize = 4;

/// Formats a proportion as a percentage without its unit. Near 0 % and 100 % it has more decimals if it would be
/// rounded to them: a small proportion is not zero.
///
/// # Examples
///
/// ```
/// use tafl_reports::percent_text;
///
/// let texts = [0.0, 0.0004, 0.004, 0.541, 0.998, 1.0].map(|proportion| percent_text(proportion, 0));
/// assert_eq!(texts, ["0", "0.04", "0.4", "54", "99.8", "100"]);
/// ```
pub fn percent_text(proportion: f64, decimals: usize) -> String {
    let text = |decimals: usize| format!("{:.decimals$}", 100.0 * proportion);
    let is_rounded_to_an_end =
        |text: &String| text.parse::<f64>().is_ok_and(|shown| shown == 0.0 || shown == 100.0);
    let mut texts = (decimals..=MAX_DECIMALS.max(decimals)).map(text);
    texts.find(|text| !is_rounded_to_an_end(text)).unwrap_or_else(|| text(decimals))
}

#[cfg(test)]
mod tests {
    use super::percent_text;

    #[test]
    fn small_proportions_are_not_zero() {
        let text = |hits: f64, n: f64| percent_text(hits / n, 1);
        assert_eq!([text(1.0, 10_000.0), text(1.0, 1e6), text(9999.0, 1e4)], ["0.01", "0.0001", "99.99"]);
        assert_eq!(
            [text(0.0, 9.0), text(9.0, 9.0), text(1e-9, 1.0), text(1.0, 3.0)],
            ["0.0", "100.0", "0.0", "33.3"]
        );
    }
}
