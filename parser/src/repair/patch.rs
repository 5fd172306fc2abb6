//! Writes a repaired record in its original notation.

use tafl_rules::{Side, Span};

use super::turn_layout::{Change, TurnLayout};
use super::{Edit, Repair, unread_words};
use crate::diagnostic::Parsed;
use crate::notation::RepairNote;
use crate::record::{Format, Record, WrittenMove, WrittenVerdict};
use crate::source::Source;
use crate::write::{PlayedMoves, WriteError, WriteGame, move_text, move_text_like, reads_as, write_record};

/// The text of a repaired record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The text, with a note about the repair if the notation has a place for one.
    pub text: String,
    /// Whether the note was written.
    pub is_noted: bool,
}

/// The reason why a repair cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// The notation is read-only.
    #[error("records in the notation `{format}` cannot be written")]
    ReadOnly {
        /// The notation.
        format: Format,
    },
    /// The notation cannot express the change, or reads it as something else.
    #[error("the notation `{format}` cannot express the repaired record")]
    NotExpressible {
        /// The notation.
        format: Format,
    },
    /// The columns of the record's table cannot hold the change.
    #[error(
        "the columns of the table cannot hold the repaired record; `--to csv` writes all records in other columns"
    )]
    OtherColumns,
}

impl From<WriteError> for PatchError {
    fn from(error: WriteError) -> PatchError {
        match error {
            WriteError::ReadOnly { format } => PatchError::ReadOnly { format },
            WriteError::NotExpressible { format, .. } => PatchError::NotExpressible { format },
        }
    }
}

/// Returns the text of a repaired record. Text outside the repair is unchanged, byte for byte, except for the numbers of
/// later turns, unless the notation ties other text to the moves or repeats them in another form: then the whole record is
/// rewritten.
///
/// # Errors
///
/// Returns an error if the notation cannot express the repair. The text is read back, so a text that differs
/// from the repaired record is never returned.
pub fn patch_record(
    source: &Source<'_>,
    parsed: &Parsed<Record>,
    repair: &Repair,
) -> Result<Patch, PatchError> {
    let format = parsed.value.format.of_text(source.text);
    let inexpressible = PatchError::NotExpressible { format };
    let in_place = (!format.repeats_moves())
        .then(|| in_place(source, &parsed.value, repair))
        .flatten()
        .filter(|text| parses_as(text, parsed, repair, format));
    let text = match in_place {
        Some(text) => text,
        None => {
            // A plain list in a read-only notation can express other changes, in place.
            let text = rewritten(&repair.record, format)
                .map_err(|error| if format.is_plain_list() { inexpressible } else { error })?;
            if !parses_as(&text, parsed, repair, format) {
                return Err(inexpressible);
            }
            // The rows around the record belong to the columns of its table.
            if format.has_header() && text.lines().next() != source.text.lines().next() {
                return Err(PatchError::OtherColumns);
            }
            text
        }
    };
    let noted =
        noted(&text, &words_of(repair), format).filter(|text| parses_as(text, parsed, repair, format));
    Ok(match noted {
        Some(text) => Patch { text, is_noted: true },
        None => Patch { text, is_noted: false },
    })
}

/// Returns a repaired record in another notation, for a record in a read-only one.
///
/// # Errors
///
/// Returns an error if the notation is read-only or cannot express the record.
pub fn convert_repair(repair: &Repair, format: Format) -> Result<Patch, PatchError> {
    let record = &repair.record;
    let rules = repair.rules.book.rules().to_string();
    let played = PlayedMoves::new(record, &repair.replay, rules.into());
    let mut text = String::new();
    write_record(WriteGame { record, played: played.as_ref() }, format, &mut text)?;
    let noted = noted(&text, &words_of(repair), format);
    let (mut text, is_noted) = noted.map_or((text, false), |noted| (noted, true));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(Patch { text, is_noted })
}

