//! Pictures of boards: text, SVG, PNG, PDF, and animated SVG and GIF.
//!
//! A [`BoardPicture`] describes the content; [`BoardPicture::to_text`], [`BoardPicture::to_svg`],
//! [`BoardPicture::to_png`], and [`BoardPicture::to_pdf`] draw it. A [`ContactSheet`] has several of them, and
//! a game is an [`Animation`]. All of them use the same orientation: files
//! are columns, and a [`View`] sets whether rank 1 is at the bottom or at the top.
//!
//! A drawing is made in three steps: `layout` positions the cells, `paint` creates a list of simple
//! figures, and `svg`, `raster`, or `pdf` writes that list. SVG, PNG, and PDF therefore show the same.

mod animate;
mod board_layout;
pub(crate) mod font;
mod hatch;
mod heat_map;
mod layout;
mod marks;
mod overlay;
mod paint;
mod pdf;
mod pieces;
mod raster;
mod scene;
mod sheet;
mod svg;
pub(crate) mod svg_canvas;
mod text;
mod theme;
mod zones;

use std::io;

use tafl_rules::{RuleSet, Setup, Shape};

pub use animate::{Animation, Frame, Timing};
pub use board_layout::BoardLayout;
pub use marks::{Captured, Heat, Highlight, HighlightKind, LegendEntry, Marks};
pub use sheet::ContactSheet;
pub use text::Ink;
pub use theme::Theme;
pub use zones::{CellMark, Zones};

/// The content of a picture of a board.
///
/// Cells that are not on the board are ignored; they never cause a panic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPicture {
    /// The pieces, and the shape of the board.
    pub setup: Setup,
    /// The special cells.
    pub zones: Zones,
    /// The marks: the last move, captures, and highlighted cells.
    pub marks: Marks,
    /// The text under the board, with its line breaks. At most six lines are shown.
    pub caption: Option<String>,
    /// The view.
    pub view: View,
}

impl BoardPicture {
    /// Creates a picture without marks, in the default view of its shape.
    pub fn new(setup: Setup, zones: Zones) -> BoardPicture {
        let view = View::usual(setup.shape());
        BoardPicture { setup, zones, marks: Marks::default(), caption: None, view }
    }

    /// Creates the picture of the start of a game.
    pub fn of(rules: &RuleSet) -> BoardPicture {
        BoardPicture::new(rules.start.clone(), Zones::of(rules))
    }
}

/// The view of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    /// The position of rank 1, unless the board is rotated.
    pub rank_one: RankOne,
    /// Whether the board is rotated by 180 degrees, with its coordinates.
    pub is_rotated: bool,
    /// Whether files and ranks are labeled.
    pub coordinates: Coordinates,
    /// The colors of pictures; text ignores them.
    pub theme: Theme,
}

impl View {
    /// Returns the default view of a board: rank 1 at the bottom of squares and, as in the rule sheet of
    /// heXentafl, at the top of hexagons; with coordinates and light colors.
    pub const fn usual(shape: Shape) -> View {
        let rank_one = match shape {
            Shape::Square { .. } => RankOne::Bottom,
            Shape::Hex { .. } => RankOne::Top,
        };
        View { rank_one, is_rotated: false, coordinates: Coordinates::Shown, theme: Theme::Light }
    }

    /// Returns the same view in other colors.
    #[must_use]
    pub const fn with_theme(self, theme: Theme) -> View {
        View { theme, ..self }
    }

    /// Returns the file or rank in whose place a file or rank is shown: a rotation maps the board to itself.
    const fn shown_line(self, shape: Shape, line: i16) -> i16 {
        if self.is_rotated { shape.n_ranks() - 1 - line } else { line }
    }
}

/// The position of rank 1 if file `a` is at the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RankOne {
    /// At the bottom, as on a chess board.
    Bottom,
    /// At the top, as in position records.
    Top,
}

/// Whether files and ranks are labeled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// Letters and numbers next to the board.
    Shown,
    /// No labels.
    Hidden,
}

/// The reason why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The width is too small to be legible, or too large for memory.
    #[error("invalid width: {asked} pixels; expected {min} to {max}")]
    Width {
        /// The requested width in pixels.
        asked: u32,
        /// The minimum width in pixels.
        min: u32,
        /// The maximum width in pixels.
        max: u32,
    },
    /// The animation has no frames, or the sheet no boards.
    #[error("there is nothing to draw: no frame of an animation, or no board of a sheet")]
    NoFrames,
    /// A frame shows a different board than the first one.
    #[error("frame {frame} shows a {found} board, but the first frame shows {expected}")]
    ShapeChanges {
        /// The index of the frame, from 0.
        frame: usize,
        /// The board of the first frame.
        expected: Shape,
        /// The board of this frame.
        found: Shape,
    },
    /// The picture is too high for GIF, which allows at most 65,535 pixels per side.
    #[error("a GIF cannot be {height} pixels high; the maximum is 65535")]
    Height {
        /// The height in pixels.
        height: u32,
    },
    /// The picture has too many pixels for memory.
    #[error("a picture of {width} by {height} pixels is too large; draw fewer boards, or smaller ones")]
    TooLarge {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The output could not be written.
    #[error("the picture could not be written")]
    Write(#[from] io::Error),
}
