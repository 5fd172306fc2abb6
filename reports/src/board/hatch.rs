//! Patterns that fill a cell: lines and dots, clipped to a convex polygon.

use super::scene::ScenePoint;

/// The minimum length of a line. Shorter ones, which only cut off a corner, would look like specks.
const MIN_LENGTH: f32 = 3.0;

/// Returns parallel lines clipped to a convex polygon.
///
/// The lines are parallel to (`along.x`, `along.y`), which has length 1, and are `gap` apart. They are
/// centered: the first and the last one are at the same distance from the ends of the polygon.
pub(crate) fn lines(polygon: &[ScenePoint], along: ScenePoint, gap: f32) -> Vec<(ScenePoint, ScenePoint)> {
    let across = ScenePoint::new(-along.y, along.x);
    let height = |point: &ScenePoint| point.x * across.x + point.y * across.y;
    let lowest = polygon.iter().map(height).fold(f32::INFINITY, f32::min);
    let highest = polygon.iter().map(height).fold(f32::NEG_INFINITY, f32::max);
    let count = ((highest - lowest) / gap).floor().max(0.0) as usize;
    let start = (lowest + highest - count as f32 * gap) / 2.0;
    (0..=count).filter_map(|line| cut(polygon, &height, start + line as f32 * gap)).collect()
}

/// Returns the part of the line where `height` is `level` inside a convex polygon.
fn cut(
    polygon: &[ScenePoint],
    height: &impl Fn(&ScenePoint) -> f32,
    level: f32,
) -> Option<(ScenePoint, ScenePoint)> {
    let next = polygon.iter().cycle().skip(1);
    let mut crossings = polygon.iter().zip(next).filter_map(|(a, b)| {
        let (low, high) = (height(a), height(b));
        // The comparison is half open, so that a corner is crossed once.
        let crosses = (low <= level) != (high <= level);
        crosses.then(|| a.toward(*b, (level - low) / (high - low)))
    });
    let ends = (crossings.next()?, crossings.next()?);
    (ends.0.distance(ends.1) > MIN_LENGTH).then_some(ends)
}

/// Returns the centers of dots on a triangular grid inside a convex polygon.
pub(crate) fn dots(polygon: &[ScenePoint], gap: f32) -> Vec<ScenePoint> {
    let rows = lines(polygon, ScenePoint::new(1.0, 0.0), gap * 0.866);
    let middle = polygon.iter().map(|point| point.x).sum::<f32>() / polygon.len() as f32;
    let mut dots = Vec::new();
    for (row, (a, b)) in rows.iter().enumerate() {
        let (left, right) = (a.x.min(b.x), a.x.max(b.x));
        let shift = if row % 2 == 0 { 0.0 } else { gap / 2.0 };
        let first = ((left - middle - shift) / gap).ceil();
        let mut x = middle + shift + first * gap;
        while x <= right {
            dots.push(ScenePoint::new(x, a.y));
            x += gap;
        }
    }
    dots
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [ScenePoint; 4] = [
        ScenePoint::new(0.0, 0.0),
        ScenePoint::new(20.0, 0.0),
        ScenePoint::new(20.0, 20.0),
        ScenePoint::new(0.0, 20.0),
    ];

    #[test]
    fn lines_stay_inside() {
        let diagonal = ScenePoint::new(std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);
        let found = lines(&SQUARE, diagonal, 6.0);
        assert_eq!(found.len(), 5, "{found:?}");
        let inside =
            |point: &ScenePoint| (-0.01..=20.01).contains(&point.x) && (-0.01..=20.01).contains(&point.y);
        assert!(found.iter().all(|(a, b)| inside(a) && inside(b)), "{found:?}");
    }

    #[test]
    fn dots_stay_inside() {
        let found = dots(&SQUARE, 6.0);
        assert!(found.len() >= 9, "{found:?}");
        assert!(found.iter().all(|dot| (0.0..=20.0).contains(&dot.x) && (0.0..=20.0).contains(&dot.y)));
    }
}
