//! Results in lines of the form `Result: value`.

use tafl_rules::{Side, Span};

use crate::diagnostic::{Diagnostic, EndFinding, Findings};
use crate::format::termination;
use crate::record::{EndingKind, Record, WrittenEnding, WrittenResult, WrittenVerdict};
use crate::words::{self, PlayerNames, Statement, statement};

/// Reads the value of a result with this name into the record; one that contradicts an earlier result is kept as a tag.
pub(super) fn read(name: &str, value: &str, span: Span, record: &mut Record, diagnostics: &mut Findings) {
    let players = PlayerNames::of(record);
    let found = match stated(value, &players) {
        Some(Statement::Result { verdict, reason }) => Some((verdict, reason)),
        Some(Statement::Ending { kind, side: None }) if record.ending.is_none() => {
            // The reader of the moves moves it to their end.
            record.ending = Some(WrittenEnding { kind, side: None, after: u32::MAX, span });
            return;
        }
        Some(Statement::Ending { .. } | Statement::Ambiguous) | None => None,
    };
    match found {
        Some((verdict, reason)) => {
            if record.result.is_some_and(|known| known.verdict != verdict) {
                record.push_tag(name, value, span);
            }
            termination::set_result(record, diagnostics, WrittenResult { verdict, reason, span });
        }
        None => {
            let expected = "attackers, defenders, draw or *";
            diagnostics.push(Diagnostic::new(span, EndFinding::BadResult { expected }));
            record.push_tag("result", value, span);
        }
    }
}

/// Reads the value of a result: a side or a player, `White resigned`, `1-0 (White resigned)`, `White (Ann resigned)`.
fn stated(value: &str, players: &PlayerNames) -> Option<Statement> {
    let win = |side: Side, reason| Statement::Result { verdict: WrittenVerdict::Win(side), reason };
    let verdict = words::verdict(value).filter(|verdict| *verdict != WrittenVerdict::Unknown || value == "?");
    if let Some(verdict) = verdict {
        return Some(Statement::Result { verdict, reason: None });
    }
    let first = statement(value, players);
    let (outer, rest) = match first {
        Some((Statement::Ambiguous, length)) => (None, &value[length..]),
        Some((found, _)) => (Some(found), ""),
        None => {
            let name = value.find('(').unwrap_or(value.len());
            let word = value[..name].trim();
            let side = words::side(word)
                .or_else(|| words::side_in_any_language(&word.to_lowercase()))
                .or_else(|| Some(players.read(value)?.0));
            (side.map(|side| win(side, None)), &value[name..])
        }
    };
    let inside = rest.trim_matches([' ', ',', '(', ')', '-', ':', ';', '.']);
    let inner = statement(inside, players).map(|(found, _)| found);
    // An ending of a side is a result.
    let as_result = |found| match found {
        Statement::Ending { kind, side: Some(side) } if kind != EndingKind::Agreed => {
            win(side.other(), Some(kind.reason()))
        }
        found => found,
    };
    match (outer.map(as_result), inner.map(as_result)) {
        (Some(found), None) if inside.is_empty() || players.read(value).is_some() => Some(found),
        (
            Some(Statement::Result { verdict, reason: None }),
            Some(Statement::Result { verdict: other, reason }),
        ) => (verdict == other).then_some(Statement::Result { verdict, reason }),
        // A player who is named below, or not at all.
        (Some(Statement::Result { verdict, reason: None }), None) if words::is_name(inside) => {
            words::reason(inside).map(|reason| Statement::Result { verdict, reason: Some(reason) })
        }
        (None, Some(found @ Statement::Result { .. })) if first.is_some() => Some(found),
        (None, None) if first.is_some() => Some(Statement::Ambiguous),
        _ => None,
    }
}
