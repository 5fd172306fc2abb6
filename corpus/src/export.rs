//! Export: stored games as records.

use tafl_parser::{
    Format, Parsed, ReasonSource, Record, Source, Written, WrittenMove, WrittenResult, WrittenVerdict,
};
use tafl_rules::{Reason, Side, Span};

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::move_log::GameResult;
use crate::row::{CellValue, GameRow};
use crate::schema::GAMES;

impl Corpus {
    /// Returns the record of a game: the original one, or, for generated games, one with the moves of the
    /// move log and the values of the row.
    ///
    /// # Errors
    ///
    /// Fails if the move log is damaged.
    pub fn record(&self, at: GameAt, row: &GameRow) -> Result<Parsed<Record>> {
        if let (Some(text), Some(format)) = (&row.text, row.format) {
            let name = row.source.as_deref().unwrap_or("-");
            let source = Source { line: row.place.unwrap_or(1).into(), ..Source::named(name, text) };
            return Ok(format.of_text(text).parse(&source));
        }
        let segment = &self.segments()[at.segment];
        let damaged = |error| segment.move_log_error(error);
        let mut record = record_of_row(row);
        let mut cursor = segment.move_log()?.cursor(at.row).map_err(damaged)?;
        let shape = cursor.state().shape();
        let mut last = None;
        loop {
            let side = cursor.state().to_move;
            if !cursor.advance().map_err(damaged)? {
                return Ok(Parsed::clean(record));
            }
            let state = cursor.state();
            let Some(mv) = state.last else { continue };
            let first = record.captures.len();
            let captures = state.captured.iter().map(|cell| tafl_parser::WrittenCapture {
                cell: shape.coord(*cell),
                letter: tafl_parser::Letter::NONE,
                span: Span::default(),
            });
            record.captures.extend(captures);
            let chained = last == Some((side, mv.from));
            let written = WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::default());
            record.push_move(WrittenMove { chained, ..written }, first);
            last = Some((side, mv.to));
        }
    }
}

/// Returns a record with the tags and the result of a row, without moves.
fn record_of_row(row: &GameRow) -> Record {
    let mut record = Record::new(Format::Jsonl);
    let mut numbers = Vec::new();
    for (tag, column) in GAMES.iter().filter_map(|column| Some((column.tag?, column))) {
        match (column.get)(row) {
            CellValue::None => {}
            CellValue::Number(number) => numbers.push((tag, number.to_string())),
            text => record.push_tag(tag, text.as_text().unwrap_or(""), Span::default()),
        }
    }
    for (name, value) in &row.tags {
        record.push_tag(name, value, Span::default());
    }
    for (tag, number) in numbers {
        record.push_tag(tag, &number, Span::default());
    }
    let written = |text: &str| Written { text: text.into(), span: Span::default() };
    match &row.variant {
        Some(variant) => record.variant = Some(written(variant)),
        None => record.rules = Some(written(&row.rules)),
    }
    // The record would state a conclusion as if it had been written.
    let reason = row.reason.filter(|_| row.reason_source != Some(ReasonSource::Inference));
    record.result = result(row.result, reason);
    record
}

fn result(result: GameResult, reason: Option<Reason>) -> Option<WrittenResult> {
    let verdict = match result {
        GameResult::Attackers => WrittenVerdict::Win(Side::Attackers),
        GameResult::Defenders => WrittenVerdict::Win(Side::Defenders),
        GameResult::Draw => WrittenVerdict::Draw,
        GameResult::Unfinished => return None,
    };
    Some(WrittenResult { verdict, reason, span: Span::default() })
}
