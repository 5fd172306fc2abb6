//! The drawings of the pieces. Each role has its own shape, so that pieces can be distinguished without
//! color: men are discs, kings are larger discs with a crown, commanders are lozenges with a star, knights
//! are shields with a chevron, mercenaries are triangles with a coin, and guards are squares with a tower.

use tafl_rules::{Piece, Role, Side};

use super::layout::CELL;
use super::scene::{Outline, Paint, PathSegment, Pen, ScenePath, ScenePoint};
use super::theme::{Coat, Palette};

/// The width of the border of a piece.
const EDGE: f32 = CELL * 0.035;

/// Returns the figures of a piece around (0, 0), bottom first.
pub(crate) fn figures(piece: Piece, palette: &Palette) -> Vec<ScenePath> {
    let coat = coat(piece, palette);
    let mut figures = vec![
        ScenePath::filled(body(piece.role), body_color(piece, coat)).with_pen(Pen::new(coat.edge, EDGE)),
    ];
    figures.extend(emblem(piece.role, coat));
    figures
}

/// Returns the figures of a captured piece around (0, 0).
pub(crate) fn ghost(piece: Piece, palette: &Palette) -> Vec<ScenePath> {
    let coat = coat(piece, palette);
    let pen = Pen::new(Paint::thin(coat.edge, 0.75), EDGE).dashed(CELL * 0.07, CELL * 0.09);
    vec![ScenePath::filled(body(piece.role), Paint::thin(body_color(piece, coat), 0.4)).with_pen(pen)]
}

/// Returns the maximum distance of a piece's border from its center.
pub(crate) const fn reach(role: Role) -> f32 {
    match role {
        Role::Soldier => CELL * 0.375,
        Role::King => CELL * 0.43,
        Role::Commander | Role::Knight | Role::Mercenary | Role::Guard => CELL * 0.42,
    }
}

const fn coat(piece: Piece, palette: &Palette) -> &Coat {
    match piece.side {
        Side::Attackers => &palette.attackers,
        Side::Defenders => &palette.defenders,
    }
}

const fn body_color(piece: Piece, coat: &Coat) -> super::scene::Color {
    match piece.role {
        Role::King => coat.king,
        Role::Soldier | Role::Commander | Role::Knight | Role::Mercenary | Role::Guard => coat.body,
    }
}

/// Converts a position in cells to a point.
const fn at(x: f32, y: f32) -> ScenePoint {
    ScenePoint::new(x * CELL, y * CELL)
}

fn polygon(points: &[(f32, f32)]) -> Outline {
    let points: Vec<ScenePoint> = points.iter().map(|(x, y)| at(*x, *y)).collect();
    Outline::polygon(&points)
}

fn body(role: Role) -> Outline {
    match role {
        Role::Soldier => Outline::circle(at(0.0, 0.0), CELL * 0.375),
        Role::King => Outline::circle(at(0.0, 0.0), CELL * 0.43),
        Role::Commander => polygon(&[(0.0, -0.45), (0.45, 0.0), (0.0, 0.45), (-0.45, 0.0)]),
        Role::Knight => Outline::Path(vec![
            PathSegment::Move(at(-0.34, -0.37)),
            PathSegment::Line(at(0.34, -0.37)),
            PathSegment::Line(at(0.34, -0.02)),
            PathSegment::Cubic(at(0.34, 0.22), at(0.14, 0.36), at(0.0, 0.44)),
            PathSegment::Cubic(at(-0.14, 0.36), at(-0.34, 0.22), at(-0.34, -0.02)),
            PathSegment::Close,
        ]),
        Role::Mercenary => polygon(&[(0.0, -0.43), (0.43, 0.33), (-0.43, 0.33)]),
        Role::Guard => polygon(&[(-0.34, -0.34), (0.34, -0.34), (0.34, 0.34), (-0.34, 0.34)]),
    }
}

fn emblem(role: Role, coat: &Coat) -> Vec<ScenePath> {
    match role {
        Role::Soldier => {
            let ring = Outline::circle(at(0.0, 0.0), CELL * 0.23);
            vec![ScenePath::drawn(ring, Pen::new(coat.ring, CELL * 0.03))]
        }
        Role::King => crown(coat),
        Role::Commander => vec![ScenePath::filled(star(), coat.emblem)],
        Role::Knight => {
            let chevron = Outline::Path(vec![
                PathSegment::Move(at(-0.19, 0.04)),
                PathSegment::Line(at(0.0, -0.2)),
                PathSegment::Line(at(0.19, 0.04)),
            ]);
            vec![ScenePath::drawn(chevron, Pen::new(coat.emblem, CELL * 0.09))]
        }
        Role::Mercenary => {
            let coin = Outline::circle(at(0.0, 0.1), CELL * 0.115);
            vec![ScenePath::filled(coin, coat.emblem)]
        }
        Role::Guard => {
            let tower = polygon(&[
                (-0.2, 0.22),
                (-0.2, -0.22),
                (-0.12, -0.22),
                (-0.12, -0.1),
                (-0.04, -0.1),
                (-0.04, -0.22),
                (0.04, -0.22),
                (0.04, -0.1),
                (0.12, -0.1),
                (0.12, -0.22),
                (0.2, -0.22),
                (0.2, 0.22),
            ]);
            vec![ScenePath::filled(tower, coat.emblem)]
        }
    }
}

/// Returns a crown with three points, each with a pearl.
fn crown(coat: &Coat) -> Vec<ScenePath> {
    let band = polygon(&[
        (-0.215, 0.2),
        (-0.27, -0.115),
        (-0.115, 0.015),
        (0.0, -0.19),
        (0.115, 0.015),
        (0.27, -0.115),
        (0.215, 0.2),
    ]);
    let pearls = [(-0.275, -0.145), (0.0, -0.225), (0.275, -0.145)];
    let mut figures = vec![ScenePath::filled(band, coat.emblem).with_pen(Pen::new(coat.emblem, CELL * 0.02))];
    figures
        .extend(pearls.map(|(x, y)| ScenePath::filled(Outline::circle(at(x, y), CELL * 0.045), coat.emblem)));
    figures
}

/// Returns a star with five points.
fn star() -> Outline {
    let points: Vec<ScenePoint> = (0..10)
        .map(|corner| {
            let radius = if corner % 2 == 0 { 0.25 } else { 0.105 };
            let angle = std::f32::consts::PI * (corner as f32 / 5.0 - 0.5);
            at(radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    Outline::polygon(&points)
}
