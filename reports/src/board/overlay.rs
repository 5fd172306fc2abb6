//! Marks below and above the pieces.

use tafl_rules::{Cell, Move, Setup};

use super::layout::{CELL, Layout};
use super::marks::{Captured, Heat, Highlight, HighlightKind, Marks};
use super::scene::{
    Outline, Paint, PathSegment, Pen, SceneItem, ScenePath, ScenePoint, SceneText, TextAnchor,
};
use super::theme::Palette;
use super::{BoardPicture, font, hatch, pieces};

/// Returns the marks below the pieces: highlighted cells, and the cells and the arrow of the last move.
pub(crate) fn below(layout: &Layout, marks: &Marks, palette: &Palette) -> Vec<SceneItem> {
    let mut items: Vec<SceneItem> = marks
        .heat
        .iter()
        .filter(|heat| heat.level > 0 && layout.has(heat.cell))
        .map(|heat| {
            // Even the weakest color must be visible.
            let opacity = 0.08 + 0.92 * f32::from(heat.level.min(100)) / 100.0;
            let outline = Outline::polygon(&layout.outline(heat.cell, CELL * 0.03));
            ScenePath::filled(outline, Paint::thin(palette.heat, opacity)).into()
        })
        .collect();
    let moves = || marks.moves.iter().filter(|mv| layout.has(mv.from) && layout.has(mv.to));
    for mv in moves() {
        for cell in [mv.from, mv.to] {
            let outline = Outline::polygon(&layout.outline(cell, CELL * 0.03));
            items.push(ScenePath::filled(outline, palette.trace).into());
        }
    }
    for highlight in marks.highlights.iter().filter(|highlight| layout.has(highlight.cell)) {
        items.extend(pattern(&layout.outline(highlight.cell, CELL * 0.03), highlight.kind, palette));
    }
    // In a highlighted cell the ring would only hide the label.
    for mv in moves().filter(|mv| marks.highlight(mv.from).is_none()) {
        items.extend(origin(layout, mv.from, palette));
    }
    items
}

/// Returns the marks above the pieces: arrows, crosses on captured pieces, and labels of highlighted cells.
pub(crate) fn above(layout: &Layout, picture: &BoardPicture, palette: &Palette) -> Vec<SceneItem> {
    let marks = &picture.marks;
    let mut items = Vec::new();
    for mv in marks.moves.iter().filter(|mv| layout.has(mv.from) && layout.has(mv.to)) {
        items.extend(arrow(layout, *mv, &picture.setup, palette));
    }
    for captured in marks.captured.iter().filter(|captured| layout.has(captured.cell)) {
        items.extend(cross(layout, *captured, palette));
    }
    for highlight in marks.highlights.iter().filter(|highlight| layout.has(highlight.cell)) {
        items.extend(label(layout, highlight, &picture.setup, palette));
    }
    for heat in marks.heat.iter().filter(|heat| layout.has(heat.cell)) {
        items.extend(heat_label(layout, heat, palette));
    }
    items
}

/// Returns the label of a heat map cell, at the bottom of the cell so that it does not cover a piece.
fn heat_label(layout: &Layout, heat: &Heat, palette: &Palette) -> Option<SceneItem> {
    let text = heat.label.as_deref().filter(|text| !text.trim().is_empty())?;
    let size = (CELL * 0.27 * CELL * 0.84 / font::width(text, CELL * 0.27)).min(CELL * 0.27);
    let at = layout.center(heat.cell).shifted(0.0, size * font::CAPITAL / 2.0);
    let color = if heat.level > 55 { palette.on_heat } else { palette.text };
    Some(SceneText { at, size, anchor: TextAnchor::Middle, color, text: text.to_owned() }.into())
}

/// Returns the color and the pattern of a highlighted cell.
pub(crate) fn pattern(outline: &[ScenePoint], kind: HighlightKind, palette: &Palette) -> Vec<SceneItem> {
    let tint = palette.tint(kind);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let (rising, falling) = (ScenePoint::new(half, -half), ScenePoint::new(half, half));
    let mut items = vec![ScenePath::filled(Outline::polygon(outline), tint.fill).into()];
    let thin = Pen::new(tint.pattern, CELL * 0.03);
    let hatched = |along: ScenePoint, gap: f32| -> SceneItem {
        ScenePath::drawn(Outline::lines(hatch::lines(outline, along, CELL * gap)), thin).into()
    };
    match kind {
        HighlightKind::Room => {
            items.extend(hatch::dots(outline, CELL * 0.2).into_iter().map(|dot| -> SceneItem {
                ScenePath::filled(Outline::circle(dot, CELL * 0.028), tint.pattern).into()
            }));
        }
        HighlightKind::Wall => {
            let middle = middle(outline);
            let inner: Vec<ScenePoint> = outline.iter().map(|corner| corner.toward(middle, 0.11)).collect();
            items.push(
                ScenePath::drawn(Outline::polygon(&inner), Pen::new(tint.pattern, CELL * 0.085)).into(),
            );
        }
        HighlightKind::Breach => {
            items.push(hatched(rising, 0.15));
            items.push(hatched(falling, 0.15));
        }
        HighlightKind::Note => items.push(hatched(falling, 0.17)),
    }
    items
}

