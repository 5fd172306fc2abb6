//! Lines of the form `Name: value` around a list of moves.

mod result;

use std::ops::Range;

use tafl_rules::{Side, Span, catalog};

use super::turn::{is_move, markup};
use crate::diagnostic::Findings;
use crate::format::csv::CsvStatement;
use crate::format::{csv, date, termination};
use crate::record::{self, Record, Written};
use crate::source::Source;
use crate::words::{self, PlayerNames};

/// The facts known before a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineContext<'p> {
    /// Whether the game has moves already.
    pub(crate) has_moves: bool,
    pub(crate) players: &'p PlayerNames,
}

/// The meaning of the name of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagMeaning {
    /// A tag with one of our names.
    Tag(&'static str),
    Variant,
    /// A variant if the catalog has one of this name.
    MaybeVariant,
    Result,
    Winner,
    Termination,
    /// A header of a message.
    Mail,
}

/// The known names, in lower case.
const NAMES: [(&str, TagMeaning); 51] = [
    ("event", TagMeaning::Tag(record::tag::EVENT)),
    ("tournament", TagMeaning::Tag(record::tag::EVENT)),
    ("match", TagMeaning::Tag(record::tag::EVENT)),
    ("site", TagMeaning::Tag(record::tag::SITE)),
    ("place", TagMeaning::Tag(record::tag::SITE)),
    ("location", TagMeaning::Tag(record::tag::SITE)),
    ("server", TagMeaning::Tag(record::tag::SITE)),
    ("date", TagMeaning::Tag(record::tag::DATE)),
    ("played", TagMeaning::Tag(record::tag::DATE)),
    ("round", TagMeaning::Tag(record::tag::ROUND)),
    ("attackers", TagMeaning::Tag(record::tag::ATTACKERS)),
    ("attacker", TagMeaning::Tag(record::tag::ATTACKERS)),
    ("black", TagMeaning::Tag(record::tag::ATTACKERS)),
    ("dark", TagMeaning::Tag(record::tag::ATTACKERS)),
    ("muscovites", TagMeaning::Tag(record::tag::ATTACKERS)),
    ("defenders", TagMeaning::Tag(record::tag::DEFENDERS)),
    ("defender", TagMeaning::Tag(record::tag::DEFENDERS)),
    ("white", TagMeaning::Tag(record::tag::DEFENDERS)),
    ("light", TagMeaning::Tag(record::tag::DEFENDERS)),
    ("swedes", TagMeaning::Tag(record::tag::DEFENDERS)),
    ("annotator", TagMeaning::Tag(record::tag::ANNOTATOR)),
    ("compiler", TagMeaning::Tag(record::tag::COMPILER)),
    ("time control", TagMeaning::Tag(record::tag::TIME_CONTROL)),
    ("id", TagMeaning::Tag(record::tag::ID)),
    ("game id", TagMeaning::Tag(record::tag::ID)),
    ("corpus id", TagMeaning::Tag(record::tag::CORPUS_ID)),
    ("variant", TagMeaning::Variant),
    ("ruleset", TagMeaning::Variant),
    ("rule set", TagMeaning::Variant),
    ("rules", TagMeaning::Variant),
    ("game", TagMeaning::MaybeVariant),
    ("board", TagMeaning::MaybeVariant),
    ("result", TagMeaning::Result),
    ("outcome", TagMeaning::Result),
    ("winner", TagMeaning::Winner),
    ("won by", TagMeaning::Winner),
    ("termination", TagMeaning::Termination),
    ("reason", TagMeaning::Termination),
    ("from", TagMeaning::Mail),
    ("to", TagMeaning::Mail),
    ("cc", TagMeaning::Mail),
    ("bcc", TagMeaning::Mail),
    ("subject", TagMeaning::Mail),
    ("sent", TagMeaning::Mail),
    ("re", TagMeaning::Mail),
    ("reply-to", TagMeaning::Mail),
    ("received", TagMeaning::Mail),
    ("message-id", TagMeaning::Mail),
    ("content-type", TagMeaning::Mail),
    ("mime-version", TagMeaning::Mail),
    ("in-reply-to", TagMeaning::Mail),
];

