//! Axes: their units, ticks, and number formats.
//!
//! [`Scale`] is a plotters coordinate with its own limits, ticks, and formats. Those of the library end axes
//! at arbitrary values, and put logarithmic ticks only at powers of ten.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use tafl_rules::grouped_digits;

/// The unit of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Proportions from 0 to 1, shown as percentages.
    Percent,
    /// Any number.
    Number,
    /// Numbers with a sign, such as differences.
    Signed,
}

/// The spacing of the values of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScaleKind {
    /// Linear: equal steps for equal differences.
    Linear,
    /// Logarithmic: equal steps for equal ratios; values must be positive.
    Logarithmic,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Its label, with the unit: `games won (%)`.
    pub label: String,
    /// The format of its numbers.
    pub unit: Unit,
    /// The spacing of its values.
    pub scale_kind: ScaleKind,
    /// The minimum range; it is extended to include all values.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// Creates an axis of proportions from 0 to 1.
    pub fn percent(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            unit: Unit::Percent,
            scale_kind: ScaleKind::Linear,
            range: Some((0.0, 1.0)),
        }
    }

    /// Creates an axis of numbers from 0.
    pub fn from_zero(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            unit: Unit::Number,
            scale_kind: ScaleKind::Linear,
            range: Some((0.0, 0.0)),
        }
    }

    /// Creates an axis of signed numbers around 0.
    pub fn signed(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            unit: Unit::Signed,
            scale_kind: ScaleKind::Linear,
            range: Some((0.0, 0.0)),
        }
    }

    /// Creates an axis of ratios.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), unit: Unit::Number, scale_kind: ScaleKind::Logarithmic, range: None }
    }
}

/// An axis with its limits; maps values to fractions of its length.
#[derive(Debug, Clone)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    scale_kind: ScaleKind,
    unit: Unit,
    /// The edges of the last bin if it contains all greater values as well.
    open_end: Option<(f64, f64)>,
}

impl Scale {
    /// Creates the scale of an axis that includes all values and its minimum range, with round limits.
    pub(crate) fn of(axis: &Axis, values: impl Iterator<Item = f64>) -> Scale {
        let scale_kind = axis.scale_kind;
        let usable = |value: &f64| is_drawable(*value) && (scale_kind == ScaleKind::Linear || *value > 0.0);
        let range = axis.range.map_or([f64::NAN; 2], |(low, high)| [low, high]);
        let all = values.chain(range).filter(usable);
        let (low, high) = all
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let scale = Scale { low, high, scale_kind, unit: axis.unit, open_end: None };
        if low > high {
            return Scale { low: 1.0, high: 2.0, ..scale };
        }
        match scale_kind {
            ScaleKind::Linear => scale.rounded(),
            ScaleKind::Logarithmic => Scale { low: low / 1.15, high: high * 1.15, ..scale },
        }
    }

    /// Creates the scale of an axis that ends exactly at its last value, for fields that are to be filled.
    pub(crate) fn filled(axis: &Axis, values: impl Iterator<Item = f64> + Clone) -> Scale {
        let scale = Scale::of(axis, values.clone());
        let max = values.filter(|value| is_drawable(*value)).fold(f64::NEG_INFINITY, f64::max);
        match axis.scale_kind {
            ScaleKind::Linear if max > scale.low && max < scale.high => Scale { high: max, ..scale },
            ScaleKind::Linear | ScaleKind::Logarithmic => scale,
        }
    }

    /// Creates a scale of numbers between two limits.
    pub(crate) fn between(low: f64, high: f64) -> Scale {
        Scale { low, high, scale_kind: ScaleKind::Linear, unit: Unit::Number, open_end: None }
    }

    /// Returns the scale with one tick for the bin between two edges, which contains all greater values as well: `55+`.
    pub(crate) fn with_open_end(self, from: f64, to: f64) -> Scale {
        Scale { open_end: Some((from, to)), ..self }
    }

    /// Returns both limits.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Returns the scale extended to its outer ticks.
    fn rounded(self) -> Scale {
        let (mut low, mut high) = (self.low, self.high);
        if high - low < 1e-9 * high.abs().max(1.0) {
            (low, high) =
                (low - if low == 0.0 { 0.0 } else { 0.5 }, high + if high == 0.0 { 1.0 } else { 0.5 });
        }
        let step = step(high - low);
        Scale { low: (low / step + 1e-9).floor() * step, high: (high / step - 1e-9).ceil() * step, ..self }
    }

    /// Returns the position of a value: 0 at the lower limit, 1 at the upper limit. A value outside is
    /// clamped.
    pub(crate) fn part(&self, value: f64) -> f64 {
        let part = match self.scale_kind {
            ScaleKind::Linear => (value - self.low) / (self.high - self.low),
            ScaleKind::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
    }

    /// Returns the positions of the ticks.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let ticks = self.plain_ticks();
        let Some((from, to)) = self.open_end else { return ticks };
        // The distance from the tick of the open bin to the previous one is at least one and a half bins.
        let before = ticks.into_iter().filter(|tick| *tick <= from - (to - from));
        before.chain([(from + to) / 2.0]).collect()
    }

