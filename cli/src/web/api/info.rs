//! What the server has: the corpus, the variants, the limits, and what its words mean.

use std::sync::Arc;

use serde_json::{Value, json};
use tafl_corpus::evals;
use tafl_parser::{Code, Format};
use tafl_rules::{Reason, catalog};

use crate::web::call::Call;
use crate::web::openapi;
use crate::web::problem::Problem;
use crate::web::routes::{JSON, Method, Reply, Route, Work};

/// The version of the API: a new one where an old program would misunderstand an answer.
pub(crate) const API_VERSION: u32 = 1;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        name: "info",
        method: Method::Get,
        path: "/api/info",
        summary: "What the server has: the corpus and its variants, the limits, notations, codes of findings.",
        params: &[],
        work: Work::Quick,
        types: &[JSON],
        answer: info,
    },
    Route {
        name: "variants",
        method: Method::Get,
        path: "/api/variants",
        summary: "The variants that have a name, each with how many games of it the corpus has.",
        params: &[],
        work: Work::Quick,
        types: &[JSON],
        answer: variants,
    },
    Route {
        name: "openapi",
        method: Method::Get,
        path: "/api/openapi.json",
        summary: "This description.",
        params: &[],
        work: Work::Quick,
        types: &[JSON],
        answer: |_| Ok(openapi::document().into()),
    },
];

fn info(call: &Arc<Call>) -> Result<Reply, Problem> {
    let corpus = &call.snapshot.corpus;
    let census = call.snapshot.census()?;
    let manifest = corpus.manifest();
    let path = corpus.path().canonicalize().unwrap_or_else(|_| corpus.path().to_owned());
    let variants = census.rules.iter().map(|ruleset| {
        json!({
            "name": ruleset.name,
            "rules": ruleset.rules,
            "shape": ruleset.shape,
            "games": ruleset.games,
        })
    });
    Ok(Reply::Json(json!({
        "program": "taflbase",
        "version": env!("CARGO_PKG_VERSION"),
        "api": API_VERSION,
        "corpus": {
            "name": path.file_name().map(|name| name.to_string_lossy().into_owned()),
            "games": census.games,
            "plies": census.plies,
            "positions": census.plies + census.games,
            "generation": manifest.generation,
            "manifest": manifest.checksum,
            "has_evals": !evals::files(&call.snapshot.corpus)?.is_empty(),
        },
        "variants": variants.collect::<Vec<Value>>(),
        "limits": call.limits.json(),
        "formats": Format::ALL.map(format_json),
        "findings": Code::all().map(finding_json).collect::<Vec<Value>>(),
        "reasons": Reason::ALL.map(Reason::words),
    })))
}

fn format_json(format: Format) -> Value {
    json!({
        "name": format.name(),
        "writable": format.is_writable(),
        "words": words_of(format),
        "extension": format.extension(),
    })
}

/// Returns where a notation comes from, in a few words.
const fn words_of(format: Format) -> &'static str {
    match format {
        Format::OpenTafl => "OpenTafl's game records, with variations, comments, clocks and puzzles",
        Format::Cyngesheall => "the notation of Cyngesheall, and Cyningstan's",
        Format::MoveList => "lists of moves, with or without the columns of the CSV archives",
        Format::AageNielsen => "the play site of aagenielsen.dk",
        Format::Pgn => "PGN-like: hnefatafl.org's export, Zevratafl",
        Format::HnefataflOrg => "hnefatafl.org's JSON",
        Format::SkudPaiSho => "SkudPaiSho's heXentafl notation",
        Format::AbstractPlay => "Abstract Play's records",
        Format::PlayTaflOnline => "PlayTaflOnline's JSON",
        Format::AshtonLog => "logs of the Tablut competition's server",
        Format::LudiiTrial => "Ludii's trials",
        Format::Jsonl => "our own JSON lines, which lose nothing",
    }
}

fn finding_json(code: Code) -> Value {
    json!({
        "code": code.text(),
        "name": code.name(),
        "severity": code.severity().word(),
        "words": code.explain(),
        "help": code.help(),
    })
}

fn variants(call: &Arc<Call>) -> Result<Reply, Problem> {
    let census = call.snapshot.census()?;
    let variants = catalog::all().map(|named| {
        let rules = named.rules();
        json!({
            "name": named.name,
            "title": named.title,
            "aliases": named.aliases,
            "shape": rules.shape().to_string(),
            "games": census.games_of(named.name),
            "first": rules.first_mover.word(),
        })
    });
    Ok(Reply::Json(variants.collect()))
}
