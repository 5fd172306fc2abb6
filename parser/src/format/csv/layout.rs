//! The layout of a table: its delimiter, its columns, and whether a row is a game or a turn.

use std::borrow::Cow;

use tafl_rules::Span;

use super::columns::CsvColumn;
use super::header::{Delimiter, HeaderRow, best, is_data, is_list, separator};
use super::languages::column;
use super::path::MovePath;
use super::rows::{CsvField, DELIMITERS, split};
use super::turn_key::TurnKey;
use super::value::{self, begins_with_move, turn_number};
use crate::format::date;
use crate::record::tag;
use crate::words;

/// The rows before the data: a line `sep=;`, the header, or both.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableHeader {
    /// The delimiter of the line `sep=;`.
    separator: Option<u8>,
    names: Option<HeaderRow>,
}

/// The layout of a table with at least one row of data.
#[derive(Debug, Clone)]
pub(super) struct TableLayout {
    pub(super) delimiter: Delimiter,
    /// The names of the columns; empty without a header.
    pub(super) names: Vec<String>,
    /// The columns. Without a header there can be more fields than columns.
    pub(super) columns: Vec<CsvColumn>,
    pub(super) row_kind: RowKind,
}

/// The content of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A whole game.
    Game,
    /// A turn or a ply.
    Turn,
}

impl TableHeader {
    /// Returns the header with a text.
    pub(crate) fn of(text: &str) -> TableHeader {
        super::header_of(text).0
    }

    /// Adds a row before the data; returns whether it is such a row.
    pub(crate) fn push(&mut self, row: &str) -> bool {
        if self.names.is_none()
            && self.separator.is_none()
            && let Some(separator) = separator(row)
        {
            self.separator = Some(separator);
            return true;
        }
        if self.names.is_none()
            && let Some(names) = HeaderRow::find(row, self.separator)
        {
            self.names = Some(names);
            return true;
        }
        false
    }

    /// Adds a row of unknown names before the first row of data; returns whether it is a header.
    pub(crate) fn push_unknown(&mut self, row: &str, data: &str) -> bool {
        if self.names.is_none() {
            self.names = HeaderRow::of_content(row, data, self.separator);
        }
        self.names.is_some()
    }

    /// Returns whether a row is one of data.
    pub(crate) fn is_data(&self, row: &str) -> bool {
        self.layout(row).is_some()
    }

    /// Returns whether the row is a header that replaces this one: the same one, or another one
    /// that names moves.
    pub(crate) fn is_renewed_by(&self, row: &str) -> bool {
        if separator(row).is_some() {
            return true;
        }
        let is_same = self.names.as_ref().is_some_and(|names| names.text == row.trim());
        // A row with as many fields as columns has the same delimiter, even if a text in it has another one.
        let fitting = self.names.as_ref().filter(|names| {
            let fields = split(row, Span::new(0, row.len()), names.delimiter.byte);
            fields.len() > 1 && fields.len() == names.columns.len()
        });
        is_same
            || HeaderRow::find(row, fitting.map(|names| names.delimiter.byte)).is_some_and(|names| {
                // A row of a game without moves may have a few words that are also names of columns.
                let n_names = names.names.iter().filter(|name| !name.is_empty()).count();
                if 2 * n_names < names.names.len() {
                    return false;
                }
                let n_sides = names.columns.iter().filter(|column| column.is_side()).count();
                let has = |kind: fn(&CsvColumn) -> bool| names.columns.iter().any(kind);
                has(|column| matches!(column, CsvColumn::Moves | CsvColumn::Move))
                    || n_sides == 2 && has(CsvColumn::is_number)
            })
    }

    /// Returns whether all rows before the data were found.
    pub(crate) const fn is_complete(&self) -> bool {
        self.names.is_some()
    }

    /// Returns the key of a row of a table with turns; `None` if each row is a game.
    pub(crate) fn turn_key(&self, row: &str) -> Option<TurnKey> {
        let layout = self.layout(row)?;
        (layout.row_kind == RowKind::Turn)
            .then(|| layout.turn_key(&layout.fields(row, Span::new(0, row.len()))))
    }

