//! The fields of a game: players, result, and the like.

use tafl_rules::{BySide, Reason, Side, Span, catalog};

use super::columns::CsvColumn;
use super::comments::{FieldComment, split_comments};
use super::languages;
use super::layout::{RowKind, TableLayout};
use super::rows::CsvField;
use super::value;
use crate::diagnostic::{EndFinding, Findings, HeaderFinding, TextFinding};
use crate::format::{Format, date, movelist, start, termination};
use crate::record::{
    Comment, EndingKind, MovePlace, Record, Written, WrittenCaptureCounts, WrittenEnding, WrittenResult,
    WrittenVerdict, tag,
};
use crate::source::Source;
use crate::words::{self, PlayerNames, Statement, statement};

/// The accepted results.
const RESULTS: &str = "attackers, defenders, draw, ongoing, or the name of a player";

/// A reader of the rows of one game.
pub(super) struct TableReader<'s> {
    pub(super) source: &'s Source<'s>,
    pub(super) record: Record,
    pub(super) diagnostics: Findings,
}

/// Values that depend on other columns.
#[derive(Debug, Default)]
struct PendingFields {
    result: Option<(Box<str>, Span)>,
    reason: Option<(Box<str>, Span)>,
    position: Option<(Box<str>, Span)>,
    captures: BySide<Option<(u32, Span)>>,
}

