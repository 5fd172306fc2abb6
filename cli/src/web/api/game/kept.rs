//! What engines said about a game: as the corpus keeps it, in the words of `tafl annotate`.

mod notes;

use serde_json::{Map, Value, json};
use tafl_analyzer::annotate::GameNotes;
use tafl_corpus::evals;
use tafl_rules::{Shape, Side};

use super::FoundGame;
use crate::command::annotate::{json, words};
use tafl_web::{ApiError, ApiRequest};

/// How a game was judged, as every answer says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Where the judgements come from: `corpus` or `engine`.
    pub(crate) from: &'static str,
    /// The limits of each search.
    pub(crate) limits: String,
    /// The thresholds of judgements.
    pub(crate) thresholds: String,
    /// The curves.
    pub(crate) curves: String,
}

/// Returns what engines said about a game by the corpus; null where no engine looked at it.
pub(super) fn evals(found: &FoundGame, request: &ApiRequest) -> Result<Value, ApiError> {
    let Some((run, rows)) = evals::of_game(request.snapshot.corpus.corpus(), found.row.game)? else {
        return Ok(Value::Null);
    };
    let Some(notes) = notes::notes(&found.judged, &run, &rows) else { return Ok(Value::Null) };
    let Some(shape) = found.judged.shape() else { return Ok(Value::Null) };
    let (curves, thresholds) = run.curves.split_once("; thresholds ").unwrap_or((&run.curves, ""));
    let origin = Origin {
        from: "corpus",
        limits: run.limits.clone(),
        thresholds: thresholds.to_owned(),
        curves: curves.to_owned(),
    };
    let mut value = evals_json(shape, &notes, &origin);
    forget_unknown(&mut value);
    Ok(value)
}

/// Returns notes on a game as JSON: what `tafl annotate --format jsonl` says, and sentences.
pub(crate) fn evals_json(shape: Shape, notes: &GameNotes, origin: &Origin) -> Value {
    let mut object = json::findings(shape, notes);
    if let Some(Value::Array(plies)) = object.get_mut("plies") {
        for (nth, value) in plies.iter_mut().enumerate() {
            let (note, before) = (&notes.plies[nth], &notes.positions[nth]);
            let best = before.evaluation().and_then(|evaluation| evaluation.best().moves.first());
            value["best"] = json!(best.map(|mv| mv.text(shape)));
            value["sign"] = json!(note.loss.map(|_| note.judgement.sign()));
            value["words"] = json!(words::remark(shape, note, before));
        }
    }
    let summary = |side: Side| words::summary(&notes.sides[side]);
    let more = json!({
        "from": origin.from,
        "engine": notes.engine,
        "limits": origin.limits,
        "thresholds": origin.thresholds,
        "curves": origin.curves,
        "curve": notes.curve,
        "words": {
            "attackers": summary(Side::Attackers),
            "defenders": summary(Side::Defenders),
            "decided": words::decided(notes, shape),
        },
        "stopped": notes.stopped.map(|stopped| stopped.to_string()),
    });
    if let Value::Object(more) = more {
        object.extend(more);
    }
    Value::Object(object)
}

/// Makes null what the table does not keep, so that nobody takes its absence for an answer.
fn forget_unknown(value: &mut Value) {
    let forget = |object: &mut Map<String, Value>, names: &[&str]| {
        names.iter().for_each(|name| drop(object.insert((*name).to_owned(), Value::Null)));
    };
    let each = |list: &mut Value, names: &[&str]| {
        let objects = list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut);
        objects.for_each(|object| forget(object, names));
    };
    each(&mut value["positions"], &["second", "nodes"]);
    each(&mut value["plies"], &["confirmed", "proven_in", "only", "motifs"]);
    for side in Side::ALL {
        if let Some(object) = value["sides"][side.word()].as_object_mut() {
            forget(object, &["only_moves", "only_moves_found"]);
        }
    }
    value["curve"] = Value::Null;
    if let Some(last) = value["positions"].as_array_mut().and_then(|list| list.last_mut()) {
        // Nobody asked for the best move behind the last ply.
        last["best"] = Value::Null;
        last["depth"] = Value::Null;
    }
}