    /// Returns the layout of a table whose first row of data is `row`; `None` if the row has no text.
    pub(super) fn layout(&self, row: &str) -> Option<TableLayout> {
        let Some(header) = &self.names else {
            return self.layout_of_data(row);
        };
        let mut layout = TableLayout {
            delimiter: header.delimiter,
            names: header.names.clone(),
            columns: header.columns.clone(),
            row_kind: RowKind::Game,
        };
        layout.resolve(&layout.fields(row, Span::new(0, row.len())));
        Some(layout)
    }

    /// Returns the layout of a table without a header: lines of moves, counts, and outcome, or turns.
    fn layout_of_data(&self, row: &str) -> Option<TableLayout> {
        let span = Span::new(0, row.len());
        let delimiters = DELIMITERS.into_iter().filter(|byte| self.separator.is_none_or(|own| own == *byte));
        let scores: Vec<(usize, u8)> = delimiters
            .map(|byte| (split(row, span, byte).iter().filter(|field| is_data(&field.text)).count(), byte))
            .collect();
        let mut delimiter = best(&scores)?;
        let fields = split(row, span, delimiter.byte);
        if fields.len() == 1 {
            // A row without any delimiter is the same for all of them.
            delimiter.other = None;
        }
        let first = fields.iter().position(|field| !field.text.is_empty())?;
        let is_move = |nth: usize| fields.get(nth).is_some_and(|field| begins_with_move(&field.text));
        let is_turn = |nth: usize| {
            is_move(nth)
                || fields
                    .get(nth)
                    .is_some_and(|field| is_no_move(&field.text) || words::ending(&field.text).is_some())
        };
        let mut columns = vec![CsvColumn::Nameless; first];
        let row_kind = if fields.len() > first + 1
            && turn_number(&fields[first].text).is_some()
            && (is_turn(first + 1) || is_move(first + 2))
        {
            columns.extend([CsvColumn::Turn, CsvColumn::Moves, CsvColumn::Moves]);
            RowKind::Turn
        } else if is_move(first) && is_move(first + 1) {
            columns.extend([CsvColumn::Moves, CsvColumn::Moves]);
            RowKind::Turn
        } else if is_move(first) || words::ending(&fields[first].text).is_some() {
            columns.extend([
                CsvColumn::Moves,
                CsvColumn::AttackerCaptures,
                CsvColumn::DefenderCaptures,
                CsvColumn::Result,
            ]);
            RowKind::Game
        } else {
            columns.extend(fields[first..].iter().map(|field| match words::verdict(&field.text) {
                _ if begins_with_move(&field.text) => CsvColumn::Moves,
                Some(_) if !field.text.is_empty() => CsvColumn::Result,
                Some(_) | None => CsvColumn::Other,
            }));
            RowKind::Game
        };
        Some(TableLayout { delimiter, names: Vec::new(), columns, row_kind })
    }

    /// Returns a score for the likeness of a text to a table: 0 for none, 4 and more for a table that other
    /// notations would misread.
    pub(super) fn likeness(&self, row: &str) -> u32 {
        if self.separator.is_some() || self.names.as_ref().is_some_and(|names| names.columns.len() > 1) {
            return 5;
        }
        if self.names.is_some() {
            return 4;
        }
        let Some(layout) = self.layout_of_data(row) else { return 0 };
        let fields = layout.fields(row, Span::new(0, row.len()));
        let is_first =
            layout.columns.iter().find(|column| **column != CsvColumn::Nameless) == Some(&CsvColumn::Moves);
        let is_comma = layout.delimiter.byte == b',';
        match layout.row_kind {
            _ if fields.len() < 2 => 0,
            // `1. d1-d3, e5-e2` and `d1-d3, e5-e2` are lists of moves.
            RowKind::Turn if is_comma && is_first => 0,
            RowKind::Turn => 5,
            RowKind::Game if is_first => {
                // Lines without quotes are archives of move lists.
                if is_comma && !row.starts_with('"') { 0 } else { 3 }
            }
            RowKind::Game => u32::from(fields.len() > 2 && layout.columns.contains(&CsvColumn::Moves)),
        }
    }
}

/// Returns whether the field of a turn says that there is no move.
pub(super) fn is_no_move(text: &str) -> bool {
    text.is_empty()
        || matches!(text, "-" | "--" | "\u{2013}" | "\u{2014}" | "\u{2026}")
        || text.bytes().all(|byte| byte == b'.')
}

