//! An annotated game as an OpenTafl record.

use tafl_parser::{Format, WriteGame, write_record};
use taflbase::engine::{AnnotatedGame, AnnotationProvenance};
use taflbase::records::PlayedBuilder;

/// Returns a game as a record, with a blank line at its end.
///
/// # Errors
///
/// Never: OpenTafl's notation can be written.
pub(super) fn write_otn(game: &AnnotatedGame, provenance: &AnnotationProvenance) -> anyhow::Result<String> {
    let played = PlayedBuilder::default().played(&game.game.replayed);
    let record = game.record(provenance);
    let mut out = String::new();
    write_record(WriteGame { record: &record, played: played.as_ref() }, Format::OpenTafl, &mut out)?;
    Ok(out)
}
