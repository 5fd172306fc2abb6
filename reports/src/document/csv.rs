//! Reports as CSV.

use super::wide::{self, Plain};
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

fn written(columns: &[Plain]) -> String {
    let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
    let mut out = names.join(",") + "\n";
    let rows = columns.first().map_or(0, |column| column.values.len());
    for row in 0..rows {
        let cells = columns.iter().map(|column| quoted(&column.values.text(row).unwrap_or_default()));
        out += &cells.collect::<Vec<String>>().join(",");
        out.push('\n');
    }
    out
}

/// Quotes a field according to RFC 4180.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) || field.starts_with(' ') || field.ends_with(' ') {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
