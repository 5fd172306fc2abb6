//! Conversion of a picture to simple figures.

use tafl_rules::{Cell, ZoneKind};

use super::layout::{self, CELL, FRAME, Layout, cell_outline};
use super::scene::{Outline, Pen, SceneItem, ScenePath, ScenePoint, SceneText, TextAnchor};
use super::theme::Palette;
use super::zones::{CellMark, Zones};
use super::{BoardPicture, Coordinates, font, overlay};

/// A picture as lists of simple figures, bottom first.
#[derive(Debug)]
pub(crate) struct Painting {
    pub(crate) layout: Layout,
    /// The page, the board, and its labels: the same in every frame of an animation.
    pub(crate) ground: Vec<SceneItem>,
    /// Marks below the pieces.
    pub(crate) below: Vec<SceneItem>,
    pub(crate) pieces: Vec<SceneItem>,
    /// Marks above the pieces.
    pub(crate) above: Vec<SceneItem>,
    /// Caption and legend.
    pub(crate) texts: Vec<SceneItem>,
}

impl Painting {
    /// Converts a picture.
    pub(crate) fn of(picture: &BoardPicture) -> Painting {
        let caption = layout::caption_lines(picture.caption.as_deref(), picture.setup.shape(), picture.view);
        let legend = layout::legend_entries(picture.marks.legend.len());
        Painting::with_layout(
            picture,
            Layout::new(picture.setup.shape(), picture.view, caption.len(), legend),
        )
    }

    /// Converts a picture with a layout that may have space for more caption lines.
    pub(crate) fn with_layout(picture: &BoardPicture, layout: Layout) -> Painting {
        let palette = picture.view.theme.palette();
        let mut ground = ground(&layout, &picture.zones, palette);
        if picture.view.coordinates == Coordinates::Shown {
            ground.extend(coordinates(&layout, palette));
        }
        Painting {
            ground,
            below: overlay::below(&layout, &picture.marks, palette),
            pieces: picture
                .setup
                .pieces()
                .map(|(cell, piece)| SceneItem::Piece(piece, layout.center(cell)))
                .collect(),
            above: overlay::above(&layout, picture, palette),
            texts: captions(&layout, picture, palette),
            layout,
        }
    }

    /// Returns all items, bottom first.
    pub(crate) fn items(&self) -> impl Iterator<Item = &SceneItem> {
        self.ground.iter().chain(self.moving_items())
    }

    /// Returns all items except the ground, bottom first.
    pub(crate) fn moving_items(&self) -> impl Iterator<Item = &SceneItem> {
        self.below.iter().chain(&self.pieces).chain(&self.above).chain(&self.texts)
    }
}

/// The figures of a page, bottom first, and its size.
#[derive(Debug)]
pub(crate) struct BoardDrawing {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) items: Vec<SceneItem>,
}

impl BoardDrawing {
    /// Returns the drawing of one board.
    pub(crate) fn of(picture: &BoardPicture) -> BoardDrawing {
        let painting = Painting::of(picture);
        let items = painting.items().cloned().collect();
        BoardDrawing { width: painting.layout.width, height: painting.layout.height, items }
    }
}

/// Returns the empty board.
fn ground(layout: &Layout, zones: &Zones, palette: &Palette) -> Vec<SceneItem> {
    let page = Outline::Rect {
        min: ScenePoint::new(0.0, 0.0),
        width: layout.width,
        height: layout.height,
        radius: 0.0,
    };
    let mut items: Vec<SceneItem> = vec![ScenePath::filled(page, palette.page).into()];
    items.extend(plate(layout, palette));
    let special: Vec<(Cell, CellMark)> =
        layout.shape.cells().filter_map(|cell| zones.mark(cell).map(|mark| (cell, mark))).collect();
    for (cell, mark) in &special {
        items.extend(zone(layout, *cell, *mark, palette));
    }
    items.push(ScenePath::drawn(grid(layout), Pen::new(palette.line, CELL * 0.022)).into());
    for (cell, mark) in &special {
        items.extend(ornament(layout.center(*cell), *mark, palette));
    }
    items
}

/// Returns the frame and the plain cells.
fn plate(layout: &Layout, palette: &Palette) -> Vec<SceneItem> {
    if layout.shape.is_hex() {
        // Thick lines around every cell form a frame along the edge where no other cell covers them.
        let cells = || Outline::polygons(layout.shape.cells().map(|cell| layout.outline(cell, 0.0)));
        return vec![
            ScenePath::drawn(cells(), Pen::new(palette.frame, FRAME * 2.0)).into(),
            ScenePath::filled(cells(), palette.ground).into(),
        ];
    }
    let (width, height) = layout.board_size;
    let frame = Outline::Rect {
        min: layout.board.shifted(-FRAME, -FRAME),
        width: width + 2.0 * FRAME,
        height: height + 2.0 * FRAME,
        radius: FRAME * 0.9,
    };
    let plate = Outline::Rect { min: layout.board, width, height, radius: 0.0 };
    vec![ScenePath::filled(frame, palette.frame).into(), ScenePath::filled(plate, palette.ground).into()]
}

