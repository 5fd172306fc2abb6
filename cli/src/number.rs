//! Numbers as text.

use std::fmt;

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
    fn zero_is_never_negative() {
        let texts = [-0.4, 0.4, -0.6, 12.0, f64::NEG_INFINITY].map(|number| Signed(number).to_string());
        assert_eq!(texts, ["+0", "+0", "-1", "+12", "-inf"]);
        assert_eq!([-0.004, -0.04].map(|number| format!("{:.2}", Signed(number))), ["+0.00", "-0.04"]);
    }
}
