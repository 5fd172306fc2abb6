//! The colors of a GIF: at most 255 for the whole animation, and one for unchanged pixels.

use std::collections::HashMap;

use tiny_skia::Pixmap;

/// A color without transparency.
type Rgb = [u8; 3];

/// The number of colors apart from the one for unchanged pixels.
const COLORS: usize = 255;
/// The number of colors that are used exactly, most frequent first; the others are means of similar colors.
const EXACT: usize = 96;
/// The cache of nearest colors is cleared at this size, which bounds its memory.
const MAX_KNOWN: usize = 1 << 16;

/// A histogram of the colors of pictures.
#[derive(Debug, Default)]
pub(super) struct ColorCounts {
    counts: HashMap<Rgb, u32>,
}

impl ColorCounts {
    /// Counts the pixels of a picture.
    pub(super) fn count(&mut self, pixmap: &Pixmap) {
        let mut run: (Rgb, u32) = ([0; 3], 0);
        for pixel in pixmap.data().chunks_exact(4) {
            let color = [pixel[0], pixel[1], pixel[2]];
            if color == run.0 {
                run.1 += 1;
            } else {
                self.add(run);
                run = (color, 1);
            }
        }
        self.add(run);
    }

    fn add(&mut self, (color, count): (Rgb, u32)) {
        if count > 0 {
            let known = self.counts.entry(color).or_default();
            *known = known.saturating_add(count);
        }
    }

    /// Returns a palette for these colors.
    pub(super) fn palette(self) -> GifColors {
        let mut found: Vec<(Rgb, u32)> = self.counts.into_iter().collect();
        found.sort_unstable_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
        let rest = found.split_off(EXACT.min(found.len()));
        let mut colors: Vec<Rgb> = found.into_iter().map(|(color, _)| color).collect();
        let left = COLORS - colors.len();
        colors.extend(median_cut(rest, left));
        GifColors { colors, known: HashMap::new() }
    }
}

/// Returns at most `count` colors, each of which represents about the same number of pixels (median cut).
fn median_cut(colors: Vec<(Rgb, u32)>, count: usize) -> Vec<Rgb> {
    if colors.is_empty() {
        return Vec::new();
    }
    let mut boxes = vec![colors];
    while boxes.len() < count {
        let widest = (0..boxes.len()).max_by_key(|index| spread(&boxes[*index]).1).unwrap_or_default();
        let (channel, width) = spread(&boxes[widest]);
        if width == 0 {
            break;
        }
        let mut lower = boxes.swap_remove(widest);
        lower.sort_unstable_by_key(|(color, _)| color[channel]);
        let upper = lower.split_off(lower.len() / 2);
        boxes.extend([lower, upper]);
    }
    boxes.iter().map(|colors| mean(colors)).collect()
}

/// Returns the channel with the largest range of values, and the range.
fn spread(colors: &[(Rgb, u32)]) -> (usize, u8) {
    let width = |channel: usize| {
        let values = || colors.iter().map(|(color, _)| color[channel]);
        values().max().unwrap_or_default() - values().min().unwrap_or_default()
    };
    (0..3).map(|channel| (channel, width(channel))).max_by_key(|(_, width)| *width).unwrap_or_default()
}

fn mean(colors: &[(Rgb, u32)]) -> Rgb {
    let total: u64 = colors.iter().map(|(_, count)| u64::from(*count)).sum();
    [0, 1, 2].map(|channel| {
        let sum: u64 =
            colors.iter().map(|(color, count)| u64::from(color[channel]) * u64::from(*count)).sum();
        (sum / total.max(1)) as u8
    })
}

/// The palette of a GIF, with a mapping from picture colors to palette colors.
#[derive(Debug)]
pub(super) struct GifColors {
    colors: Vec<Rgb>,
    known: HashMap<Rgb, u8>,
}

impl GifColors {
    /// The index that means "unchanged".
    pub(super) const SAME: u8 = 255;

    /// Returns the palette in the format of GIF.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize(256 * 3, 0);
        bytes
    }

    /// Returns the index of the nearest palette color.
    pub(super) fn nearest(&mut self, color: Rgb) -> u8 {
        if let Some(number) = self.known.get(&color) {
            return *number;
        }
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        let distance = |other: &Rgb| -> u32 {
            // The eye is most sensitive to differences of green and least to those of blue.
            let part = |channel: usize, weight: u32| {
                u32::from(color[channel].abs_diff(other[channel])).pow(2) * weight
            };
            part(0, 3) + part(1, 4) + part(2, 2)
        };
        let number =
            (0..self.colors.len()).min_by_key(|number| distance(&self.colors[*number])).unwrap_or_default();
        let number = number as u8;
        self.known.insert(color, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(colors: impl Iterator<Item = (Rgb, u32)>) -> ColorCounts {
        let mut counts = ColorCounts::default();
        colors.for_each(|counted| counts.add(counted));
        counts
    }

    #[test]
    fn few_colors_stay_as_they_are() {
        let mut colors = counts([([1, 2, 3], 5), ([200, 0, 9], 1)].into_iter()).palette();
        for color in [[1, 2, 3], [200, 0, 9]] {
            let number = colors.nearest(color);
            assert_eq!(colors.colors[usize::from(number)], color);
        }
    }

    #[test]
    fn many_colors_are_drawn_together() {
        let grays = (0..=255u8).flat_map(|gray| [([gray; 3], 1), ([gray, gray, gray / 2], 1)]);
        let mut colors = counts(grays).palette();
        assert_eq!(colors.colors.len(), COLORS);
        assert_eq!(colors.bytes().len(), 768);
        let number = colors.nearest([100, 100, 100]);
        let near = colors.colors[usize::from(number)];
        assert!(near.iter().all(|channel| channel.abs_diff(100) < 8), "{near:?}");
    }
}
