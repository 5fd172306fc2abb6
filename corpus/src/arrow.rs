//! Tables in the Arrow IPC stream format.

use std::io::{self, Write};

use polars::frame::DataFrame;
use polars::io::SerWriter;
use polars::io::ipc::IpcStreamWriter;
use polars::prelude::{Column, CompatLevel, PolarsResult};

use crate::write_error::write_watched;

/// The values of a column; each of them may be missing.
#[derive(Debug, Clone, PartialEq)]
pub enum ArrowColumn {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Integers.
    Integer(Vec<Option<i64>>),
    /// Floating-point numbers.
    Float(Vec<Option<f64>>),
    /// True or false.
    Bool(Vec<Option<bool>>),
}

impl ArrowColumn {
    fn len(&self) -> usize {
        match self {
            ArrowColumn::Text(values) => values.len(),
            ArrowColumn::Integer(values) => values.len(),
            ArrowColumn::Float(values) => values.len(),
            ArrowColumn::Bool(values) => values.len(),
        }
    }

    fn into_column(self, name: &str) -> Column {
        match self {
            ArrowColumn::Text(values) => Column::new(name.into(), values),
            ArrowColumn::Integer(values) => Column::new(name.into(), values),
            ArrowColumn::Float(values) => Column::new(name.into(), values),
            ArrowColumn::Bool(values) => Column::new(name.into(), values),
        }
    }
}

/// Writes columns of the same length, with their names, in the Arrow IPC stream format.
///
/// # Errors
///
/// Fails if the table cannot be written, or if the columns differ in length.
///
/// # Examples
///
/// ```
/// use tafl_corpus::{ArrowColumn, write_arrow};
///
/// let moves = ArrowColumn::Text(vec![Some("d1-c1".to_owned()), None]);
/// let mut stream = Vec::new();
/// write_arrow(vec![("move", moves), ("games", ArrowColumn::Integer(vec![Some(3), Some(1)]))], &mut stream)?;
/// assert_eq!(&stream[..4], [0xff; 4]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_arrow(columns: Vec<(&'static str, ArrowColumn)>, out: &mut dyn Write) -> io::Result<()> {
    let height = columns.first().map_or(0, |(_, column)| column.len());
    let columns = columns.into_iter().map(|(name, column)| column.into_column(name)).collect();
    let frame = DataFrame::new(height, columns);
    let mut frame = frame.map_err(|error| io::Error::other(error.to_string()))?;
    write_watched(out, |mut out| write_frame(&mut frame, &mut out))
}

/// Writes a frame with the types that every version of the readers of Arrow knows.
pub(crate) fn write_frame(frame: &mut DataFrame, out: &mut dyn Write) -> PolarsResult<()> {
    IpcStreamWriter::new(out).with_compat_level(CompatLevel::oldest()).finish(frame)
}

#[cfg(test)]
mod tests {
    use polars::io::SerReader;
    use polars::io::ipc::IpcStreamReader;

    use super::*;

    #[test]
    fn a_table_is_read_back_by_polars() {
        let columns = vec![
            ("text", ArrowColumn::Text(vec![Some("þ".to_owned()), None])),
            ("integer", ArrowColumn::Integer(vec![Some(-1), Some(i64::MAX)])),
            ("float", ArrowColumn::Float(vec![None, Some(0.5)])),
            ("bool", ArrowColumn::Bool(vec![Some(true), None])),
        ];
        let mut stream = Vec::new();
        write_arrow(columns.clone(), &mut stream).unwrap();
        let read = IpcStreamReader::new(std::io::Cursor::new(stream)).finish().unwrap();
        let expected: Vec<Column> =
            columns.into_iter().map(|(name, column)| column.into_column(name)).collect();
        assert!(read.equals_missing(&DataFrame::new(2, expected).unwrap()), "{read}");
    }

    #[test]
    fn a_table_without_rows_keeps_its_columns() {
        let mut stream = Vec::new();
        write_arrow(vec![("game", ArrowColumn::Integer(Vec::new()))], &mut stream).unwrap();
        let read = IpcStreamReader::new(std::io::Cursor::new(stream)).finish().unwrap();
        assert_eq!((read.height(), read.get_column_names()[0].as_str()), (0, "game"));
    }
}
