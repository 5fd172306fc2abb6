//! The annotation of games by the engine: of a game of the corpus, with a cache, and of a game in the body of a request.

use std::sync::{Arc, LazyLock};

use quick_cache::sync::Cache;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::Bounded;
use taflbase::analyzer::StopReason;
use taflbase::corpus::{EVALS_FOLDER, GameId};
use taflbase::database::StoredGame;
use taflbase::engine::{AnnotateRequest, AnnotationOrigin, AnnotationRun, EvaluatedGame};
use taflbase::records::{ReplayedRecord, TextInput};

use crate::api_error::{ApiError, ErrorCode};
use crate::media_type::EVENTS;
use crate::request::{ApiRequest, ChunkSender, Disconnected};
use crate::routes::{Endpoint, Reply, RequestBody, Work};

use super::upload::BODY;

/// The maximum number of cached annotations.
const CACHE_GAMES: usize = 64;
/// The maximum number of plies of a game whose annotation is cached: such an annotation takes about a megabyte.
const MAX_CACHED_PLIES: usize = 1_000;

/// Annotate a game of the corpus
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AnnotationParams {
    /// The ID of the game: 16 hexadecimal digits.
    id: String,
    /// The number of nodes of each search.
    #[serde(default)]
    nodes: Bounded<1_000, 200_000, 20_000>,
}

/// Annotate a game in the body of the request
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct TextAnnotationParams {
    /// The input settings.
    #[serde(flatten)]
    input: TextInput,
    /// The number of nodes of each search.
    #[serde(default)]
    nodes: Bounded<1_000, 200_000, 20_000>,
}

/// The progress of an annotation: the data of an event `progress`.
#[derive(Debug, Serialize)]
struct AnnotationProgress {
    /// The number of annotated plies.
    done: usize,
    /// The number of plies of the game.
    of: usize,
}

/// The cache key of an annotation; the program's version is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct AnnotationKey {
    /// The state of the corpus, in which a better copy may have replaced the record of the game.
    manifest: String,
    game: GameId,
    nodes: u64,
}

static CACHE: LazyLock<Cache<AnnotationKey, Arc<EvaluatedGame>>> = LazyLock::new(|| Cache::new(CACHE_GAMES));

impl Endpoint for AnnotationParams {
    const NAME: &'static str = "game_annotate";
    const PATH: &'static str = "/api/game/{id}/annotate";
    const SUMMARY: &'static str = "The engine's annotation of a game: events `progress`, then one event `done` with the member `evals` of \
         /api/game.";
    const WORK: Work = Work::Engine;
    const TYPES: &'static [&'static str] = &[EVENTS];
    type Answer = String;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let game = StoredGame::find(&self.id, &request.snapshot.corpus)?;
        if game.replayed.replay.rules.is_none() {
            return Err(unknown_rules());
        }
        let request = Arc::clone(request);
        let write = move |chunks: &ChunkSender| {
            let evals = self.annotated(&request, &game, chunks)?.ok_or(Disconnected)?;
            Ok(chunks.event("done", &*evals)?)
        };
        Ok(Reply::Stream(EVENTS, Box::new(write)))
    }
}

impl AnnotationParams {
    /// Returns the annotation of a game, or `None` if the client disconnected.
    fn annotated(
        &self,
        request: &ApiRequest,
        game: &StoredGame,
        chunks: &ChunkSender,
    ) -> Result<Option<Arc<EvaluatedGame>>, ApiError> {
        let manifest = request.snapshot.corpus.corpus().manifest().checksum.clone();
        let key = AnnotationKey { manifest, game: game.row.game, nodes: self.nodes.get() };
        if let Some(evals) = CACHE.get(&key) {
            return Ok(Some(evals));
        }
        // The corpus may be read-only, or another program may be annotating it; evaluations are only not kept then.
        let folder = request.snapshot.corpus.corpus().path().join(EVALS_FOLDER);
        let annotate = request_with(self.nodes.get());
        let cache = annotate.evaluation.open_cache_in(Some(folder), &request.snapshot.app).ok().flatten();
        let run = annotate.begin_with(cache, &request.job)?;
        let Some((evals, is_whole)) = evaluate(&run, &game.replayed, request, chunks)? else {
            return Ok(None);
        };
        let evals = Arc::new(evals);
        if is_whole && evals.findings.plies.len() <= MAX_CACHED_PLIES {
            CACHE.insert(key, Arc::clone(&evals));
        }
        Ok(Some(evals))
    }
}

impl Endpoint for TextAnnotationParams {
    const NAME: &'static str = "annotate";
    const PATH: &'static str = "/api/annotate";
    const SUMMARY: &'static str = "The engine's annotation of the first game in the body, as events like those of \
         /api/game/{id}/annotate. The game and its evaluations are not stored.";
    const WORK: Work = Work::Engine;
    const TYPES: &'static [&'static str] = &[EVENTS];
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = String;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let game = self.input.first_game(&request.body, &request.snapshot.app, &request.job)?;
        if game.replay.rules.is_none() {
            return Err(unknown_rules());
        }
        let run = request_with(self.nodes.get()).begin_with(None, &request.job)?;
        let request = Arc::clone(request);
        let write = move |chunks: &ChunkSender| {
            let (evals, _) = evaluate(&run, &game, &request, chunks)?.ok_or(Disconnected)?;
            Ok(chunks.event("done", &evals)?)
        };
        Ok(Reply::Stream(EVENTS, Box::new(write)))
    }
}

/// Returns a request for annotations with a number of nodes for each search.
fn request_with(nodes: u64) -> AnnotateRequest {
    let mut annotate = AnnotateRequest::default();
    annotate.evaluation.limits.nodes = Some(nodes);
    annotate
}

/// Annotates a game and sends progress events. Returns the annotation and whether it is complete, or `None` if the client
/// disconnected.
fn evaluate(
    run: &AnnotationRun,
    game: &ReplayedRecord,
    request: &ApiRequest,
    chunks: &ChunkSender,
) -> Result<Option<(EvaluatedGame, bool)>, ApiError> {
    let shape = game.shape().ok_or_else(unknown_rules)?;
    let of = game.replay.plies.len();
    let on_ply = |done: usize| {
        chunks.event("progress", &AnnotationProgress { done, of }).is_ok() && !request.job.is_over()
    };
    let _: Result<(), Disconnected> = chunks.event("progress", &AnnotationProgress { done: 0, of });
    let notes = run.annotate(game, on_ply)?.ok_or_else(unknown_rules)?;
    if request.job.cancel_token().is_canceled() {
        return Ok(None);
    }
    let is_whole = !matches!(notes.stopped, Some(StopReason::Canceled { .. }));
    let evals = EvaluatedGame::of(shape, &notes, AnnotationOrigin::Engine, run.provenance().clone());
    Ok(Some((evals, is_whole)))
}

fn unknown_rules() -> ApiError {
    ApiError::new(ErrorCode::BadRecord, "the rules of the game are unknown")
}
