//! The record of a game in a notation.

use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Format, Severity};

use super::FoundGame;
use tafl_web::{ApiError, ApiRequest, Document, Reply, TEXT};
use taflbase::records::PlayedBuilder;

/// Answers with the record of a game.
pub(super) fn record(id: &str, format: Format, request: &ApiRequest) -> Result<Reply, ApiError> {
    let found = FoundGame::of(id, request)?;
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
    let document = Document::new(TEXT, text)
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
