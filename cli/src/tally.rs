//! What was read and found, counted: games, plies, findings by code, games by variant.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use tafl_parser::{Code, Format, Severity};

use crate::io::{Paint, Style};
use crate::number::{Count, counted};
use crate::snippet::paint_of;
use taflbase::escape::escape;

/// How wide the names of variants are shown at least, in columns.
const LEAST_NAME: usize = 25;

/// What is known about one game when it has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameTally {
    /// The name of the variant, or of what stands for it.
    pub(crate) variant: Box<str>,
    /// How many plies were played.
    pub(crate) plies: u64,
    /// How many moves the game itself has in the record.
    pub(crate) moves: u64,
    /// The code of every finding.
    pub(crate) codes: Vec<Code>,
}

impl GameTally {
    /// Returns how bad the worst finding is, if there is one.
    pub(crate) fn worst(&self) -> Option<Severity> {
        self.codes.iter().map(|code| code.severity()).max()
    }
}

/// Counts of games by how sound they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Games {
    /// All.
    pub(crate) games: u64,
    /// Without errors and warnings.
    pub(crate) sound: u64,
    /// With warnings, but no errors.
    pub(crate) with_warnings: u64,
    /// With errors.
    pub(crate) with_errors: u64,
    /// Plies that were played.
    pub(crate) plies: u64,
    /// Moves that are written.
    pub(crate) moves: u64,
}

/// Counts of findings of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct CodeCount {
    name: &'static str,
    severity: &'static str,
    findings: u64,
    games: u64,
}

/// Counts of findings by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Severities {
    errors: u64,
    warnings: u64,
    notes: u64,
}

