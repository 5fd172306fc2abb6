//! Broken records and their repairs as text, with the places in the records.

use std::fmt::Write as _;

use tafl_parser::{EditWords, RepairEvidence, Severity};
use tafl_reports::percent_text;
use tafl_rules::{Count, counted};
use taflbase::escape::escape;
use taflbase::records::{BrokenRecord, RecordRepair, RepairStanding, RepairSummary};

use crate::io::{ColorMode, TextPaint};
use crate::records::write_finding;
use crate::snippet::{Snippet, SnippetPlace};

/// The minimum confidence of a repair that is shown besides another one.
const MIN_SHOWN: f64 = 0.005;

/// Returns the text about a broken record.
pub(super) fn record(record: &BrokenRecord, style: ColorMode) -> String {
    let mut out = String::new();
    if let Some(finding) = &record.finding {
        write_finding(finding, style, &mut out);
    }
    if let Some(why) = &record.why {
        let _ = writeln!(out, "  no repair: {why}");
    }
    if let Some(best) = record.repairs.first() {
        let shown = |repair: &&RecordRepair| repair.confidence >= MIN_SHOWN;
        let others: Vec<&RecordRepair> = record.repairs.iter().skip(1).take_while(shown).collect();
        let alternatives = alternatives(best, &others);
        first(record, best, alternatives.as_deref(), style, &mut out);
        if alternatives.is_none() {
            for repair in others {
                let _ = writeln!(out, "  or {}: {}", percent(repair.confidence), line(repair));
            }
        }
    }
    if !record.other_variants.is_empty() {
        let names = record.other_variants.join(", ");
        let given = record.variant.as_deref().unwrap_or("the given rules");
        let _ = writeln!(out, "  right as it is, but by other rules than {}: {names}", escape(given));
    }
    if record.standing == RepairStanding::Ambiguous && record.more > 0 {
        let _ = writeln!(out, "  and {}", counted(record.more as u64, "more repair", "more repairs"));
    }
    if let (true, Some(format)) = (record.applied, record.written_as) {
        let _ = writeln!(out, "  repaired, written as {format}");
    } else if record.applied {
        out.push_str("  repaired\n");
    } else if let Some(error) = &record.why_not {
        let _ = writeln!(out, "  not changed: {error}");
    }
    out.push('\n');
    out
}

/// Returns the alternatives of an ambiguous record on one line: `ply 12: d3-d6, d3-d7, or c3-d3 (40 %, 35 %, 25 %)`.
/// Returns `None` if there is one repair, or if one of them consists of several changes.
fn alternatives(first: &RecordRepair, others: &[&RecordRepair]) -> Option<String> {
    let all = || [first].into_iter().chain(others.iter().copied());
    if others.is_empty() || all().any(|repair| repair.edits.len() != 1) {
        return None;
    }
    let words: Vec<&EditWords> = all().map(|repair| &repair.edits[0].words).collect();
    let shares: Vec<String> = all().map(|repair| percent(repair.confidence)).collect();
    Some(format!("{} ({})", list_of_changes(&words), shares.join(", ")))
}

/// Lists alternative changes. Those that do the same in the same place share the words for it: `ply 4: remove the move, or write
/// g6-g7 or g6-g5`.
fn list_of_changes(changes: &[&EditWords]) -> String {
    let groups: Vec<&[&EditWords]> =
        changes.chunk_by(|one, other| (&one.place, one.action) == (&other.place, other.action)).collect();
    let is_mixed = groups.len() > 1;
    let mut place = "";
    let mut parts = Vec::new();
    for group in groups {
        let Some(first) = group.first() else { continue };
        // Besides other changes, a move that takes the place of another one needs a verb, too.
        let is_move = first.action.is_empty() && first.written.is_some() && first.place.starts_with("ply ");
        let action = if is_mixed && is_move { "write" } else { first.action };
        let objects: Vec<&str> = group.iter().map(|change| change.object.as_str()).collect();
        let object = either(&objects);
        let gap = if action.is_empty() || object.is_empty() { "" } else { " " };
        let words = format!("{action}{gap}{object}");
        parts.push(if first.place == place { words } else { format!("{}: {words}", first.place) });
        place = &first.place;
    }
    parts.join(", or ")
}

/// Returns `a, b, or c`.
fn either(words: &[&str]) -> String {
    match words {
        [one, other] => format!("{one} or {other}"),
        [all @ .., last] if !all.is_empty() => format!("{}, or {last}", all.join(", ")),
        words => words.concat(),
    }
}

