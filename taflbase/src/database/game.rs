//! A game of a corpus as a whole, and its record.

mod answer;
mod explain;
mod head;
mod plies;
mod record;
mod stored_notes;
mod tree;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{CopyNote, GameAt, GameId, GameRow, ParseGameIdError};
use tafl_parser::ReasonSource;

use super::{CorpusRequest, CorpusSnapshot, OpeningNames};
use crate::engine::{AnnotationOrigin, AnnotationProvenance, EvaluatedGame};
use crate::escape::escape;
use crate::records::ReplayedRecord;
use crate::stored::StoredReplayer;
use crate::{App, Error, ErrorKind, Job, Result};

pub use answer::{
    ClockReading, GameAnswer, GameEnding, GameHead, LaterVariations, MainMove, PlainVariation, PlyAnswer,
    PlyReason, SideCaptures, TagValue, TreeMove, VariationMove,
};
pub use record::{GameRecordAnswer, GameRecordRequest};

/// The maximum number of plies of a game that is shown: real ones have some hundred.
const MAX_PLIES: u32 = 20_000;

/// Show a game of a corpus: its moves with positions and reasons, its variations, and its evaluations
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameRequest {
    /// The ID of the game: 16 hexadecimal digits.
    pub id: String,
}

/// A game of a corpus, replayed.
pub struct StoredGame {
    /// The row of the game.
    pub row: GameRow,
    /// Its copies, those that were found later included.
    pub copies: Vec<CopyNote>,
    /// Its record, replayed by its rules.
    pub replayed: ReplayedRecord,
}

impl StoredGame {
    /// Finds a game by its number, and replays it.
    ///
    /// # Errors
    ///
    /// Fails if no game has the number, the game is too long, or a file is damaged.
    pub fn find(id: &str, corpus: &CorpusSnapshot) -> Result<StoredGame> {
        let (at, row) = StoredGame::find_row(id, corpus)?;
        let corpus = corpus.corpus();
        let mut copies = row.copies.clone();
        copies.extend(corpus.late_copies()?.remove(&row.game).unwrap_or_default());
        let parsed = corpus.record(at, &row)?;
        let mut replayed = StoredReplayer::default().replay(&row, parsed).map_err(|error| {
            Error::new(ErrorKind::CorpusDamaged, format!("the game cannot be replayed: {error}"))
        })?;
        replayed.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Ok(StoredGame { row, copies, replayed })
    }

    /// Finds the row of a game by its number.
    fn find_row(id: &str, corpus: &CorpusSnapshot) -> Result<(GameAt, GameRow)> {
        let unknown = || Error::new(ErrorKind::UnknownGame, format!("unknown game ID `{}`", escape(id)));
        let id: GameId =
            id.parse().map_err(|error: ParseGameIdError| unknown().with_help(error.to_string()))?;
        let at = corpus.summaries().find(id)?.ok_or_else(unknown)?;
        let row = corpus.corpus().game(at)?;
        if row.plies > MAX_PLIES {
            let message = format!("the game has {} plies; up to {MAX_PLIES} are shown", row.plies);
            return Err(Error::new(ErrorKind::TooLarge, message).with_help("`tafl replay` shows longer ones"));
        }
        Ok((at, row))
    }

    /// Returns the evaluations that the corpus keeps; none if no engine searched the game.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn evaluations(&self, corpus: &CorpusSnapshot) -> Result<Option<EvaluatedGame>> {
        let Some((run, rows)) = corpus.corpus().game_evals(self.row.game)? else { return Ok(None) };
        let notes = stored_notes::notes(&self.replayed, &run, &rows);
        let Some((notes, shape)) = notes.zip(self.replayed.shape()) else { return Ok(None) };
        let (curves, thresholds) = run.curves.split_once("; thresholds ").unwrap_or((&run.curves, ""));
        let provenance = AnnotationProvenance {
            limits: run.limits.clone(),
            thresholds: thresholds.to_owned(),
            curves: curves.to_owned(),
        };
        Ok(Some(EvaluatedGame::of(shape, &notes, AnnotationOrigin::Corpus, provenance)))
    }

    /// Returns the answer, with the name of its opening.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn answer(&self, corpus: &CorpusSnapshot, names: &OpeningNames) -> Result<GameAnswer> {
        let replayed = &self.replayed;
        let rules = replayed.replay.rules.as_ref().zip(replayed.start());
        let opening = rules.filter(|(rules, start)| *start == rules.book.rules().start);
        let opening = opening.and_then(|(rules, _)| {
            names.of_line(&rules.book, replayed.replay.plies.iter().map(|ply| ply.mv))
        });
        let played = plies::GamePlies::of(replayed);
        let ending = replayed.replay.sourced_result().map(|end| GameEnding {
            winner: end.outcome.winner_name(),
            reason: end.outcome.reason.as_str(),
            reason_source: end.source.map(ReasonSource::as_str),
            words: end.to_string(),
            on_board: replayed.replay.outcome.is_some(),
        });
        Ok(GameAnswer {
            game: head::head(self),
            start_comment: plies::comment_at(replayed, 0),
            tree: tree::tree(replayed, &played),
            plies: (0..played.plies.len()).filter_map(|nth| played.ply(self, nth)).collect(),
            unplayed: plies::unplayed(self),
            outcome: ending,
            opening,
            evals: self.evaluations(corpus)?,
            text: self.row.text.as_ref().map(ToString::to_string),
            positions: played.positions,
        })
    }
}

impl CorpusRequest for GameRequest {
    type Answer = GameAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, _: &Job) -> Result<GameAnswer> {
        StoredGame::find(&self.id, corpus)?.answer(corpus, app.opening_names())
    }
}
