//! The columns of a row that come from the record.

use tafl_parser::{Diagnostic, Record, SourcedOutcome, read_rating, tag};
use tafl_rules::{Reason, Side};

use super::date::StatedDate;
use crate::ingest::checked_record::CheckedRecord;
use crate::move_log::GameResult;
use crate::row::{CellValue, GameRow, RecordVerdict};
use crate::schema::{ColumnValue as _, GAMES, GameColumn};
use crate::words::composed;

/// Sets the result, the reason, and its source.
pub(super) fn set_end(row: &mut GameRow, end: Option<SourcedOutcome>) {
    let Some(SourcedOutcome { outcome: end, source }) = end else { return };
    row.result = match end.winner {
        _ if end.reason == Reason::Unfinished => GameResult::Unfinished,
        Some(Side::Attackers) => GameResult::Attackers,
        Some(Side::Defenders) => GameResult::Defenders,
        None => GameResult::Draw,
    };
    row.reason = Some(end.reason);
    row.reason_source = source;
}

/// Sets the source, the text, and the findings of the record.
pub(super) fn set_source(row: &mut GameRow, checked: &CheckedRecord<'_>) {
    row.source = Some(checked.source.name.to_owned());
    row.place = u32::try_from(checked.source.line).ok();
    row.format = Some(checked.record.format);
    row.findings = codes(checked.diagnostics);
    row.text = Some(checked.source.text.to_owned());
}

/// Returns the codes of findings in the order of the text, each once.
fn codes(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut codes: Vec<&str> = Vec::new();
    for diagnostic in diagnostics {
        let code = diagnostic.code().as_str();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    (!codes.is_empty()).then(|| codes.join(" "))
}

/// Moves tags into their columns. Tags without a column, or with more than the column can hold, stay tags.
pub(super) fn set_tags<'t>(row: &mut GameRow, tags: impl Iterator<Item = (&'t str, &'t str)>) {
    for (name, value) in tags {
        // Players are identified by their names, so names that look alike must be equal.
        if !set_column(row, name, &composed(value.trim())) {
            row.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    row.tags.sort();
}

/// Sets the column of a tag; returns whether the column has all of its value.
fn set_column(row: &mut GameRow, name: &str, text: &str) -> bool {
    if name.eq_ignore_ascii_case(tag::DATE) {
        return set_date(row, text);
    }
    if name.eq_ignore_ascii_case(tag::START_COMMENT) {
        return row.comments.read_tag(text);
    }
    if name.eq_ignore_ascii_case(tag::ATTACKERS_RATING) {
        return set_rating(&mut row.attackers_rating, text);
    }
    if name.eq_ignore_ascii_case(tag::DEFENDERS_RATING) {
        return set_rating(&mut row.defenders_rating, text);
    }
    if is_player(name) && is_placeholder(text) {
        return false;
    }
    let column = GAMES.iter().find(|column| column.tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name)));
    column.is_some_and(|column| (column.read_tag)(row, text))
}

fn is_player(name: &str) -> bool {
    [tag::ATTACKERS, tag::DEFENDERS].iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// Returns whether the name of a player stands for an unknown one, such as `?` in PGN. In the column of names, all unknown
/// players would be one.
fn is_placeholder(name: &str) -> bool {
    let letters: String = name.chars().filter(|sign| sign.is_alphanumeric()).collect();
    letters.is_empty() || ["nn", "unknown", "none"].iter().any(|word| letters.eq_ignore_ascii_case(word))
}

fn set_date(row: &mut GameRow, text: &str) -> bool {
    let Some(day) = StatedDate::read(text).filter(|_| row.date.is_none()) else { return false };
    let written = day.to_string();
    let is_all = text.replace(['.', '/'], "-") == written;
    row.year = i16::try_from(day.year).ok();
    row.date = Some(written);
    is_all
}

fn set_rating(column: &mut Option<i16>, text: &str) -> bool {
    let Some(rating) = read_rating(text).filter(|_| column.is_none()) else { return false };
    *column = Some(rating);
    text == rating.to_string()
}

/// Keeps the name of the rules in the record if it differs from that in the catalog.
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
    let all: Vec<&str> = start.chain(record.comments.iter().map(|comment| comment.text)).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// The points of a sound record in the quality score: more than all other points together.
pub(super) const SOUND_SCORE: u32 = 2_000_000;

/// Returns the quality score of a record, which decides between copies: soundness first, then a known end, then the
/// number of statements besides the moves.
pub(super) fn quality_score(row: &GameRow, record: &Record) -> u32 {
    let n_statements =
        record.comments.len() + record.clocks.len() + record.variations.len() + record.boards.len();
    quality_score_of_row(row) + u32::try_from(n_statements).unwrap_or(0).min(100_000)
}

/// Returns the quality score of a game without a record.
pub(super) fn quality_score_of_row(row: &GameRow) -> u32 {
    let has_value = |column: &&GameColumn| (column.get)(row) != CellValue::None;
    let tagged = GAMES.iter().filter(|column| column.tag.is_some()).filter(has_value).count();
    // An export is no better than the game that it was made of.
    let others = row.tags.iter().filter(|(name, _)| !name.eq_ignore_ascii_case(tag::CORPUS_ID)).count();
    let tags = u32::try_from(tagged + others).unwrap_or(0);
    let sound = if row.verdict == RecordVerdict::Sound { SOUND_SCORE } else { 0 };
    let ended = if row.result == GameResult::Unfinished { 0 } else { 1_000_000 };
    sound + ended + 10 * tags.min(1000)
}
