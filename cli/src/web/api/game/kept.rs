//! What engines said about a game: as the corpus keeps it, in the words of `tafl annotate`.

mod notes;

use serde_json::Value;
use tafl_corpus::evals;
use taflbase::engine::{AnnotationOrigin, AnnotationProvenance, EvaluatedGame};

use super::FoundGame;
use tafl_web::{ApiError, ApiRequest};

/// Returns what engines said about a game by the corpus; null where no engine looked at it.
pub(super) fn evals(found: &FoundGame, request: &ApiRequest) -> Result<Value, ApiError> {
    let Some((run, rows)) = evals::of_game(request.snapshot.corpus.corpus(), found.row.game)? else {
        return Ok(Value::Null);
    };
    let Some(notes) = notes::notes(&found.judged, &run, &rows) else { return Ok(Value::Null) };
    let Some(shape) = found.judged.shape() else { return Ok(Value::Null) };
    let (curves, thresholds) = run.curves.split_once("; thresholds ").unwrap_or((&run.curves, ""));
    let provenance = AnnotationProvenance {
        limits: run.limits.clone(),
        thresholds: thresholds.to_owned(),
        curves: curves.to_owned(),
    };
    let evaluated = EvaluatedGame::of(shape, &notes, AnnotationOrigin::Corpus, provenance);
    Ok(serde_json::to_value(evaluated).expect("answers have only texts, numbers, and lists"))
}
