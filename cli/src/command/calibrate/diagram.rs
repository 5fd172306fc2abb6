//! The reliability diagram: observed scores over expected scores, with intervals.

use std::fmt::Write as _;

use tafl_analyzer::{Calibration, HeldOutReliability};
use tafl_reports::Escaped;
use tafl_rules::Side;

/// The size and the margins of a diagram.
const SIZE: f64 = 240.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 54.0;
const WIDTH: f64 = LEFT + SIZE + 24.0;
const HEIGHT: f64 = TOP + SIZE + 66.0;

/// Returns all diagrams as one SVG: a row for each variant, a column for each side to move.
pub(super) fn svg(found: &Calibration) -> String {
    let mut out = String::new();
    let (width, height) = (WIDTH * 2.0, HEIGHT * found.held_out.len() as f64);
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"11\">\n<title>Reliability of expectations</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    for (row, (variant, held_out)) in found.held_out.iter().enumerate() {
        // The name is above both diagrams, because the longest names are wider than one.
        let name = Escaped(variant);
        let y = row as f64 * HEIGHT + 22.0;
        let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"{y:.1}\" font-size=\"14\">{name}</text>");
        for (column, side) in Side::ALL.into_iter().enumerate() {
            let diagram = ReliabilityDiagram { left: column as f64 * WIDTH, top: row as f64 * HEIGHT };
            let reliability = found.curves.of(Some(variant)).reliability(side);
            diagram.axes(&format!("{side} to move"), &mut out);
            diagram.points(&held_out[side], &mut out);
            let by_chance = reliability.ece_by_chance.map(|chance| format!(" (by chance {chance:.3})"));
            let by_chance = by_chance.unwrap_or_default();
            let below = [
                format!(
                    "Brier {:.3} (base {:.3}), {} games",
                    reliability.brier.value, reliability.brier_of_base, reliability.games
                ),
                format!("calibration error {:.3}{by_chance}", reliability.ece.value),
            ];
            diagram.texts_below(&below, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// A diagram at a place of the picture.
struct ReliabilityDiagram {
    left: f64,
    top: f64,
}

impl ReliabilityDiagram {
    /// Returns the horizontal place of an expected score.
    fn x(&self, score: f64) -> f64 {
        self.left + LEFT + score * SIZE
    }

    /// Returns the vertical place of an observed score.
    fn y(&self, score: f64) -> f64 {
        self.top + TOP + (1.0 - score) * SIZE
    }

    /// Draws the field with its title, its labels, and the diagonal of perfect expectations.
    fn axes(&self, title: &str, out: &mut String) {
        let (x, y) = (|score| self.x(score), |score| self.y(score));
        let title_y = self.top + 44.0;
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{title_y:.1}\" font-size=\"12\">{title}</text>", x(0.0));
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"#faf7f0\" stroke=\"#999999\"/>",
            x(0.0),
            y(1.0)
        );
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#999999\" stroke-dasharray=\"4 4\"/>",
            x(0.0),
            y(0.0),
            x(1.0),
            y(1.0)
        );
        for tick in [0.0, 0.5, 1.0] {
            let label = format!("{:.0} %", tick * 100.0);
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                x(tick),
                y(0.0) + 15.0
            );
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                x(0.0) - 5.0,
                y(tick) + 4.0
            );
        }
    }

    /// Draws the observed scores with their intervals. Points of more positions are larger.
    fn points(&self, quality: &HeldOutReliability, out: &mut String) {
        for bin in quality.bins.iter().filter(|bin| bin.positions > 0) {
            let radius = 2.5 + (bin.positions as f64).log10();
            let _ = writeln!(
                out,
                "<line x1=\"{0:.1}\" y1=\"{1:.1}\" x2=\"{0:.1}\" y2=\"{2:.1}\" stroke=\"#0f6b8f\" stroke-width=\"1.5\"/>",
                self.x(bin.expected),
                self.y(bin.result.low),
                self.y(bin.result.high)
            );
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"#0f6b8f\"><title>expected {:.3}, observed {:.3} ({:.3} to {:.3}), {} positions</title></circle>",
                self.x(bin.expected),
                self.y(bin.result.value),
                bin.expected,
                bin.result.value,
                bin.result.low,
                bin.result.high,
                bin.positions
            );
        }
    }

    fn texts_below(&self, lines: &[String], out: &mut String) {
        for (line, words) in lines.iter().enumerate() {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#555555\" font-size=\"11\">{words}</text>",
                self.x(0.0),
                self.y(0.0) + 34.0 + 15.0 * line as f64
            );
        }
    }
}
