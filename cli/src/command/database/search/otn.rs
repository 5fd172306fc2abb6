//! Hits as OpenTafl records: the games, with a comment where each hit is.

use tafl_corpus::GameAt;
use tafl_corpus::HitRow;
use tafl_parser::{Comment, Format, MovePlace};
use tafl_rules::Span;
use taflbase::database::SearchHits;
use taflbase::records::ConvertSummary;

use crate::command::database::export::Exporter;

/// Writes a record for each game with hits of the page.
///
/// # Errors
///
/// Fails when the corpus cannot be read.
pub(super) fn write(found: &SearchHits) -> anyhow::Result<String> {
    let mut exporter = Exporter::new(Format::OpenTafl);
    let (mut losses, mut out) = (ConvertSummary::default(), String::new());
    let place = |row: &HitRow| GameAt { segment: row.detail.found.segment, row: row.detail.found.game };
    let rows = found.rows()?;
    let corpus = found.corpus().corpus();
    for hits in rows.chunk_by(|one, other| place(one) == place(other)) {
        let at = place(&hits[0]);
        let row = corpus.game(at)?;
        let mut parsed = corpus.record(at, &row)?;
        let record = &mut parsed.value;
        let n_moves = record.main().moves.len();
        for hit in hits {
            let place = MovePlace::in_main(n_moves.min(hit.detail.found.hit.ply as usize));
            let text = comment(hit, found).into();
            record.comments.push(Comment { place, text, span: Span::default() });
        }
        record.comments.sort_by_key(|comment| comment.place);
        exporter.export(parsed, &row, &mut losses, &mut out)?;
    }
    Ok(out)
}

fn comment(hit: &HitRow, found: &SearchHits) -> String {
    match &hit.detail.transform {
        Some(transform) => format!("found ({transform}): {}", found.query()),
        None => format!("found: {}", found.query()),
    }
}