fn field_of(name: &str) -> Option<TagMeaning> {
    let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, field)| *field);
    known.or_else(|| other_field(name))
}

/// Returns the meaning of an abbreviation, or of a name in another language: `Att`, `Schwarz`, `Datum`.
fn other_field(name: &str) -> Option<TagMeaning> {
    // No name is longer.
    const LONGEST: usize = 24;
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    // A single letter is also the name of a file of the board.
    match words::short_side(name).filter(|_| name.len() > 1) {
        Some(Side::Attackers) => return Some(TagMeaning::Tag(record::tag::ATTACKERS)),
        Some(Side::Defenders) => return Some(TagMeaning::Tag(record::tag::DEFENDERS)),
        None => {}
    }
    csv::statement_column(name).map(|statement| match statement {
        CsvStatement::Tag(known) => TagMeaning::Tag(known),
        CsvStatement::Result => TagMeaning::Result,
        CsvStatement::Variant => TagMeaning::Variant,
    })
}

/// The places of a name and its value in a line.
struct TagRanges {
    name: Range<usize>,
    value: Range<usize>,
}

/// Returns the name and the value of a line such as `Name: value` and `[Name "value"]`.
fn split(line: &str, at: usize) -> Option<TagRanges> {
    let text = line[at..].trim_end();
    let enclosed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let inside = enclosed.unwrap_or(text).trim_end_matches(|sign: char| sign == '|' || sign.is_whitespace());
    let (name_end, value_at) = match (inside.find(':'), enclosed) {
        (Some(sign), _) => (sign, sign + 1),
        (None, Some(_)) => inside.find(" \"").map(|sign| (sign, sign + 1))?,
        (None, None) => cell_end(inside).map(|end| (end, end))?,
    };
    let name = without_markup(inside[..name_end].trim_end_matches('*').trim());
    let value = without_markup(inside[value_at..].trim_start_matches('*'));
    let value = without_markup(value.trim_matches('"'));
    let place = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    let range = |part: &str| place(part)..place(part) + part.len();
    Some(TagRanges { name: range(name), value: range(value) })
}

/// Returns a text without blanks and tags of HTML around it.
fn without_markup(text: &str) -> &str {
    let mut text = text.trim();
    while text.starts_with('<') && markup(text) > 0 {
        text = text[markup(text)..].trim_start();
    }
    while text.ends_with('>')
        && let Some(tag) = text.rfind('<').filter(|tag| markup(&text[*tag..]) == text.len() - tag)
    {
        text = text[..tag].trim_end();
    }
    text
}

/// Returns the offset after the name in a table of HTML with a name and a value in each row: `<td>Event</td><td>Cup</td>`.
fn cell_end(text: &str) -> Option<usize> {
    let end = text.find("</t")?;
    let name = without_markup(&text[..end]);
    let rest = text[end..].trim_end();
    let is_pair = rest.matches("<t").count() == 1;
    (is_pair && field_of(name).is_some()).then_some(end)
}

/// Returns whether a line is a tag. After the first move, only statements about the end count.
pub(super) fn is_tag(line: &str, at: usize, context: LineContext<'_>) -> bool {
    let Some(TagRanges { name, value }) = split(line, at) else { return false };
    let (name, text) = (&line[name], &line[value.clone()]);
    if text.is_empty() || text.starts_with("//") || is_move(line.trim_end(), value.start) {
        return false;
    }
    match field_of(name) {
        Some(TagMeaning::Mail) => false,
        Some(TagMeaning::Result | TagMeaning::Winner | TagMeaning::Termination) => true,
        Some(TagMeaning::Tag(_) | TagMeaning::Variant | TagMeaning::MaybeVariant) => !context.has_moves,
        None => {
            let is_name = |word: &str| {
                word.starts_with(|first: char| first.is_ascii_uppercase())
                    && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            };
            let n_words = name.split(' ').count();
            !context.has_moves && n_words <= 2 && name.len() <= 24 && name.split(' ').all(is_name)
        }
    }
}

