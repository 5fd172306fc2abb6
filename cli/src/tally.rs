//! The summary of a validation as text.

use std::fmt::Write as _;

use tafl_parser::{Code, Severity};
use tafl_reports::percent_text;
use tafl_rules::{Count, counted};
use taflbase::escape::escape;
use taflbase::records::{SoundnessCounts, ValidationSummary};

use crate::io::{ColorMode, TextPaint};
use crate::snippet::paint_of;

/// The minimum width of the names of variants, in columns.
const MIN_NAME: usize = 25;

/// Returns the summary.
pub(crate) fn to_text(summary: &ValidationSummary, style: ColorMode) -> String {
    let mut out = String::new();
    write_head(summary, style, &mut out);
    write_codes(summary, style, &mut out);
    write_variants(summary, style, &mut out);
    out
}

fn write_head(summary: &ValidationSummary, style: ColorMode, out: &mut String) {
    let SoundnessCounts { games, sound, with_warnings, with_errors, plies, .. } = summary.games;
    let head = format!(
        "{}, {}, {}",
        counted(games, "game", "games"),
        counted(plies, "ply played", "plies played"),
        counted(summary.files, "file", "files")
    );
    style.paint(TextPaint::Bold, &head, out);
    out.push('\n');
    if games == 0 {
        return;
    }
    let rows = [("sound", sound), ("with warnings", with_warnings), ("with errors", with_errors)];
    for (words, count) in rows {
        let percent = percent_text(count as f64 / games as f64, 1);
        let _ = writeln!(out, "  {words:<14} {:>10} {percent:>6} %", Count(count));
    }
}

fn write_codes(summary: &ValidationSummary, style: ColorMode, out: &mut String) {
    if summary.codes.is_empty() {
        return;
    }
    out.push('\n');
    style.paint(TextPaint::Bold, &format!("{:<40}{:>11}{:>11}", "code", "findings", "in games"), out);
    out.push('\n');
    for (text, count) in &summary.codes {
        let severity = Code::find(text).map_or(Severity::Note, Code::severity);
        out.push_str("  ");
        style.paint(paint_of(severity), text, out);
        let _ = writeln!(
            out,
            " {:<8}{:<25}{:>11}{:>11}",
            count.severity,
            count.name,
            Count(count.findings),
            Count(count.games)
        );
    }
}

fn write_variants(summary: &ValidationSummary, style: ColorMode, out: &mut String) {
    if summary.variants.is_empty() {
        return;
    }
    let mut rows: Vec<(&Box<str>, &SoundnessCounts)> = summary.variants.iter().collect();
    rows.sort_by_key(|(_, games)| std::cmp::Reverse(games.games));
    out.push('\n');
    // The column of names is as wide as the longest name.
    let widest = rows.iter().map(|(variant, _)| escape(variant).chars().count()).max();
    let width = widest.unwrap_or(0).max(MIN_NAME);
    let columns = ["games", "sound", "%", "warnings", "errors", "plies"];
    let [games, sound, percent, warnings, errors, plies] = columns;
    let head = format!(
        "{:<name$}{games:>9}{sound:>9}{percent:>7}{warnings:>9}{errors:>8}{plies:>11}",
        "variant",
        name = width + 2
    );
    style.paint(TextPaint::Bold, &head, out);
    out.push('\n');
    for (variant, games) in rows {
        let percent = percent_text(games.sound as f64 / games.games as f64, 1);
        let _ = writeln!(
            out,
            "  {:<width$}{:>9}{:>9}{percent:>7}{:>9}{:>8}{:>11}",
            escape(variant),
            Count(games.games),
            Count(games.sound),
            Count(games.with_warnings),
            Count(games.with_errors),
            Count(games.plies)
        );
    }
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;
    use taflbase::records::GameCheck;

    use super::*;

    #[test]
    fn an_empty_run_has_a_summary() {
        assert_eq!(
            to_text(&ValidationSummary::default(), ColorMode::Plain),
            "0 games, 0 plies played, 0 files\n"
        );
    }

    #[test]
    fn the_text_fits_80_columns() {
        let mut summary = ValidationSummary::default();
        let codes = ["H008", "L001"].map(|code| Code::find(code).unwrap()).to_vec();
        let game = GameCheck { variant: "tawlbwrdd11_bell".into(), plies: 10, moves: 12, codes };
        summary.add(Format::MoveList, &game);
        for line in to_text(&summary, ColorMode::Plain).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
