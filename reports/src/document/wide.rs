//! Tables as plain columns, for CSV and Parquet.

use super::cell::TableCell;
use super::{Report, Table};

/// The values of a plain column; `None` for empty cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ColumnValues {
    Texts(Vec<Option<String>>),
    Counts(Vec<Option<u64>>),
    Numbers(Vec<Option<f64>>),
}

/// A plain column: one value per row, without intervals.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlainColumn {
    pub(crate) name: String,
    pub(crate) values: ColumnValues,
}

impl ColumnValues {
    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            ColumnValues::Texts(values) => values.len(),
            ColumnValues::Counts(values) => values.len(),
            ColumnValues::Numbers(values) => values.len(),
        }
    }

    /// Returns a value for CSV, with all its digits; `None` if it is empty.
    pub(crate) fn text(&self, row: usize) -> Option<String> {
        match self {
            ColumnValues::Texts(values) => values.get(row)?.clone(),
            ColumnValues::Counts(values) => values.get(row)?.map(|value| value.to_string()),
            ColumnValues::Numbers(values) => values.get(row)?.map(|value| format!("{value:?}")),
        }
    }
}

/// Returns the plain columns of a table: the row names, and for each column its values and, if any, the ends
/// of the intervals and the counts of proportions.
pub(crate) fn columns(table: &Table) -> Vec<PlainColumn> {
    let names = table.rows.iter().map(|row| Some(row.key.clone())).collect();
    let mut plain = vec![PlainColumn { name: "row".to_owned(), values: ColumnValues::Texts(names) }];
    for (at, column) in table.columns.iter().enumerate() {
        let cells: Vec<&TableCell> = table.rows.iter().filter_map(|row| row.cells.get(at)).collect();
        let mut add = |suffix: &str, values: ColumnValues| {
            plain.push(PlainColumn { name: format!("{}{suffix}", column.key), values });
        };
        add("", main_values(&cells));
        let [low, high] = [0, 1].map(|end| cells.iter().map(|cell| cell.ends()[end]).collect::<Vec<_>>());
        if low.iter().chain(&high).any(Option::is_some) {
            add("_low", ColumnValues::Numbers(low));
            add("_high", ColumnValues::Numbers(high));
        }
        let proportions: Vec<Option<(u64, u64)>> = cells.iter().map(|cell| counts(cell)).collect();
        if proportions.iter().any(Option::is_some) {
            add(
                "_hits",
                ColumnValues::Counts(
                    proportions.iter().map(|proportion| proportion.map(|(hits, _)| hits)).collect(),
                ),
            );
            add(
                "_n",
                ColumnValues::Counts(
                    proportions.iter().map(|proportion| proportion.map(|(_, n)| n)).collect(),
                ),
            );
        }
    }
    plain
}

fn counts(cell: &TableCell) -> Option<(u64, u64)> {
    match cell {
        TableCell::Proportion { hits, n, .. } => Some((*hits, *n)),
        TableCell::Empty
        | TableCell::Missing(_)
        | TableCell::Text(_)
        | TableCell::Count(_)
        | TableCell::Number(_)
        | TableCell::Estimate { .. } => None,
    }
}

/// Returns the values of a column; a column with text contains only text.
fn main_values(cells: &[&TableCell]) -> ColumnValues {
    if cells.iter().any(|cell| matches!(cell, TableCell::Text(_))) {
        let text = |cell: &&TableCell| match cell {
            TableCell::Text(text) | TableCell::Missing(text) => Some(text.clone()),
            TableCell::Count(count) => Some(count.to_string()),
            TableCell::Empty
            | TableCell::Number(_)
            | TableCell::Estimate { .. }
            | TableCell::Proportion { .. } => cell.value().map(|value| format!("{value:?}")),
        };
        return ColumnValues::Texts(cells.iter().map(text).collect());
    }
    let is_count =
        |cell: &&TableCell| matches!(cell, TableCell::Count(_) | TableCell::Empty | TableCell::Missing(_));
    if cells.iter().all(is_count) && cells.iter().any(|cell| matches!(cell, TableCell::Count(_))) {
        let count = |cell: &&TableCell| match cell {
            TableCell::Count(count) => Some(*count),
            TableCell::Empty
            | TableCell::Missing(_)
            | TableCell::Text(_)
            | TableCell::Number(_)
            | TableCell::Estimate { .. }
            | TableCell::Proportion { .. } => None,
        };
        return ColumnValues::Counts(cells.iter().map(count).collect());
    }
    ColumnValues::Numbers(cells.iter().map(|cell| cell.value()).collect())
}

/// Returns all figures of a report as one table with a row per figure (tidy data).
pub(crate) fn tidy(report: &Report) -> Vec<PlainColumn> {
    let (mut keys, mut texts) = ([const { Vec::new() }; 4], Vec::new());
    let mut numbers = [const { Vec::new() }; 3];
    let mut counted = [const { Vec::new() }; 2];
    for (section, table) in report.tables() {
        for row in &table.rows {
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                if matches!(cell, TableCell::Empty) {
                    continue;
                }
                let names = [section, &table.key, &row.key, &column.key];
                keys.iter_mut().zip(names).for_each(|(keys, name)| keys.push(Some(name.to_owned())));
                numbers[0].push(cell.value());
                let [low, high] = cell.ends();
                numbers[1].push(low);
                numbers[2].push(high);
                counted[0].push(counts(cell).map(|(hits, _)| hits));
                counted[1].push(counts(cell).map(|(_, n)| n));
                texts.push(match cell {
                    TableCell::Text(text) | TableCell::Missing(text) => Some(text.clone()),
                    TableCell::Empty
                    | TableCell::Count(_)
                    | TableCell::Number(_)
                    | TableCell::Estimate { .. }
                    | TableCell::Proportion { .. } => None,
                });
            }
        }
    }
    let names = ["section", "table", "row", "column"].into_iter().zip(keys.map(ColumnValues::Texts));
    let numbers = ["value", "low", "high"].into_iter().zip(numbers.map(ColumnValues::Numbers));
    let counted = ["hits", "n"].into_iter().zip(counted.map(ColumnValues::Counts));
    let texts = [("text", ColumnValues::Texts(texts))];
    let all = names.chain(numbers).chain(counted).chain(texts);
    all.map(|(name, values)| PlainColumn { name: name.to_owned(), values }).collect()
}
