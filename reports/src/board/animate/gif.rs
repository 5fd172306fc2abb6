//! Animated GIF.

use std::io::{self, Write};
use std::time::Duration;

use gif::{DisposalMethod, Encoder, EncodingError, Frame as GifFrame, Repeat};
use tiny_skia::Pixmap;

use super::colors::{ColorCounts, GifColors};
use super::{Animation, Frame, Room};
use crate::board::PictureError;
use crate::board::raster::Brush;

/// The number of frames from which the colors are taken.
const SAMPLES: usize = 12;

impl Animation {
    /// Writes the animation as an endlessly repeating GIF file, `width` pixels wide.
    ///
    /// Frames are drawn and written one by one, each reduced to its differences from the previous one, so
    /// memory does not grow with the length of the game.
    ///
    /// # Errors
    ///
    /// Returns [`PictureError::Width`] unless the width is 32 to 6000, [`PictureError::Height`] if captions
    /// make the picture too high, and [`PictureError::Write`] if `out` fails.
    pub fn write_gif(&self, out: &mut impl Write, width: u32) -> Result<(), PictureError> {
        let stage = Stage::new(self, width)?;
        let mut colors = self.gif_colors(&stage);
        let (width, height) = stage.size()?;
        let mut encoder = Encoder::new(out, width, height, &colors.bytes()).map_err(write_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(write_error)?;
        let mut owed = Duration::ZERO;
        let mut shown: Option<Vec<u8>> = None;
        for (number, frame) in self.frames.iter().enumerate() {
            let pixels = numbered(stage.draw(self, frame), &mut colors);
            owed += self.timing.of(number, self.frames.len());
            let hundredths = (owed.as_millis() / 10).min(u128::from(u16::MAX)) as u16;
            owed = owed.saturating_sub(Duration::from_millis(u64::from(hundredths) * 10));
            let mut changed = changed(shown.as_deref(), &pixels, usize::from(width));
            changed.delay = hundredths;
            encoder.write_frame(&changed).map_err(write_error)?;
            shown = Some(pixels);
        }
        // This writes the end of the file; otherwise an error there would be lost on drop.
        encoder.into_inner().map_err(write_error)?;
        Ok(())
    }

    /// Returns a palette for a sample of the frames: the first, the last, and some between them.
    fn gif_colors(&self, stage: &Stage) -> GifColors {
        let mut counts = ColorCounts::default();
        let count = self.frames.len();
        let samples = SAMPLES.min(count);
        for sample in 0..samples {
            let frame = sample * (count - 1) / (samples - 1).max(1);
            counts.count(&stage.draw(self, &self.frames[frame]));
        }
        counts.palette()
    }
}

fn write_error(error: EncodingError) -> PictureError {
    PictureError::Write(match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    })
}

/// The static part of all frames, drawn once.
struct Stage {
    brush: Brush,
    ground: Pixmap,
    room: Room,
}

impl Stage {
    fn new(animation: &Animation, width: u32) -> Result<Stage, PictureError> {
        let room = animation.room();
        let painting = animation.painting(&animation.frames[0], room);
        let brush = Brush::new(&painting, width, animation.view.theme.palette())?;
        let mut ground = brush.blank();
        brush.draw(&mut ground, painting.ground.iter());
        Ok(Stage { brush, ground, room })
    }

    fn size(&self) -> Result<(u16, u16), PictureError> {
        let (width, height) = (self.ground.width(), self.ground.height());
        let side = |side: u32| u16::try_from(side).map_err(|_| PictureError::Height { height });
        Ok((side(width)?, side(height)?))
    }

    fn draw(&self, animation: &Animation, frame: &Frame) -> Pixmap {
        let painting = animation.painting(frame, self.room);
        let mut pixmap = self.ground.clone();
        self.brush.draw(&mut pixmap, painting.moving_items());
        pixmap
    }
}

/// Returns the palette indices of a picture.
fn numbered(pixmap: Pixmap, colors: &mut GifColors) -> Vec<u8> {
    let mut last = ([0; 3], colors.nearest([0; 3]));
    let pixels = pixmap.data().chunks_exact(4).map(|pixel| {
        let color = [pixel[0], pixel[1], pixel[2]];
        if color != last.0 {
            last = (color, colors.nearest(color));
        }
        last.1
    });
    pixels.collect()
}

/// Returns the smallest rectangle that contains every changed pixel; unchanged pixels inside it are
/// transparent.
fn changed(shown: Option<&[u8]>, pixels: &[u8], width: usize) -> GifFrame<'static> {
    let height = pixels.len() / width;
    let Some(shown) = shown else {
        return gif_frame((0, 0), (width, height), pixels.to_vec());
    };
    let rows = || shown.chunks_exact(width).zip(pixels.chunks_exact(width));
    let differing = |(_, (before, after)): &(usize, (&[u8], &[u8]))| before != after;
    let mut different = rows().enumerate().filter(differing).map(|(row, _)| row);
    let Some(top) = different.next() else {
        // A frame needs at least one pixel, so this one is unchanged.
        return gif_frame((0, 0), (1, 1), vec![GifColors::SAME]);
    };
    let bottom = different.next_back().unwrap_or(top);
    let columns = |(before, after): (&[u8], &[u8])| {
        let differs = |column: &usize| before[*column] != after[*column];
        Some(((0..width).find(differs)?, (0..width).rfind(differs)?))
    };
    let (left, right) = rows()
        .filter_map(columns)
        .fold((width - 1, 0), |(left, right), (first, last)| (left.min(first), right.max(last)));
    let part = rows().skip(top).take(bottom + 1 - top).flat_map(|(before, after)| {
        let pairs = before[left..=right].iter().zip(&after[left..=right]);
        pairs.map(|(before, after)| if before == after { GifColors::SAME } else { *after })
    });
    gif_frame((left, top), (right + 1 - left, bottom + 1 - top), part.collect())
}

fn gif_frame(corner: (usize, usize), size: (usize, usize), pixels: Vec<u8>) -> GifFrame<'static> {
    GifFrame {
        left: corner.0 as u16,
        top: corner.1 as u16,
        width: size.0 as u16,
        height: size.1 as u16,
        transparent: Some(GifColors::SAME),
        dispose: DisposalMethod::Keep,
        buffer: pixels.into(),
        ..GifFrame::default()
    }
}
