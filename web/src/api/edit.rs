//! Changes of the corpus, by a server that may write: imports, tags, and player aliases.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use taflbase::Request;
use taflbase::corpus::ParseGameIdError;
use taflbase::database::{
    GameSelection, ImportTextAnswer, ImportTextRequest, PlayerAliasesAnswer, PlayerAliasesRequest,
    PlayerMergeRequest, PlayerSplitRequest, TagAnswer, TagRequest,
};

use crate::api_error::{ApiError, ErrorCode};
use crate::request::ApiRequest;
use crate::routes::{Access, Endpoint, Reply, RequestBody, Work};

use super::upload::BODY;

/// Add or remove tags of a game
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GameTagsParams {
    /// The ID of the game: 16 hexadecimal digits.
    id: String,
    /// A tag to add; may be repeated.
    #[serde(default)]
    add: Vec<String>,
    /// A tag to remove; may be repeated.
    #[serde(default)]
    remove: Vec<String>,
}

/// Merge names of a player: record that they are aliases of one name
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PlayerMergeParams {
    /// The name that all games will show.
    name: String,
    /// An alias of the player, as games show it; may be repeated.
    #[serde(default)]
    alias: Vec<String>,
    /// Whether to merge names even if they are opponents in a game.
    #[serde(default)]
    force: bool,
}

/// Undo a merge of players
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PlayerSplitParams {
    /// The alias to split; may be repeated.
    #[serde(default)]
    alias: Vec<String>,
}

impl Endpoint for ImportTextRequest {
    const NAME: &'static str = "import";
    const PATH: &'static str = "/api/import";
    const SUMMARY: &'static str = "Add game records to the corpus.";
    const WORK: Work = Work::Write;
    const BODY: Option<RequestBody> = Some(BODY);
    const ACCESS: Access = Access::Write;
    type Answer = ImportTextAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let path = request.corpus_path();
        Ok(Reply::json(&self.run_on(&path, &request.body, &request.snapshot.app, &request.job)?))
    }
}

impl Endpoint for GameTagsParams {
    const NAME: &'static str = "game_tags";
    const PATH: &'static str = "/api/game/{id}/tags";
    const SUMMARY: &'static str = "Add tags to a game, or remove them.";
    const WORK: Work = Work::Write;
    const ACCESS: Access = Access::Write;
    type Answer = TagAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let number = self
            .id
            .parse()
            .map_err(|error: ParseGameIdError| ApiError::new(ErrorCode::UnknownGame, error.to_string()))?;
        let select = GameSelection { query: None, game: vec![number] };
        let tags = TagRequest { corpus: request.corpus_path(), select, add: self.add, remove: self.remove };
        Ok(Reply::json(&tags.run(&request.snapshot.app, &request.job)?))
    }
}

impl Endpoint for PlayerAliasesRequest {
    const NAME: &'static str = "player_aliases";
    const PATH: &'static str = "/api/player/aliases";
    const SUMMARY: &'static str = "The aliases of players.";
    const WORK: Work = Work::Quick;
    type Answer = PlayerAliasesAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&request.run(self)?))
    }
}

impl Endpoint for PlayerMergeParams {
    const NAME: &'static str = "player_merge";
    const PATH: &'static str = "/api/player/merge";
    const SUMMARY: &'static str = "Merge names of a player: record that they are aliases of one name.";
    const WORK: Work = Work::Write;
    const ACCESS: Access = Access::Write;
    type Answer = PlayerAliasesAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let (corpus, aliases) = (request.corpus_path(), given(self.alias)?);
        let merge = PlayerMergeRequest { corpus, name: self.name, aliases, force: self.force };
        named(merge.run(&request.snapshot.app, &request.job).map_err(ApiError::from))
    }
}

impl Endpoint for PlayerSplitParams {
    const NAME: &'static str = "player_split";
    const PATH: &'static str = "/api/player/split";
    const SUMMARY: &'static str = "Undo a merge: games show the names of their records again.";
    const WORK: Work = Work::Write;
    const ACCESS: Access = Access::Write;
    type Answer = PlayerAliasesAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let split = PlayerSplitRequest { corpus: request.corpus_path(), aliases: given(self.alias)? };
        named(split.run(&request.snapshot.app, &request.job).map_err(ApiError::from))
    }
}

/// Returns the aliases, or an error if there are none.
fn given(aliases: Vec<String>) -> Result<Vec<String>, ApiError> {
    let missing =
        || ApiError::parameter("alias", "the alias is missing").help("add `alias=NAME` to the address");
    if aliases.is_empty() { Err(missing()) } else { Ok(aliases) }
}

/// Returns the answer, or the error, whose parameter has another name here.
fn named(result: Result<PlayerAliasesAnswer, ApiError>) -> Result<Reply, ApiError> {
    result.map(|answer| Reply::json(&answer)).map_err(|error| {
        if error.parameter.as_deref() == Some("aliases") { error.of("alias") } else { error }
    })
}
