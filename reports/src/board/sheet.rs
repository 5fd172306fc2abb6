//! Contact sheets: several boards in rows, each with its caption.

use super::layout::Layout;
use super::paint::{BoardDrawing, Painting, line_of_text};
use super::raster::{self, Brush};
use super::scene::{Outline, SceneItem, ScenePath, ScenePoint, TextAnchor};
use super::svg_canvas::SvgCanvas;
use super::{BoardPicture, Ink, Marks, PictureError, font, pdf, text};

/// The maximum number of boards in a row of SVG and PNG.
const COLUMNS: usize = 4;
/// The maximum number of boards in a row of a page of PDF.
const PDF_COLUMNS: usize = 3;
/// The space around boards, relative to the width of a board's picture.
const GAP: f32 = 0.06;
/// The font size of captions, relative to the width of a board's picture. It is larger than that of a single
/// picture, because the boards of a sheet are smaller.
const CAPTION: f32 = 0.052;
/// The font size of the title, relative to that of captions.
const TITLE: f32 = 1.5;
/// The height of a line of text, relative to the font size.
const LINE: f32 = 1.35;
/// The maximum number of lines of a caption, and of the title.
const LINES: usize = 3;
/// The maximum number of pixels of a PNG: 4 bytes each in memory.
const MAX_PIXELS: u64 = 60_000_000;

/// Several boards of one shape in rows, each with its caption, under a common title.
///
/// # Examples
///
/// ```
/// use tafl_reports::{BoardPicture, ContactSheet, Ink};
/// use tafl_rules::RuleSet;
///
/// let rules = RuleSet::named("brandubh7")?;
/// let start = BoardPicture { caption: Some("Start".to_owned()), ..BoardPicture::of(&rules) };
/// let sheet = ContactSheet { title: Some("Red - Blue".to_owned()), boards: vec![start.clone(), start] };
/// assert_eq!(sheet.to_text(Ink::Plain).matches("t t T K T t t").count(), 2);
/// assert!(sheet.to_pdf().starts_with(b"%PDF-1.7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactSheet {
    /// The title above all boards.
    pub title: Option<String>,
    /// The boards, row by row.
    pub boards: Vec<BoardPicture>,
}

impl ContactSheet {
    /// Renders the boards as text, one below the other.
    pub fn to_text(&self, ink: Ink) -> String {
        let title = self.title.iter().map(|title| format!("{}\n", text::terminal_safe(title)));
        title.chain(self.boards.iter().map(|board| board.to_text(ink))).collect::<Vec<_>>().join("\n")
    }

    /// Renders the boards as one SVG document; an empty string without boards.
    pub fn to_svg(&self) -> String {
        let Some(sheet) = SheetLayout::new(self, COLUMNS) else { return String::new() };
        let drawing = sheet.page(&self.boards, self.title.as_deref());
        let mut canvas = SvgCanvas::new(sheet.sample.view.theme);
        let captions: Vec<&str> = self.boards.iter().filter_map(|board| board.caption.as_deref()).collect();
        let title = self.title.clone().unwrap_or_else(|| format!("Tafl boards, {}", sheet.layout.shape));
        canvas.open((drawing.width, drawing.height), &title, &captions.join(". "));
        canvas.define(self.boards.iter().flat_map(|board| board.setup.pieces().map(|(_, piece)| piece)));
        canvas.items(&drawing.items);
        canvas.close()
    }

    /// Renders the boards as one PNG file; each board is `width` pixels wide.
    ///
    /// # Errors
    ///
    /// Returns [`PictureError::Width`] unless the width is 32 to 6000, [`PictureError::TooLarge`] if the picture
    /// has more than 60 million pixels, and [`PictureError::NoFrames`] without boards.
    pub fn to_png(&self, width: u32) -> Result<Vec<u8>, PictureError> {
        raster::check_width(width)?;
        let Some(sheet) = SheetLayout::new(self, COLUMNS) else { return Err(PictureError::NoFrames) };
        let drawing = sheet.page(&self.boards, self.title.as_deref());
        let scale = width as f32 / sheet.layout.width;
        let (width, height) = ((drawing.width * scale) as u32, (drawing.height * scale) as u32);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        let palette = sheet.sample.view.theme.palette();
        Ok(Brush::scaled((drawing.width, drawing.height), scale, palette).png(drawing.items.iter()))
    }

    /// Renders the boards as a PDF document of A4 pages; without boards, a document without pages.
    pub fn to_pdf(&self) -> Vec<u8> {
        let title = self.title.as_deref().unwrap_or("Tafl boards");
        let Some(sheet) = SheetLayout::new(self, PDF_COLUMNS) else { return pdf::document(title, &[]) };
        let (width, _) = sheet.size(0, 0);
        let height = width * pdf::A4.1 / pdf::A4.0;
        let mut pages = Vec::new();
        let mut boards = &self.boards[..];
        while !boards.is_empty() {
            let title = self.title.as_deref().filter(|_| pages.is_empty());
            let rows = sheet.rows_within(height, sheet.title_lines(title).len());
            let (here, rest) = boards.split_at(boards.len().min(rows * sheet.columns));
            // Every page has the size of A4, also one that is not full.
            let drawing = BoardDrawing { height, ..sheet.page(here, title) };
            pages.push(pdf::PdfPage {
                drawing,
                width: pdf::A4.0,
                palette: sheet.sample.view.theme.palette(),
            });
            boards = rest;
        }
        pdf::document(title, &pages)
    }
}

