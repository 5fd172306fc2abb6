//! Numbers as text.

use std::fmt;

/// A count with a comma between groups of three digits: `28,876`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(pub(crate) u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut grouped = String::with_capacity(digits.len() * 4 / 3);
        for (nth, digit) in digits.chars().enumerate() {
            if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        f.pad_integral(true, "", &grouped)
    }
}

/// Returns `1 game`, `2,277 games`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", Count(count), if count == 1 { one } else { many })
}

/// A number with its sign, rounded to the precision of the format (by default, no decimals). What rounds to zero has a `+`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signed(pub(crate) f64);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:+.*}", f.precision().unwrap_or(0), self.0);
        let is_zero = text.starts_with('-')
            && !text.contains(|symbol: char| ('1'..='9').contains(&symbol) || symbol == 'i');
        f.write_str(&if is_zero { text.replacen('-', "+", 1) } else { text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_in_threes() {
        let texts = [0, 12, 999, 1000, 28_876, 1_234_567].map(|n| Count(n).to_string());
        assert_eq!(texts, ["0", "12", "999", "1,000", "28,876", "1,234,567"]);
        assert_eq!(format!("{:>8}", Count(1000)), "   1,000");
        assert_eq!(counted(1, "game", "games"), "1 game");
    }

    #[test]
    fn zero_is_never_negative() {
        let texts = [-0.4, 0.4, -0.6, 12.0, f64::NEG_INFINITY].map(|number| Signed(number).to_string());
        assert_eq!(texts, ["+0", "+0", "-1", "+12", "-inf"]);
        assert_eq!([-0.004, -0.04].map(|number| format!("{:.2}", Signed(number))), ["+0.00", "-0.04"]);
    }
}
