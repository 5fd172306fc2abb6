//! What a record says, in the columns of its row.

use tafl_parser::record::tag;
use tafl_parser::{Diagnostic, Record};
use tafl_rules::{Outcome, Reason, Side};

use super::date::Day;
use super::prepare::Judged;
use crate::row::{GameRow, Verdict};
use crate::tape::GameResult;

/// Names of tags that have a column of their own.
const COLUMNS: [&str; 10] = [
    tag::ATTACKERS,
    tag::DEFENDERS,
    tag::ATTACKERS_RATING,
    tag::DEFENDERS_RATING,
    tag::EVENT,
    tag::SITE,
    tag::ROUND,
    tag::DATE,
    tag::TIME_CONTROL,
    tag::START_COMMENT,
];

/// Puts down how the game ended.
pub(super) fn set_end(row: &mut GameRow, end: Option<Outcome>) {
    let Some(end) = end else { return };
    row.result = match end.winner {
        _ if end.reason == Reason::Unfinished => GameResult::Unfinished,
        Some(Side::Attackers) => GameResult::Attackers,
        Some(Side::Defenders) => GameResult::Defenders,
        None => GameResult::Draw,
    };
    row.reason = Some(end.reason);
}

/// Puts down where the record stands, its text and its findings.
pub(super) fn set_source(row: &mut GameRow, judged: &Judged<'_>) {
    row.source = Some(judged.source.name.to_owned());
    row.place = u32::try_from(judged.source.line).ok();
    row.format = Some(judged.record.format);
    row.findings = codes(judged.diagnostics);
    row.text = Some(judged.source.text.to_owned());
}

/// Returns the codes of findings in the order of the text, each once.
fn codes(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut codes: Vec<&str> = Vec::new();
    for diagnostic in diagnostics {
        let code = diagnostic.code().text();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    (!codes.is_empty()).then(|| codes.join(" "))
}

/// Puts statements into their columns, and those that have none aside.
pub(super) fn set_tags<'t>(row: &mut GameRow, tags: impl Iterator<Item = (&'t str, &'t str)>) {
    for (name, value) in tags {
        let known = COLUMNS.iter().find(|known| known.eq_ignore_ascii_case(name)).copied();
        let is_taken = match known {
            Some(known) => set_column(row, known, value),
            None => false,
        };
        if !is_taken {
            row.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    row.tags.sort();
}

/// Puts a statement into its column; returns whether it says no more than the column does.
fn set_column(row: &mut GameRow, name: &str, value: &str) -> bool {
    let text = value.trim();
    let put = |column: &mut Option<String>| {
        let is_free = column.is_none() && !text.is_empty();
        if is_free {
            *column = Some(text.to_owned());
        }
        is_free
    };
    let put_rating = |column: &mut Option<i16>| {
        let rating = text.parse().ok().filter(|_| column.is_none());
        *column = column.or(rating);
        rating.is_some()
    };
    match name {
        tag::ATTACKERS => put(&mut row.attackers),
        tag::DEFENDERS => put(&mut row.defenders),
        tag::ATTACKERS_RATING => put_rating(&mut row.attackers_rating),
        tag::DEFENDERS_RATING => put_rating(&mut row.defenders_rating),
        tag::EVENT => put(&mut row.event),
        tag::SITE => put(&mut row.site),
        tag::ROUND => put(&mut row.round),
        tag::TIME_CONTROL => put(&mut row.time_control),
        tag::START_COMMENT => put(&mut row.comments),
        tag::DATE => {
            let Some(day) = Day::read(text).filter(|_| row.date.is_none()) else { return false };
            let written = day.to_string();
            let says_all = text.replace(['.', '/'], "-") == written;
            row.year = i16::try_from(day.year).ok();
            row.date = Some(written);
            says_all
        }
        _ => false,
    }
}

/// Keeps the name that the record gives its rules, where the catalog has another one.
pub(super) fn set_names(row: &mut GameRow, record: &Record) {
    if let Some(written) =
        record.variant.as_ref().filter(|written| Some(&*written.text) != row.variant.as_deref())
    {
        row.tags.push(("variant".to_owned(), written.text.to_string()));
        row.tags.sort();
    }
}

/// Returns all comments, that on the start first.
pub(super) fn comments(record: &Record) -> Option<String> {
    let start = record.tag(tag::START_COMMENT).into_iter();
    let all: Vec<&str> = start.chain(record.comments.iter().map(|comment| &*comment.text)).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Returns how much a record says: soundness first, then the end, then everything that is said besides the moves.
pub(super) fn worth(row: &GameRow, record: &Record) -> u32 {
    let said = record.comments.len() + record.clocks.len() + record.lines.len() - 1 + record.boards.len();
    worth_of_row(row) + u32::try_from(said).unwrap_or(0).min(100_000)
}

/// Returns how much a row says.
pub(super) fn worth_of_row(row: &GameRow) -> u32 {
    let texts =
        [&row.attackers, &row.defenders, &row.event, &row.site, &row.round, &row.date, &row.time_control];
    let said = texts.iter().filter(|text| text.is_some()).count() + row.tags.len();
    let said =
        said + usize::from(row.attackers_rating.is_some()) + usize::from(row.defenders_rating.is_some());
    let sound = if row.verdict == Verdict::Sound { 2_000_000 } else { 0 };
    let ended = if row.result == GameResult::Unfinished { 0 } else { 1_000_000 };
    sound + ended + 10 * u32::try_from(said).unwrap_or(0).min(1000)
}
