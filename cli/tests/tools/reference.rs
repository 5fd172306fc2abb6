//! The reference of all variants, `docs/rules.md`, is what the catalog says.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tafl_rules::{
    BySide, RuleSet, RulesDifference,
    catalog::{self, NamedRules},
    rules_differences, rules_sheet,
};

use super::run;

/// A variant that differs from one before it in more points than this has a sheet of its own.
const MOST_DIFFERENCES: usize = 6;

const HEAD: &str = "\
# The rules of all variants

This page is made from the catalog (`UPDATE=1 cargo test -p tafl-cli --test tools reference`); a test keeps it true. The same name
often means several games, so every entry says where its rules come from. An entry that differs little from one above
says only what differs. `tafl rules explain NAME` writes the whole sheet of each, `tafl rules diff A B` what differs between
any two, `tafl rules show NAME` the rules string.

Words: attackers and defenders are the sides, men are all pieces but kings, a ply is one move of one side. See
[GLOSSARY.md](../GLOSSARY.md).
";

/// An entry above, to which others may refer.
struct Entry {
    variant: &'static NamedRules,
    rules: RuleSet,
}

/// Returns the entry with a sheet that differs least, and in what.
fn nearest<'e>(rules: &RuleSet, above: &'e [Entry]) -> Option<(&'e Entry, Vec<RulesDifference>)> {
    let differences = |entry: &'e Entry| {
        let found = rules_differences(&entry.rules, rules);
        (entry, found.into_iter().filter(|difference| difference.matters).collect::<Vec<_>>())
    };
    let alike = above.iter().filter(|entry| entry.rules.shape() == rules.shape()).map(differences);
    alike.min_by_key(|(_, found)| found.len()).filter(|(_, found)| found.len() <= MOST_DIFFERENCES)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page() -> String {
    let mut out = HEAD.to_owned();
    let mut above: Vec<Entry> = Vec::new();
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
        let Some((entry, found)) = nearest(&rules, &above) else {
            let names = BySide { attackers: variant.sides.attackers, defenders: variant.sides.defenders };
            for section in rules_sheet(&rules, names) {
                let _ = write!(out, "\n**{}**\n\n", section.title);
                for sentence in section.sentences {
                    let _ = writeln!(out, "- {}", one_line(&sentence));
                }
            }
            above.push(Entry { variant, rules });
            continue;
        };
        let _ = match found.len() {
            0 => write!(out, "\nThe same game as {} (`{}`).\n", entry.variant.title, entry.variant.name),
            _ => write!(out, "\nAs {} (`{}`), but:\n\n", entry.variant.title, entry.variant.name),
        };
        for RulesDifference { topic, left, right, .. } in found {
            let _ =
                writeln!(out, "- {}: {} (there: {})", one_line(&topic), one_line(&right), one_line(&left));
        }
    }
    out
}

#[test]
fn the_reference_of_the_variants_is_what_the_catalog_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "docs/rules.md is stale: run this test with UPDATE=1");
}
