//! The formats of the result of an SQL query.

use std::io::{self, Write};

use polars::io::SerWriter;
use polars::io::csv::write::CsvWriter;
use polars::io::json::{JsonFormat, JsonWriter};
use polars::io::parquet::write::ParquetWriter;
use tafl_parser::escape_json;

use super::SqlTable;
use crate::arrow::write_frame;
use crate::id_column::guarded_for_csv;
use crate::write_error::write_watched;

/// A writer of JSON that escapes the characters that affect the text around them, see [`escape_json`].
struct EscapedJson<W> {
    out: W,
    /// The start of a character whose end has not been written yet.
    rest: Vec<u8>,
}

impl<W> EscapedJson<W> {
    fn new(out: W) -> EscapedJson<W> {
        EscapedJson { out, rest: Vec::new() }
    }
}

impl<W: Write> Write for EscapedJson<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.rest.split_off(whole);
        let text = String::from_utf8(std::mem::replace(&mut self.rest, rest)).map_err(io::Error::other)?;
        self.out.write_all(escape_json(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl SqlTable {
    /// Writes the table as CSV with a header line. Cells that a spreadsheet would evaluate get an apostrophe in front, see
    /// [`guard_csv_cell`](tafl_parser::guard_csv_cell).
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut frame = guarded_for_csv(&self.0).map_err(|error| io::Error::other(error.to_string()))?;
        write_watched(out, |out| CsvWriter::new(out).include_header(true).finish(&mut frame))
    }

    /// Writes the table as a JSON list of objects, one per row.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_json(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.write_as(JsonFormat::Json, &mut *out)?;
        out.write_all(b"\n")
    }

    /// Writes the table as JSON lines, one object per row.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_json_lines(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.write_as(JsonFormat::JsonLines, out)
    }

    fn write_as(&mut self, format: JsonFormat, out: impl Write) -> io::Result<()> {
        write_watched(out, |out| {
            JsonWriter::new(EscapedJson::new(out)).with_json_format(format).finish(&mut self.0)
        })
    }

    /// Writes the table as Parquet.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_parquet(&mut self, out: &mut impl Write) -> io::Result<()> {
        write_watched(out, |out| ParquetWriter::new(out).finish(&mut self.0)).map(drop)
    }

    /// Writes the table in the Arrow IPC stream format.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_arrow(&mut self, out: &mut impl Write) -> io::Result<()> {
        write_watched(out, |mut out| write_frame(&mut self.0, &mut out))
    }
}

#[cfg(test)]
mod tests {
    use polars::df;

    use super::*;

    const TEXT: &str = "\u{1b}[31m \u{202e}Þórr\u{85} 王";

    #[test]
    fn no_text_acts_on_a_terminal() {
        let frame = df!("player" => [TEXT, "=1+1", "two\nlines"]).unwrap();
        let mut table = SqlTable(frame);
        let (mut csv, mut json, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        table.write_csv(&mut csv).unwrap();
        table.write_json(&mut json).unwrap();
        table.write_json_lines(&mut lines).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        assert_eq!(csv, "player\n\\u{1b}[31m \\u{202e}Þórr\\u{85} 王\n'=1+1\n\"two\nlines\"\n");
        let json = String::from_utf8(json).unwrap();
        let values: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(values[0]["player"], TEXT);
        let lines = String::from_utf8(lines).unwrap();
        let acts = |symbol: char| symbol.is_control() && symbol != '\n' || symbol == '\u{202e}';
        assert!(!json.contains(acts) && !lines.contains(acts), "{json:?} {lines:?}");
    }

    #[test]
    fn characters_are_written_whole_however_the_text_is_split() {
        let text = format!("[\"{}\"]", "a\u{202e}Þ王");
        for at in 0..text.len() {
            let mut out = EscapedJson::new(Vec::new());
            out.write_all(&text.as_bytes()[..at]).unwrap();
            out.write_all(&text.as_bytes()[at..]).unwrap();
            assert_eq!(String::from_utf8(out.out).unwrap(), "[\"a\\u202eÞ王\"]");
        }
    }
}