impl<'s> TableReader<'s> {
    pub(super) fn new(source: &'s Source<'s>) -> TableReader<'s> {
        TableReader { source, record: Record::new(Format::Csv), diagnostics: Findings::default() }
    }

    /// Reads the row of a game.
    pub(super) fn game(&mut self, layout: &TableLayout, row: Span) {
        let fields = layout.fields(self.source.text, row);
        self.check_columns(layout, row, &fields);
        self.fields(layout, &fields, &[], row);
    }

    /// Reads the fields of a game, written at `row`; `lists` has the moves of each field that is a list of them.
    pub(super) fn fields(
        &mut self,
        layout: &TableLayout,
        fields: &[CsvField<'_>],
        lists: &[Option<Vec<CsvField<'_>>>],
        row: Span,
    ) {
        let has_moves = layout.columns.contains(&CsvColumn::Moves) && layout.row_kind == RowKind::Game;
        if !has_moves {
            self.report(row, TextFinding::NoMoveColumn);
        }
        let players = layout.unknown_players(fields);
        if let [first, .., last] = players[..] {
            let columns = players.iter().map(|nth| format!("`{}`", layout.names[*nth]));
            let columns = columns.collect::<Vec<_>>().join(", ").into();
            self.report(
                fields[first].span.cover(fields[last].span),
                HeaderFinding::UnknownPlayers { columns },
            );
        }
        for (nth, field) in fields.iter().enumerate() {
            self.check_quote(field);
            if has_moves && *layout.column(nth) == CsvColumn::Moves {
                let list = lists.get(nth).and_then(Option::as_deref);
                list.unwrap_or(std::slice::from_ref(field)).iter().for_each(|mv| self.moves(mv, None));
            }
        }
        let named = fields.iter().enumerate().map(|(nth, field)| NamedField::new(layout, nth, field));
        self.statements(named.filter(|named| !has_moves || *named.column != CsvColumn::Moves));
    }

    pub(super) fn check_quote(&mut self, field: &CsvField<'_>) {
        if let Some(quote) = field.open_quote {
            self.report(Span::new(quote, field.span.end as usize), TextFinding::UnclosedQuote);
        }
    }

    /// Reads the moves of a field; `side` is the side that makes them, if the table names it.
    pub(super) fn moves(&mut self, field: &CsvField<'_>, side: Option<Side>) {
        let is_joined = self.record.format == Format::JsonRows && self.source.at(field.span) != field.text;
        self.moves_of_side(field, side, is_joined);
    }

    /// Reads moves from a text that was joined from several fields; each gets the span of this field.
    pub(super) fn joined_moves(&mut self, field: &CsvField<'_>, side: Option<Side>) {
        self.moves_of_side(field, side, true);
    }

    fn moves_of_side(&mut self, field: &CsvField<'_>, side: Option<Side>, is_joined: bool) {
        if value::is_missing(&field.text) || self.ending_of_side(field) {
            return;
        }
        let first = self.record.main().moves.len();
        let had_ending = self.record.ending.is_some();
        if is_joined {
            self.moves_with_one_span(field);
        } else {
            let (start, end) = (field.span.start as usize, field.span.end as usize);
            read_moves(self.source, Span::new(start, end), &mut self.record, &mut self.diagnostics);
        }
        if side.is_some() {
            self.record.main_mut().moves[first..].iter_mut().for_each(|mv| mv.side = side);
            if let Some(ending) =
                self.record.ending.as_mut().filter(|ending| !had_ending && ending.side.is_none())
            {
                ending.side = side;
            }
        }
    }

    /// Reads the moves of a string with escapes, or of several fields. They have no places of their own in the text, and
    /// neither have the comments and tags among them.
    fn moves_with_one_span(&mut self, field: &CsvField<'_>) {
        let (first_move, first_capture) = (self.record.main().moves.len(), self.record.captures.len());
        let (n_tags, n_comments) = (self.record.tags.len(), self.record.comments.len());
        let text = Source::new(&field.text);
        let mut found = Findings::default();
        read_moves(&text, Span::new(0, field.text.len()), &mut self.record, &mut found);
        self.record.main_mut().moves[first_move..].iter_mut().for_each(|mv| mv.span = field.span);
        self.record.captures[first_capture..].iter_mut().for_each(|capture| capture.span = field.span);
        found.iter_mut().for_each(|finding| finding.span = field.span);
        self.diagnostics.extend(found.into_vec());
        let Record { tags, comments, variant, rules, ending, .. } = &mut self.record;
        let texts = tags.spans_mut().skip(n_tags).chain(comments.spans_mut().skip(n_comments));
        let names = [variant, rules].into_iter().flatten().map(|name| &mut name.span);
        let ending = ending.iter_mut().map(|ending| &mut ending.span);
        texts.chain(names).chain(ending).for_each(|span| *span = field.span);
    }

    /// Reads `White resigns`; returns whether the field is such an ending.
    fn ending_of_side(&mut self, field: &CsvField<'_>) -> bool {
        let Some((side, kind)) = field
            .text
            .split_once(' ')
            .and_then(|(side, word)| Some((words::side(side)?, words::ending(word.trim())?)))
        else {
            return false;
        };
        if self.record.ending.is_some() {
            self.report(field.span, TextFinding::Stray);
            return true;
        }
        let after = self.record.main().moves.len() as u32;
        self.record.ending = Some(WrittenEnding { kind, side: Some(side), after, span: field.span });
        true
    }

    /// Reads the fields that are not moves.
    pub(super) fn statements<'f>(&mut self, fields: impl Iterator<Item = NamedField<'f>>) {
        let mut pending = PendingFields::default();
        let mut seen: Vec<(CsvColumn, &str)> = Vec::new();
        for field in fields.filter(|field| !value::is_missing(&field.field.text)) {
            let key = (field.column.clone(), if *field.column == CsvColumn::Other { field.name } else { "" });
            let is_single =
                !matches!(field.column, CsvColumn::Nameless | CsvColumn::Comment | CsvColumn::Tags);
            if is_single && seen.contains(&key) {
                self.report(field.field.span, HeaderFinding::Duplicate);
                self.tag(&field);
                continue;
            }
            seen.push(key);
            self.statement(&field, &mut pending);
        }
        self.finish_statements(pending);
    }

    fn statement(&mut self, named: &NamedField<'_>, pending: &mut PendingFields) {
        let text = &*named.field.text;
        let span = named.field.span;
        let written = |text: &str| Some(Written { text: text.into(), span });
        match named.column {
            CsvColumn::Variant => self.record.variant = written(text),
            CsvColumn::AageKey => match value::count(text) {
                Some(key) => self.record.variant = written(&format!("aage-{key}")),
                None => self.tag(named),
            },
            // `11x11` and `Copenhagen` are both found under this name.
            CsvColumn::Board if self.record.variant.is_none() && catalog::find(text).is_some() => {
                self.record.variant = written(text);
            }
            CsvColumn::Rules if text.split_ascii_whitespace().any(|word| word.starts_with("dim:")) => {
                self.record.rules = written(text);
            }
            CsvColumn::Rules if self.record.variant.is_none() => self.record.variant = written(text),
            CsvColumn::FirstMover => match words::short_side(text) {
                Some(side) => self.record.first_mover = Some(side),
                None => self.bad_tag(named, "first mover", "attackers or defenders"),
            },
            CsvColumn::Start if text.starts_with('/') => pending.position = Some((text.into(), span)),
            CsvColumn::Result => {
                let winner = value::winner(named.name, text);
                pending.result = Some((winner.map_or(text, |side| side.as_str()).into(), span));
            }
            CsvColumn::Reason => pending.reason = Some((text.into(), span)),
            CsvColumn::AttackerCaptures => self.count(named, &mut pending.captures.attackers),
            CsvColumn::DefenderCaptures => self.count(named, &mut pending.captures.defenders),
            CsvColumn::Comment => {
                let n_moves = self.record.main().moves.len();
                for FieldComment { after, text } in split_comments(text) {
                    let place = MovePlace::in_main(n_moves.min(after as usize));
                    self.record.comments.push(Comment { place, text, span });
                }
            }
            CsvColumn::Date => match date::read(text) {
                Some((day, time)) => {
                    self.record.push_tag(tag::DATE, &day, span);
                    // A data frame adds a time to every day.
                    if !time.is_empty() && time != "00:00:00" {
                        self.record.push_tag("time", time, span);
                    }
                }
                None => self.tag(named),
            },
            CsvColumn::Rated => match &*text.to_ascii_lowercase() {
                "true" | "yes" | "y" | "1" => self.record.push_tag(tag::RATED, "true", span),
                "false" | "no" | "n" | "0" => self.record.push_tag(tag::RATED, "false", span),
                _ => self.tag(named),
            },
            CsvColumn::Tags => self.tags(named),
            // The index of a data frame numbers the rows, and says nothing about the game.
            CsvColumn::Nameless if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
            CsvColumn::Nameless => self.report(span, TextFinding::Stray),
            _ => self.tag(named),
        }
    }

    /// Adds a field as a tag with the standard name of its column, or the column's own name.
    pub(super) fn tag(&mut self, named: &NamedField<'_>) {
        let place = format!("column-{}", named.nth + 1);
        let name = named.column.tag_name().unwrap_or(if named.name.is_empty() { &place } else { named.name });
        self.record.push_tag(name, &named.field.text, named.field.span);
    }

    fn bad_tag(&mut self, named: &NamedField<'_>, tag: &'static str, expected: &'static str) {
        self.report(named.field.span, HeaderFinding::BadTag { tag, expected });
        self.tag(named);
    }

    fn tags(&mut self, named: &NamedField<'_>) {
        let is_list = named.field.text.lines().all(|line| line.contains(": "));
        if !is_list {
            return self.tag(named);
        }
        for line in named.field.text.lines() {
            if let Some((name, value)) = line.split_once(": ") {
                self.record.push_tag(name, value, named.field.span);
            }
        }
    }

    fn count(&mut self, named: &NamedField<'_>, count: &mut Option<(u32, Span)>) {
        let span = named.field.span;
        match value::count(&named.field.text) {
            Some(number) => *count = Some((number, span)),
            None => self.report(span, TextFinding::BadValue { field: "captures", expected: "a number" }),
        }
    }

    fn finish_statements(&mut self, pending: PendingFields) {
        if let Some((text, span)) = pending.position {
            match start::read_text(&text, span, &mut self.record) {
                Ok(start) => self.record.start = Some(start),
                Err(finding) => self.diagnostics.push(finding),
            }
        }
        match (pending.captures.attackers, pending.captures.defenders) {
            (Some((attackers, one)), Some((defenders, other))) => {
                self.record.capture_counts = Some(WrittenCaptureCounts {
                    by: BySide { attackers, defenders },
                    spans: BySide { attackers: one, defenders: other },
                });
            }
            // One number without the other would imply that the other is 0.
            (attackers, defenders) => {
                for (name, found) in [("attacker-captures", attackers), ("defender-captures", defenders)] {
                    if let Some((number, span)) = found {
                        self.record.push_tag(name, &number.to_string(), span);
                    }
                }
            }
        }
        if let Some((text, span)) = pending.result {
            self.result(&text, span);
        }
        if let Some((text, span)) = pending.reason {
            termination::read(&mut self.record, &text, span);
        }
    }

    /// Returns the result that a text states, as a result or as an ending of a side: `Black (timeout)`, `Ann resigned`.
    pub(super) fn stated_result(&self, text: &str) -> Option<(WrittenVerdict, Option<Reason>)> {
        value::result(text).or_else(|| {
            let text = text.trim_end_matches(['.', '!']);
            let stated = statement(text, &PlayerNames::of(&self.record));
            match stated.filter(|(_, length)| *length == text.len())?.0 {
                Statement::Result { verdict, reason } => Some((verdict, reason)),
                Statement::Ending { kind, side: Some(side) } if kind != EndingKind::Agreed => {
                    Some((WrittenVerdict::Win(side.other()), Some(kind.reason())))
                }
                Statement::Ending { .. } | Statement::Ambiguous => None,
            }
        })
    }

    pub(super) fn result(&mut self, text: &str, span: Span) {
        let is_player = |name, number: &str| {
            let named = self.record.tag(name).is_some_and(|player| player.eq_ignore_ascii_case(text));
            named || text.eq_ignore_ascii_case(number)
        };
        let by_name = match (is_player(tag::ATTACKERS, "player 1"), is_player(tag::DEFENDERS, "player 2")) {
            (true, false) => Some(WrittenVerdict::Win(Side::Attackers)),
            (false, true) => Some(WrittenVerdict::Win(Side::Defenders)),
            (true, true) | (false, false) => None,
        };
        let named = by_name.or_else(|| languages::verdict(text)).map(|verdict| (verdict, None));
        match value::result(text).or(named).or_else(|| self.stated_result(text)) {
            Some((verdict, reason)) => self.record.result = Some(WrittenResult { verdict, reason, span }),
            None => {
                self.report(span, EndFinding::BadResult { expected: RESULTS });
                self.record.push_tag("result", text, span);
            }
        }
    }
}

