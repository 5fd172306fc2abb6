//! Counts of a validation: games, plies, findings by code, games by variant.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_parser::{Code, Format, Severity};

use crate::SummaryTag;

/// The counts of a validated game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameCheck {
    /// The name of the variant, or its substitute.
    pub variant: Box<str>,
    /// The number of plies that were played.
    pub plies: u64,
    /// The number of moves that the game itself has in the record.
    pub moves: u64,
    /// The code of every finding.
    pub codes: Vec<Code>,
}

impl GameCheck {
    /// Returns the severity of the worst finding.
    pub fn worst(&self) -> Option<Severity> {
        self.codes.iter().map(|code| code.severity()).max()
    }
}

/// Counts of games by their soundness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SoundnessCounts {
    /// All games.
    pub games: u64,
    /// Games without errors and warnings.
    pub sound: u64,
    /// Games with warnings, but no errors.
    pub with_warnings: u64,
    /// Games with errors.
    pub with_errors: u64,
    /// Plies that were played.
    pub plies: u64,
    /// Moves that are written.
    pub moves: u64,
}

/// Counts of the findings of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeCounts {
    /// The stable name of the code.
    pub name: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Findings.
    pub findings: u64,
    /// Games with such findings.
    pub games: u64,
}

/// Counts of findings by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeverityCounts {
    /// A part of a record was not read, or did not happen.
    pub errors: u64,
    /// Statements of records are false.
    pub warnings: u64,
    /// Additional information.
    pub notes: u64,
}

/// The counts of a whole run. The names and the order of the fields are an interface.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ValidationSummary {
    /// Always `summary`, which distinguishes it from a finding.
    pub r#type: SummaryTag,
    /// Files that were read.
    pub files: u64,
    /// Files of folders that were skipped, because they hold no records.
    pub skipped: u64,
    /// Inputs that could not be read, to the end or at all.
    pub unreadable: u64,
    /// All games.
    #[serde(flatten)]
    pub games: SoundnessCounts,
    /// Findings by severity.
    pub findings: SeverityCounts,
    /// Findings by code.
    pub codes: BTreeMap<&'static str, CodeCounts>,
    /// Games by variant.
    pub variants: BTreeMap<Box<str>, SoundnessCounts>,
    /// Records by notation.
    pub formats: BTreeMap<&'static str, u64>,
}

impl ValidationSummary {
    /// Counts a game.
    pub fn add(&mut self, format: Format, game: &GameCheck) {
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

    /// Counts a finding that is about a file, or about no game that counts.
    pub fn add_finding(&mut self, code: Code) -> &mut CodeCounts {
        match code.severity() {
            Severity::Error => self.findings.errors += 1,
            Severity::Warning => self.findings.warnings += 1,
            Severity::Note => self.findings.notes += 1,
        }
        let new = CodeCounts { name: code.name(), severity: code.severity().as_str(), findings: 0, games: 0 };
        let count = self.codes.entry(code.as_str()).or_insert(new);
        count.findings += 1;
        count
    }

    /// Returns whether there is a finding at least as bad as this.
    pub fn has(&self, least: Severity) -> bool {
        let SeverityCounts { errors, warnings, notes } = self.findings;
        match least {
            Severity::Error => errors > 0,
            Severity::Warning => errors + warnings > 0,
            Severity::Note => errors + warnings + notes > 0,
        }
    }
}

impl SoundnessCounts {
    fn add(&mut self, game: &GameCheck) {
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

    #[test]
    fn a_game_is_as_sound_as_its_worst_finding() {
        let mut summary = ValidationSummary::default();
        for codes in [&[][..], &["P001"], &["C004", "C004", "P001"], &["C004", "L001"]] {
            let codes = codes.iter().map(|code| Code::find(code).unwrap()).collect();
            let game = GameCheck { variant: "brandubh7".into(), plies: 10, moves: 12, codes };
            summary.add(Format::MoveList, &game);
        }
        let expected =
            SoundnessCounts { games: 4, sound: 2, with_warnings: 1, with_errors: 1, plies: 40, moves: 48 };
        assert_eq!((summary.games, summary.variants["brandubh7"]), (expected, expected));
        assert_eq!((summary.codes["C004"].findings, summary.codes["C004"].games), (3, 2));
        assert!(summary.has(Severity::Error));
    }
}