    fn plain_ticks(&self) -> Vec<f64> {
        match self.scale_kind {
            ScaleKind::Linear => {
                let step = step(self.high - self.low);
                let first = (self.low / step - 1e-6).ceil() as i64;
                let last = (self.high / step + 1e-6).floor() as i64;
                (first..=last.min(first + 40)).map(|tick| tick as f64 * step).collect()
            }
            ScaleKind::Logarithmic => {
                let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
                let wide = self.high / self.low > 200.0;
                let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
                let all =
                    (first..=last).flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
                all.filter(|tick| (self.low..=self.high).contains(tick)).collect()
            }
        }
    }

    /// Formats a tick.
    pub(crate) fn text(&self, tick: f64) -> String {
        match self.open_end {
            Some((from, _)) if tick > from => self.plain_text(from) + "+",
            Some(_) | None => self.plain_text(tick),
        }
    }

    fn plain_text(&self, tick: f64) -> String {
        let decimals = match self.scale_kind {
            ScaleKind::Linear => {
                let shown = if self.unit == Unit::Percent { 100.0 } else { 1.0 } * step(self.high - self.low);
                (-shown.log10().floor()).clamp(0.0, 6.0) as usize
            }
            ScaleKind::Logarithmic => (-tick.log10().floor()).clamp(0.0, 6.0) as usize,
        };
        // Avoid `-0`.
        let tick = if tick == 0.0 { 0.0 } else { tick };
        match self.unit {
            Unit::Percent => format!("{:.decimals$} %", tick * 100.0),
            Unit::Number => grouped(&format!("{tick:.decimals$}")),
            Unit::Signed if tick > 0.0 => format!("+{tick:.decimals$}"),
            Unit::Signed => format!("{tick:.decimals$}").replace('-', "\u{2212}"),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (f64::from(to - from) * self.part(*value)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.bold_points() == 0 || hint.max_num_points() == 0 { Vec::new() } else { self.ticks() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        self.text(*value)
    }
}

/// Returns whether a number can be placed on an axis: beyond this range no difference would be visible.
pub(crate) fn is_drawable(value: f64) -> bool {
    value.abs() <= 1e15
}

/// Returns the tick distance for about six ticks: 1, 2, or 5 times a power of ten.
fn step(length: f64) -> f64 {
    let rough = (length / 6.0).max(1e-9);
    let power = 10_f64.powf(rough.log10().floor());
    let digit = rough / power;
    power
        * if digit <= 1.0 {
            1.0
        } else if digit <= 2.0 {
            2.0
        } else if digit <= 5.0 {
            5.0
        } else {
            10.0
        }
}

/// Inserts commas between groups of three digits of a formatted number, which may have a sign and decimals.
pub(crate) fn grouped(number: &str) -> String {
    let (whole, decimals) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.trim_start_matches(['-', '+', '<', ' ']);
    let sign = &whole[..whole.len() - digits.len()];
    format!("{sign}{}{decimals}", grouped_digits(digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_round_and_ticks_between_them() {
        let scale = Scale::of(&Axis::percent("wins (%)"), [0.31, 0.77].into_iter());
        let ticks: Vec<String> = scale.ticks().into_iter().map(|tick| scale.text(tick)).collect();
        assert_eq!(ticks, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
        let scale = Scale::of(&Axis::signed("balance"), [-0.2, 1.4].into_iter());
        let ticks: Vec<String> = scale.ticks().into_iter().map(|tick| scale.text(tick)).collect();
        assert_eq!(ticks, ["−0.5", "0.0", "+0.5", "+1.0", "+1.5"]);
    }

    #[test]
    fn an_open_bin_has_no_upper_edge() {
        let edges = (0..=12).map(|edge| f64::from(edge) * 5.0);
        let scale = Scale::filled(&Axis::from_zero("plies"), edges).with_open_end(55.0, 60.0);
        let ticks: Vec<String> = scale.ticks().into_iter().map(|tick| scale.text(tick)).collect();
        assert_eq!(ticks, ["0", "10", "20", "30", "40", "50", "55+"]);
        assert_eq!(scale.ticks().last(), Some(&57.5));
    }

    #[test]
    fn values_without_a_place_are_moved_to_an_end() {
        let scale = Scale::of(&Axis::from_zero("plies"), [f64::NAN, f64::INFINITY].into_iter());
        assert_eq!(scale.part(f64::INFINITY), 1.0);
        assert_eq!(scale.part(f64::NAN), 0.0);
        let none = Scale::of(&Axis::logarithmic("nodes"), [0.0, -1.0].into_iter());
        assert!(none.ticks().iter().all(|tick| tick.is_finite()));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped("1234567"), "1,234,567");
        assert_eq!(grouped("-1234.50"), "-1,234.50");
        assert_eq!(grouped("+999"), "+999");
    }
}