fn middle(outline: &[ScenePoint]) -> ScenePoint {
    let count = outline.len() as f32;
    let sum = outline.iter().fold(ScenePoint::new(0.0, 0.0), |sum, point| sum.shifted(point.x, point.y));
    ScenePoint::new(sum.x / count, sum.y / count)
}

/// Returns the ring on the start cell of the move.
fn origin(layout: &Layout, from: Cell, palette: &Palette) -> Vec<SceneItem> {
    let pen = Pen::new(palette.arrow, CELL * 0.045).dashed(CELL * 0.1, CELL * 0.115);
    vec![ScenePath::drawn(Outline::circle(layout.center(from), CELL * 0.3), pen).into()]
}

/// Returns the arrow of a move; it ends before the piece that moved.
fn arrow(layout: &Layout, mv: Move, setup: &Setup, palette: &Palette) -> Vec<SceneItem> {
    let (from, to) = (layout.center(mv.from), layout.center(mv.to));
    let distance = from.distance(to);
    if distance < CELL * 0.5 {
        return Vec::new();
    }
    let piece_reach = setup.piece(mv.to).map_or(CELL * 0.1, |piece| pieces::reach(piece.role));
    let tip = from.toward(to, 1.0 - (piece_reach + CELL * 0.03) / distance);
    let head = CELL * 0.24;
    let neck = tip.toward(from, head / from.distance(tip).max(head));
    // Unit vectors along and across the move.
    let (dx, dy) = ((to.x - from.x) / distance, (to.y - from.y) / distance);
    let wing = |side: f32| neck.shifted(-dy * side * head * 0.62, dx * side * head * 0.62);
    let start = from.toward(to, (CELL * 0.16 / distance).min(0.4));
    let mut items = Vec::new();
    if start.distance(tip) > head {
        let shaft = Outline::lines([(start, neck)]);
        items.push(ScenePath::drawn(shaft, Pen::new(palette.arrow, CELL * 0.085)).into());
    }
    let point = Outline::polygon(&[tip, wing(1.0), wing(-1.0)]);
    items.push(ScenePath::filled(point, palette.arrow).into());
    items
}

/// Returns a faded piece with a cross over it.
fn cross(layout: &Layout, captured: Captured, palette: &Palette) -> Vec<SceneItem> {
    let center = layout.center(captured.cell);
    let mut items: Vec<SceneItem> = captured
        .piece
        .map_or_else(Vec::new, |piece| pieces::ghost(piece, palette))
        .into_iter()
        .map(|figure| SceneItem::from(figure.shifted(center)))
        .collect();
    let reach = CELL * 0.24;
    let stroke = |x: f32, y: f32| {
        [
            PathSegment::Move(center.shifted(-x * reach, -y * reach)),
            PathSegment::Line(center.shifted(x * reach, y * reach)),
        ]
    };
    let cross = || Outline::Path([stroke(1.0, 1.0), stroke(1.0, -1.0)].concat());
    items.push(ScenePath::drawn(cross(), Pen::new(palette.cross_rim, CELL * 0.17)).into());
    items.push(ScenePath::drawn(cross(), Pen::new(palette.cross, CELL * 0.1)).into());
    items
}

/// Returns the label of a highlighted cell: in its center or, if the cell is occupied, on a badge at its
/// corner.
fn label(layout: &Layout, highlight: &Highlight, setup: &Setup, palette: &Palette) -> Vec<SceneItem> {
    let Some(text) = highlight.label.as_deref().filter(|text| !text.trim().is_empty()) else {
        return Vec::new();
    };
    let center = layout.center(highlight.cell);
    let occupied = setup.piece(highlight.cell).is_some();
    let wanted = if occupied { CELL * 0.3 } else { CELL * 0.4 };
    let size = (wanted * CELL * 0.78 / font::width(text, wanted)).min(wanted);
    let middle = if occupied { center.shifted(CELL * 0.24, -CELL * 0.27) } else { center };
    let (width, height) = (font::width(text, size) + size * 0.5, size * 1.2);
    let badge = Outline::Rect {
        min: middle.shifted(-width / 2.0, -height / 2.0),
        width,
        height,
        radius: height * 0.35,
    };
    let edge = Pen::new(palette.tint(highlight.kind).pattern, CELL * 0.025);
    let at = middle.shifted(0.0, size * font::CAPITAL / 2.0);
    let line = SceneText { at, size, anchor: TextAnchor::Middle, color: palette.text, text: text.to_owned() };
    vec![ScenePath::filled(badge, palette.page).with_pen(edge).into(), line.into()]
}
