//! The record of a game in a notation.

use std::sync::Arc;

use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Format, Severity};

use super::FoundGame;
use tafl_web::{ApiError, ApiRequest, Document, ErrorCode, Reply};
use taflbase::records::PlayedBuilder;

/// The notations that can be written, the one that keeps most for people first.
pub(crate) const FORMATS: &[&str] = &["opentafl", "cyngesheall", "movelist", "pgn", "skudpaisho", "jsonl"];

/// Returns the notation of the parameter `to`.
///
/// # Errors
///
/// Returns that there is none of the name, or that it is only read.
fn writable(request: &ApiRequest) -> Result<Format, ApiError> {
    let formats: Vec<(&str, &str)> = FORMATS.iter().map(|name| (*name, *name)).collect();
    let name = request.params.choice("to", &formats)?;
    let known = Format::from_name(name).filter(|format| format.is_writable());
    known.ok_or_else(|| ApiError::new(ErrorCode::Internal, format!("`{name}` cannot be written")))
}

/// Answers with the record of a game.
pub(super) fn record(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let format = writable(request)?;
    let found = FoundGame::of(request)?;
    let mut record = found.judged.record.clone();
    if record.rules.is_none() && record.variant.is_none() {
        // What the file's name said is said in the record now.
        let written = |text: &str| {
            Some(tafl_parser::record::Written { text: text.into(), span: tafl_rules::Span::default() })
        };
        match &found.row.variant {
            Some(name) => record.variant = written(name),
            None => record.rules = written(&found.row.rules),
        }
    }
    let played = PlayedBuilder::default().played(&found.judged);
    let mut text = String::new();
    let lost = write(WriteGame { record: &record, played: played.as_ref() }, format, &mut text)
        .map_err(|error| ApiError::parameter("to", error.to_string()))?;
    let losses: Vec<String> = lost
        .iter()
        .filter(|lost| lost.severity() > Severity::Note)
        .map(|lost| ascii(&lost.message("")))
        .collect();
    // The number has only digits and letters, and the ending is ours: the name is safe everywhere.
    let name = format!("tafl-{}.{}", found.row.game, format.extension());
    let document = Document::new("text/plain; charset=utf-8", text)
        .header("content-disposition", format!("attachment; filename=\"{name}\""))
        .header("x-taflbase-losses", losses.len().to_string());
    let document = match losses.is_empty() {
        true => document,
        false => document.header("x-taflbase-lost", losses.join("; ")),
    };
    Ok(Reply::Document(document))
}

/// Returns a text that may stand in a header.
fn ascii(text: &str) -> String {
    text.chars().map(|symbol| if symbol.is_ascii_graphic() || symbol == ' ' { symbol } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_that_can_be_written_is_offered() {
        let all: Vec<&str> =
            Format::ALL.into_iter().filter(|format| format.is_writable()).map(Format::name).collect();
        let mut offered = FORMATS.to_vec();
        offered.sort_unstable();
        let mut all = all;
        all.sort_unstable();
        assert_eq!(offered, all);
    }
}
