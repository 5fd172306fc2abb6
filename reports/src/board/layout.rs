//! The layout of a picture: positions of cells and texts.

use tafl_rules::{Cell, Coord, Shape};

use super::font;
use super::scene::ScenePoint;
use super::{Coordinates, RankOne, View};

/// The distance between the centers of two neighboring cells.
pub(crate) const CELL: f32 = 48.0;
/// The width of the frame of the board.
pub(crate) const FRAME: f32 = CELL * 0.11;
/// The space between the frame and the border of the picture.
const MARGIN: f32 = CELL * 0.2;
/// The maximum number of caption lines that are shown.
const CAPTION_LINES: usize = 6;
/// The maximum number of legend entries that are shown.
const LEGEND_ENTRIES: usize = 8;
/// The height of a line of text, relative to the font size.
const LINE: f32 = 1.35;

/// The positions of the cells and texts of a picture.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) shape: Shape,
    view: View,
    /// The center of the position with file 0 and rank 0, whether or not the board has this cell.
    origin: ScenePoint,
    /// The upper left corner of the board without its frame.
    pub(crate) board: ScenePoint,
    /// The size of the board without its frame.
    pub(crate) board_size: (f32, f32),
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The font size of files and ranks.
    pub(crate) label: f32,
    /// The font size of caption and legend.
    pub(crate) caption: f32,
    /// The middle of the first line of the caption.
    caption_start: ScenePoint,
    /// The left end of the middle of the first line of the legend.
    legend_start: ScenePoint,
}

impl Layout {
    /// Creates the layout of a board with space below for caption lines and legend entries.
    pub(crate) fn new(shape: Shape, view: View, caption_lines: usize, legend_entries: usize) -> Layout {
        let board_size = board_size(shape);
        // On large boards labels are larger than cells would require, so that they are readable when the
        // whole picture is small.
        let label = match view.coordinates {
            Coordinates::Shown => CELL * (0.18 + 0.02 * f32::from(shape.n_ranks())).clamp(0.34, 0.58),
            Coordinates::Hidden => 0.0,
        };
        let beside = FRAME + MARGIN;
        let (left, labels_high) = match view.coordinates {
            Coordinates::Shown => (beside + 2.0 * font::DIGIT * label * 1.1, label * 1.25),
            Coordinates::Hidden => (beside, 0.0),
        };
        // The number of the outermost rank of a hexagon is slightly outside the board.
        let number_high = if shape.is_hex() { label * 0.5 } else { 0.0 };
        let (above, below) = match view.rank_one {
            RankOne::Bottom => (beside + number_high, beside + labels_high),
            RankOne::Top => (beside + labels_high, beside + number_high),
        };
        let board = ScenePoint::new(left, above);
        let width = left + board_size.0 + beside;
        let caption = width * CAPTION_SIZE;
        let board_bottom = above + board_size.1 + below;
        let caption_start =
            ScenePoint::new(left + board_size.0 / 2.0, board_bottom + caption * (LINE / 2.0 - 0.2));
        let legend_top = board_bottom + caption_lines as f32 * caption * LINE;
        let legend_start = ScenePoint::new(left, legend_top + caption * LINE / 2.0);
        let text = (caption_lines + legend_entries) as f32 * caption * LINE;
        let below_text = if caption_lines + legend_entries > 0 { MARGIN } else { 0.0 };
        let mut layout = Layout {
            shape,
            view,
            origin: ScenePoint::new(0.0, 0.0),
            board,
            board_size,
            width,
            height: board_bottom + text + below_text,
            label,
            caption,
            caption_start,
            legend_start,
        };
        layout.origin = layout.origin_for_board();
        layout
    }

    /// Returns the position of file 0 and rank 0 that aligns the board.
    fn origin_for_board(&self) -> ScenePoint {
        let middle = f32::from(self.shape.n_ranks() - 1) / 2.0;
        let (right, down) = self.offset(middle, middle);
        let center = self.board.shifted(self.board_size.0 / 2.0, self.board_size.1 / 2.0);
        center.shifted(-right, -down)
    }

    /// Returns the offset of a position from that of file 0 and rank 0.
    fn offset(&self, file: f32, rank: f32) -> (f32, f32) {
        let (right, up) = match self.shape {
            Shape::Square { .. } => (file * CELL, rank * CELL),
            // Files are columns, and neighboring columns are shifted by half a cell.
            Shape::Hex { .. } => (file * CELL * HEX_COLUMN, (rank - file / 2.0) * CELL),
        };
        match self.view.rank_one {
            RankOne::Bottom => (right, -up),
            RankOne::Top => (right, up),
        }
    }

