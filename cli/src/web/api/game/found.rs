//! A game of the corpus, found by its number and replayed.

use tafl_corpus::id::GameId;
use tafl_corpus::row::{CopyNote, GameRow};

use tafl_web::{ApiError, ApiRequest, ErrorCode};
use taflbase::escape::escape;
use taflbase::records::ReplayedRecord;
use taflbase::stored::StoredReplayer;

/// The most plies of a game that is shown: real ones have some hundred.
const MOST_PLIES: u32 = 20_000;

/// A game of the corpus.
pub(crate) struct FoundGame {
    /// What the tables say of it.
    pub(crate) row: GameRow,
    /// Copies, those that were found later included.
    pub(crate) copies: Vec<CopyNote>,
    /// The record with everything that is to be said about it.
    pub(crate) judged: ReplayedRecord,
}

impl FoundGame {
    /// Returns the game with a number.
    ///
    /// # Errors
    ///
    /// Returns that there is no such game, or that the corpus is damaged.
    pub(crate) fn of(id: &str, request: &ApiRequest) -> Result<FoundGame, ApiError> {
        let snapshot = &request.snapshot.corpus;
        let corpus = snapshot.corpus();
        let unknown = || {
            ApiError::new(ErrorCode::UnknownGame, format!("no game has the number `{}`", escape(id)))
                .help("a number has 16 hexadecimal digits; /api/games lists games")
        };
        let id: GameId = id.parse().map_err(|_| unknown())?;
        let at = snapshot.summaries().find(id)?.ok_or_else(unknown)?;
        let row = corpus.game(at)?;
        if row.plies > MOST_PLIES {
            let message = format!("the game has {} plies; up to {MOST_PLIES} are shown", row.plies);
            return Err(ApiError::new(ErrorCode::TooLarge, message).help("`tafl replay` shows longer ones"));
        }
        let mut copies = row.copies.clone();
        copies.extend(corpus.late_copies()?.remove(&id).unwrap_or_default());
        let parsed = corpus.record(at, &row)?;
        let mut judged = StoredReplayer::default().replay(&row, parsed).map_err(|error| {
            ApiError::new(ErrorCode::CorpusDamaged, format!("the game cannot be replayed: {error:#}"))
        })?;
        judged.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Ok(FoundGame { row, copies, judged })
    }
}
