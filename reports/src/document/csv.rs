//! Reports as CSV.

use super::wide::{self, Plain};
use super::{Report, Table};

impl Report {
    /// Returns every figure of the report's tables as one CSV table, a row for each figure: section, table, row, column,
    /// value, the ends of its interval, the counts of a share, and words.
    pub fn to_csv(&self) -> String {
        written(&wide::tidy(self))
    }
}

impl Table {
    /// Returns the table as CSV with a line of names; a column with intervals becomes several.
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

/// Returns a field as RFC 4180 has it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) || field.starts_with(' ') || field.ends_with(' ') {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
