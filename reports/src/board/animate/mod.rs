//! Games as animations: animated SVG and GIF.

mod colors;
mod gif;
mod svg;
mod track;

use std::time::Duration;

use tafl_rules::{Setup, Shape};

use super::layout::{self, Layout};
use super::paint::Painting;
use super::{BoardPicture, Marks, PictureError, View, Zones};

/// A game as a sequence of pictures of one board.
///
/// # Examples
///
/// ```
/// use tafl_reports::{Animation, Frame, Marks};
/// use tafl_rules::{Cell, Move, RuleSet, Setup, Shape};
///
/// let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
/// let mut after = rules.start.clone();
/// let mv = Move::new(Cell::new(3), Cell::new(1));
/// after.put(mv.to, after.piece(mv.from));
/// after.put(mv.from, None);
/// let frames = vec![Frame::new(rules.start.clone()), Frame { marks: Marks::of_move(mv, vec![]), ..Frame::new(after) }];
/// let animation = Animation::of(&rules, frames).unwrap();
/// let mut gif = Vec::new();
/// animation.write_gif(&mut gif, 120).unwrap();
/// assert!(gif.starts_with(b"GIF89a"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Animation {
    /// The special cells, the same in every frame.
    pub zones: Zones,
    /// The view.
    pub view: View,
    /// The title of the document, which is not drawn.
    pub title: Option<String>,
    /// The display times of the frames.
    pub timing: Timing,
    /// The frames: at least one, all of the same shape.
    frames: Vec<Frame>,
}

/// A frame of an animation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The pieces.
    pub setup: Setup,
    /// The marks: the move that led here and its captures.
    pub marks: Marks,
    /// The text under the board.
    pub caption: Option<String>,
}

impl Frame {
    /// Creates a frame without marks and caption.
    pub fn new(setup: Setup) -> Frame {
        Frame { setup, marks: Marks::default(), caption: None }
    }
}

/// The display times of frames. GIF has a resolution of a hundredth of a second; the remainder of one frame
/// is added to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Timing {
    /// Each frame except the last one.
    pub frame: Duration,
    /// The last frame, before the animation repeats.
    pub last: Duration,
}

impl Default for Timing {
    /// Returns one second per frame, and four seconds at the end.
    fn default() -> Timing {
        Timing { frame: Duration::from_millis(1000), last: Duration::from_millis(4000) }
    }
}

impl Timing {
    /// The minimum time: viewers treat shorter times as an error and show the frame for longer.
    const LEAST: Duration = Duration::from_millis(20);
    /// The maximum time: GIF is limited to about eleven minutes.
    const MOST: Duration = Duration::from_secs(600);

    /// Returns the display time of frame `frame` of `count`, clamped to 20 ms through ten minutes.
    fn of(self, frame: usize, count: usize) -> Duration {
        let wanted = if frame + 1 == count { self.last } else { self.frame };
        wanted.clamp(Timing::LEAST, Timing::MOST)
    }
}

impl Animation {
    /// Creates an animation of a game.
    ///
    /// # Errors
    ///
    /// Returns [`PictureError::NoFrames`] if there is no frame, and [`PictureError::ShapeChanges`] if a frame
    /// shows a different board than the first one.
    pub fn of(rules: &tafl_rules::RuleSet, frames: Vec<Frame>) -> Result<Animation, PictureError> {
        Animation::new(Zones::of(rules), frames)
    }

    /// Creates an animation on a board with these special cells, in the default view of its shape.
    ///
    /// # Errors
    ///
    /// Same as [`Animation::of`].
    pub fn new(zones: Zones, frames: Vec<Frame>) -> Result<Animation, PictureError> {
        let expected = frames.first().ok_or(PictureError::NoFrames)?.setup.shape();
        for (frame, found) in frames.iter().map(|frame| frame.setup.shape()).enumerate() {
            if found != expected {
                return Err(PictureError::ShapeChanges { frame, expected, found });
            }
        }
        let view = View::usual(expected);
        Ok(Animation { zones, view, title: None, timing: Timing::default(), frames })
    }

    /// Returns the frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        self.frames[0].setup.shape()
    }

    /// Returns the picture of a frame.
    fn picture(&self, frame: &Frame) -> BoardPicture {
        BoardPicture {
            setup: frame.setup.clone(),
            zones: self.zones.clone(),
            marks: frame.marks.clone(),
            caption: frame.caption.clone(),
            view: self.view,
        }
    }

    /// Returns the space needed by the texts of all frames.
    fn room(&self) -> Room {
        let lines =
            |frame: &Frame| layout::caption_lines(frame.caption.as_deref(), self.shape(), self.view).len();
        let entries = |frame: &Frame| layout::legend_entries(frame.marks.legend.len());
        Room {
            lines: self.frames.iter().map(lines).max().unwrap_or_default(),
            entries: self.frames.iter().map(entries).max().unwrap_or_default(),
        }
    }

    fn layout(&self, room: Room) -> Layout {
        Layout::new(self.shape(), self.view, room.lines, room.entries)
    }

    /// Returns the painting of a frame.
    fn painting(&self, frame: &Frame, room: Room) -> Painting {
        Painting::with_layout(&self.picture(frame), self.layout(room))
    }
}

/// The space for the texts of all frames, so that the board does not jump.
#[derive(Debug, Clone, Copy)]
struct Room {
    lines: usize,
    entries: usize,
}
