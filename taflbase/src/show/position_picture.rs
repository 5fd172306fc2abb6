//! Pictures of positions that are given by moves, with drawings of the user.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{Captured, Frame, Highlight, HighlightKind, Marks, Zones};
use tafl_rules::{Coord, Game, Move, RepetitionMode, Shape};

use super::{PictureFormat, PictureTheme, Scenes, ShowAnswer, ShowRequest};
use crate::board::{move_on, words};
use crate::escape::escape;
use crate::{
    App, Bounded, Error, ErrorKind, Job, PlayedPosition, PositionRequest, Request, Result, read_turn,
};

/// The maximum number of arrows, and of marked cells.
const MAX_DRAWINGS: usize = 400;
/// The maximum number of boards of an animation: a server draws it while others wait.
const MAX_FRAMES: usize = 1000;

/// Draw a position, or the moves that lead there
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, PositionPictureRequest, Request, RulesRequest};
///
/// let mut request = PositionPictureRequest::default();
/// request.position.rules = RulesRequest::of("brandubh7");
/// request.position.moves = Some("d2-c2,d3-b3".into());
/// let picture = request.run(&App::new(), &Job::default())?;
/// assert!(picture.bytes.starts_with(b"<svg "));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PositionPictureRequest {
    /// The position.
    #[serde(flatten)]
    pub position: PositionRequest,
    /// The kind of picture: `svg`, `png`, `pdf`, or `text`; with `animate`, `svg` or `gif` [default: svg]
    pub format: Option<PictureFormat>,
    /// Show all moves, one after another
    #[serde(default)]
    pub animate: bool,
    /// The colors
    #[serde(default)]
    pub theme: PictureTheme,
    /// Rotate the board by 180 degrees, with its coordinates
    #[serde(default)]
    pub flip: bool,
    /// The width of PNG and GIF in pixels
    #[serde(default)]
    pub width: Bounded<32, 6000, 640>,
    /// Leave out the text below the board
    #[serde(default)]
    pub plain: bool,
    /// Arrows instead of the last move, such as `d1-d3,f4-f2`
    pub arrows: Option<String>,
    /// Marked cells, such as `d4,e5`
    pub cells: Option<String>,
}

impl Request for PositionPictureRequest {
    type Answer = ShowAnswer;

    fn run(self, app: &App, _: &Job) -> Result<ShowAnswer> {
        let request = ShowRequest {
            format: Some(self.format.unwrap_or(PictureFormat::Svg)),
            animate: self.animate,
            theme: self.theme,
            flip: self.flip,
            width: self.width,
            ..ShowRequest::default()
        };
        let format = request.picture_format()?;
        let played = self.position.play(app)?;
        if self.animate && played.plies.len() >= MAX_FRAMES {
            let n = played.plies.len() + 1;
            let message = format!("the animation would have {n} boards; the maximum is {MAX_FRAMES}");
            return Err(Error::parameter("moves", message));
        }
        let mut scenes = scenes(&played, None, self.animate)?;
        if self.plain {
            scenes.frames.iter_mut().for_each(|frame| frame.caption = None);
        }
        if let Some(frame) = scenes.frames.last_mut() {
            self.draw_on(&mut frame.marks, played.game.shape())?;
        }
        Ok(ShowAnswer { format, bytes: request.draw(scenes, format)?, unplayed: None })
    }
}

impl PositionPictureRequest {
    /// Adds the arrows and the marked cells.
    fn draw_on(&self, marks: &mut Marks, shape: Shape) -> Result<()> {
        let (arrows, cells) = (parts(self.arrows.as_deref()), parts(self.cells.as_deref()));
        for (parameter, n) in [("arrows", arrows.len()), ("cells", cells.len())] {
            if n > MAX_DRAWINGS {
                let message = format!("too many {parameter}; the maximum is {MAX_DRAWINGS}");
                return Err(Error::parameter(parameter, message));
            }
        }
        if !arrows.is_empty() {
            (marks.moves, marks.captured) = (Vec::new(), Vec::new());
        }
        for text in arrows {
            let arrow = arrow_of(text, shape).map_err(|error| error.of("arrows"))?;
            marks.moves.push(arrow);
        }
        for text in cells {
            let cell = text.parse::<Coord>().ok().and_then(|coord| shape.cell(coord)).ok_or_else(|| {
                let message = format!("`{}` is not a cell of a {shape} board", escape(text));
                Error::parameter("cells", message)
            })?;
            marks.highlights.push(Highlight::new(cell, HighlightKind::Note));
        }
        Ok(())
    }
}

/// Returns the parts of a text between blanks and commas.
fn parts(text: Option<&str>) -> Vec<&str> {
    words(text.unwrap_or_default()).map(|(_, word)| word).collect()
}

fn arrow_of(text: &str, shape: Shape) -> Result<Move> {
    let record = read_turn(text)?;
    let [written] = &record.main().moves[..] else {
        return Err(Error::new(ErrorKind::BadParameter, format!("`{}` is not an arrow", escape(text))));
    };
    move_on(shape, written.from, written.to)
}