    /// Returns the center of a position, on or next to the board.
    pub(crate) fn place(&self, coord: Coord) -> ScenePoint {
        let (right, down) = self.offset(f32::from(coord.file), f32::from(coord.rank));
        self.origin.shifted(right, down)
    }

    /// Returns the center of a cell.
    pub(crate) fn center(&self, cell: Cell) -> ScenePoint {
        let Coord { file, rank } = self.shape.coord(cell);
        self.place(Coord::new(self.view.shown_line(self.shape, file), self.view.shown_line(self.shape, rank)))
    }

    /// Returns whether the cell is on the board.
    pub(crate) fn has(&self, cell: Cell) -> bool {
        cell.index() < self.shape.n_cells()
    }

    /// Returns the corners of a cell that is inset by `inset` on each side.
    pub(crate) fn outline(&self, cell: Cell, inset: f32) -> Vec<ScenePoint> {
        cell_outline(self.shape, self.center(cell), CELL / 2.0 - inset)
    }

    /// Returns the center of the letter of a file.
    pub(crate) fn file_label(&self, file: i16) -> ScenePoint {
        let file = self.view.shown_line(self.shape, file);
        // By symmetry, the first rank of a file is the first file of the rank with the same number.
        let first = self.place(Coord::new(file, self.shape.first_file(file)));
        let away = CELL / 2.0 + FRAME + self.label * 0.68;
        match self.view.rank_one {
            RankOne::Bottom => first.shifted(0.0, away),
            RankOne::Top => first.shifted(0.0, -away),
        }
    }

    /// Returns the center of the number of a rank.
    pub(crate) fn rank_label(&self, rank: i16) -> ScenePoint {
        let rank = self.view.shown_line(self.shape, rank);
        let first = self.place(Coord::new(self.shape.first_file(rank), rank));
        match self.shape {
            Shape::Square { .. } => first.shifted(-(CELL / 2.0 + FRAME + self.label * 0.84), 0.0),
            Shape::Hex { .. } => {
                let away = CELL / 2.0 + FRAME + self.label * 0.78;
                let before = self.place(Coord::new(self.shape.first_file(rank) - 1, rank));
                first.toward(before, away / CELL)
            }
        }
    }

    /// Returns the center of a caption line, counted from 0.
    pub(crate) fn caption_line(&self, line: usize) -> ScenePoint {
        self.caption_start.shifted(0.0, line as f32 * self.caption * LINE)
    }

    /// Returns the left center of a legend entry, counted from 0.
    pub(crate) fn legend_line(&self, entry: usize) -> ScenePoint {
        self.legend_start.shifted(0.0, entry as f32 * self.caption * LINE)
    }
}

/// The distance between two files of a hexagonal board, in cells.
const HEX_COLUMN: f32 = 0.866_025_4;

/// The font size of the caption, relative to the width of the picture.
const CAPTION_SIZE: f32 = 0.037;

/// Returns the size of a board without its frame.
fn board_size(shape: Shape) -> (f32, f32) {
    match shape {
        Shape::Square { side } => (f32::from(side) * CELL, f32::from(side) * CELL),
        Shape::Hex { side } => {
            let columns = f32::from(2 * (side - 1));
            // A hexagon is CELL high and CELL / HEX_COLUMN wide.
            (columns * CELL * HEX_COLUMN + CELL / HEX_COLUMN, (columns + 1.0) * CELL)
        }
    }
}

/// Returns the corners of a cell around `center` whose sides are at distance `reach`.
pub(crate) fn cell_outline(shape: Shape, center: ScenePoint, reach: f32) -> Vec<ScenePoint> {
    match shape {
        Shape::Square { .. } => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| center.shifted(x * reach, y * reach))
            .to_vec(),
        Shape::Hex { .. } => {
            let (tip, half) = (reach / HEX_COLUMN, reach / HEX_COLUMN / 2.0);
            [(-half, -reach), (half, -reach), (tip, 0.0), (half, reach), (-half, reach), (-tip, 0.0)]
                .map(|(x, y)| center.shifted(x, y))
                .to_vec()
        }
    }
}

/// Returns the caption lines for a board of this shape and view.
pub(crate) fn caption_lines(caption: Option<&str>, shape: Shape, view: View) -> Vec<String> {
    let layout = Layout::new(shape, view, 0, 0);
    caption.map_or_else(Vec::new, |text| {
        font::wrap(text, layout.caption, layout.width - 2.0 * MARGIN, CAPTION_LINES)
    })
}

/// Returns the number of legend entries that are shown.
pub(crate) fn legend_entries(entries: usize) -> usize {
    entries.min(LEGEND_ENTRIES)
}