/// Adds the first repair with the place of each change, or all alternatives with the place of the first.
fn first(
    record: &BrokenRecord,
    repair: &RecordRepair,
    alternatives: Option<&str>,
    style: ColorMode,
    out: &mut String,
) {
    let last = repair.edits.len() - 1;
    for (nth, edit) in repair.edits.iter().enumerate() {
        let mut help = edit.reason.to_owned();
        if nth == last {
            let evidence = RepairEvidence::from(repair.agree).to_string();
            let _ = write!(help, "; {evidence}");
            if alternatives.is_none() {
                let _ = write!(help, " ({})", percent(repair.confidence));
            }
        }
        let label = match (record.standing, nth) {
            (RepairStanding::Ambiguous, 0) => "perhaps ",
            (_, 0) => "repair, ",
            (_, _) => "and ",
        };
        let snippet = Snippet {
            severity: Severity::Note,
            code: Some(edit.kind),
            message: &format!("{label}{}", alternatives.unwrap_or(&edit.change)),
            place: Some(SnippetPlace {
                name: &record.file,
                line: edit.line,
                column: edit.column,
                text: &edit.excerpt.text,
                part: edit.excerpt.part,
                within: "",
            }),
            help: Some(&help),
        };
        snippet.write(style, out);
    }
}

fn percent(confidence: f64) -> String {
    match confidence {
        0.995.. => "over 99 %".to_owned(),
        _ => format!("{} %", percent_text(confidence, 0)),
    }
}

/// Returns a repair on one line: changes, and why.
fn line(repair: &RecordRepair) -> String {
    let changes: Vec<String> = repair.edits.iter().map(|edit| escape(&edit.change)).collect();
    let reasons: Vec<&str> = repair.edits.iter().map(|edit| edit.reason).collect();
    format!("{} ({})", changes.join("; "), reasons.join("; "))
}

/// Returns the counts.
pub(super) fn summary(summary: &RepairSummary, style: ColorMode, is_applied: bool) -> String {
    let mut out = String::new();
    style.paint(TextPaint::Bold, &counted(summary.games, "game", "games"), &mut out);
    out.push('\n');
    let rows = [
        ("sound", summary.sound),
        ("explained, without an error of the writer", summary.explained),
        ("broken, with one clearly likeliest repair", summary.decided),
        ("broken, without a certain repair", summary.ambiguous),
        ("broken, no repair found", summary.undecidable),
    ];
    for (words, count) in rows.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(out, "  {words:<48} {:>9}", Count(count));
    }
    if is_applied {
        let _ = writeln!(out, "  {:<48} {:>9}", "repaired", Count(summary.repaired));
    }
    if summary.converted > 0 {
        let _ = writeln!(out, "  {:<48} {:>9}", "written in another notation", Count(summary.converted));
    }
    if summary.not_writable > 0 {
        let words = "not changed: not expressible in the notation";
        let _ = writeln!(out, "  {words:<48} {:>9}", Count(summary.not_writable));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_share_the_words_for_the_same_change() {
        let words = |place: &str, action: &'static str, object: &str| EditWords {
            place: place.to_owned(),
            action,
            object: object.to_owned(),
            written: action.is_empty().then(|| "g6-g8".to_owned()),
        };
        let list = |changes: &[EditWords]| list_of_changes(&changes.iter().collect::<Vec<_>>());
        let [one, other] = [words("ply 4", "", "g6-g7"), words("ply 4", "", "g6-g5")];
        let removed = words("ply 4", "remove the move", "");
        assert_eq!(list(&[one.clone(), other.clone()]), "ply 4: g6-g7 or g6-g5");
        assert_eq!(
            list(&[removed.clone(), one.clone(), other.clone()]),
            "ply 4: remove the move, or write g6-g7 or g6-g5"
        );
        let inserted = ["e4-e5", "e4-e6", "e4-e7"].map(|mv| words("before ply 2", "insert", mv));
        assert_eq!(list(&inserted), "before ply 2: insert e4-e5, e4-e6, or e4-e7");
        assert_eq!(list(&[inserted[0].clone(), one]), "before ply 2: insert e4-e5, or ply 4: write g6-g7");
        let variants = ["brandubh7", "ardri7"].map(|name| words("variant", "", name));
        assert_eq!(list(&variants), "variant: brandubh7 or ardri7");
        assert_eq!(list(&[variants[0].clone(), removed]), "variant: brandubh7, or ply 4: remove the move");
    }
}
