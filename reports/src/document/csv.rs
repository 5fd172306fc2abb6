//! Reports as CSV.

use std::borrow::Cow;

use tafl_corpus::{push_csv_field, visible_text};

use super::wide::{self, PlainColumn};
use super::{Report, Table};

impl Report {
    /// Returns all figures of the report's tables as one CSV table, with a row for each figure: section,
    /// table, row, column, value, the ends of its interval, the counts of a proportion, and text.
    pub fn to_csv(&self) -> String {
        written(&wide::tidy(self))
    }
}

impl Table {
    /// Returns the table as CSV with a header line; a column with intervals becomes several columns.
    pub fn to_csv(&self) -> String {
        written(&wide::columns(self))
    }
}

fn written(columns: &[PlainColumn]) -> String {
    let mut out = String::new();
    push_line(columns.iter().map(|column| Cow::Borrowed(&*column.name)), &mut out);
    let rows = columns.first().map_or(0, |column| column.values.len());
    for row in 0..rows {
        push_line(columns.iter().map(|column| column.values.text(row).unwrap_or_default().into()), &mut out);
    }
    out
}

fn push_line<'c>(cells: impl Iterator<Item = Cow<'c, str>>, out: &mut String) {
    for (nth, cell) in cells.enumerate() {
        if nth > 0 {
            out.push(',');
        }
        push_csv_field(&visible_text(&cell), out);
    }
    out.push('\n');
}