/// The counts of a whole run. The fields in this order are the JSON object; their names are an interface.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Tally {
    /// Files that were read.
    pub(crate) files: u64,
    /// Files of folders that were passed over, because they hold no records.
    pub(crate) skipped: u64,
    /// Inputs that could not be read, to the end or at all.
    pub(crate) unreadable: u64,
    #[serde(flatten)]
    games: Games,
    findings: Severities,
    codes: BTreeMap<&'static str, CodeCount>,
    variants: BTreeMap<Box<str>, Games>,
    formats: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Returns the counts of games.
    pub(crate) fn games(&self) -> &Games {
        &self.games
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, format: Format, game: &GameTally) {
        self.games.add(game);
        match self.variants.get_mut(&game.variant) {
            Some(games) => games.add(game),
            None => self.variants.entry(game.variant.clone()).or_default().add(game),
        }
        *self.formats.entry(format.name()).or_default() += 1;
        for (nth, code) in game.codes.iter().enumerate() {
            let count = self.add_finding(*code);
            count.games += u64::from(!game.codes[..nth].contains(code));
        }
    }

    /// Counts a finding about a file as a whole.
    pub(crate) fn add_file_finding(&mut self, code: Code) {
        self.add_finding(code);
    }

    fn add_finding(&mut self, code: Code) -> &mut CodeCount {
        match code.severity() {
            Severity::Error => self.findings.errors += 1,
            Severity::Warning => self.findings.warnings += 1,
            Severity::Note => self.findings.notes += 1,
        }
        let new = CodeCount { name: code.name(), severity: code.severity().word(), findings: 0, games: 0 };
        let count = self.codes.entry(code.text()).or_insert(new);
        count.findings += 1;
        count
    }

    /// Returns whether there is a finding at least as bad as this.
    pub(crate) fn has(&self, least: Severity) -> bool {
        let Severities { errors, warnings, notes } = self.findings;
        match least {
            Severity::Error => errors > 0,
            Severity::Warning => errors + warnings > 0,
            Severity::Note => errors + warnings + notes > 0,
        }
    }

    /// Returns the summary as a JSON object with `"type":"summary"`.
    pub(crate) fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Summary<'a> {
            r#type: &'static str,
            #[serde(flatten)]
            tally: &'a Tally,
        }
        serde_json::to_string(&Summary { r#type: "summary", tally: self })
            .expect("a summary has only strings and numbers")
    }

    /// Returns the summary for people.
    pub(crate) fn to_text(&self, style: Style) -> String {
        let mut out = String::new();
        self.write_head(style, &mut out);
        self.write_codes(style, &mut out);
        self.write_variants(style, &mut out);
        out
    }

    fn write_head(&self, style: Style, out: &mut String) {
        let Games { games, sound, with_warnings, with_errors, plies, .. } = self.games;
        let head = format!(
            "{}, {}, {}",
            counted(games, "game", "games"),
            counted(plies, "ply played", "plies played"),
            counted(self.files, "file", "files")
        );
        style.paint(Paint::Bold, &head, out);
        out.push('\n');
        if games == 0 {
            return;
        }
        let rows = [("sound", sound), ("with warnings", with_warnings), ("with errors", with_errors)];
        for (words, count) in rows {
            let percent = 100.0 * count as f64 / games as f64;
            let _ = writeln!(out, "  {words:<14} {:>10} {percent:>6.1} %", Count(count));
        }
    }

    fn write_codes(&self, style: Style, out: &mut String) {
        if self.codes.is_empty() {
            return;
        }
        out.push('\n');
        style.paint(Paint::Bold, &format!("{:<40}{:>11}{:>11}", "code", "findings", "in games"), out);
        out.push('\n');
        for (text, count) in &self.codes {
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

    fn write_variants(&self, style: Style, out: &mut String) {
        if self.variants.is_empty() {
            return;
        }
        let mut rows: Vec<(&Box<str>, &Games)> = self.variants.iter().collect();
        rows.sort_by_key(|(_, games)| std::cmp::Reverse(games.games));
        out.push('\n');
        // Long names push the numbers to the right, so that the columns stay in line.
        let widest = rows.iter().map(|(variant, _)| escape(variant).chars().count()).max();
        let width = widest.unwrap_or(0).max(LEAST_NAME);
        let columns = ["games", "sound", "%", "warnings", "errors", "plies"];
        let [games, sound, percent, warnings, errors, plies] = columns;
        let head = format!(
            "{:<name$}{games:>9}{sound:>9}{percent:>7}{warnings:>9}{errors:>8}{plies:>11}",
            "variant",
            name = width + 2
        );
        style.paint(Paint::Bold, &head, out);
        out.push('\n');
        for (variant, games) in rows {
            let percent = 100.0 * games.sound as f64 / games.games as f64;
            let _ = writeln!(
                out,
                "  {:<width$}{:>9}{:>9}{percent:>7.1}{:>9}{:>8}{:>11}",
                escape(variant),
                Count(games.games),
                Count(games.sound),
                Count(games.with_warnings),
                Count(games.with_errors),
                Count(games.plies)
            );
        }
    }
}

impl Games {
    fn add(&mut self, game: &GameTally) {
        self.games += 1;
        self.plies += game.plies;
        self.moves += game.moves;
        match game.worst() {
            None | Some(Severity::Note) => self.sound += 1,
            Some(Severity::Warning) => self.with_warnings += 1,
            Some(Severity::Error) => self.with_errors += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(variant: &str, codes: &[&str]) -> GameTally {
        let codes = codes.iter().map(|code| Code::find(code).unwrap()).collect();
        GameTally { variant: variant.into(), plies: 10, moves: 12, codes }
    }

    #[test]
    fn a_game_is_as_sound_as_its_worst_finding() {
        let mut tally = Tally::default();
        for codes in [&[][..], &["P001"], &["C004", "C004", "P001"], &["C004", "L001"]] {
            tally.add(Format::MoveList, &game("brandubh7", codes));
        }
        let expected = Games { games: 4, sound: 2, with_warnings: 1, with_errors: 1, plies: 40, moves: 48 };
        assert_eq!(tally.games(), &expected);
        assert_eq!(tally.variants["brandubh7"], expected);
        assert_eq!((tally.codes["C004"].findings, tally.codes["C004"].games), (3, 2));
        assert!(tally.has(Severity::Error));
    }

    #[test]
    fn an_empty_run_has_a_summary() {
        assert_eq!(Tally::default().to_text(Style::Plain), "0 games, 0 plies played, 0 files\n");
    }

    #[test]
    fn the_text_fits_80_columns() {
        let mut tally = Tally::default();
        tally.add(Format::MoveList, &game("tawlbwrdd11_bell", &["H008", "L001"]));
        for line in tally.to_text(Style::Plain).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
