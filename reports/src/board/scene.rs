//! Simple figures that make up every picture. Lengths are in scene units; y increases downward.

use tafl_rules::Piece;

/// A point in the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScenePoint {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl ScenePoint {
    pub(crate) const fn new(x: f32, y: f32) -> ScenePoint {
        ScenePoint { x, y }
    }

    /// Returns the point moved by (`dx`, `dy`).
    pub(crate) const fn shifted(self, dx: f32, dy: f32) -> ScenePoint {
        ScenePoint::new(self.x + dx, self.y + dy)
    }

    /// Returns the point at the fraction `part` of the way to `other`.
    pub(crate) fn toward(self, other: ScenePoint, part: f32) -> ScenePoint {
        self.shifted((other.x - self.x) * part, (other.y - self.y) * part)
    }

    pub(crate) fn distance(self, other: ScenePoint) -> f32 {
        (other.x - self.x).hypot(other.y - self.y)
    }
}

/// An opaque color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Color {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
}

impl Color {
    /// Creates a color from a number such as `0xffcc00`.
    pub(crate) const fn hex(rgb: u32) -> Color {
        Color { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8 }
    }
}

/// A color with an opacity: 1 hides everything below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Paint {
    pub(crate) color: Color,
    pub(crate) opacity: f32,
}

impl Paint {
    pub(crate) const fn thin(color: Color, opacity: f32) -> Paint {
        Paint { color, opacity }
    }
}

impl From<Color> for Paint {
    fn from(color: Color) -> Paint {
        Paint { color, opacity: 1.0 }
    }
}

/// A stroke along an outline, with round ends and corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    pub(crate) paint: Paint,
    pub(crate) width: f32,
    /// The lengths of dashes and gaps.
    pub(crate) dash: Option<(f32, f32)>,
}

impl Pen {
    pub(crate) fn new(paint: impl Into<Paint>, width: f32) -> Pen {
        Pen { paint: paint.into(), width, dash: None }
    }

    pub(crate) fn dashed(self, dash: f32, gap: f32) -> Pen {
        Pen { dash: Some((dash, gap)), ..self }
    }
}

/// A segment of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PathSegment {
    Move(ScenePoint),
    Line(ScenePoint),
    Cubic(ScenePoint, ScenePoint, ScenePoint),
    Close,
}

/// The distance of the control points of a cubic curve that approximates a quarter circle, relative to its radius.
pub(crate) const CIRCLE_BEND: f32 = 0.552_284_8;

/// An outline to be filled or stroked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outline {
    Circle { center: ScenePoint, radius: f32 },
    Rect { min: ScenePoint, width: f32, height: f32, radius: f32 },
    Path(Vec<PathSegment>),
}

impl Outline {
    pub(crate) const fn circle(center: ScenePoint, radius: f32) -> Outline {
        Outline::Circle { center, radius }
    }

    /// Returns the closed path through the points.
    pub(crate) fn polygon(points: &[ScenePoint]) -> Outline {
        Outline::polygons(std::iter::once(points.to_vec()))
    }

    /// Returns one path of several closed polygons.
    pub(crate) fn polygons(polygons: impl IntoIterator<Item = Vec<ScenePoint>>) -> Outline {
        let mut segments = Vec::new();
        for points in polygons {
            segments.extend(points.iter().take(1).map(|point| PathSegment::Move(*point)));
            segments.extend(points.iter().skip(1).map(|point| PathSegment::Line(*point)));
            segments.push(PathSegment::Close);
        }
        Outline::Path(segments)
    }

    /// Returns one path of separate straight lines.
    pub(crate) fn lines(lines: impl IntoIterator<Item = (ScenePoint, ScenePoint)>) -> Outline {
        Outline::Path(
            lines.into_iter().flat_map(|(a, b)| [PathSegment::Move(a), PathSegment::Line(b)]).collect(),
        )
    }
}

/// An outline with its fill and its stroke.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScenePath {
    pub(crate) outline: Outline,
    pub(crate) fill: Option<Paint>,
    pub(crate) pen: Option<Pen>,
}

impl ScenePath {
    pub(crate) fn filled(outline: Outline, paint: impl Into<Paint>) -> ScenePath {
        ScenePath { outline, fill: Some(paint.into()), pen: None }
    }

    pub(crate) const fn drawn(outline: Outline, pen: Pen) -> ScenePath {
        ScenePath { outline, fill: None, pen: Some(pen) }
    }

    pub(crate) fn with_pen(self, pen: Pen) -> ScenePath {
        ScenePath { pen: Some(pen), ..self }
    }

    /// Returns the figure moved by `by`.
    pub(crate) fn shifted(self, by: ScenePoint) -> ScenePath {
        let shift = |point: ScenePoint| point.shifted(by.x, by.y);
        let outline = match self.outline {
            Outline::Circle { center, radius } => Outline::Circle { center: shift(center), radius },
            Outline::Rect { min, width, height, radius } => {
                Outline::Rect { min: shift(min), width, height, radius }
            }
            Outline::Path(segments) => Outline::Path(
                segments
                    .into_iter()
                    .map(|segment| match segment {
                        PathSegment::Move(to) => PathSegment::Move(shift(to)),
                        PathSegment::Line(to) => PathSegment::Line(shift(to)),
                        PathSegment::Cubic(a, b, to) => PathSegment::Cubic(shift(a), shift(b), shift(to)),
                        PathSegment::Close => PathSegment::Close,
                    })
                    .collect(),
            ),
        };
        ScenePath { outline, ..self }
    }
}

/// The part of a line of text that is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextAnchor {
    Start,
    Middle,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SceneText {
    /// The start or the center of the baseline.
    pub(crate) at: ScenePoint,
    pub(crate) size: f32,
    pub(crate) anchor: TextAnchor,
    pub(crate) color: Color,
    pub(crate) text: String,
}

/// An item to draw.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SceneItem {
    ScenePath(ScenePath),
    SceneText(SceneText),
    /// A piece centered at a point; `pieces` defines its drawing.
    Piece(Piece, ScenePoint),
}

impl SceneItem {
    /// Returns the item moved by `by`.
    pub(crate) fn shifted(self, by: ScenePoint) -> SceneItem {
        match self {
            SceneItem::ScenePath(figure) => figure.shifted(by).into(),
            SceneItem::SceneText(line) => SceneText { at: line.at.shifted(by.x, by.y), ..line }.into(),
            SceneItem::Piece(piece, at) => SceneItem::Piece(piece, at.shifted(by.x, by.y)),
        }
    }
}

impl From<ScenePath> for SceneItem {
    fn from(figure: ScenePath) -> SceneItem {
        SceneItem::ScenePath(figure)
    }
}

impl From<SceneText> for SceneItem {
    fn from(text: SceneText) -> SceneItem {
        SceneItem::SceneText(text)
    }
}
