//! Tables as plain columns, for CSV and Parquet.

use super::cell::Cell;
use super::{Report, Table};

/// A plain column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    Texts(Vec<Option<String>>),
    Counts(Vec<Option<u64>>),
    Numbers(Vec<Option<f64>>),
}

/// A column with its name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plain {
    pub(crate) name: String,
    pub(crate) values: Values,
}

impl Values {
    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            Values::Texts(values) => values.len(),
            Values::Counts(values) => values.len(),
            Values::Numbers(values) => values.len(),
        }
    }

    /// Returns a value for CSV, with all its digits; `None` if it is empty.
    pub(crate) fn text(&self, row: usize) -> Option<String> {
        match self {
            Values::Texts(values) => values.get(row)?.clone(),
            Values::Counts(values) => values.get(row)?.map(|value| value.to_string()),
            Values::Numbers(values) => values.get(row)?.map(|value| format!("{value:?}")),
        }
    }
}

/// Returns the plain columns of a table: the row names, and for each column its values and, if any, the ends
/// of the intervals and the counts of shares.
pub(crate) fn columns(table: &Table) -> Vec<Plain> {
    let names = table.rows.iter().map(|row| Some(row.key.clone())).collect();
    let mut plain = vec![Plain { name: "row".to_owned(), values: Values::Texts(names) }];
    for (at, column) in table.columns.iter().enumerate() {
        let cells: Vec<&Cell> = table.rows.iter().filter_map(|row| row.cells.get(at)).collect();
        let mut add = |suffix: &str, values: Values| {
            plain.push(Plain { name: format!("{}{suffix}", column.key), values });
        };
        add("", main_values(&cells));
        if cells.iter().any(|cell| cell.interval().is_some()) {
            let end = |high: bool| {
                let ends = cells.iter().map(|cell| cell.interval());
                Values::Numbers(ends.map(|ends| ends.map(|(l, h)| if high { h } else { l })).collect())
            };
            add("_low", end(false));
            add("_high", end(true));
        }
        let shares: Vec<Option<(u64, u64)>> = cells.iter().map(|cell| counts(cell)).collect();
        if shares.iter().any(Option::is_some) {
            add("_hits", Values::Counts(shares.iter().map(|share| share.map(|(hits, _)| hits)).collect()));
            add("_n", Values::Counts(shares.iter().map(|share| share.map(|(_, n)| n)).collect()));
        }
    }
    plain
}

fn counts(cell: &Cell) -> Option<(u64, u64)> {
    match cell {
        Cell::Share { hits, n, .. } => Some((*hits, *n)),
        Cell::Empty
        | Cell::Missing(_)
        | Cell::Text(_)
        | Cell::Count(_)
        | Cell::Number(_)
        | Cell::Estimate { .. } => None,
    }
}

/// Returns the values of a column; a column with text contains only text.
fn main_values(cells: &[&Cell]) -> Values {
    if cells.iter().any(|cell| matches!(cell, Cell::Text(_))) {
        let text = |cell: &&Cell| match cell {
            Cell::Text(text) | Cell::Missing(text) => Some(text.clone()),
            Cell::Count(count) => Some(count.to_string()),
            Cell::Empty | Cell::Number(_) | Cell::Estimate { .. } | Cell::Share { .. } => {
                cell.value().map(|value| format!("{value:?}"))
            }
        };
        return Values::Texts(cells.iter().map(text).collect());
    }
    let is_count = |cell: &&Cell| matches!(cell, Cell::Count(_) | Cell::Empty | Cell::Missing(_));
    if cells.iter().all(is_count) && cells.iter().any(|cell| matches!(cell, Cell::Count(_))) {
        let count = |cell: &&Cell| match cell {
            Cell::Count(count) => Some(*count),
            Cell::Empty | Cell::Missing(_) | Cell::Text(_) | Cell::Number(_) | Cell::Estimate { .. } => None,
            Cell::Share { .. } => None,
        };
        return Values::Counts(cells.iter().map(count).collect());
    }
    Values::Numbers(cells.iter().map(|cell| cell.value()).collect())
}

/// Returns all figures of a report as one table with a row per figure.
pub(crate) fn tidy(report: &Report) -> Vec<Plain> {
    let (mut keys, mut texts) = ([const { Vec::new() }; 4], Vec::new());
    let mut numbers = [const { Vec::new() }; 3];
    let mut counted = [const { Vec::new() }; 2];
    for (section, table) in report.tables() {
        for row in &table.rows {
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                if matches!(cell, Cell::Empty) {
                    continue;
                }
                let names = [section, &table.key, &row.key, &column.key];
                keys.iter_mut().zip(names).for_each(|(keys, name)| keys.push(Some(name.to_owned())));
                numbers[0].push(cell.value());
                numbers[1].push(cell.interval().map(|(low, _)| low));
                numbers[2].push(cell.interval().map(|(_, high)| high));
                counted[0].push(counts(cell).map(|(hits, _)| hits));
                counted[1].push(counts(cell).map(|(_, n)| n));
                texts.push(match cell {
                    Cell::Text(text) | Cell::Missing(text) => Some(text.clone()),
                    Cell::Empty | Cell::Count(_) | Cell::Number(_) | Cell::Estimate { .. } => None,
                    Cell::Share { .. } => None,
                });
            }
        }
    }
    let names = ["section", "table", "row", "column"].into_iter().zip(keys.map(Values::Texts));
    let numbers = ["value", "low", "high"].into_iter().zip(numbers.map(Values::Numbers));
    let counted = ["hits", "n"].into_iter().zip(counted.map(Values::Counts));
    let texts = [("text", Values::Texts(texts))];
    let all = names.chain(numbers).chain(counted).chain(texts);
    all.map(|(name, values)| Plain { name: name.to_owned(), values }).collect()
}