/// Returns the frames of a position after a number of its moves, which is all of them by default; for an animation, also those
/// before.
///
/// # Errors
///
/// Fails if fewer moves were played.
pub(super) fn scenes(played: &PlayedPosition, last: Option<usize>, all: bool) -> Result<Scenes> {
    let n_plies = played.plies.len();
    let last = last.unwrap_or(n_plies);
    if last > n_plies {
        return Err(Error::parameter("ply", format!("{n_plies} moves are given, not {last}")));
    }
    let mut game = Game::from_setup(&played.rules.book, &played.start, played.first, RepetitionMode::Report)
        .map_err(|error| Error::new(ErrorKind::BadPosition, error.to_string()))?;
    let (title, shape) = (played.rules.variant.title(), game.shape());
    let start = Frame { caption: Some(title.clone()), ..Frame::new(game.setup()) };
    let mut frames = if all || last == 0 { vec![start] } else { Vec::new() };
    let mut marks = Marks::default();
    let mut goes_on = false;
    for (number, ply) in (1..=last).zip(&played.plies) {
        marks = if goes_on { marks } else { Marks::default() };
        marks.moves.push(ply.mv);
        marks.captured.extend(ply.captured.iter().map(|cell| Captured { cell, piece: game.piece(cell) }));
        goes_on = ply.goes_on;
        game.clear_outcome();
        if game.play(ply.mv).is_err() {
            return Err(Error::new(ErrorKind::Internal, "a move that was played is illegal"));
        }
        if all || number == last {
            let captures: String = ply.captured.iter().map(|cell| format!("x{}", shape.name(cell))).collect();
            let caption = format!("{title}\nPly {number}, {}: {}{captures}", ply.side, ply.mv.display(shape));
            frames.push(Frame { marks: marks.clone(), caption: Some(caption), ..Frame::new(game.setup()) });
        }
    }
    Ok(Scenes { title: None, frames, zones: Zones::of(played.rules.book.rules()), unplayed: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(text: &str) -> Result<ShowAnswer> {
        let request: PositionPictureRequest = serde_json::from_str(text).unwrap();
        request.run(&App::new(), &Job::default())
    }

    #[test]
    fn every_kind_of_picture_is_drawn() {
        let begins = |format: &str, start: &[u8]| {
            let request =
                format!(r#"{{"variant": "brandubh7", "moves": "d2-c2,d3-b3", "format": "{format}"}}"#);
            assert!(draw(&request).unwrap().bytes.starts_with(start), "{format}");
        };
        begins("svg", b"<svg ");
        begins("png", b"\x89PNG");
        begins("pdf", b"%PDF-");
        let gif =
            draw(r#"{"variant": "brandubh7", "moves": "d2-c2,d3-b3", "format": "gif", "animate": true}"#);
        assert!(gif.unwrap().bytes.starts_with(b"GIF89a"));
        assert_eq!(
            draw(r#"{"variant": "brandubh7", "format": "gif"}"#).unwrap_err().parameter.as_deref(),
            Some("format")
        );
    }

    #[test]
    fn drawings_replace_the_last_move() {
        let svg = |more: &str| {
            let request = format!(r#"{{"variant": "hexentafl4", "moves": "d4-c3"{more}}}"#);
            draw(&request).map(|answer| String::from_utf8(answer.bytes).unwrap())
        };
        let plain = svg("").unwrap();
        assert!(plain.contains("Ply 1, defenders: d4-c3"), "{plain}");
        assert!(!svg(r#", "plain": true"#).unwrap().contains("Ply 1"));
        let drawn = svg(r#", "arrows": "a1-a2", "cells": "d4""#).unwrap();
        assert_ne!(plain, drawn);
        assert_eq!(svg(r#", "arrows": "a1-z9""#).unwrap_err().parameter.as_deref(), Some("arrows"));
        assert_eq!(svg(r#", "cells": "<svg>""#).unwrap_err().parameter.as_deref(), Some("cells"));
        let many = format!(r#", "cells": "{}""#, "d4,".repeat(MAX_DRAWINGS + 1));
        assert_eq!(svg(&many).unwrap_err().parameter.as_deref(), Some("cells"));
    }

    #[test]
    fn moves_are_shown_up_to_a_ply() {
        let show = |text: &str| {
            let request: ShowRequest = serde_json::from_str(text).unwrap();
            request.run(&App::new(), &Job::default())
        };
        let text = show(r#"{"variant": "brandubh7", "moves": "d2-c2 d3-b3", "ply": 1}"#).unwrap();
        assert!(String::from_utf8_lossy(&text.bytes).contains("Ply 1, attackers: d2-c2"));
        let late = show(r#"{"variant": "brandubh7", "moves": "d2-c2", "ply": 2}"#).unwrap_err();
        assert_eq!(late.parameter.as_deref(), Some("ply"));
    }
}
