//! What the server has: the corpus, the variants, the limits.

use std::sync::Arc;

use serde_json::json;

use crate::web::call::Call;
use crate::web::problem::Problem;
use crate::web::routes::{JSON, Method, Reply, Route, Work};

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[Route {
    name: "info",
    method: Method::Get,
    path: "/api/info",
    summary: "What the server has: the corpus, its variants, the limits.",
    params: &[],
    work: Work::Quick,
    types: &[JSON],
    answer: info,
}];

fn info(call: &Arc<Call>) -> Result<Reply, Problem> {
    let manifest = call.snapshot.corpus.manifest();
    Ok(Reply::Json(json!({
        "program": "taflbase",
        "version": env!("CARGO_PKG_VERSION"),
        "api": 1,
        "corpus": { "games": call.snapshot.corpus.n_games(), "generation": manifest.generation },
        "limits": call.limits.json(),
    })))
}
