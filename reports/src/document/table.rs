//! Tables with typed cells.

use std::collections::HashSet;

use super::cell::{NumberFormat, TableCell};
use super::unique_keys::UniqueKeys;

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its key for programs, unique in the section.
    pub key: String,
    /// Its title.
    pub title: String,
    /// The note under it.
    pub note: Option<String>,
    /// The columns after the first one, which contains the row names.
    pub columns: Vec<Column>,
    /// The heading of the row names, such as `variant`.
    pub row_heading: String,
    /// The rows.
    pub rows: Vec<Row>,
    /// The keys of the rows.
    keys: UniqueKeys,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its key for programs, unique in the table.
    pub key: String,
    /// Its heading, with the unit.
    pub heading: String,
    /// The format of its numbers.
    pub format: NumberFormat,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its key for programs, unique in the table.
    pub key: String,
    /// Its label for people.
    pub label: String,
    /// The section to which it links.
    pub link: Option<String>,
    /// The cells, one for each column.
    pub cells: Vec<TableCell>,
}

impl Table {
    /// Creates a table without columns and rows.
    pub fn new(key: &str, title: &str, row_heading: &str) -> Table {
        Table {
            key: key.to_owned(),
            title: title.to_owned(),
            note: None,
            columns: Vec::new(),
            row_heading: row_heading.to_owned(),
            rows: Vec::new(),
            keys: UniqueKeys::default(),
        }
    }

    /// Returns the table with another column.
    #[must_use]
    pub fn column(mut self, key: &str, heading: &str, format: NumberFormat) -> Table {
        self.columns.push(Column { key: key.to_owned(), heading: heading.to_owned(), format });
        self
    }

    /// Returns the table with a note.
    #[must_use]
    pub fn noted(mut self, note: &str) -> Table {
        self.note = Some(note.to_owned());
        self
    }

    /// Adds a row whose key is its label.
    pub fn push(&mut self, label: &str, cells: impl IntoIterator<Item = TableCell>) {
        self.push_keyed(label, label, cells);
    }

    /// Adds a row whose key, a stable name for programs, differs from its label.
    pub fn push_keyed(&mut self, key: &str, label: &str, cells: impl IntoIterator<Item = TableCell>) {
        self.push_row(Row {
            key: key.to_owned(),
            label: label.to_owned(),
            link: None,
            cells: cells.into_iter().collect(),
        });
    }

    /// Adds a row. Missing cells are empty, and extra ones are dropped. A duplicate key gets a numeric
    /// suffix, so that every figure has a unique name.
    pub fn push_row(&mut self, mut row: Row) {
        row.cells.resize(self.columns.len(), TableCell::Empty);
        row.key = self.keys.unique(row.key);
        self.rows.push(row);
    }

    /// Returns the notes under the table, its own and an explanation of marks, without those of earlier tables of the section,
    /// which are in `known`.
    pub(crate) fn new_notes(&self, known: &mut HashSet<String>) -> Vec<String> {
        self.notes().into_iter().filter(|note| known.insert(note.clone())).collect()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.note.iter().cloned().collect();
        if self.rows.iter().flat_map(|row| &row.cells).any(TableCell::is_small_sample) {
            notes.push(super::cell::small_sample_note());
        }
        notes
    }

    /// Returns whether a column contains numbers, which are right-aligned.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|column| column.format != NumberFormat::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_unique_key() {
        let mut table = Table::new("games", "Games", "game");
        for label in ["a", "a 2", "a", "b", "a", "a 2"] {
            table.push(label, []);
        }
        let keys: Vec<&str> = table.rows.iter().map(|row| row.key.as_str()).collect();
        assert_eq!(keys, ["a", "a 2", "a 3", "b", "a 4", "a 2 2"]);
        // The number of files with the same name in a malicious corpus.
        (0..30_000).for_each(|_| table.push("b", []));
        assert_eq!(table.rows.last().map(|row| row.key.as_str()), Some("b 30001"));
    }
}
