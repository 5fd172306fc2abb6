//! Pictures of boards: text, SVG, PNG, and animated SVG and GIF.
//!
//! A [`BoardPicture`] says what is to be seen; [`BoardPicture::to_text`], [`BoardPicture::to_svg`] and
//! [`BoardPicture::to_png`] draw it. A game is an [`Animation`]. All of them show the board the same way round: files
//! are columns, and a [`View`] says whether rank 1 is at the bottom or at the top.
//!
//! The drawings are made in this order: [`layout`](self) places the cells, `paint` makes a list of simple figures, and
//! `svg` or `raster` writes that list. So SVG and PNG show the same.

pub mod animate;
pub(crate) mod font;
mod hatch;
mod layout;
mod marks;
mod overlay;
mod paint;
mod pieces;
mod plan;
mod raster;
mod scene;
mod svg;
mod text;
mod theme;
mod zones;

use std::io;

use tafl_rules::{RuleSet, Setup, Shape};

pub use animate::{Animation, Frame, Timing};
pub use marks::{Captured, Heat, Highlight, HighlightKind, LegendEntry, Marks};
pub use plan::BoardLayout;
pub use text::Ink;
pub use theme::Theme;
pub use zones::{CellMark, Zones};

/// What is to be seen of a board.
///
/// Cells that the board does not have are left out of the drawing; nothing here panics because of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPicture {
    /// The pieces, and the shape of the board.
    pub setup: Setup,
    /// The special cells.
    pub zones: Zones,
    /// What is marked: the last move, captures, highlighted cells.
    pub marks: Marks,
    /// The text under the board; a line break in it is kept. Pictures show six lines of it at most.
    pub caption: Option<String>,
    /// How the board is shown.
    pub view: View,
}

impl BoardPicture {
    /// Returns a picture without marks, shown as is usual for the shape of the board.
    pub fn new(setup: Setup, zones: Zones) -> BoardPicture {
        let view = View::usual(setup.shape());
        BoardPicture { setup, zones, marks: Marks::default(), caption: None, view }
    }

    /// Returns the picture of the start of a game.
    pub fn of(rules: &RuleSet) -> BoardPicture {
        BoardPicture::new(rules.start.clone(), Zones::of(rules))
    }
}

/// How a board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    /// Where rank 1 is.
    pub rank_one: RankOne,
    /// Whether files and ranks are labeled.
    pub coordinates: Coordinates,
    /// The colors of pictures; text has none.
    pub theme: Theme,
}

impl View {
    /// Returns the view that is usual for a board: rank 1 at the bottom of squares and, as in the rule sheet of
    /// heXentafl, at the top of hexagons; with coordinates and in light colors.
    pub const fn usual(shape: Shape) -> View {
        let rank_one = match shape {
            Shape::Square { .. } => RankOne::Bottom,
            Shape::Hex { .. } => RankOne::Top,
        };
        View { rank_one, coordinates: Coordinates::Shown, theme: Theme::Light }
    }

    /// Returns the same view in other colors.
    #[must_use]
    pub const fn with_theme(self, theme: Theme) -> View {
        View { theme, ..self }
    }
}

/// Where rank 1 is. File `a` is always at the left.
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
    /// Letters and numbers stand beside the board.
    Shown,
    /// The board stands alone.
    Hidden,
}

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The width is too small to see anything or too large for memory.
    #[error("a picture {asked} pixels wide cannot be made; widths go from {least} to {most}")]
    Width {
        /// The width asked for, in pixels.
        asked: u32,
        /// The least width, in pixels.
        least: u32,
        /// The largest width, in pixels.
        most: u32,
    },
    /// An animation without a frame.
    #[error("an animation needs at least one frame")]
    NoFrames,
    /// A frame that shows another board than the first one.
    #[error("frame {frame} shows a {found} board, but the animation began with {expected}")]
    ShapeChanges {
        /// The frame, counted from 0.
        frame: usize,
        /// The board of the first frame.
        expected: Shape,
        /// The board of this frame.
        found: Shape,
    },
    /// The picture is too high for GIF, whose sides have at most 65,535 pixels.
    #[error("a GIF {height} pixels high cannot be made; its sides have at most 65535 pixels")]
    Height {
        /// The height, in pixels.
        height: u32,
    },
    /// The output could not be written.
    #[error("the picture could not be written")]
    Write(#[from] io::Error),
}
