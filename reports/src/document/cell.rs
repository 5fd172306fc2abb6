//! Cells of tables: figures with their intervals, and their formatting.

use tafl_rules::Count;

use crate::percent::percent_text;
use crate::stats::SMALL_SAMPLE;

/// The format of the numbers in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberFormat {
    /// Text.
    Text,
    /// Integers with commas.
    Count,
    /// Proportions from 0 to 1 as percentages.
    Percent,
    /// Proportions from 0 to 1 in percent with this number of decimals, without the unit, which is in the title of the column.
    PercentNumber(u8),
    /// Differences of proportions, from -1 to 1, in percentage points with a sign and this number of decimals.
    SignedPercent(u8),
    /// Numbers with this number of decimals.
    Number(u8),
    /// Signed numbers with this number of decimals.
    Signed(u8),
    /// Signed numbers in different units, such as ratios and Elo: two decimals if the number and its interval are
    /// within 20, and none otherwise. Numbers without an interval, such as standard deviations in Elo, are shown as integers without
    /// a sign.
    SignedMixed,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum TableCell {
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
    /// A number with its 95 % interval; each part can be infinite.
    Estimate {
        /// The number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// A proportion of a count, with its 95 % interval.
    Proportion {
        /// The number of hits.
        hits: u64,
        /// The total.
        n: u64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end.
        high: f64,
        /// Whether it is based on fewer than 30 games, too few for a percentage.
        is_small: bool,
    },
}

impl TableCell {
    /// Creates a text cell.
    pub fn text(text: impl Into<String>) -> TableCell {
        TableCell::Text(text.into())
    }

    /// Creates an estimate, or an empty cell if any part of it is not finite.
    pub fn estimate(value: f64, low: f64, high: f64) -> TableCell {
        if [value, low, high].iter().all(|part| part.is_finite()) {
            TableCell::Estimate { value, low, high }
        } else {
            TableCell::Empty
        }
    }

    /// Creates an estimate whose parts can be infinite, or an empty cell if any of them is not a number.
    pub fn unbounded_estimate(value: f64, low: f64, high: f64) -> TableCell {
        if [value, low, high].iter().any(|part| part.is_nan()) {
            TableCell::Empty
        } else {
            TableCell::Estimate { value, low, high }
        }
    }

    /// Creates a number, or an empty cell if it is not finite.
    pub fn number(value: f64) -> TableCell {
        // An empty sum is -0, which would be visible in JSON and CSV.
        if value.is_finite() { TableCell::Number(value + 0.0) } else { TableCell::Empty }
    }

    /// Returns the number in the cell.
    pub fn value(&self) -> Option<f64> {
        match self {
            TableCell::Empty | TableCell::Missing(_) | TableCell::Text(_) => None,
            TableCell::Count(count) => Some(*count as f64),
            TableCell::Number(value) | TableCell::Estimate { value, .. } => {
                Some(*value).filter(|value| value.is_finite())
            }
            TableCell::Proportion { n: 0, .. } => None,
            TableCell::Proportion { hits, n, .. } => Some(*hits as f64 / *n as f64),
        }
    }

    /// Returns both ends of the interval, without infinite ones.
    pub fn ends(&self) -> [Option<f64>; 2] {
        let finite = |end: f64| Some(end).filter(|end| end.is_finite());
        self.interval().map_or([None; 2], |(low, high)| [finite(low), finite(high)])
    }

    /// Returns the ends of the interval, which can be infinite.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            TableCell::Estimate { low, high, .. } | TableCell::Proportion { low, high, .. } => {
                Some((*low, *high))
            }
            TableCell::Empty
            | TableCell::Missing(_)
            | TableCell::Text(_)
            | TableCell::Count(_)
            | TableCell::Number(_) => None,
        }
    }

    /// Returns whether the number and its interval are between `-limit` and `limit`, as far as they are finite.
    fn is_within(&self, limit: f64) -> bool {
        self.value().into_iter().chain(self.ends().into_iter().flatten()).all(|number| number.abs() < limit)
    }

    /// Returns whether this is a proportion of a small sample, which is not shown as a percentage.
    pub(crate) fn is_small_sample(&self) -> bool {
        matches!(self, TableCell::Proportion { is_small: true, .. })
    }

    /// Formats the cell for people.
    pub(crate) fn shown(&self, format: NumberFormat) -> String {
        let format = match format {
            NumberFormat::SignedMixed if self.interval().is_none() => NumberFormat::Number(0),
            NumberFormat::SignedMixed => NumberFormat::Signed(if self.is_within(20.0) { 2 } else { 0 }),
            format => format,
        };
        match self {
            TableCell::Empty => "\u{2013}".to_owned(),
            TableCell::Missing(why) => why.clone(),
            TableCell::Text(text) => text.clone(),
            TableCell::Proportion { n: 0, .. } => "no games".to_owned(),
            TableCell::Proportion { hits, n, .. } if self.is_small_sample() => {
                format!("{} of {} (small sample)", Count(*hits), Count(*n))
            }
            // A count is not a proportion, whatever its column contains otherwise.
            TableCell::Count(count) => Count(*count).to_string(),
            TableCell::Number(_) | TableCell::Estimate { .. } | TableCell::Proportion { .. } => {
                let value = match self {
                    TableCell::Estimate { value, .. } => Some(*value),
                    _ => self.value(),
                };
                let value = value.map_or_else(|| "\u{2013}".to_owned(), |value| number(value, format));
                let unit = if format == NumberFormat::Percent { " %" } else { "" };
                let is_signed = matches!(format, NumberFormat::Signed(_) | NumberFormat::SignedPercent(_));
                match self.interval() {
                    Some((low, high)) => {
                        let to = if low < 0.0 || high < 0.0 || is_signed { " to " } else { "\u{2013}" };
                        format!("{value}{unit} ({}{to}{})", number(low, format), number(high, format))
                    }
                    None => value + unit,
                }
            }
        }
    }
}

