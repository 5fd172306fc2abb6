//! Numbers as people read them.

use tafl_rules::Count;

/// Returns a number with three digits or more: `0.123`, `4.56`, `78.9`, `1,234`, `5.67 M`.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "?".to_owned(),
        1e6.. => format!("{:.2} M", value / 1e6),
        1e3.. => grouped(value),
        size if value.fract() == 0.0 && size < 1e3 => format!("{value:.0}"),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        0.1.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn grouped(value: f64) -> String {
    format!("{}{}", if value < 0.0 { "-" } else { "" }, Count(value.abs().round() as u64))
}

/// Returns a number with its unit.
pub(crate) fn measure(value: f64, unit: &str) -> String {
    match unit {
        "" => number(value),
        // Counts and sums of bytes are read with all digits.
        "games" | "games of 100" if value >= 1e3 => format!("{} {unit}", grouped(value)),
        "bytes" => format!("{} MB", number(value / 1e6)),
        _ if value >= 1e6 && unit.ends_with("/s") => format!("{:.2} M {unit}", value / 1e6),
        _ => format!("{} {unit}", number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_or_more() {
        let numbers = [0.0123, 0.5, 3.25, 28.876, 150.0, 1234.4, 2_500_000.0].map(number);
        assert_eq!(numbers, ["0.012", "0.50", "3.25", "28.9", "150", "1,234", "2.50 M"]);
        assert_eq!(measure(5_310_000.0, "plies/s"), "5.31 M plies/s");
        assert_eq!(measure(28_876_000.0, "games"), "28,876,000 games");
        assert_eq!(measure(72_000_000.0, "bytes"), "72 MB");
    }
}
