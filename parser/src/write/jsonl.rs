//! Writer for our own JSON lines. The reader documents the schema.

use serde::Serialize;
use tafl_rules::{Setup, Side};

use super::moves::{as_written, push_opentafl};
use super::{RecordLosses, WriteGame};

use crate::format::jsonl_version;
use crate::record::{MoveLine, Record, RefusedMove, WrittenVerdict};
use crate::text_safety::escape_json;
use crate::words;

#[derive(Serialize)]
struct JsonlGame<'a> {
    taflbase: u32,
    format: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(&'a str, &'a str)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<JsonlBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_mover: Option<&'static str>,
    captures: &'static str,
    lines: Vec<JsonlLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<JsonlComment<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<JsonlClock>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    boards: Vec<JsonlBoardAfter>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<JsonlRefused<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    move_counts: Vec<JsonlMoveCount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    move_capture_counts: Vec<JsonlMoveCaptureCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture_counts: Option<JsonlCaptureCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<JsonlEnding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<JsonlResult>,
}

#[derive(Serialize)]
struct JsonlBoard {
    board: String,
    position: String,
}

#[derive(Serialize)]
struct JsonlLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    opens_with_second: bool,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<String>,
}

#[derive(Serialize)]
struct JsonlComment<'a> {
    line: u32,
    after: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonlClock {
    line: u32,
    after: u32,
    side: &'static str,
    milliseconds: i64,
}

#[derive(Serialize)]
struct JsonlBoardAfter {
    after: u32,
    #[serde(flatten)]
    board: JsonlBoard,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_move: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonlRefused<'a> {
    after: u32,
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonlMoveCount {
    after: u32,
    count: u32,
}

#[derive(Serialize)]
struct JsonlMoveCaptureCount {
    at: u32,
    count: u32,
}

#[derive(Serialize)]
struct JsonlCaptureCounts {
    attackers: u32,
    defenders: u32,
}

#[derive(Serialize)]
struct JsonlEnding {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    after: u32,
}

#[derive(Serialize)]
struct JsonlResult {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// Appends a line. The format is lossless.
pub(crate) fn write(WriteGame { record, .. }: WriteGame<'_>, out: &mut String, _: &mut RecordLosses) {
    let lines = record.lines().map(|line| moves(record, line)).collect();
    let game = JsonlGame {
        taflbase: jsonl_version(),
        format: record.format.name(),
        tags: record.tags.iter().map(|tag| (tag.name, tag.value)).collect(),
        variant: record.variant.as_ref().map(|variant| &*variant.text),
        rules: record.rules.as_ref().map(|rules| &*rules.text),
        start: record.start.as_ref().map(|start| board(&start.setup)),
        first_mover: record.first_mover.map(Side::as_str),
        captures: record.capture_style.name(),
        lines,
        comments: record.comments.iter().map(comment).collect(),
        clocks: record.clocks.iter().map(clock).collect(),
        boards: record.boards.iter().map(board_after).collect(),
        refused: record.refused.iter().map(|refused| self::refused(record, refused)).collect(),
        move_counts: record
            .move_counts
            .iter()
            .map(|c| JsonlMoveCount { after: c.after, count: c.count })
            .collect(),
        move_capture_counts: record
            .move_capture_counts
            .iter()
            .map(|number| JsonlMoveCaptureCount { at: number.at, count: number.count })
            .collect(),
        capture_counts: record.capture_counts.map(|counts| JsonlCaptureCounts {
            attackers: counts.by.attackers,
            defenders: counts.by.defenders,
        }),
        ending: record.ending.map(|ending| JsonlEnding {
            kind: words::ending_word(ending.kind),
            side: ending.side.map(Side::as_str),
            after: ending.after,
        }),
        result: record.result.map(|result| JsonlResult {
            verdict: verdict_word(result.verdict),
            reason: result.reason.map(tafl_rules::Reason::as_str),
        }),
    };
    let json = serde_json::to_string(&game).expect("a record has only strings and numbers");
    out.push_str(&escape_json(json));
    out.push('\n');
}

const fn verdict_word(verdict: WrittenVerdict) -> &'static str {
    match verdict {
        WrittenVerdict::Win(side) => side.as_str(),
        WrittenVerdict::Draw => "draw",
        WrittenVerdict::Ongoing => "ongoing",
        WrittenVerdict::Unknown => "unknown",
    }
}

fn board(setup: &Setup) -> JsonlBoard {
    JsonlBoard { board: setup.shape().to_string(), position: setup.to_string() }
}

fn comment(comment: crate::record::Comment<'_>) -> JsonlComment<'_> {
    JsonlComment { line: comment.place.line.0, after: comment.place.after, text: comment.text }
}

fn clock(clock: &crate::record::WrittenClock) -> JsonlClock {
    let (line, after) = (clock.place.line.0, clock.place.after);
    JsonlClock { line, after, side: clock.side.as_str(), milliseconds: clock.milliseconds }
}

fn refused<'a>(record: &Record, refused: &'a RefusedMove) -> JsonlRefused<'a> {
    let mut text = String::new();
    push_opentafl(&as_written(record, &refused.mv), &mut text);
    let reason = refused.reason.as_ref().map(|reason| &*reason.text);
    JsonlRefused { after: refused.after, mv: text, side: refused.mv.side.map(Side::as_str), reason }
}

fn board_after(written: &crate::record::WrittenBoard) -> JsonlBoardAfter {
    JsonlBoardAfter {
        after: written.after,
        board: board(&written.setup),
        to_move: written.to_move.map(Side::as_str),
    }
}

fn moves(record: &Record, line: MoveLine<'_>) -> JsonlLine {
    let mut text = String::with_capacity(line.moves.len() * 7);
    for (nth, mv) in line.moves.iter().enumerate() {
        if nth > 0 {
            text.push(' ');
        }
        push_opentafl(&as_written(record, mv), &mut text);
    }
    let letter = |side| match side {
        Some(Side::Attackers) => 'a',
        Some(Side::Defenders) => 'd',
        None => '-',
    };
    let has_sides = line.moves.iter().any(|mv| mv.side.is_some());
    JsonlLine {
        parent: line.branch.map(|branch| branch.parent.0),
        at: line.branch.map(|branch| branch.at),
        number: line.branch.map(|branch| branch.number),
        opens_with_second: line.opens_with_second,
        moves: text,
        sides: has_sides.then(|| line.moves.iter().map(|mv| letter(mv.side)).collect()),
    }
}
