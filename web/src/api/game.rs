//! A game of the corpus, and the download of its record.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use taflbase::BoardAnswer;
use taflbase::database::{GameAnswer, GameRecordAnswer, GameRecordRequest, GameRequest, StoredGame};

use crate::api_error::ApiError;
use crate::media_type::TEXT;
use crate::request::{ApiRequest, Document};
use crate::routes::{Endpoint, Reply, Work};

/// A game with its board.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GamePage {
    /// The game.
    #[serde(flatten)]
    game: GameAnswer,
    /// The board, with the start of this game; null if the rules are unknown.
    board: Option<BoardAnswer>,
}

impl Endpoint for GameRequest {
    const NAME: &'static str = "game";
    const PATH: &'static str = "/api/game/{id}";
    const SUMMARY: &'static str = "A game: its facts, its board, the moves of the record with variations, every ply with its position and \
         explanations, and evaluations.";
    const WORK: Work = Work::Query;
    type Answer = GamePage;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let corpus = &request.snapshot.corpus;
        let game = StoredGame::find(&self.id, corpus)?;
        Ok(Reply::json(&GamePage {
            game: game.answer(corpus, request.snapshot.app.opening_names())?,
            board: board_of(&game, request),
        }))
    }
}

/// Returns the board of a game's rules, with the start of the game.
fn board_of(game: &StoredGame, request: &ApiRequest) -> Option<BoardAnswer> {
    let rules = game.replayed.replay.rules.as_ref()?;
    let name = rules.variant.map_or_else(|| game.row.rules.to_string(), ToOwned::to_owned);
    let mut board = BoardAnswer::of(&*request.snapshot.app.rules().named(&name, &[]).ok()?);
    if let Some(start) = game.replayed.start() {
        board.start = start.to_string();
    }
    Some(board)
}

impl Endpoint for GameRecordRequest {
    const NAME: &'static str = "game_record";
    const PATH: &'static str = "/api/game/{id}/record";
    const SUMMARY: &'static str = "The record of a game in a notation, as a download. The header X-Taflbase-Losses is the number of losses: facts that \
         the notation cannot express.";
    const WORK: Work = Work::Quick;
    const TYPES: &'static [&'static str] = &[TEXT];
    type Answer = String;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let GameRecordAnswer { game, format, text, losses } = request.run(self)?;
        // The number has only digits and letters, and the extension is fixed, so the name needs no escaping.
        let name = format!("tafl-{game}.{}", format.extension());
        let document = Document::new(TEXT, text)
            .header("content-disposition", format!("attachment; filename=\"{name}\""))
            .header("x-taflbase-losses", losses.len().to_string());
        let losses: Vec<String> = losses.iter().map(|loss| ascii(loss)).collect();
        Ok(Reply::Document(if losses.is_empty() {
            document
        } else {
            document.header("x-taflbase-lost", losses.join("; "))
        }))
    }
}

/// Returns a text that a header can contain.
fn ascii(text: &str) -> String {
    text.chars().map(|symbol| if symbol.is_ascii_graphic() || symbol == ' ' { symbol } else { '?' }).collect()
}
