//! Tables with typed cells.

use super::cell::{Cell, Style};

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name for programs, once in a section.
    pub key: String,
    /// What it shows.
    pub title: String,
    /// What stands under it.
    pub note: Option<String>,
    /// The columns behind the first, which names the rows.
    pub columns: Vec<Column>,
    /// What the names of the rows are: `variant`.
    pub row_heading: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name for programs, once in a table.
    pub key: String,
    /// Its heading, with the unit.
    pub heading: String,
    /// How its numbers look.
    pub style: Style,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name for programs, once in a table.
    pub key: String,
    /// Its name for people.
    pub label: String,
    /// The section that it leads to.
    pub link: Option<String>,
    /// The cells, one for each column.
    pub cells: Vec<Cell>,
}

impl Table {
    /// Returns a table without columns and rows.
    pub fn new(key: &str, title: &str, row_heading: &str) -> Table {
        Table {
            key: key.to_owned(),
            title: title.to_owned(),
            note: None,
            columns: Vec::new(),
            row_heading: row_heading.to_owned(),
            rows: Vec::new(),
        }
    }

    /// Returns the table with a column more.
    #[must_use]
    pub fn column(mut self, key: &str, heading: &str, style: Style) -> Table {
        self.columns.push(Column { key: key.to_owned(), heading: heading.to_owned(), style });
        self
    }

    /// Returns the table with a sentence under it.
    #[must_use]
    pub fn noted(mut self, note: &str) -> Table {
        self.note = Some(note.to_owned());
        self
    }

    /// Adds a row whose key is its label.
    pub fn push(&mut self, label: &str, cells: impl IntoIterator<Item = Cell>) {
        self.push_row(Row {
            key: label.to_owned(),
            label: label.to_owned(),
            link: None,
            cells: cells.into_iter().collect(),
        });
    }

    /// Adds a row. Missing cells are empty, and those that are too many are dropped. A key that is there already gets a
    /// number, so that every figure has a name of its own.
    pub fn push_row(&mut self, mut row: Row) {
        row.cells.resize(self.columns.len(), Cell::Empty);
        let taken = |key: &str| self.rows.iter().any(|other| other.key == key);
        if taken(&row.key) {
            let free = (2..).map(|n| format!("{} {n}", row.key)).find(|key| !taken(key));
            row.key = free.expect("some number is free");
        }
        self.rows.push(row);
    }

    /// Returns what stands under the table: its note, and what a mark in it means.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.note.iter().cloned().collect();
        if self.rows.iter().flat_map(|row| &row.cells).any(Cell::is_of_few) {
            notes.push(super::cell::few_note());
        }
        notes
    }

    /// Returns whether a column holds numbers, which stand at the right.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|column| column.style != Style::Text)
    }
}
