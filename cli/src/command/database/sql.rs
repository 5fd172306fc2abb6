//! `tafl sql`: queries in SQL over the tables of a corpus.

use std::fmt::Write as _;

use anyhow::Context;
use tafl_corpus::SqlTable;
use tafl_rules::counted;
use taflbase::database::OnCorpus;
use taflbase::escape::escape;
use taflbase::{App, Request};
use unicode_width::UnicodeWidthStr;

use crate::args::database::corpus::{SqlArgs, TableFormat};
use crate::output::{file_named, write_whole};
use crate::target::protect_inputs;
use crate::{Exit, Io};

/// The text for a missing value.
const NULL: &str = "NULL";

/// The most characters of a cell that are shown to people.
const MAX_CELL_CHARS: usize = 60;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus is missing, the SQL is wrong, a file is damaged, or the output cannot be written.
pub(crate) fn run(args: &SqlArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    protect_inputs(&[file_named(args.output.as_deref())], std::slice::from_ref(&args.corpus))?;
    if file_named(args.output.as_deref()).is_none()
        && matches!(args.format, TableFormat::Parquet | TableFormat::Arrow)
    {
        io.check_binary(if args.format == TableFormat::Parquet { "parquet" } else { "arrow" })?;
    }
    let request = OnCorpus { corpus: args.corpus.clone(), request: args.request.clone() };
    let mut table = request.run(&App::new(), &io.job())?;
    let mut bytes = Vec::new();
    match args.format {
        TableFormat::Text => bytes.extend(text(&table).into_bytes()),
        TableFormat::Csv => table.write_csv(&mut bytes)?,
        TableFormat::Json => table.write_json(&mut bytes)?,
        TableFormat::Jsonl => table.write_json_lines(&mut bytes)?,
        TableFormat::Parquet => table.write_parquet(&mut bytes)?,
        TableFormat::Arrow => table.write_arrow(&mut bytes)?,
    }
    match file_named(args.output.as_deref()) {
        None => io.write_bytes(&bytes)?,
        Some(path) => {
            write_whole(path, &bytes).with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    Ok(Exit::Ok)
}

fn text(table: &SqlTable) -> String {
    let names = table.columns();
    let cell = |row: usize, column: usize| match table.cell(row, column) {
        Some(text) if needs_quotes(&text) => format!("\"{}\"", cut(&text)),
        Some(text) => cut(&text),
        None => NULL.to_owned(),
    };
    let mut lines: Vec<Vec<String>> = vec![names.iter().map(|name| cut(name)).collect()];
    lines.extend((0..table.n_rows()).map(|row| (0..names.len()).map(|column| cell(row, column)).collect()));
    let width = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let mut text = String::new();
        for (column, cell) in line.iter().enumerate() {
            let blanks = " ".repeat(widths[column] - cell.width());
            let (before, after) = if table.is_numeric(column) { (&*blanks, "") } else { ("", &*blanks) };
            let _ = write!(text, "{before}{cell}{after}  ");
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    let _ = writeln!(out, "{}", counted(table.n_rows() as u64, "row", "rows"));
    out
}

/// Returns whether a text is shown in quotation marks, so that no text looks like a missing value or like another text.
fn needs_quotes(text: &str) -> bool {
    text.trim().is_empty() || text == NULL || text.starts_with('"')
}

/// Returns a cell on one line, of at most [`MAX_CELL_CHARS`] characters.
fn cut(cell: &str) -> String {
    let cell = escape(cell);
    match cell.char_indices().nth(MAX_CELL_CHARS) {
        Some((end, _)) => format!("{}...", &cell[..end]),
        None => cell,
    }
}
