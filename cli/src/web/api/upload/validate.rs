//! Records checked: which are sound, and what is wrong with the others.

use serde_json::{Value, json};
use tafl_parser::record::tag;
use tafl_parser::{Severity, Source};
use tafl_rules::{Game, RepetitionMode};
use taflbase::records::{
    Finding, FindingLocator, FindingRecord, ReplayWorker, ReplayedRecord, ValidationSummary,
};

use super::BodyParams;
use super::batches::Upload;
use crate::web::finding::value;
use tafl_web::{ApiError, ApiRequest, Reply};

/// So many games are listed.
const MOST_GAMES: usize = 1_000;
/// So many of them have their positions.
const WITH_POSITIONS: usize = 50;
/// All games together have at most so many positions.
const MOST_POSITIONS: usize = 25_000;
/// All games together list at most so many moves.
const MOST_MOVES: usize = 200_000;
/// So many findings are listed.
const MOST_FINDINGS: usize = 2_000;

/// What was found out about the records of a body.
#[derive(Default)]
struct Checked {
    summary: ValidationSummary,
    games: Vec<Value>,
    findings: Vec<Value>,
    /// How many findings there are.
    n_findings: u64,
    n_positions: usize,
    n_moves: usize,
    /// Whether something was left out of the lists, or not read at all.
    is_truncated: bool,
    /// Whether the time was over before the end.
    is_late: bool,
}

/// Answers with what is wrong with the records of the body.
pub(super) fn validate(params: &BodyParams, request: &ApiRequest) -> Result<Reply, ApiError> {
    let mut upload = Upload::new(params, request)?;
    let mut worker = ReplayWorker::new(&upload.config);
    let mut checked = Checked::default();
    checked.summary.files = 1;
    let name = upload.input.name();
    'all: while let Some(batch) = upload.next()? {
        worker.enter(&batch);
        for found in batch.findings() {
            checked.summary.add_finding(found.kind.code());
            checked.find(|| value(&Finding::of_file(found).line_of_file(&name)));
        }
        for (source, parsed) in batch.parse() {
            if request.job.is_over() {
                checked.is_late = true;
                checked.is_truncated = true;
                break 'all;
            }
            let replayed = worker.replay(parsed);
            checked.add(source, &replayed);
        }
    }
    let is_truncated = checked.is_truncated || upload.is_cut_off();
    Ok(Reply::Json(json!({
        "format": upload.format().map(|format| format.name()),
        "records": checked.summary.games.games,
        "sound": checked.summary.games.sound,
        "summary": checked.summary,
        "games": checked.games,
        "findings": checked.findings,
        "findings_total": checked.n_findings,
        "truncated": is_truncated,
        "out_of_time": checked.is_late,
    })))
}

impl Checked {
    /// Notes a finding; it is written only where there is room for it, as its place takes a look at the whole line.
    fn find(&mut self, finding: impl FnOnce() -> Value) {
        self.n_findings += 1;
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding());
        } else {
            self.is_truncated = true;
        }
    }

    fn add(&mut self, source: Source<'_>, replayed: &ReplayedRecord) {
        self.summary.add(replayed.record.format, &replayed.check());
        if !replayed.diagnostics.is_empty() {
            let finder = FindingLocator::new(source, &replayed.record);
            let at = FindingRecord {
                variant: Some(replayed.variant()),
                ..FindingRecord::of(source, &replayed.record)
            };
            for diagnostic in &replayed.diagnostics {
                self.find(|| value(&finder.find(diagnostic).line(at)));
            }
        }
        let n_plies = replayed.replay.plies.len();
        if self.games.len() >= MOST_GAMES || self.n_moves + n_plies > MOST_MOVES {
            self.is_truncated = true;
            return;
        }
        self.n_moves += n_plies;
        let mut game = game(source, replayed);
        let has_room = self.n_positions + n_plies < MOST_POSITIONS;
        if self.games.len() < WITH_POSITIONS && has_room {
            let positions = positions(replayed);
            self.n_positions += positions.len();
            game["positions"] = json!(positions);
        }
        self.games.push(game);
    }
}

/// Returns what is known of a game.
fn game(source: Source<'_>, replayed: &ReplayedRecord) -> Value {
    let record = &replayed.record;
    let shape = replayed.shape();
    let worst = replayed.worst().filter(|worst| *worst > Severity::Note).map_or("sound", Severity::word);
    let moves: Vec<String> =
        replayed.replay.plies.iter().filter_map(|ply| Some(ply.mv.text(shape?))).collect();
    let captured: Vec<Vec<String>> = replayed
        .replay
        .plies
        .iter()
        .filter_map(|ply| shape.map(|shape| ply.captured.iter().map(|cell| shape.name(cell)).collect()))
        .collect();
    json!({
        "ordinal": source.ordinal,
        "place": source.line,
        "id": record.tag(tag::ID),
        "variant": replayed.variant(),
        "rules": replayed.replay.rules.as_ref().map(|rules| rules.book.rules().to_string()),
        "attackers": record.tag(tag::ATTACKERS),
        "defenders": record.tag(tag::DEFENDERS),
        "event": record.tag(tag::EVENT),
        "date": record.tag(tag::DATE),
        "plies": replayed.replay.plies.len(),
        "written": record.main().moves.len(),
        "verdict": worst,
        "start": replayed.start().map(|start| start.to_string()),
        "first": replayed.first().map(|side| side.word()),
        "moves": moves,
        "captured": captured,
        "outcome": replayed.replay.result().map(|outcome| json!({
            "winner": outcome.winner_word(), "reason": outcome.reason.words(), "words": outcome.to_string(),
        })),
    })
}

/// Returns the position records of a game: the start, then the one after each ply.
fn positions(replayed: &ReplayedRecord) -> Vec<String> {
    let (Some(rules), Some(start), Some(first)) =
        (&replayed.replay.rules, replayed.start(), replayed.first())
    else {
        return Vec::new();
    };
    let Ok(mut game) = Game::from_setup(&rules.book, &start, first, RepetitionMode::Report) else {
        return Vec::new();
    };
    let mut positions = vec![start.to_string()];
    for ply in &replayed.replay.plies {
        game.resume();
        if game.to_move() != ply.side {
            game.set_to_move(ply.side);
        }
        if game.play(ply.mv).is_err() {
            break;
        }
        positions.push(game.setup().to_string());
    }
    positions
}
