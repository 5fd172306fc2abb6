//! An annotated game as a line of JSON. `docs/annotate.md` documents it.

use serde_json::{Map, Value, json};
use tafl_analyzer::annotate::notes::FoundWin;
use tafl_analyzer::annotate::{GameNotes, Motif, PlyNote, PositionNote, SideSummary};
use tafl_parser::record::tag;
use tafl_rules::{Shape, Side};

use super::source::Played;
use super::{Annotated, Provenance};

/// The version of the lines.
pub(super) const VERSION: u32 = 1;

/// Returns a game as a line with a line feed.
pub(super) fn write(game: &Annotated, provenance: &Provenance) -> String {
    let mut text = value(game, provenance).to_string();
    text.push('\n');
    text
}

/// Returns the line of a game whose rules are not known.
pub(super) fn unknown(played: &Played) -> String {
    let value = json!({
        "taflbase_annotation": VERSION,
        "file": played.file,
        "game": played.ordinal,
        "id": played.judged.record.tag(tag::ID),
        "rules": null,
        "positions": [],
        "plies": [],
        "stopped": "the rules are not known",
    });
    format!("{value}\n")
}

/// Returns a game as JSON.
pub(super) fn value(game: &Annotated, provenance: &Provenance) -> Value {
    let Annotated { played, notes, start } = game;
    let shape = start.shape();
    let record = &played.judged.record;
    let result = played.judged.replay.result();
    let mut value = json!({
        "taflbase_annotation": VERSION,
        "file": played.file,
        "game": played.ordinal,
        "number": played.id.map(|id| id.to_string()),
        "id": record.tag(tag::ID),
        "attackers": record.tag(tag::ATTACKERS),
        "defenders": record.tag(tag::DEFENDERS),
        "date": record.tag(tag::DATE),
        "variant": played.judged.variant(),
        "rules": game.rules(),
        "start": start.to_string(),
        "winner": result.map(|outcome| outcome.winner_word()),
        "reason": result.map(|outcome| outcome.reason.words()),
        "engine": notes.engine,
        "limits": provenance.limits,
        "thresholds": provenance.thresholds,
        "curves": provenance.curves,
        "curve": notes.curve,
    });
    if let Value::Object(object) = &mut value {
        object.extend(findings(shape, notes));
        object.insert("stopped".to_owned(), json!(game.trouble()));
    }
    value
}

/// Returns what was found out about the positions, the plies and the sides of a game, under the names of the JSON lines.
pub(crate) fn findings(shape: Shape, notes: &GameNotes) -> Map<String, Value> {
    let positions: Vec<Value> =
        notes.positions.iter().enumerate().map(|(ply, note)| position(shape, ply, note)).collect();
    let plies: Vec<Value> = notes.plies.iter().enumerate().map(|(nth, note)| ply(shape, nth, note)).collect();
    Map::from_iter([
        ("positions".to_owned(), Value::Array(positions)),
        ("plies".to_owned(), Value::Array(plies)),
        ("sides".to_owned(), sides(notes)),
        ("turning_point".to_owned(), json!(notes.turning_point())),
        ("lead_changes".to_owned(), json!(notes.lead_changes())),
    ])
}

fn position(shape: Shape, ply: usize, note: &PositionNote) -> Value {
    let evaluation = note.evaluation();
    let win = note.win();
    let score =
        evaluation.filter(|_| win.is_none()).map(|evaluation| evaluation.score().for_side(Side::Attackers));
    json!({
        "ply": ply,
        "to_move": note.to_move.word(),
        "score": score.map(|score| f64::from(score.value()) / 100.0),
        "wins": win.map(|win| win.winner.word()),
        "in": win.map(|win| win.plies),
        "expected": note.expectation.map(|expectation| rounded(expectation.for_side(Side::Attackers))),
        "best": evaluation.map(|evaluation| line(shape, &evaluation.best().moves)),
        "second": evaluation.and_then(|evaluation| evaluation.lines().get(1)).map(|other| line(shape, &other.moves)),
        "depth": evaluation.map(|evaluation| evaluation.depth.0),
        "nodes": evaluation.map(|evaluation| evaluation.nodes.0),
    })
}

fn ply(shape: Shape, nth: usize, note: &PlyNote) -> Value {
    json!({
        "ply": nth + 1,
        "side": note.side.word(),
        "move": note.mv.text(shape),
        "loss": note.loss.map(rounded),
        "judgement": note.loss.map(|_| note.judgement.word()),
        "is_best": note.is_best,
        "confirmed": note.is_confirmed,
        "missed_win": note.missed_win.map(|FoundWin { plies, .. }| plies),
        "proven_in": note.proven_win,
        "only": note.only.map(|only| json!({
            "move": only.mv.text(shape), "margin": rounded(only.margin), "found": only.mv == note.mv,
        })),
        "motifs": note.motifs.iter().map(|motif| motif_value(shape, motif)).collect::<Vec<_>>(),
    })
}

fn motif_value(shape: Shape, motif: &Motif) -> Value {
    json!({
        "kind": motif.kind.word(),
        "voice": motif.voice.word(),
        "cell": shape.name(motif.cell),
        "plies": motif.plies,
        "words": motif.words(shape),
    })
}

/// Returns what both sides did.
pub(super) fn sides(notes: &GameNotes) -> Value {
    json!({ "attackers": side(&notes.sides.attackers), "defenders": side(&notes.sides.defenders) })
}

fn side(summary: &SideSummary) -> Value {
    json!({
        "plies": summary.plies,
        "accuracy": summary.accuracy.map(|accuracy| accuracy.percent()),
        "inaccuracies": summary.counts.inaccuracies,
        "mistakes": summary.counts.mistakes,
        "blunders": summary.counts.blunders,
        "lost_by_errors": rounded(summary.lost_by_errors),
        "lost_gradually": rounded(summary.lost_gradually),
        "lost_little_by_little": summary.lost_little_by_little(),
        "missed_wins": summary.missed_wins,
        "only_moves": summary.only_moves,
        "only_moves_found": summary.only_moves_found,
    })
}

fn line(shape: Shape, moves: &[tafl_rules::Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.text(shape)).collect()
}

/// Returns a part with four digits.
fn rounded(part: f64) -> f64 {
    (part * 10_000.0).round() / 10_000.0
}