/// Returns the changes of a repair in words.
fn words_of(repair: &Repair) -> String {
    let words: Vec<String> = repair.edits.iter().map(Edit::to_string).collect();
    words.join("; ")
}

/// Returns whether a text is parsed as the repaired record, without the unreadable words that the repair removes or reads.
fn parses_as(text: &str, parsed: &Parsed<Record>, repair: &Repair, format: Format) -> bool {
    let read = format.parse(&Source::new(text));
    let is_of_word = |edit: &&Edit| matches!(edit, Edit::Ignore { .. } | Edit::Read { .. });
    let n_repaired = repair.edits.iter().filter(is_of_word).count();
    if unread_words(&read).len() + n_repaired > unread_words(parsed).len() {
        return false;
    }
    let read = read.value;
    let wanted = &repair.record;
    let moves = |record: &Record| -> Vec<_> {
        let cells = |mv: &WrittenMove| record.captures_of(mv).iter().map(|one| one.cell).collect::<Vec<_>>();
        record.main().moves.iter().map(|mv| (mv.from, mv.to, cells(mv), mv.side)).collect()
    };
    let counts = |record: &Record| record.capture_counts.map(|counts| counts.by);
    let result = |record: &Record| record.result.map(|result| result.verdict);
    let start = |record: &Record| record.start.as_ref().map(|start| start.setup.clone());
    let names = |record: &Record| {
        (record.variant.as_ref().map(|w| w.text.clone()), record.rules.as_ref().map(|w| w.text.clone()))
    };
    moves(&read) == moves(wanted)
        && counts(&read) == counts(wanted)
        && result(&read) == result(wanted)
        && start(&read) == start(wanted)
        && read.first_mover == wanted.first_mover
        && names(&read) == names(wanted)
        && read.n_lines() == wanted.n_lines()
}

/// Returns the text of the whole record.
fn rewritten(record: &Record, format: Format) -> Result<String, PatchError> {
    let mut text = String::new();
    write_record(WriteGame { record, played: None }, format, &mut text)?;
    Ok(text.trim_end().to_owned())
}

/// Returns the text with only the differences changed; `None` if they cannot be replaced one by one.
fn in_place(source: &Source<'_>, old: &Record, repair: &Repair) -> Option<String> {
    let new = &repair.record;
    let mut changes = Vec::new();
    move_changes(source, old, new, &mut changes)?;
    head_changes(source, old, new, &mut changes)?;
    for edit in &repair.edits {
        if let Edit::Ignore { word, .. } = edit {
            changes.push((with_separator(source, *word), String::new()));
        }
    }
    changes.sort_by_key(|(span, _)| (span.start, span.end));
    let mut text = String::with_capacity(source.text.len() + 32);
    let mut done = 0;
    for (span, words) in changes {
        let start = span.start as usize;
        // `None` if changes overlap: a removed word takes a blank with it.
        text.push_str(source.text.get(done..start)?);
        text.push_str(&words);
        done = span.end as usize;
    }
    text.push_str(source.text.get(done..)?);
    Some(text)
}

/// Finds the differences among the moves.
fn move_changes(source: &Source<'_>, old: &Record, new: &Record, changes: &mut Vec<Change>) -> Option<()> {
    let (before, after) = (&old.main().moves, &new.main().moves);
    let is_list = old.format.is_plain_list() || old.format.has_header() && is_in_one_field(source, before);
    let is_resized = before.len() != after.len() || after.iter().any(|mv| mv.span.is_empty());
    let layout = (is_resized && old.format.has_loose_turns() && old.variations.is_empty())
        .then(|| TurnLayout::of(source, old, new))
        .flatten();
    if let Some(layout) = &layout {
        layout.push_changes(changes)?;
    }
    let is_laid_out = layout.is_some();
    let known = |span: Span| before.binary_search_by_key(&span.start, |mv| mv.span.start).ok();
    let mut kept = vec![false; before.len()];
    for (nth, mv) in after.iter().enumerate() {
        match known(mv.span).filter(|_| !mv.span.is_empty()) {
            Some(at) => {
                kept[at] = true;
                if !same(old, &before[at], new, mv) {
                    if !reads_as(old, &before[at], source.at(mv.span)) {
                        return None;
                    }
                    changes.push((mv.span, move_text_like(source, new, mv)));
                }
            }
            // This was an unreadable word.
            None if !mv.span.is_empty() => changes.push((mv.span, move_text_like(source, new, mv))),
            None if is_laid_out => {}
            None if !is_list => return None,
            None => changes.push(insertion(source, before, after, nth, move_text(new, mv))?),
        }
    }
    for (mv, _) in before.iter().zip(kept).filter(|(_, is_kept)| !is_kept && !is_laid_out) {
        if !is_list {
            return None;
        }
        changes.push((with_separator(source, mv.span), String::new()));
    }
    Some(())
}

