//! Generates `docs/rules.md`, the reference of all variants, from the catalog.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tafl_rules::{
    BySide, RuleSet, RulesDifference,
    catalog::{self, NamedRules},
    rules_differences, rules_sheet,
};

use super::run;

/// The maximum number of differences from an earlier variant; variants with more have a full entry.
const MAX_DIFFERENCES: usize = 6;

const HEAD: &str = "\
# Rules of all variants

This page is generated from the catalog by `UPDATE=1 cargo test -p tafl-cli --test tools reference`. The same name often means
several games, so every entry names the source of its rules. An entry similar to an earlier one lists only the differences.
`tafl rules explain NAME` prints all rules of a variant, `tafl rules diff A B` the differences between two variants, and
`tafl rules show NAME` the rules string.

Terms: the sides are attackers and defenders, men are all pieces except kings, and a ply is one move of one side. See
[GLOSSARY.md](../GLOSSARY.md).
";

/// A full entry, to which later entries can refer.
struct VariantEntry {
    variant: &'static NamedRules,
    rules: RuleSet,
}

/// Returns the earlier entry with the fewest differences from the rules, and the differences.
fn nearest<'e>(
    rules: &RuleSet,
    earlier: &'e [VariantEntry],
) -> Option<(&'e VariantEntry, Vec<RulesDifference>)> {
    let differences = |entry: &'e VariantEntry| {
        let found = rules_differences(&entry.rules, rules);
        (entry, found.into_iter().filter(|difference| difference.matters).collect::<Vec<_>>())
    };
    let similar = earlier.iter().filter(|entry| entry.rules.shape() == rules.shape()).map(differences);
    similar.min_by_key(|(_, found)| found.len()).filter(|(_, found)| found.len() <= MAX_DIFFERENCES)
}

/// Joins the lines of a text.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of the page.
fn page() -> String {
    let mut out = HEAD.to_owned();
    let mut entries: Vec<VariantEntry> = Vec::new();
    for variant in catalog::all() {
        let rules = variant.rules();
        let _ = write!(out, "\n## {}\n\n`{}`", variant.title, variant.name);
        for alias in variant.aliases {
            let _ = write!(out, ", `{alias}`");
        }
        let _ = write!(out, "\n\n{}.", variant.source.trim_end_matches('.'));
        if !variant.note.is_empty() {
            let _ = write!(out, " {}.", variant.note.trim_end_matches('.'));
        }
        let drawing = run(&["show", "--variant", variant.name]);
        let board: Vec<&str> =
            drawing.text().lines().take_while(|line| !line.starts_with(variant.title)).collect();
        let _ = write!(out, "\n\n```text\n{}\n```\n", board.join("\n"));
        let Some((entry, found)) = nearest(&rules, &entries) else {
            let names = BySide { attackers: variant.sides.attackers, defenders: variant.sides.defenders };
            for section in rules_sheet(&rules, names) {
                let _ = write!(out, "\n**{}**\n\n", section.title);
                for sentence in section.sentences {
                    let _ = writeln!(out, "- {}", one_line(&sentence));
                }
            }
            entries.push(VariantEntry { variant, rules });
            continue;
        };
        let _ = match found.len() {
            0 => write!(out, "\nThe same game as `{}`.\n", entry.variant.name),
            _ => write!(out, "\nAs `{}`, but:\n\n", entry.variant.name),
        };
        for RulesDifference { topic, left, right, .. } in found {
            let _ =
                writeln!(out, "- {}: {} (there: {})", one_line(&topic), one_line(&right), one_line(&left));
        }
    }
    out
}

#[test]
fn the_variant_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == page, "docs/rules.md is stale: run this test with UPDATE=1");
}