/// Reads the moves of a field, a part of the text.
fn read_moves(source: &Source<'_>, field: Span, record: &mut Record, diagnostics: &mut Findings) {
    let text = source.at(field);
    let (mut at, end) = (field.start as usize, field.end as usize);
    // A comment in a list of moves may contain anything.
    let is_plain = !text.contains(['{', '(', '[', '#']);
    // A list as data frames write it: `['d2-f2', 'd3-d2']`.
    let is_list = ["['", "[\""].iter().any(|start| text.starts_with(start))
        && text.ends_with(']')
        && !text.contains(['{', '(', '#']);
    while at < end {
        let rest = &source.text[at..end];
        let length = match (is_plain, is_list) {
            (true, _) => rest.find([';', '|']),
            (false, true) => rest.find(['[', ']', '\'', '"', ',']),
            (false, false) => None,
        };
        let length = length.unwrap_or(rest.len());
        let part = Source { text: &source.text[..at + length], ..*source };
        at = movelist::read_moves(&part, at, record, diagnostics).max(at) + 1;
    }
}

/// A field with its column.
#[derive(Clone, Copy)]
pub(super) struct NamedField<'f> {
    pub(super) nth: usize,
    pub(super) column: &'f CsvColumn,
    /// The name in the header; empty without a header.
    pub(super) name: &'f str,
    pub(super) field: &'f CsvField<'f>,
}

impl<'f> NamedField<'f> {
    pub(super) fn new(layout: &'f TableLayout, nth: usize, field: &'f CsvField<'f>) -> NamedField<'f> {
        let name = layout.names.get(nth).map_or("", |name| name);
        NamedField { nth, column: layout.column(nth), name, field }
    }
}
