//! The plies of a game: the moves, their effects, and what is written with them.

use tafl_parser::{LineBranch, MoveLineId, MovePlace, ReplayPly, WrittenMove};
use tafl_rules::{Explanation, Game, RepetitionMode, Shape, explain_ply};

use super::StoredGame;
use super::answer::{ClockReading, PlainVariation, PlyAnswer};
use super::explain::ply_reasons;
use crate::records::ReplayedRecord;

/// A game that is played from its start.
pub(super) struct GamePlies {
    /// The board; none if the rules are unknown, and then there are no plies.
    pub(super) shape: Option<Shape>,
    /// The position records: the start, then the one after each ply.
    pub(super) positions: Vec<String>,
    /// The plies.
    pub(super) plies: Vec<PlyEffects>,
    /// The game before its first ply.
    pub(super) start: Option<Game>,
}

/// A ply with its effects.
pub(super) struct PlyEffects {
    ply: ReplayPly,
    /// The side to move after it.
    to_move: &'static str,
    /// The reasons of captures and of the end of the game, if any.
    reasons: Option<Explanation>,
}

impl GamePlies {
    /// Plays the legal part of a game.
    pub(super) fn of(replayed: &ReplayedRecord) -> GamePlies {
        let mut played = GamePlies { shape: None, positions: Vec::new(), plies: Vec::new(), start: None };
        let (Some(rules), Some(setup), Some(first)) =
            (&replayed.replay.rules, replayed.start(), replayed.first())
        else {
            return played;
        };
        let Ok(start) = Game::from_setup(&rules.book, &setup, first, RepetitionMode::Report) else {
            return played;
        };
        played.shape = Some(start.shape());
        played.positions.push(setup.to_string());
        let mut game = start.clone();
        played.start = Some(start);
        for ply in &replayed.replay.plies {
            game.clear_outcome();
            if game.to_move() != ply.side {
                game.set_to_move(ply.side);
            }
            let mut after = game.clone();
            let Ok(made) = after.play(ply.mv) else { break };
            let has_reasons = !made.captured.is_empty()
                || made.outcome.is_some()
                || made.repetition.is_some()
                || made.goes_on;
            let reasons = if has_reasons { explain_ply(&game, ply.mv).ok() } else { None };
            game = after;
            played.positions.push(game.setup().to_string());
            played.plies.push(PlyEffects { ply: *ply, to_move: game.to_move().as_str(), reasons });
        }
        played
    }

    /// Returns a ply; `nth` counts from 0.
    pub(super) fn ply(&self, game: &StoredGame, nth: usize) -> Option<PlyAnswer> {
        let (shape, played) = self.shape.zip(self.plies.get(nth))?;
        let PlyEffects { ply, to_move, reasons } = played;
        let replayed = &game.replayed;
        let written = ply.written.map(|written| written as usize);
        let mv = written.and_then(|written| replayed.record.main().moves.get(written));
        Some(PlyAnswer {
            ply: nth + 1,
            side: ply.side.as_str(),
            r#move: ply.mv.display(shape).to_string(),
            written: mv.map(|mv| written_text(game, mv)),
            captured: ply.captured.iter().map(|cell| shape.name(cell)).collect(),
            goes_on: ply.goes_on,
            position: self.positions.get(nth + 1).cloned(),
            to_move,
            comment: written.and_then(|written| comment_at(replayed, written + 1)),
            clocks: written.map(|written| clocks_at(replayed, written + 1)).unwrap_or_default(),
            glyphs: mv.map(glyphs).unwrap_or_default(),
            variations: written.map(|written| variations(replayed, written)).unwrap_or_default(),
            explain: reasons.as_ref().map(|reasons| ply_reasons(shape, reasons)).unwrap_or_default(),
        })
    }
}

/// Returns the text of a move in the record.
fn written_text(game: &StoredGame, mv: &WrittenMove) -> String {
    let text = game.row.text.as_deref().unwrap_or_default();
    text.get(mv.span.start as usize..mv.span.end as usize).unwrap_or_default().trim().to_owned()
}

/// Returns the comment after a number of moves of the main line.
pub(super) fn comment_at(replayed: &ReplayedRecord, after: usize) -> Option<String> {
    comment(replayed, MovePlace::in_main(after))
}

/// Returns the comments at a place, with a blank between them.
pub(super) fn comment(replayed: &ReplayedRecord, place: MovePlace) -> Option<String> {
    let own = replayed.record.comments.iter().filter(|comment| comment.place == place);
    let texts: Vec<&str> = own.map(|comment| comment.text.trim()).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Returns the clocks after a number of moves of the main line.
fn clocks_at(replayed: &ReplayedRecord, after: usize) -> Vec<ClockReading> {
    let place = MovePlace::in_main(after);
    let own = replayed.record.clocks.iter().filter(|clock| clock.place == place);
    own.map(|clock| ClockReading { side: clock.side.as_str(), seconds: clock.milliseconds as f64 / 1000.0 })
        .collect()
}

/// Returns the mark after a move, as it is written.
pub(super) fn glyphs(mv: &WrittenMove) -> Vec<&'static str> {
    Some(mv.mark.as_str()).filter(|text| !text.is_empty()).into_iter().collect()
}

/// Returns the variations that replace a move of the main line, as plain moves.
fn variations(replayed: &ReplayedRecord, written: usize) -> Vec<PlainVariation> {
    let is_here = |branch: LineBranch| branch.parent == MoveLineId::MAIN && branch.at as usize == written;
    let lines = (0..).zip(replayed.record.lines()).filter(|(_, line)| line.branch.is_some_and(is_here));
    lines
        .map(|(id, line)| {
            let moves: Vec<String> = line.moves.iter().map(plain_move).collect();
            let place = |after: usize| MovePlace { line: MoveLineId(id), after: after as u32 };
            let comments: Vec<String> =
                (0..=line.moves.len()).filter_map(|after| comment(replayed, place(after))).collect();
            PlainVariation { moves, comment: (!comments.is_empty()).then(|| comments.join(" ")) }
        })
        .collect()
}

/// Returns a written move as `d4-d7`.
pub(super) fn plain_move(mv: &WrittenMove) -> String {
    format!("{}-{}", mv.from, mv.to)
}

/// Returns the written moves that could not be played, from the first one on.
pub(super) fn unplayed(game: &StoredGame) -> Vec<String> {
    let replayed = &game.replayed;
    let last = replayed.replay.plies.iter().filter_map(|ply| ply.written).max();
    let first = last.map_or(0, |last| last as usize + 1);
    replayed.record.main().moves.iter().skip(first).map(|mv| written_text(game, mv)).collect()
}
