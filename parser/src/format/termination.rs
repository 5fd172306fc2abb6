//! Results, and tags for the way in which a game ended.

use tafl_rules::{Reason, Span};

use crate::diagnostic::{Diagnostic, EndFinding, Findings};
use crate::record::{EndingKind, Record, WrittenResult, WrittenVerdict, tag};
use crate::words::{self, PlayerNames, Statement, statement};

/// Stores the result of a game, unless it has one. A different one is reported, because the first result counts. A header that calls
/// the game unfinished was written before it ended: programs begin every record with PGN's `*`.
pub(super) fn set_result(record: &mut Record, diagnostics: &mut Findings, stated: WrittenResult) {
    let ends = matches!(stated.verdict, WrittenVerdict::Win(_) | WrittenVerdict::Draw);
    let replaced = |verdict| match verdict {
        WrittenVerdict::Unknown => true,
        WrittenVerdict::Ongoing => ends,
        WrittenVerdict::Win(_) | WrittenVerdict::Draw => false,
    };
    match &mut record.result {
        Some(known) if !replaced(known.verdict) => {
            if known.verdict == stated.verdict {
                known.reason = known.reason.or(stated.reason);
            } else if stated.verdict != WrittenVerdict::Unknown {
                diagnostics.push(Diagnostic::new(stated.span, EndFinding::SecondResult));
            }
        }
        _ => {
            let reason = stated.reason.or_else(|| before_result(record));
            record.result = Some(WrittenResult { reason, ..stated });
        }
    }
}

/// Reads the way in which the game ended. Words that are exactly one of our reasons are stored as the reason
/// only; other words are kept, and [`finish`] takes the reason from them.
pub(super) fn read(record: &mut Record, text: &str, span: Span) {
    if let Some(result) = &mut record.result
        && let Ok(reason) = text.parse()
    {
        result.reason = Some(reason);
        return;
    }
    record.push_tag(tag::TERMINATION, text, span);
}

/// Returns the reason that was written before the result to which it belongs. A tag that is exactly a reason
/// is removed, unless there are more such tags: then writing could not restore their order.
pub(super) fn before_result(record: &mut Record) -> Option<Reason> {
    let mut found = record.tags.iter().enumerate().filter(|(_, tag)| is_termination(tag.name));
    let (first, written) = found.next()?;
    let is_alone = found.next().is_none();
    let reason = written.value.parse::<Reason>().ok().filter(|_| is_alone)?;
    drop(found);
    record.tags.remove(first);
    Some(reason)
}

fn is_termination(name: &str) -> bool {
    name.eq_ignore_ascii_case(tag::TERMINATION)
}

/// Compares the tags about the end of the game with its result, once the players are known: returns the findings about
/// those that contradict it. The others give the reason if it is not known yet.
pub(crate) fn finish(record: &mut Record) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let Some(mut result) = record.result.filter(|_| record.tag(tag::TERMINATION).is_some()) else {
        return findings;
    };
    let players = PlayerNames::of(record);
    for tag in record.tags.iter().filter(|tag| is_termination(tag.name)) {
        match contradiction(tag.value, &players, result.verdict) {
            Some(kind) => findings.push(Diagnostic::new(tag.span, kind)),
            None => result.reason = result.reason.or_else(|| words::reason(tag.value)),
        }
    }
    record.result = Some(result);
    findings
}

/// Returns the finding about a statement that contradicts a win or a draw.
fn contradiction(text: &str, players: &PlayerNames, verdict: WrittenVerdict) -> Option<EndFinding> {
    if !matches!(verdict, WrittenVerdict::Win(_) | WrittenVerdict::Draw) {
        return None;
    }
    let stated = match statement(text, players)?.0 {
        Statement::Ending { kind: kind @ (EndingKind::Resigned | EndingKind::Timeout), side } => {
            // A game can be drawn although a player ran out of time.
            let is_draw = verdict == WrittenVerdict::Draw && kind == EndingKind::Resigned;
            let by = side.filter(|side| is_draw || verdict == WrittenVerdict::Win(*side))?;
            return Some(EndFinding::Contradiction { by, is_draw });
        }
        Statement::Ending { kind: EndingKind::Agreed, .. } => WrittenVerdict::Draw,
        // `King captured` does not name the winner if both sides have a king.
        Statement::Result { verdict, .. } if !words::is_about_king(text) => verdict,
        Statement::Ending { .. } | Statement::Result { .. } | Statement::Ambiguous => return None,
    };
    let is_result = matches!(stated, WrittenVerdict::Win(_) | WrittenVerdict::Draw);
    (is_result && stated != verdict).then_some(EndFinding::SecondResult)
}

