//! Hits as OpenTafl records: the games, with a comment at each hit.

use tafl_corpus::HitRow;
use tafl_parser::{Comment, Format, MovePlace};
use tafl_rules::Span;

use super::SearchHits;
use super::export::StoredRecordWriter;
use crate::{Error, Result};

impl SearchHits {
    /// Returns a record for each game with hits of the page.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn open_tafl(&self) -> Result<String> {
        let mut writer = StoredRecordWriter::new(Format::OpenTafl);
        let mut out = String::new();
        let place = |row: &HitRow| row.detail.found.at();
        let rows = self.rows()?;
        let corpus = self.corpus().corpus();
        for hits in rows.chunk_by(|one, other| place(one) == place(other)) {
            let at = place(&hits[0]);
            let row = corpus.game(at)?;
            let mut parsed = corpus.record(at, &row)?;
            let record = &mut parsed.value;
            let n_moves = record.main().moves.len();
            for hit in hits {
                let place = MovePlace::in_main(n_moves.min(hit.detail.found.hit.ply as usize));
                record.comments.push(Comment { place, text: &self.comment(hit), span: Span::default() });
            }
            record.comments.sort_by_place();
            writer
                .write(parsed, &row, &mut out)?
                .map_err(|refusal| Error::parameter("format", refusal.to_string()))?;
        }
        Ok(out)
    }

    fn comment(&self, hit: &HitRow) -> String {
        match &hit.detail.transform {
            Some(transform) => format!("found ({transform}): {}", self.query()),
            None => format!("found: {}", self.query()),
        }
    }
}