/// The layout of a contact sheet, in scene units.
struct SheetLayout<'s> {
    sample: &'s BoardPicture,
    columns: usize,
    /// The layout of each board, without its caption.
    layout: Layout,
    gap: f32,
    /// The font size of captions.
    caption: f32,
    /// The maximum number of lines of a caption.
    n_lines: usize,
}

impl SheetLayout<'_> {
    /// Returns the layout of a sheet; none if it has no boards.
    fn new(sheet: &ContactSheet, columns: usize) -> Option<SheetLayout<'_>> {
        let sample = sheet.boards.first()?;
        let layout = Layout::new(sample.setup.shape(), sample.view, 0, 0);
        let (gap, caption) = (layout.width * GAP, layout.width * CAPTION);
        let columns = sheet.boards.len().min(columns);
        let mut sheet_layout = SheetLayout { sample, columns, layout, gap, caption, n_lines: 0 };
        let n_lines = sheet.boards.iter().map(|board| sheet_layout.caption_lines(board).len()).max();
        sheet_layout.n_lines = n_lines.unwrap_or_default();
        Some(sheet_layout)
    }

    fn caption_lines(&self, board: &BoardPicture) -> Vec<String> {
        font::wrap(board.caption.as_deref().unwrap_or_default(), self.caption, self.layout.width, LINES)
    }

    fn title_lines(&self, title: Option<&str>) -> Vec<String> {
        let width = self.size(0, 0).0 - 2.0 * self.gap;
        title.map_or_else(Vec::new, |title| font::wrap(title, self.caption * TITLE, width, LINES))
    }

    /// Returns the height of a row of boards with their captions.
    fn row_height(&self) -> f32 {
        self.layout.height + self.n_lines as f32 * self.caption * LINE + self.gap
    }

    fn title_height(&self, lines: usize) -> f32 {
        if lines == 0 { 0.0 } else { lines as f32 * self.caption * TITLE * LINE + self.gap / 2.0 }
    }

    /// Returns the size of a page.
    fn size(&self, rows: usize, title_lines: usize) -> (f32, f32) {
        let width = self.columns as f32 * (self.layout.width + self.gap) + self.gap;
        (width, self.gap + self.title_height(title_lines) + rows as f32 * self.row_height())
    }

    /// Returns the number of rows that fit on a page, at least 1.
    fn rows_within(&self, height: f32, title_lines: usize) -> usize {
        let rest = height - self.gap - self.title_height(title_lines);
        ((rest / self.row_height()) as usize).max(1)
    }

    /// Draws boards in rows under a title.
    fn page(&self, boards: &[BoardPicture], title: Option<&str>) -> BoardDrawing {
        let palette = self.sample.view.theme.palette();
        let title = self.title_lines(title);
        let (width, height) = self.size(boards.len().div_ceil(self.columns.max(1)), title.len());
        let page = Outline::Rect { min: ScenePoint::new(0.0, 0.0), width, height, radius: 0.0 };
        let mut items: Vec<SceneItem> = vec![ScenePath::filled(page, palette.page).into()];
        let size = self.caption * TITLE;
        let top = self.gap + self.title_height(title.len());
        for (line, text) in title.into_iter().enumerate() {
            let middle = ScenePoint::new(width / 2.0, self.gap + (line as f32 + 0.5) * size * LINE);
            items.push(line_of_text(middle, size, TextAnchor::Middle, palette, text));
        }
        for (nth, board) in boards.iter().enumerate() {
            let (row, column) = (nth / self.columns, nth % self.columns);
            let left = self.gap + column as f32 * (self.layout.width + self.gap);
            let at = ScenePoint::new(left, top + row as f32 * self.row_height());
            items.extend(self.board(board).into_iter().map(|item| item.shifted(at)));
        }
        BoardDrawing { width, height, items }
    }

    /// Draws a board with its caption.
    fn board(&self, board: &BoardPicture) -> Vec<SceneItem> {
        // A sheet has no room for the legend that explains highlighted cells.
        let marks = Marks { highlights: Vec::new(), legend: Vec::new(), ..board.marks.clone() };
        let bare = BoardPicture { marks, caption: None, ..board.clone() };
        let palette = board.view.theme.palette();
        let mut items: Vec<SceneItem> = Painting::of(&bare).items().cloned().collect();
        let center = self.layout.board.x + self.layout.board_size.0 / 2.0;
        for (line, text) in self.caption_lines(board).into_iter().enumerate() {
            let down = self.layout.height + (line as f32 + 0.5) * self.caption * LINE;
            let middle = ScenePoint::new(center, down);
            items.push(line_of_text(middle, self.caption, TextAnchor::Middle, palette, text));
        }
        items
    }
}