/// Returns whether nothing but blanks, or the quotes and commas of a list, separates moves.
fn is_in_one_field(source: &Source<'_>, moves: &[WrittenMove]) -> bool {
    let between =
        |pair: &[WrittenMove]| source.text.get(pair[0].span.end as usize..pair[1].span.start as usize);
    let is_list = moves.windows(2).all(|pair| matches!(between(pair), Some(" " | "\",\"" | "\", \"")));
    moves.len() > 1 && is_list
}

/// Returns whether two records agree on a move.
fn same(old: &Record, one: &WrittenMove, new: &Record, other: &WrittenMove) -> bool {
    let cells = |record: &Record, mv: &WrittenMove| -> Vec<_> {
        record.captures_of(mv).iter().map(|capture| capture.cell).collect()
    };
    (one.from, one.to) == (other.from, other.to) && cells(old, one) == cells(new, other)
}

/// Returns the position and the text of a missing move: before the next written move, or after the last one.
fn insertion(
    source: &Source<'_>,
    before: &[WrittenMove],
    after: &[WrittenMove],
    nth: usize,
    words: String,
) -> Option<Change> {
    let is_quoted = |span: Span| source.text.as_bytes().get(span.end as usize) == Some(&b'"');
    let separator = |span: Span| if is_quoted(span) { "\",\"" } else { " " };
    let next = after[nth + 1..].iter().find(|mv| !mv.span.is_empty());
    if let Some(next) = next {
        return Some((Span::at(next.span.start as usize), words + separator(next.span)));
    }
    let last = before.last()?;
    Some((Span::at(last.span.end as usize), format!("{}{words}", separator(last.span))))
}

/// Extends a span by the separator after it, or before it.
fn with_separator(source: &Source<'_>, span: Span) -> Span {
    let bytes = source.text.as_bytes();
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    let is_quoted = start > 0 && bytes[start - 1] == b'"' && bytes.get(end) == Some(&b'"');
    if is_quoted {
        start -= 1;
        end += 1;
    }
    let is_gap = |byte: u8| byte == b' ' || (is_quoted && byte == b',');
    let after = bytes[end..].iter().take_while(|byte| is_gap(**byte)).count();
    if after > 0 {
        return Span::new(start, end + after);
    }
    let before = bytes[..start].iter().rev().take_while(|byte| is_gap(**byte)).count();
    Span::new(start - before, end)
}

