//! Tables with a row per turn or per ply.

use tafl_rules::{Side, Span};

use super::columns::CsvColumn;
use super::game::{NamedField, TableReader};
use super::layout::{TableLayout, is_no_move};
use super::rows::CsvField;
use super::value;
use super::value::{begins_with_move, turn_number};
use crate::diagnostic::TextFinding;
use crate::format::termination;
use crate::record::{Comment, MovePlace, WrittenEnding, WrittenResult};
use crate::words::{self, PlayerNames, Statement, statement};

/// The state between the rows of a game.
#[derive(Debug, Default)]
struct TurnState {
    /// The number of the last row.
    number: Option<u32>,
    /// The column of the last move.
    column: Option<usize>,
    /// The values of other columns: the index of the column and its text.
    values: Vec<(usize, String)>,
}

impl TableReader<'_> {
    /// Reads the rows of a game.
    pub(super) fn turns(&mut self, layout: &TableLayout, rows: impl Iterator<Item = Span>) {
        let mut state = TurnState::default();
        let mut statements: Vec<(usize, CsvField<'_>)> = Vec::new();
        let text = self.source.text;
        for row in rows {
            let fields = layout.fields(text, row);
            if self.end_below(&fields) {
                continue;
            }
            self.check_columns(layout, row, &fields);
            let side = fields.iter().enumerate().find(|(nth, _)| *layout.column(*nth) == CsvColumn::Side);
            let side = side.and_then(|(_, field)| words::short_side(&field.text));
            let lists_captures = self.path_move(layout, side, &fields);
            for (nth, field) in fields.into_iter().enumerate() {
                self.check_quote(&field);
                if value::is_missing(&field.text) {
                    continue;
                }
                match layout.column(nth) {
                    CsvColumn::Turn | CsvColumn::Ply => self.number(&field, &mut state),
                    CsvColumn::Side if side.is_some() => {}
                    CsvColumn::From | CsvColumn::To => {}
                    CsvColumn::Captured if lists_captures => {}
                    CsvColumn::Moves => self.turn_moves(nth, side, &field, layout, &mut state),
                    CsvColumn::Attackers if layout.has_moves_by_side() => {
                        self.turn_moves(nth, Some(Side::Attackers), &field, layout, &mut state);
                    }
                    CsvColumn::Defenders if layout.has_moves_by_side() => {
                        self.turn_moves(nth, Some(Side::Defenders), &field, layout, &mut state);
                    }
                    CsvColumn::Comment => self.comment(&field.text, field.span),
                    // The index of a data frame differs in every row.
                    CsvColumn::Nameless => {
                        if turn_number(&field.text).is_none() {
                            self.report(field.span, TextFinding::Stray);
                        }
                    }
                    _ => match state.values.iter().find(|(known, _)| *known == nth) {
                        Some((_, known)) if *known == *field.text => {}
                        Some(_) if *layout.column(nth) == CsvColumn::Result => {
                            self.report(field.span, crate::diagnostic::HeaderFinding::Duplicate);
                        }
                        Some(_) => {
                            let name = layout.names.get(nth).map_or("", |name| name);
                            self.comment(&format!("{name}: {}", field.text), field.span);
                        }
                        None => {
                            state.values.push((nth, field.text.to_string()));
                            statements.push((nth, field));
                        }
                    },
                }
            }
        }
        self.statements(statements.iter().map(|(nth, field)| NamedField::new(layout, *nth, field)));
    }

    /// Reads the move of a row with columns for its start and destination. Returns whether its captures are a part of it.
    fn path_move(&mut self, layout: &TableLayout, side: Option<Side>, fields: &[CsvField<'_>]) -> bool {
        let columns = layout.columns.iter().zip(fields);
        let parts = columns.filter(|(column, field)| column.is_path() && !field.text.is_empty());
        let Some(span) = parts.map(|(_, field)| field.span).reduce(Span::cover) else { return false };
        let path = layout.path(fields);
        let text = path.word();
        if !text.is_empty() {
            self.joined_moves(&CsvField { text: text.into(), span, open_quote: None }, side);
        }
        path.lists_captures()
    }

    /// Reads a statement about the end below a table: `White wins.` Returns whether the row is one.
    fn end_below(&mut self, fields: &[CsvField<'_>]) -> bool {
        let [field] = fields else { return false };
        let text = field.text.trim_end_matches(['.', '!']);
        if self.record.main().moves.is_empty() || begins_with_move(text) {
            return false;
        }
        let stated = statement(text, &PlayerNames::of(&self.record));
        match stated.filter(|(_, length)| *length == text.len()).map(|(stated, _)| stated) {
            Some(Statement::Result { verdict, reason }) => {
                let stated = WrittenResult { verdict, reason, span: field.span };
                termination::set_result(&mut self.record, &mut self.diagnostics, stated);
            }
            Some(Statement::Ending { kind, side }) if self.record.ending.is_none() => {
                let after = self.record.main().moves.len() as u32;
                self.record.ending = Some(WrittenEnding { kind, side, after, span: field.span });
            }
            _ => return false,
        }
        true
    }

    /// Checks that the numbers rise by one. Several rows may have the same number: one for each side.
    fn number(&mut self, field: &CsvField<'_>, state: &mut TurnState) {
        let Some(number) = turn_number(&field.text) else {
            return self.report(field.span, TextFinding::Stray);
        };
        let expected = state.number.map_or(1, |last| last.saturating_add(1));
        let is_first = state.number.is_none() && number == 0;
        if number != expected && state.number != Some(number) && !is_first {
            self.report(field.span, TextFinding::MoveNumber { expected });
        }
        state.number = Some(number);
    }

    /// Reads the moves of a field of a turn: moves, an ending, a result, or a sign for no move.
    fn turn_moves(
        &mut self,
        nth: usize,
        side: Option<Side>,
        field: &CsvField<'_>,
        layout: &TableLayout,
        state: &mut TurnState,
    ) {
        if is_no_move(&field.text) {
            return;
        }
        let before = self.record.main().moves.len();
        let is_word = !begins_with_move(&field.text) && words::ending(&field.text).is_none();
        if is_word && self.record.result.is_none() && self.stated_result(&field.text).is_some() {
            return self.result(&field.text, field.span);
        }
        // Without a header, a text without any cell can only be a remark.
        if is_word && layout.names.is_empty() && !field.text.bytes().any(|byte| byte.is_ascii_digit()) {
            let is_ending = field.text.split_once(' ').is_some_and(|(_, word)| words::ending(word).is_some());
            if !is_ending {
                return self.comment(&field.text, field.span);
            }
        }
        self.moves(field, side);
        if self.record.main().moves.len() == before {
            return;
        }
        let columns = || {
            layout.columns.iter().enumerate().filter(|(_, column)| {
                **column == CsvColumn::Moves || column.is_side() && layout.has_moves_by_side()
            })
        };
        if columns().count() == 2 {
            let is_second = columns().next().is_some_and(|(first, _)| first != nth);
            if before == 0 {
                self.record.main_mut().opens_with_second = is_second;
            } else if state.column == Some(nth) {
                let missing = "the move of the other side before it";
                self.report(field.span, TextFinding::Incomplete { missing });
            }
            state.column = Some(nth);
        }
    }

    fn comment(&mut self, text: &str, span: Span) {
        let place = MovePlace::in_main(self.record.main().moves.len());
        self.record.comments.push(Comment { place, text, span });
    }
}