impl TableLayout {
    /// Returns the layout of a game whose fields have these names.
    pub(super) fn of_names(names: Vec<String>, fields: &[CsvField<'_>]) -> TableLayout {
        let columns = names.iter().map(|name| column(name)).collect();
        let delimiter = Delimiter { byte: b',', other: None };
        let mut layout = TableLayout { delimiter, names, columns, row_kind: RowKind::Game };
        layout.resolve(fields);
        layout
    }

    /// Returns the fields of a row.
    pub(super) fn fields<'t>(&self, text: &'t str, row: Span) -> Vec<CsvField<'t>> {
        split(text, row, self.delimiter.byte)
    }

    fn has(&self, is: impl Fn(&CsvColumn) -> bool) -> bool {
        self.columns.iter().any(is)
    }

    /// Decides the meaning of names with several meanings, from the other names and the first row.
    fn resolve(&mut self, fields: &[CsvField<'_>]) {
        let has_paths = self.find_paths(fields);
        self.find_moves(fields);
        self.find_result(fields);
        let is_filled = |is: fn(&CsvColumn) -> bool| {
            let columns = self.columns.iter().zip(fields).filter(|(column, _)| is(column));
            columns.filter(|(_, field)| begins_with_move(&field.text)).count()
        };
        let has_list = self.has(|column| *column == CsvColumn::Moves);
        let has_step = self.has(|column| *column == CsvColumn::Move);
        let has_sides = self.has(CsvColumn::is_side);
        let has_turns = self.has(|column| matches!(column, CsvColumn::Turn | CsvColumn::Ply));
        let has_number = self.has(|column| *column == CsvColumn::Number);
        let only_turns = self.columns.iter().all(|column| {
            column.is_side() || matches!(column, CsvColumn::Number | CsvColumn::Comment | CsvColumn::Nameless)
        });
        let is_short = || {
            let step = self.columns.iter().position(|column| *column == CsvColumn::Move);
            let text =
                step.and_then(|nth| fields.get(nth)).map_or(Cow::Borrowed(""), |field| field.text.clone());
            text.split_ascii_whitespace().filter(|word| begins_with_move(word)).count() < 3
        };
        let is_turn = if has_paths {
            true
        } else if has_list {
            has_turns
        } else if has_step {
            has_turns
                || has_number
                || self.has(|column| matches!(column, CsvColumn::Game | CsvColumn::Side)) && is_short()
        } else {
            has_sides && (has_turns || has_number && only_turns || is_filled(CsvColumn::is_side) > 0)
        };
        self.row_kind = if is_turn { RowKind::Turn } else { RowKind::Game };
        let has_moves = has_list || has_step || is_turn;
        let mut has_id = self.has(|column| *column == CsvColumn::Tag(tag::ID));
        for column in &mut self.columns {
            match column {
                CsvColumn::Move => *column = CsvColumn::Moves,
                CsvColumn::Game if !has_moves => *column = CsvColumn::Moves,
                CsvColumn::Number if is_turn && !has_turns => *column = CsvColumn::Turn,
                CsvColumn::Number | CsvColumn::Game if !is_turn => {
                    *column = if has_id { CsvColumn::Other } else { CsvColumn::Tag(tag::ID) };
                    has_id = true;
                }
                _ => {}
            }
        }
    }

    /// Decides whether rows have a move in columns for its start and destination. If so, a column `move` numbers them.
    fn find_paths(&mut self, fields: &[CsvField<'_>]) -> bool {
        let is_other = |(column, field): (&CsvColumn, &CsvField<'_>)| match column {
            CsvColumn::Moves | CsvColumn::Move => turn_number(&field.text).is_none(),
            // With a position in each row, the moves are not those of one game.
            CsvColumn::Board | CsvColumn::Start => field.text.contains('/'),
            _ => false,
        };
        let has_paths = self.path(fields).is_move() && !self.columns.iter().zip(fields).any(is_other);
        for column in &mut self.columns {
            match column {
                CsvColumn::Moves | CsvColumn::Move if has_paths => *column = CsvColumn::Ply,
                _ if column.is_path() && !has_paths => *column = CsvColumn::Other,
                _ => {}
            }
        }
        has_paths
    }

    /// Returns the parts of a move in a row.
    pub(super) fn path<'f>(&'f self, fields: &'f [CsvField<'_>]) -> MovePath<'f> {
        MovePath::of(self.columns.iter().zip(fields).map(|(column, field)| (column, &*field.text)))
    }

    /// Finds the column of the moves by its content if no name is known to mean moves.
    fn find_moves(&mut self, fields: &[CsvField<'_>]) {
        let may_have_moves = |column: &CsvColumn| {
            matches!(column, CsvColumn::Moves | CsvColumn::Move | CsvColumn::Game) || column.is_side()
        };
        let mut lists = (0..self.columns.len().min(fields.len())).filter(|nth| is_list(&fields[*nth].text));
        if lists.clone().any(|nth| may_have_moves(&self.columns[nth])) {
            return;
        }
        if let Some(moves) = lists.next().filter(|nth| self.columns[*nth] == CsvColumn::Other) {
            self.columns[moves] = CsvColumn::Moves;
        }
    }

    /// Finds the column of the result by its content if no name is known to mean it: the first one with a result in
    /// words or figures, or with the name of a player.
    fn find_result(&mut self, fields: &[CsvField<'_>]) {
        if self.has(|column| *column == CsvColumn::Result) {
            return;
        }
        let columns = || self.columns.iter().zip(fields);
        let is_player = |text: &str| {
            let mut sides = columns().filter(|(column, _)| column.is_side());
            sides.any(|(_, field)| field.text.eq_ignore_ascii_case(text))
        };
        let found = columns().position(|(column, field)| {
            let text = &*field.text;
            let is_figure = || matches!(text, "1-0" | "0-1" | "1/2-1/2" | "\u{bd}-\u{bd}");
            let is_result = || value::result(text).is_some() && text.parse::<f64>().is_err();
            *column == CsvColumn::Other
                && !value::is_missing(text)
                && (is_result() || is_figure() || is_player(text))
        });
        if let Some(found) = found {
            self.columns[found] = CsvColumn::Result;
        }
    }

    /// Returns the columns of unknown names that may have the players, if there is a header and no column is known to have one: those with
    /// words other than a date.
    pub(super) fn unknown_players(&self, fields: &[CsvField<'_>]) -> Vec<usize> {
        if self.names.is_empty() || self.has(CsvColumn::is_side) {
            return Vec::new();
        }
        let may_be_player = |text: &str| {
            text.chars().any(char::is_alphabetic) && !begins_with_move(text) && date::read(text).is_none()
        };
        let columns = self.columns.iter().zip(fields).enumerate();
        let found = columns.filter(|(_, (column, field))| {
            **column == CsvColumn::Other && !value::is_missing(&field.text) && may_be_player(&field.text)
        });
        let found: Vec<usize> = found.map(|(nth, _)| nth).collect();
        if found.len() < 2 { Vec::new() } else { found }
    }

    /// Returns the column at an index.
    pub(super) fn column(&self, nth: usize) -> &CsvColumn {
        match self.columns.get(nth) {
            Some(column) => column,
            None if self.row_kind == RowKind::Turn && self.names.is_empty() => &CsvColumn::Comment,
            None => &CsvColumn::Other,
        }
    }

    /// Returns whether the columns of the sides have their moves.
    pub(super) fn has_moves_by_side(&self) -> bool {
        let has_moves = self.has(|column| matches!(column, CsvColumn::Moves | CsvColumn::From));
        self.row_kind == RowKind::Turn && !has_moves
    }

    /// Returns the key of a row of turns.
    pub(super) fn turn_key(&self, fields: &[CsvField<'_>]) -> TurnKey {
        let at = |is: fn(&CsvColumn) -> bool| {
            let nth = self.columns.iter().position(is)?;
            fields.get(nth).map(|field| &*field.text).filter(|text| !text.is_empty())
        };
        let game =
            at(|column| matches!(column, CsvColumn::Game | CsvColumn::Number | CsvColumn::Tag(tag::ID)));
        let number = at(|column| matches!(column, CsvColumn::Turn | CsvColumn::Ply)).and_then(turn_number);
        let side = at(|column| *column == CsvColumn::Side).unwrap_or_default().to_ascii_lowercase();
        let n_moves = self.columns.iter().filter(|column| **column == CsvColumn::Moves).count();
        let is_ply = self.has(|column| *column == CsvColumn::Ply);
        let has_both_sides = is_ply || n_moves > 1 || self.has_moves_by_side();
        TurnKey { game: game.map(str::to_owned), number, side, has_both_sides }
    }
}