/// Returns whether a line is a tag that begins a game: one with a known name that is not about the end.
pub(crate) fn begins_game(line: &str, at: usize) -> bool {
    let Some(TagRanges { name, value }) = split(line, at) else { return false };
    let is_opening = matches!(
        field_of(&line[name]),
        Some(TagMeaning::Tag(_) | TagMeaning::Variant | TagMeaning::MaybeVariant)
    );
    is_opening && !value.is_empty() && !is_move(line.trim_end(), value.start)
}

/// Returns whether a line is a tag with the name of a known variant, or with its rules.
pub(super) fn names_variant(line: &str, at: usize) -> bool {
    let Some(TagRanges { name, value }) = split(line, at) else { return false };
    let value = &line[value];
    let is_known = || value.starts_with("dim:") || variant(value).is_some();
    field_of(&line[name]) == Some(TagMeaning::Variant) && is_known()
}

/// Reads the tags of a line, without its decoration, into the record.
pub(super) fn read(source: &Source<'_>, line: Span, record: &mut Record, diagnostics: &mut Findings) {
    let upto = &source.text[..line.end as usize];
    let mut next = Some(line.start as usize);
    while let Some(TagRanges { name, value }) = next.take().and_then(|start| split(upto, start)) {
        // Another known name in the value: `Dark: Ann  Light: Bob`.
        let inside = &upto[value.clone()];
        let other = inside.match_indices(':').find_map(|(sign, _)| {
            let word = inside[..sign].trim_end_matches(char::is_alphanumeric).len();
            let before =
                without_markup(inside[..word].trim_end_matches([' ', '\t', ',', ';', '|', '-', '/']));
            (field_of(&inside[word..sign]).is_some() && !before.is_empty()).then_some((before.len(), word))
        });
        let length = other.map_or(inside.len(), |(length, _)| length);
        next = other.map(|(_, word)| value.start + word);
        put(source, &upto[name], Span::new(value.start, value.start + length), record, diagnostics);
    }
}

/// Returns the name under which a writer appends a tag with this value to a line of moves; `None` if
/// [`read_remark`] would not read the same tag.
pub(crate) fn remark_name(tag: &str, value: &str) -> Option<&'static str> {
    let is_known =
        |(_, field): &&(&str, TagMeaning)| matches!(field, TagMeaning::Tag(known) if *known == tag);
    let (name, _) = NAMES.iter().find(is_known)?;
    let is_same_date = || csv::reads_as_tag(record::tag::DATE, value);
    (fits_remark(value) && (tag != record::tag::DATE || is_same_date())).then_some(*name)
}

/// Returns whether the name of a variant, or rules, can be appended to a line of moves.
pub(crate) fn fits_variant_remark(value: &str, is_rules: bool) -> bool {
    let is_same = || variant(value).is_none_or(|found| found == value);
    fits_remark(value) && value.starts_with("dim:") == is_rules && (is_rules || is_same())
}

/// Returns whether a value can be appended to a line of moves.
pub(crate) fn fits_remark(value: &str) -> bool {
    !value.is_empty() && value.trim() == value && !value.contains(['#', '\n', '\r']) && value != "?"
}

/// Reads the tags of a comment at the end of a line, as the writer appends them: `# attackers: Ann # date: 2026.03.09`.
/// Returns false if it is another comment.
pub(super) fn read_remark(
    source: &Source<'_>,
    remark: Span,
    record: &mut Record,
    diagnostics: &mut Findings,
) -> bool {
    let parts = || {
        source.at(remark).split('#').map(|part| {
            let (name, value) = part.split_once(':')?;
            let field = field_of(name.trim())?;
            let is_known =
                matches!(field, TagMeaning::Tag(_) | TagMeaning::Variant | TagMeaning::Termination);
            let is_tag = is_known && !value.trim().is_empty();
            is_tag.then_some((name.trim(), source.span_of(value.trim())?))
        })
    };
    if !parts().all(|part| part.is_some()) {
        return false;
    }
    for (name, span) in parts().flatten() {
        put(source, name, span, record, diagnostics);
    }
    true
}