/// Finds the differences outside the moves.
fn head_changes(source: &Source<'_>, old: &Record, new: &Record, changes: &mut Vec<Change>) -> Option<()> {
    if old.first_mover != new.first_mover {
        return None;
    }
    let verdict = |record: &Record| record.result.map(|result| result.verdict);
    if verdict(old) != verdict(new) {
        let span = old.result.filter(|result| !result.span.is_empty())?.span;
        changes.push((span, result_word(source.at(span), verdict(new)?)?));
    }
    if let (Some(one), Some(other)) = (old.capture_counts, new.capture_counts) {
        for side in Side::ALL.into_iter().filter(|side| one.by[*side] != other.by[*side]) {
            changes.push((one.spans[side], other.by[side].to_string()));
        }
    }
    let texts = [(&old.variant, &new.variant), (&old.rules, &new.rules)];
    for (one, other) in texts.into_iter().filter(|(one, other)| one != other) {
        let (one, other) = (one.as_ref()?, other.as_ref()?);
        if one.span.is_empty() || source.at(one.span) != &*one.text {
            return None;
        }
        changes.push((one.span, other.text.to_string()));
    }
    let (one, other) = (&old.start, &new.start);
    if one.as_ref().map(|start| &start.setup) != other.as_ref().map(|start| &start.setup) {
        let (one, other) = (one.as_ref()?, other.as_ref()?);
        changes.push((one.span, other.setup.to_string()));
    }
    Some(())
}

/// Returns a result in the style of the written one. If a sentence names the winner, as in `Black wins`, the name is
/// replaced.
pub(super) fn result_word(written: &str, right: WrittenVerdict) -> Option<String> {
    const WORDS: [[&str; 3]; 5] = [
        ["Black", "White", "Draw"],
        ["1", "-1", "0"],
        ["0-1", "1-0", "1/2-1/2"],
        ["attackers", "defenders", "draw"],
        ["Attackers", "Defenders", "Draw"],
    ];
    let is_row = |row: &&[&str; 3]| row.contains(&written) || (written == "Ongoing" && row[0] == "Black");
    let Some(row) = WORDS.iter().find(is_row) else { return renamed_winner(written, right) };
    let nth = match right {
        WrittenVerdict::Win(Side::Attackers) => 0,
        WrittenVerdict::Win(Side::Defenders) => 1,
        WrittenVerdict::Draw => 2,
        WrittenVerdict::Ongoing | WrittenVerdict::Unknown => return None,
    };
    Some(row[nth].to_owned())
}

/// Returns a sentence with the other side in the place of the only one that it names.
fn renamed_winner(sentence: &str, right: WrittenVerdict) -> Option<String> {
    const PAIRS: [[&str; 2]; 6] = [
        ["Black", "White"],
        ["black", "white"],
        ["Attackers", "Defenders"],
        ["attackers", "defenders"],
        ["Dark", "Light"],
        ["dark", "light"],
    ];
    let WrittenVerdict::Win(winner) = right else { return None };
    let name = |side: Side| PAIRS.into_iter().map(move |pair| pair[side.index()]);
    let (wrong, right) =
        name(winner.other()).zip(name(winner)).find(|(wrong, _)| sentence.contains(wrong))?;
    let is_single = sentence.matches(wrong).count() == 1 && !name(winner).any(|name| sentence.contains(name));
    is_single.then(|| sentence.replacen(wrong, right, 1))
}

/// Returns the text with a note about the repair, if the notation has a place for one.
fn noted(text: &str, words: &str, format: Format) -> Option<String> {
    let after_first_tag = |tag: String| {
        let end = text.starts_with('[').then(|| text.find("]\n")).flatten()? + 2;
        Some(format!("{}{tag}\n{}", &text[..end], &text[end..]))
    };
    match format.repair_note() {
        RepairNote::Comment => Some(format!("# repaired: {words}\n{text}")),
        RepairNote::Tag => after_first_tag(format!("[repair:{words}]")),
        RepairNote::PgnTag => after_first_tag(format!("[Repair \"{words}\"]")),
        RepairNote::JsonMember => {
            let rest = text.strip_prefix('{')?;
            Some(format!("{{\"Repair\":\"{words}\",{rest}"))
        }
        RepairNote::OwnTag => {
            let mut record = format.parse(&Source::new(text)).value;
            record.push_tag("repair", words, Span::at(0));
            let mut out = String::new();
            write_record(WriteGame { record: &record, played: None }, format, &mut out).ok()?;
            Some(out.trim_end().to_owned())
        }
        RepairNote::None => None,
    }
}
