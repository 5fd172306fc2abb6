//! The frames of a game: a board after each ply, with marks and a caption.

use std::ops::RangeInclusive;

use tafl_parser::tag;
use tafl_reports::{Captured, Frame, Highlight, HighlightKind, LegendEntry, Marks};
use tafl_rules::{EndCell, Explanation, Game, RepetitionMode, explain_ply};

use super::UnplayedPlies;
use super::game_file::ShownGame;
use crate::records::ReplayedRecord;
use crate::{Error, ErrorKind, Result};

/// Returns the frames of a game after a range of plies, where 0 is the start, without its [`title`]. A turn of several moves
/// is marked as a whole.
pub(super) fn play(game: &ShownGame, range: RangeInclusive<usize>) -> Result<Vec<Frame>> {
    let ShownGame { replayed, unplayed } = game;
    let unknown = || Error::new(ErrorKind::Internal, "the rules of the game are not known");
    let (rules, start) = replayed.replay.rules.as_ref().zip(replayed.start()).ok_or_else(unknown)?;
    let to_move = replayed.first().ok_or_else(unknown)?;
    let mut game = Game::from_setup(&rules.book, &start, to_move, RepetitionMode::Report)
        .map_err(|error| Error::new(ErrorKind::BadPosition, error.to_string()))?;
    let mut frames = Vec::new();
    let begin = Frame { caption: Some("Start".to_owned()), ..Frame::new(game.setup()) };
    frames.extend(range.contains(&0).then_some(begin));
    let mut turn = Marks::default();
    let mut goes_on = false;
    for (ply, number) in replayed.replay.plies.iter().zip(1..=*range.end()) {
        if game.to_move() != ply.side {
            game.set_to_move(ply.side);
        }
        game.clear_outcome();
        let explanation = explain_ply(&game, ply.mv).ok();
        turn = if goes_on { turn } else { Marks::default() };
        turn.moves.push(ply.mv);
        turn.captured.extend(ply.captured.iter().map(|cell| Captured { cell, piece: game.piece(cell) }));
        goes_on = ply.goes_on;
        if game.play(ply.mv).is_err() {
            break;
        }
        if range.contains(&number) {
            let is_last = number == replayed.replay.plies.len();
            let marks = match explanation.filter(|_| is_last) {
                Some(explanation) => with_ending(&turn, &explanation),
                None => turn.clone(),
            };
            frames.push(Frame {
                marks,
                caption: Some(caption(replayed, unplayed.as_ref(), number)),
                ..Frame::new(game.setup())
            });
        }
    }
    Ok(frames)
}

/// Returns the players and the variant: `Red - Blue, copenhagen11`.
pub(super) fn title(replayed: &ReplayedRecord) -> String {
    let player = |name: &str| replayed.record.tag(name).filter(|player| !player.is_empty());
    let variant = replayed.variant();
    match (player(tag::ATTACKERS), player(tag::DEFENDERS)) {
        (None, None) => variant.to_owned(),
        (attackers, defenders) => {
            format!("{} - {}, {variant}", attackers.unwrap_or("?"), defenders.unwrap_or("?"))
        }
    }
}

/// Returns the number of a ply and its move: `Ply 12 of 31, attackers: f4-f7xf8`; after the last ply, also the result, or that
/// the next move of the record cannot be played.
fn caption(replayed: &ReplayedRecord, unplayed: Option<&UnplayedPlies>, number: usize) -> String {
    let plies = &replayed.replay.plies;
    let ply = &plies[number - 1];
    let Some(shape) = replayed.shape() else { return String::new() };
    let captures: String = ply.captured.iter().map(|cell| format!("x{}", shape.name(cell))).collect();
    let n_plies = unplayed.map_or(0, |unplayed| unplayed.written).max(plies.len());
    let mut caption = format!("Ply {number} of {n_plies}, {}: {}{captures}", ply.side, ply.mv.display(shape));
    if number == plies.len() {
        match (unplayed.filter(|unplayed| unplayed.is_end), replayed.replay.sourced_result()) {
            (Some(_), _) => caption.push_str("\nthe next move cannot be played"),
            (None, Some(result)) => caption.push_str(&format!("\n{result}")),
            (None, None) => {}
        }
    }
    caption
}

/// Returns the marks of a turn with the cells that show why the game ended.
fn with_ending(turn: &Marks, explanation: &Explanation) -> Marks {
    let mut marks = turn.clone();
    let mut texts: Vec<(HighlightKind, &str)> = Vec::new();
    let cells = explanation.end.iter().flat_map(|end| &end.cells);
    // A king on a goal needs no explanation.
    let cells = cells.filter(|_| explanation.end.iter().any(|end| end.cells.len() > 1));
    for (cell, what) in cells {
        let (kind, text) = match what {
            EndCell::King => (HighlightKind::Note, "the king"),
            EndCell::Inside => (HighlightKind::Room, "inside the fort"),
            EndCell::Wall => (HighlightKind::Wall, "the wall of the fort"),
            EndCell::Ring => (HighlightKind::Wall, "the ring"),
        };
        marks.highlights.push(Highlight::new(*cell, kind));
        if !texts.iter().any(|(known, _)| *known == kind) {
            texts.push((kind, text));
        }
    }
    marks.legend =
        texts.into_iter().map(|(kind, text)| LegendEntry { kind, text: text.to_owned() }).collect();
    marks
}