/// Returns the explanation of `(small sample)`.
pub(crate) fn small_sample_note() -> String {
    format!("(small sample): fewer than {SMALL_SAMPLE} games, too few for a percentage.")
}

/// Formats a number without the unit.
fn number(value: f64, format: NumberFormat) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+\u{221e}" } else { "\u{2212}\u{221e}" }.to_owned();
    }
    let (value, format) = match format {
        NumberFormat::PercentNumber(digits) => (value * 100.0, NumberFormat::Number(digits)),
        NumberFormat::SignedPercent(digits) => (value * 100.0, NumberFormat::Signed(digits)),
        format => (value, format),
    };
    let decimals = |decimals: u8| usize::from(decimals);
    let text = match format {
        // An integer column may contain a mean.
        NumberFormat::Text | NumberFormat::Count if value.fract() == 0.0 => format!("{value:.0}"),
        NumberFormat::Text | NumberFormat::Count => format!("{value:.1}"),
        NumberFormat::Percent => percent_text(value, 1),
        // A small probability must not be shown as zero.
        NumberFormat::Number(digits)
            if digits > 2 && value > 0.0 && value < 10_f64.powi(-i32::from(digits)) =>
        {
            format!("< {:.*}", decimals(digits), 10_f64.powi(-i32::from(digits)))
        }
        NumberFormat::Number(digits) | NumberFormat::PercentNumber(digits) => {
            format!("{value:.*}", decimals(digits))
        }
        NumberFormat::Signed(digits) | NumberFormat::SignedPercent(digits) => {
            format!("{value:+.*}", decimals(digits))
        }
        NumberFormat::SignedMixed => format!("{value:+.2}"),
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
    fn a_small_sample_has_no_percentage() {
        let proportion = |hits, n| {
            let is_small = n < SMALL_SAMPLE;
            TableCell::Proportion { hits, n, low: 0.4, high: 0.6, is_small }.shown(NumberFormat::Percent)
        };
        assert_eq!(proportion(4, 7), "4 of 7 (small sample)");
        assert_eq!(proportion(0, 0), "no games");
        assert_eq!(proportion(54, 100), "54.0 % (40.0–60.0)");
        assert_eq!(proportion(3, 10_000), "0.03 % (40.0–60.0)");
    }

    #[test]
    fn numbers_have_the_format_of_their_column() {
        assert_eq!(TableCell::Count(1_234_567).shown(NumberFormat::Count), "1,234,567");
        assert_eq!(TableCell::Count(9).shown(NumberFormat::Percent), "9");
        assert_eq!(TableCell::Number(-0.001).shown(NumberFormat::Signed(2)), "0.00");
        assert_eq!(
            TableCell::estimate(-1.27, -1.5, 1.1).shown(NumberFormat::Signed(2)),
            "−1.27 (−1.50 to +1.10)"
        );
        let percent = TableCell::estimate(0.411, 0.3, 0.52);
        assert_eq!(percent.shown(NumberFormat::PercentNumber(1)), "41.1 (30.0–52.0)");
        let points = TableCell::estimate(0.035, 0.01, 0.06);
        assert_eq!(points.shown(NumberFormat::SignedPercent(1)), "+3.5 (+1.0 to +6.0)");
        let mixed = |cell: TableCell| cell.shown(NumberFormat::SignedMixed);
        assert_eq!(mixed(TableCell::estimate(1.38, 1.27, 1.49)), "+1.38 (+1.27 to +1.49)");
        assert_eq!(mixed(TableCell::estimate(-5.3, -29.1, 19.6)), "−5 (−29 to +20)");
        assert_eq!([11.6, 335.2].map(|sd| mixed(TableCell::Number(sd))), ["12", "335"]);
        assert_eq!(TableCell::estimate(f64::NAN, 0.0, 1.0), TableCell::Empty);
        let unbounded = TableCell::unbounded_estimate(f64::NEG_INFINITY, f64::NEG_INFINITY, -10.414);
        assert_eq!(mixed(unbounded.clone()), "\u{2212}\u{221e} (\u{2212}\u{221e} to \u{2212}10.41)");
        assert_eq!((unbounded.value(), unbounded.ends()), (None, [None, Some(-10.414)]));
        let nothing: f64 = std::iter::empty::<f64>().sum();
        assert!(TableCell::number(nothing).value().unwrap().is_sign_positive());
        assert_eq!(TableCell::Number(1e-9).shown(NumberFormat::Number(4)), "< 0.0001");
        assert_eq!(TableCell::Number(f64::INFINITY).shown(NumberFormat::Number(1)), "–");
    }
}