#[cfg(test)]
mod tests {
    use crate::format::{Format, test_text};
    use crate::source::Source;

    #[test]
    fn a_tag_that_contradicts_the_result_is_reported() {
        let opentafl = |result: &str, words: &str| {
            (
                Format::OpenTafl,
                format!("[result:{result}]\n[termination:{words}]\n[attackers:Ann]\n1. d6-c6 e4-e6"),
            )
        };
        let pgn = |result: &str, words: &str| {
            (Format::Pgn, format!("[Result \"{result}\"]\n[Termination \"{words}\"]\n\n1. d6-c6 e4-e6"))
        };
        let csv = |result: &str, words: &str| {
            (Format::Csv, format!("reason,moves,result\n{words},d6-c6 e4-e6,{result}\n"))
        };
        let sgf = |result: &str, words: &str| {
            (
                Format::Sgf,
                format!("(;GM[29]TG[termination:{words}]RE[{result}]RU[Brandubh];B[d6-c6];W[e4-e6])"),
            )
        };
        for ((format, text), expected) in [
            (opentafl("1", "Black resigns"), &["E009"][..]),
            (opentafl("-1", "Black resigns"), &[]),
            (opentafl("1", "Ann resigned"), &["E009"]),
            (opentafl("-1", "Ann resigned"), &[]),
            (opentafl("0", "Ann resigned"), &["E009"]),
            (opentafl("1", "Black lost on time"), &["E009"]),
            (opentafl("0", "Black lost on time"), &[]),
            (opentafl("0", "draw agreed"), &[]),
            (opentafl("1", "draw agreed"), &["E013"]),
            (opentafl("?", "Black resigns"), &[]),
            (opentafl("1", "resignation"), &[]),
            (pgn("attackers", "attackers resigned"), &["E009"]),
            (pgn("black", "White wins by resignation"), &["E013"]),
            (pgn("white", "White wins by resignation"), &[]),
            (pgn("defenders", "King captured!"), &[]),
            (csv("black", "black resigned"), &["E009"]),
            (csv("draw", "white resigned"), &["E009"]),
            (csv("black", "white resigned"), &[]),
            (sgf("B+Resign", "Black resigned"), &["E009"]),
            (sgf("W+Resign", "Black resigned"), &[]),
        ] {
            assert_eq!(test_text::codes(&format.parse(&Source::new(&text))), expected, "{text}");
        }
    }

    #[test]
    fn a_second_result_that_differs_is_reported() {
        let pgn =
            |result: &str, end: &str| (Format::Pgn, format!("[Result \"{result}\"]\n\n1. d6-c6 e4-e6 {end}"));
        let prose =
            |end: &str| (Format::MoveList, format!("1. d6-c6 e4-e6\n2. d1-e1 d5-g5\nWhite won.\n{end}"));
        let header = |end: &str| (Format::MoveList, format!("Result: White\n{end}\n1. d6-c6 e4-e6\n"));
        for ((format, text), expected) in [
            (pgn("attackers", "White won"), &["E013"][..]),
            (pgn("attackers", "defenders"), &["E013"]),
            (pgn("attackers", "1/2-1/2"), &["E013"]),
            (pgn("attackers", "Black won"), &[]),
            (pgn("attackers", "*"), &[]),
            (pgn("1/2-1/2", "1/2-1/2"), &[]),
            (pgn("?", "White won"), &[]),
            (pgn("*", "White won"), &[]),
            (pgn("*", "*"), &[]),
            (pgn("*", "0-1"), &["E010"]),
            (pgn("?", "1-0"), &["E010"]),
            (pgn("attackers", "0-1"), &[]),
            (pgn("attackers", "unfinished"), &["E013"]),
            (prose("Black won.\n"), &["E013"]),
            (prose("White won.\n"), &[]),
            (prose("*\n"), &[]),
            (header("Winner: Black"), &["E013"]),
            (header("Winner: White"), &[]),
            (header("Winner: ?"), &[]),
        ] {
            assert_eq!(test_text::codes(&format.parse(&Source::new(&text))), expected, "{text}");
        }
    }
}