/// Returns the lines between the cells.
fn grid(layout: &Layout) -> Outline {
    if layout.shape.is_hex() {
        return Outline::polygons(layout.shape.cells().map(|cell| layout.outline(cell, 0.0)));
    }
    let (width, height) = layout.board_size;
    let inner = 1..i16::from(layout.shape.side());
    let upright = inner.clone().map(|file| {
        let top = layout.board.shifted(f32::from(file) * CELL, 0.0);
        (top, top.shifted(0.0, height))
    });
    let level = inner.map(|rank| {
        let left = layout.board.shifted(0.0, f32::from(rank) * CELL);
        (left, left.shifted(width, 0.0))
    });
    Outline::lines(upright.chain(level))
}

/// Returns the background of a special cell.
fn zone(layout: &Layout, cell: Cell, mark: CellMark, palette: &Palette) -> Vec<SceneItem> {
    let outline = layout.outline(cell, 0.0);
    let (color, slant) = match mark {
        CellMark::Goal | CellMark::Zone(ZoneKind::Throne | ZoneKind::Corner) => (palette.special, None),
        CellMark::Zone(ZoneKind::Camp) => (palette.camp, Some(1.0)),
        CellMark::Zone(ZoneKind::Fort) => (palette.fort, Some(-1.0)),
    };
    let mut items = vec![ScenePath::filled(Outline::polygon(&outline), color).into()];
    if let Some(slant) = slant {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let lines = super::hatch::lines(&outline, ScenePoint::new(half, -half * slant), CELL * 0.1768);
        items.push(ScenePath::drawn(Outline::lines(lines), Pen::new(palette.hatch, CELL * 0.02)).into());
    }
    items
}

/// Returns the ornament of a special cell.
fn ornament(center: ScenePoint, mark: CellMark, palette: &Palette) -> Vec<SceneItem> {
    let pen = Pen::new(palette.ornament, CELL * 0.045);
    let square = |reach: f32| {
        let corners = [(-reach, 0.0), (0.0, -reach), (reach, 0.0), (0.0, reach)];
        Outline::polygon(&corners.map(|(x, y)| center.shifted(x * CELL, y * CELL)))
    };
    let saltire = |reach: f32| {
        let end = |x: f32, y: f32| center.shifted(x * reach * CELL, y * reach * CELL);
        Outline::lines([(end(-1.0, -1.0), end(1.0, 1.0)), (end(-1.0, 1.0), end(1.0, -1.0))])
    };
    match mark {
        CellMark::Zone(ZoneKind::Throne) => {
            vec![ScenePath::drawn(square(0.33), pen).into(), ScenePath::drawn(square(0.17), pen).into()]
        }
        CellMark::Goal => {
            vec![ScenePath::drawn(saltire(0.24), pen).into(), ScenePath::drawn(square(0.2), pen).into()]
        }
        CellMark::Zone(ZoneKind::Corner) => vec![ScenePath::drawn(saltire(0.22), pen).into()],
        CellMark::Zone(ZoneKind::Camp | ZoneKind::Fort) => Vec::new(),
    }
}

/// Returns the file letters and the rank numbers.
fn coordinates(layout: &Layout, palette: &Palette) -> Vec<SceneItem> {
    let label = |middle: ScenePoint, text: String| {
        line_of_text(middle, layout.label, TextAnchor::Middle, palette, text)
    };
    let ranks = layout.shape.n_ranks();
    let letters =
        (0..ranks).zip('a'..).map(|(file, letter)| label(layout.file_label(file), letter.to_string()));
    let numbers = (0..ranks).map(|rank| label(layout.rank_label(rank), (rank + 1).to_string()));
    letters.chain(numbers).collect()
}

/// Returns the caption and the legend.
fn captions(layout: &Layout, picture: &BoardPicture, palette: &Palette) -> Vec<SceneItem> {
    let lines = layout::caption_lines(picture.caption.as_deref(), layout.shape, picture.view);
    let mut items: Vec<SceneItem> = lines
        .into_iter()
        .enumerate()
        .map(|(line, text)| {
            line_of_text(layout.caption_line(line), layout.caption, TextAnchor::Middle, palette, text)
        })
        .collect();
    let shown = layout::legend_entries(picture.marks.legend.len());
    for (line, entry) in picture.marks.legend.iter().take(shown).enumerate() {
        let left = layout.legend_line(line);
        let reach = layout.caption * 0.5;
        let swatch = cell_outline(layout.shape, left.shifted(reach, 0.0), reach);
        let ground = ScenePath::filled(Outline::polygon(&swatch), palette.ground);
        items.push(ground.with_pen(Pen::new(palette.line, CELL * 0.022)).into());
        items.extend(overlay::pattern(&swatch, entry.kind, palette));
        let start = left.shifted(layout.caption * 1.5, 0.0);
        let room = layout.width - start.x;
        let text = font::wrap(&entry.text, layout.caption, room, 1).into_iter().next().unwrap_or_default();
        items.push(line_of_text(start, layout.caption, TextAnchor::Start, palette, text));
    }
    items
}

/// Returns a line of text whose capitals are vertically centered on `middle`.
pub(crate) fn line_of_text(
    middle: ScenePoint,
    size: f32,
    anchor: TextAnchor,
    palette: &Palette,
    text: String,
) -> SceneItem {
    let at = middle.shifted(0.0, size * font::CAPITAL / 2.0);
    SceneText { at, size, anchor, color: palette.text, text }.into()
}