/// Stores a statement in its field.
fn put(source: &Source<'_>, name: &str, span: Span, record: &mut Record, diagnostics: &mut Findings) {
    let value = source.at(span);
    let field = field_of(name);
    match field {
        Some(TagMeaning::Tag(record::tag::DATE)) => put_date(value, span, record),
        Some(TagMeaning::Tag(known)) => record.push_tag(known, value, span),
        Some(TagMeaning::Variant) if value.starts_with("dim:") && record.rules.is_none() => {
            record.rules = Some(Written { text: value.into(), span });
        }
        Some(TagMeaning::Variant | TagMeaning::MaybeVariant) if record.variant.is_none() => {
            match variant(value) {
                Some(text) => {
                    let span = source.span_of(text).unwrap_or(span);
                    record.variant = Some(Written { text: text.into(), span });
                }
                None if field == Some(TagMeaning::Variant) => {
                    record.variant = Some(Written { text: value.into(), span });
                }
                None => record.push_tag(name, value, span),
            }
        }
        Some(TagMeaning::Result | TagMeaning::Winner) => result::read(name, value, span, record, diagnostics),
        Some(TagMeaning::Termination) => termination::read(record, value, span),
        Some(TagMeaning::Variant | TagMeaning::MaybeVariant | TagMeaning::Mail) | None => {
            record.push_tag(name, value, span)
        }
    }
}

/// Stores a date as `YYYY.MM.DD`, with its time as a tag of its own, or as it was written if it is ambiguous.
fn put_date(value: &str, span: Span, record: &mut Record) {
    let Some((day, time)) = date::read(value) else { return record.push_tag(record::tag::DATE, value, span) };
    record.push_tag(record::tag::DATE, &day, span);
    if !time.is_empty() && time != "00:00:00" {
        record.push_tag("time", time, span);
    }
}

/// Returns the part of a text that names a variant of the catalog.
fn variant(text: &str) -> Option<&str> {
    let is_size =
        |word: &str| word.contains('x') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'x');
    let mut rest = text.trim_end_matches('.').trim();
    loop {
        if catalog::find(rest).is_some() {
            return Some(rest);
        }
        let (before, last) = rest.rsplit_once(' ')?;
        if !(is_size(last.trim_matches(['(', ')']))
            || ["rules", "tafl", "hnefatafl"].contains(&&*last.to_lowercase()))
        {
            return None;
        }
        rest = before.trim_end_matches([',', ' ']);
    }
}

/// Returns the variant that a heading names, with the words that name it: `Fetlar, club final`, `Copenhagen 13x13`.
pub(super) fn heading_variant(heading: &str) -> Option<(&'static str, &str)> {
    // A longer line is a sentence, which may mention any variant.
    const MAX_WORDS: usize = 10;
    let is_part = |symbol: char| symbol.is_alphanumeric() || "-_'".contains(symbol);
    let words: Vec<&str> = heading.split(|symbol| !is_part(symbol)).filter(|word| !word.is_empty()).collect();
    if words.len() > MAX_WORDS {
        return None;
    }
    let place = |word: &str| word.as_ptr() as usize - heading.as_ptr() as usize;
    let named = |from: usize, to: usize| {
        let text = &heading[place(words[from])..place(words[to]) + words[to].len()];
        // Short words such as `sca` and `alea` are also words of other languages.
        let found = catalog::find(text).filter(|_| text.len() > 4)?;
        let size = words.get(to + 1).and_then(|size| size.split_once('x')).map(|(size, _)| size);
        let sized = size.and_then(|size| catalog::find(&format!("{text}{size}")));
        Some((sized.unwrap_or(found).name, text))
    };
    let mut found = None;
    let mut from = 0;
    while from < words.len() {
        let last = (from + 3).min(words.len() - 1);
        match (from..=last).rev().find_map(|to| Some((to, named(from, to)?))) {
            Some((_, (name, _))) if found.is_some_and(|(other, _)| other != name) => return None,
            Some((to, variant)) => {
                found = Some(variant);
                from = to + 1;
            }
            None => from += 1,
        }
    }
    found
}
