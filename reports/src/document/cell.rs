//! Cells of tables: figures with their intervals, and their formatting.

/// A share of fewer games than this is not shown as a percentage.
pub use crate::stats::interval::FEW;

/// The format of the numbers in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// Text.
    Text,
    /// Integers with commas.
    Count,
    /// Shares from 0 to 1 as percentages.
    Percent,
    /// Numbers with this number of decimals.
    Number(u8),
    /// Signed numbers with this number of decimals.
    Signed(u8),
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// No value.
    #[default]
    Empty,
    /// The reason why there is no figure, in a few words.
    Missing(String),
    /// Text.
    Text(String),
    /// A count.
    Count(u64),
    /// A number.
    Number(f64),
    /// A number with its 95 % interval.
    Estimate {
        /// The number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// A share of a count, with its 95 % interval.
    Share {
        /// The number of hits.
        hits: u64,
        /// The total.
        n: u64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end.
        high: f64,
    },
}

impl Cell {
    /// Creates a text cell.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// Creates an estimate, or an empty cell if any part of it is not finite.
    pub fn estimate(value: f64, low: f64, high: f64) -> Cell {
        if [value, low, high].iter().all(|part| part.is_finite()) {
            Cell::Estimate { value, low, high }
        } else {
            Cell::Empty
        }
    }

    /// Creates a number, or an empty cell if it is not finite.
    pub fn number(value: f64) -> Cell {
        if value.is_finite() { Cell::Number(value) } else { Cell::Empty }
    }

    /// Returns the number in the cell.
    pub fn value(&self) -> Option<f64> {
        match self {
            Cell::Empty | Cell::Missing(_) | Cell::Text(_) => None,
            Cell::Count(count) => Some(*count as f64),
            Cell::Number(value) | Cell::Estimate { value, .. } => {
                Some(*value).filter(|value| value.is_finite())
            }
            Cell::Share { n: 0, .. } => None,
            Cell::Share { hits, n, .. } => Some(*hits as f64 / *n as f64),
        }
    }

    /// Returns the ends of the interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Cell::Estimate { low, high, .. } | Cell::Share { low, high, .. } => {
                Some((*low, *high)).filter(|(low, high)| low.is_finite() && high.is_finite())
            }
            Cell::Empty | Cell::Missing(_) | Cell::Text(_) | Cell::Count(_) | Cell::Number(_) => None,
        }
    }

    /// Returns whether this is a share of a small sample, which is not shown as a percentage.
    pub(crate) fn is_of_few(&self) -> bool {
        matches!(self, Cell::Share { n, .. } if *n < FEW)
    }

    /// Formats the cell for people.
    pub(crate) fn shown(&self, style: Style) -> String {
        match self {
            Cell::Empty => "\u{2013}".to_owned(),
            Cell::Missing(why) => why.clone(),
            Cell::Text(text) => text.clone(),
            Cell::Share { n: 0, .. } => "no games".to_owned(),
            Cell::Share { hits, n, .. } if self.is_of_few() => format!("{hits} of {n} (few)"),
            // A count is not a share, whatever else its column contains.
            Cell::Count(count) => crate::plot::axis::grouped(&count.to_string()),
            Cell::Number(_) | Cell::Estimate { .. } | Cell::Share { .. } => {
                let value = self.value().map_or_else(|| "\u{2013}".to_owned(), |value| number(value, style));
                let unit = if style == Style::Percent { " %" } else { "" };
                match self.interval() {
                    Some((low, high)) => {
                        let to = if low < 0.0 || high < 0.0 || matches!(style, Style::Signed(_)) {
                            " to "
                        } else {
                            "\u{2013}"
                        };
                        format!("{value}{unit} ({}{to}{})", number(low, style), number(high, style))
                    }
                    None => value + unit,
                }
            }
        }
    }
}

/// Returns the explanation of `(few)`.
pub(crate) fn few_note() -> String {
    format!("(few): fewer than {FEW} games, too few for a percentage.")
}

/// Formats a number in a style, without the unit.
fn number(value: f64, style: Style) -> String {
    let decimals = |decimals: u8| usize::from(decimals);
    let text = match style {
        // An integer column may contain a mean.
        Style::Text | Style::Count if value.fract() == 0.0 => format!("{value:.0}"),
        Style::Text | Style::Count => format!("{value:.1}"),
        Style::Percent => format!("{:.1}", value * 100.0),
        // A small probability must not be shown as zero.
        Style::Number(digits) if digits > 2 && value > 0.0 && value < 10_f64.powi(-i32::from(digits)) => {
            format!("< {:.*}", decimals(digits), 10_f64.powi(-i32::from(digits)))
        }
        Style::Number(digits) => format!("{value:.*}", decimals(digits)),
        Style::Signed(digits) => format!("{value:+.*}", decimals(digits)),
    };
    crate::plot::axis::grouped(&without_minus_zero(text)).replace('-', "\u{2212}")
}

/// Removes the sign of a number that rounds to zero.
fn without_minus_zero(text: String) -> String {
    match text.strip_prefix(['-', '+']) {
        Some(rest) if rest.chars().all(|sign| matches!(sign, '0' | '.')) => rest.to_owned(),
        Some(_) | None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_few_is_no_percentage() {
        let share = |hits, n| Cell::Share { hits, n, low: 0.4, high: 0.6 }.shown(Style::Percent);
        assert_eq!(share(4, 7), "4 of 7 (few)");
        assert_eq!(share(0, 0), "no games");
        assert_eq!(share(54, 100), "54.0 % (40.0–60.0)");
    }

    #[test]
    fn numbers_look_as_their_column_asks() {
        assert_eq!(Cell::Count(1_234_567).shown(Style::Count), "1,234,567");
        assert_eq!(Cell::Count(9).shown(Style::Percent), "9");
        assert_eq!(Cell::Number(-0.001).shown(Style::Signed(2)), "0.00");
        assert_eq!(Cell::estimate(-1.27, -1.5, 1.1).shown(Style::Signed(2)), "−1.27 (−1.50 to +1.10)");
        assert_eq!(Cell::estimate(f64::NAN, 0.0, 1.0), Cell::Empty);
        assert_eq!(Cell::Number(1e-9).shown(Style::Number(4)), "< 0.0001");
        assert_eq!(Cell::Number(f64::INFINITY).shown(Style::Number(1)), "–");
    }
}
