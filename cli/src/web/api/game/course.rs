//! The plies of a game: what was played, what came of it, and what is written with them.

use serde_json::{Value, json};
use tafl_parser::record::{Branch, LineId, Place, WrittenMove};
use tafl_parser::replay::ReplayPly;
use tafl_rules::explain::{self, Explanation};
use tafl_rules::{Game, RepetitionMode, Shape};

use super::FoundGame;
use super::explain::explain_json;
use taflbase::records::ReplayedRecord;

/// A game that was played again.
pub(super) struct Course {
    /// The board; nothing where the rules are not known, and then there are no plies.
    pub(super) shape: Option<Shape>,
    /// The position records: the start, then the one after each ply.
    pub(super) positions: Vec<String>,
    /// The plies.
    pub(super) plies: Vec<Played>,
    /// The game before its first ply.
    pub(super) start: Option<Game>,
}

/// A ply that was played again.
pub(super) struct Played {
    ply: ReplayPly,
    /// Who is to move after it.
    to_move: &'static str,
    /// Why pieces fell and what ended the game; nothing where neither happened.
    told: Option<Explanation>,
}

impl Course {
    /// Plays the legal part of a game.
    pub(super) fn play(judged: &ReplayedRecord) -> Course {
        let mut course = Course { shape: None, positions: Vec::new(), plies: Vec::new(), start: None };
        let (Some(rules), Some(setup), Some(first)) = (&judged.replay.rules, judged.start(), judged.first())
        else {
            return course;
        };
        let Ok(start) = Game::from_setup(&rules.book, &setup, first, RepetitionMode::Report) else {
            return course;
        };
        course.shape = Some(start.shape());
        course.positions.push(setup.to_string());
        let mut game = start.clone();
        course.start = Some(start);
        for ply in &judged.replay.plies {
            game.resume();
            if game.to_move() != ply.side {
                game.set_to_move(ply.side);
            }
            let mut after = game.clone();
            let Ok(made) = after.play(ply.mv) else { break };
            let is_told = !made.captured.is_empty()
                || made.outcome.is_some()
                || made.repetition.is_some()
                || made.goes_on;
            let told = if is_told { explain::ply(&game, ply.mv).ok() } else { None };
            game = after;
            course.positions.push(game.setup().to_string());
            course.plies.push(Played { ply: *ply, to_move: game.to_move().word(), told });
        }
        course
    }

    /// Returns a ply as JSON; `nth` counts from 0.
    pub(super) fn ply_json(&self, found: &FoundGame, nth: usize) -> Value {
        let (Some(shape), Some(played)) = (self.shape, self.plies.get(nth)) else { return Value::Null };
        let Played { ply, to_move, told } = played;
        let judged = &found.judged;
        let written = ply.written.map(|written| written as usize);
        let mv = written.and_then(|written| judged.record.main().moves.get(written));
        json!({
            "ply": nth + 1,
            "side": ply.side.word(),
            "move": ply.mv.text(shape),
            "written": mv.map(|mv| written_text(found, mv)),
            "captured": ply.captured.iter().map(|cell| shape.name(cell)).collect::<Vec<_>>(),
            "goes_on": ply.goes_on,
            "position": self.positions.get(nth + 1),
            "to_move": to_move,
            "comment": written.and_then(|written| comment_at(judged, written + 1)),
            "clocks": written.map(|written| clocks_at(judged, written + 1)).unwrap_or_default(),
            "glyphs": mv.map(glyphs).unwrap_or_default(),
            "variations": written.map(|written| variations(judged, written)).unwrap_or_default(),
            "explain": told.as_ref().map(|told| explain_json(shape, told)).unwrap_or_default(),
        })
    }
}

/// Returns the text of a move as it stands in the record.
fn written_text(found: &FoundGame, mv: &WrittenMove) -> String {
    let text = found.row.text.as_deref().unwrap_or_default();
    text.get(mv.span.start as usize..mv.span.end as usize).unwrap_or_default().trim().to_owned()
}

/// Returns what is said behind so many moves of the game itself.
pub(super) fn comment_at(judged: &ReplayedRecord, after: usize) -> Option<String> {
    comment(judged, Place::in_main(after))
}

/// Returns what is said at a place, several comments with a blank between.
pub(super) fn comment(judged: &ReplayedRecord, place: Place) -> Option<String> {
    let own = judged.record.comments.iter().filter(|comment| comment.place == place);
    let texts: Vec<&str> = own.map(|comment| comment.text.trim()).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Returns the clocks that are read behind so many moves of the game itself.
fn clocks_at(judged: &ReplayedRecord, after: usize) -> Vec<Value> {
    let place = Place::in_main(after);
    let own = judged.record.clocks.iter().filter(|clock| clock.place == place);
    own.map(|clock| json!({ "side": clock.side.word(), "seconds": clock.milliseconds as f64 / 1000.0 }))
        .collect()
}

/// Returns the mark behind a move, as it is written.
pub(super) fn glyphs(mv: &WrittenMove) -> Vec<&'static str> {
    Some(mv.mark.text()).filter(|text| !text.is_empty()).into_iter().collect()
}

/// Returns the variations that replace a move of the game itself, as plain moves.
fn variations(judged: &ReplayedRecord, written: usize) -> Vec<Value> {
    let is_here = |branch: Branch| branch.parent == LineId::MAIN && branch.at as usize == written;
    let lines = (0..).zip(&judged.record.lines).filter(|(_, line)| line.branch.is_some_and(is_here));
    lines
        .map(|(id, line)| {
            let moves: Vec<String> = line.moves.iter().map(plain_move).collect();
            let place = |after: usize| Place { line: LineId(id), after: after as u32 };
            let said: Vec<String> =
                (0..=line.moves.len()).filter_map(|after| comment(judged, place(after))).collect();
            json!({ "moves": moves, "comment": (!said.is_empty()).then(|| said.join(" ")) })
        })
        .collect()
}

/// Returns a written move as `d4-d7`.
pub(super) fn plain_move(mv: &WrittenMove) -> String {
    format!("{}-{}", mv.from, mv.to)
}

/// Returns the written moves that could not be played, from the first one on.
pub(super) fn unplayed(found: &FoundGame) -> Vec<String> {
    let judged = &found.judged;
    let last = judged.replay.plies.iter().filter_map(|ply| ply.written).max();
    let first = last.map_or(0, |last| last as usize + 1);
    judged.record.main().moves.iter().skip(first).map(|mv| written_text(found, mv)).collect()
}
