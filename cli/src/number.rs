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
}
