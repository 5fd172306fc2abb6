//! Rules sheets: rule sets in plain English, and the differences between two rule sets.
//!
//! A sheet is meant for players and omits what the game does not have. [`rules_differences`] is meant
//! for comparisons and omits nothing.

mod board;
mod captures;
mod differences;
mod ends;
mod movement;
mod similar;
mod words;

pub use differences::{RulesDifference, rules_differences, same_rules};
pub use similar::{SimilarVariant, similar_variant};

use crate::ruleset::RuleSet;
use crate::side::BySide;
use crate::wording::word_list;
use words::Words;

/// A section of a rules sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetSection {
    /// The title, such as `Capturing men`.
    pub title: &'static str,
    /// Complete sentences, at least one.
    pub sentences: Vec<String>,
}

/// Returns the rules in plain English, section by section, with the given names of the sides.
///
/// # Examples
///
/// ```
/// use tafl_rules::{BySide, RuleSet, rules_sheet};
///
/// let rules: RuleSet = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
/// let sheet = rules_sheet(&rules, BySide { attackers: "attackers", defenders: "defenders" });
/// assert_eq!(sheet[0].title, "Board and start");
/// assert_eq!(sheet[0].sentences[0], "The board is a square of 7 by 7 cells, named a1 to g7.");
/// ```
pub fn rules_sheet(rules: &RuleSet, names: BySide<&str>) -> Vec<SheetSection> {
    let words = Words::new(rules, names);
    let sections = [
        ("Board and start", board::sentences(&words)),
        ("Moves", movement::sentences(&words)),
        ("Special cells", board::special_cells(&words)),
        ("Capturing men", captures::of_men(&words)),
        ("Capturing a king", captures::of_kings(&words)),
        ("Special captures", captures::special(&words)),
        ("Winning", ends::wins(&words)),
        ("Draws and repetition", ends::draws(&words)),
        ("Unknown words", unknown(rules)),
    ];
    sections
        .into_iter()
        .filter(|(_, sentences)| !sentences.is_empty())
        .map(|(title, sentences)| SheetSection { title, sentences })
        .collect()
}

fn unknown(rules: &RuleSet) -> Vec<String> {
    if rules.unknown.is_empty() {
        return Vec::new();
    }
    let quoted: Vec<String> = rules.unknown.iter().map(|word| format!("`{word}`")).collect();
    vec![format!("The rules string also contains {}, which has no effect.", word_list(&quoted, "and"))]
}

#[cfg(test)]
mod tests;
