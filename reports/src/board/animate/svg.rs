//! Animated SVG: each piece is one element that slides from cell to cell by SMIL, which needs no script.

use std::fmt::Write;
use std::time::Duration;

use super::Animation;
use super::track::{Track, tracks};
use crate::board::layout::Layout;
use crate::board::scene::SceneItem;
use crate::board::svg::describe_setup;
use crate::board::svg_canvas::{Short, SvgCanvas, piece_id};

/// The duration of a slide, limited to half of a frame.
const SLIDE: Duration = Duration::from_millis(350);

impl Animation {
    /// Renders the animation as an SVG document that starts automatically and repeats forever.
    ///
    /// A viewer without support for animations shows the first frame.
    pub fn to_svg(&self) -> String {
        let clock = Clock::of(self);
        let room = self.room();
        let layout = self.layout(room);
        let mut canvas = SvgCanvas::new(self.view.theme);
        let title = self.title.clone().unwrap_or_else(|| format!("Tafl game, {}", self.shape()));
        let start = describe_setup(&self.frames[0].setup);
        let description = format!("The first of {} frames. {start}", self.frames.len());
        canvas.open((layout.width, layout.height), &title, &description);
        let tracks = tracks(&self.frames);
        canvas.define(tracks.iter().map(|track| track.piece));
        canvas.items(&self.painting(&self.frames[0], room).ground);
        for (number, frame) in self.frames.iter().enumerate() {
            shown_during(&mut canvas, &clock, (number, Moment::Start), &self.painting(frame, room).below);
        }
        for track in &tracks {
            piece(&mut canvas, &clock, &layout, track, &piece_id(self.view.theme, track.piece));
        }
        for (number, frame) in self.frames.iter().enumerate() {
            let painting = self.painting(frame, room);
            // Arrows and crosses appear after the slide because they would cover the moving piece.
            shown_during(&mut canvas, &clock, (number, Moment::AfterSlide), &painting.above);
            shown_during(&mut canvas, &clock, (number, Moment::Start), &painting.texts);
        }
        canvas.close()
    }
}

/// The time within a frame when an item appears.
#[derive(Clone, Copy)]
enum Moment {
    Start,
    AfterSlide,
}

/// The start times of the frames.
struct Clock {
    /// The start of each frame.
    starts: Vec<Duration>,
    total: Duration,
    slide: Duration,
}

impl Clock {
    fn of(animation: &Animation) -> Clock {
        let count = animation.frames.len();
        let mut total = Duration::ZERO;
        let starts = (0..count)
            .map(|frame| {
                let start = total;
                total += animation.timing.of(frame, count);
                start
            })
            .collect();
        Clock {
            starts,
            total,
            slide: SLIDE.min(animation.timing.of(0, 2).min(animation.timing.of(0, 1)) / 2),
        }
    }

    /// Returns a time as a fraction of the total.
    fn part(&self, moment: Duration) -> String {
        let part = (moment.as_secs_f64() / self.total.as_secs_f64()).clamp(0.0, 1.0);
        let digits = format!("{part:.6}");
        digits.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// Returns the attributes common to all animations.
    fn attributes(&self) -> String {
        format!("dur=\"{}s\" repeatCount=\"indefinite\"", self.total.as_secs_f64())
    }
}

/// Writes items that are visible during one frame only.
fn shown_during(
    canvas: &mut SvgCanvas,
    clock: &Clock,
    (frame, moment): (usize, Moment),
    items: &[SceneItem],
) {
    if items.is_empty() {
        return;
    }
    let first = if frame == 0 { "visible" } else { "hidden" };
    canvas.raw(format_args!("<g visibility=\"{first}\">\n"));
    if clock.starts.len() > 1 {
        let delay = match moment {
            Moment::Start => Duration::ZERO,
            Moment::AfterSlide => clock.slide,
        };
        let start = (frame > 0).then(|| clock.starts[frame] + delay);
        visibility(canvas, clock, start, clock.starts.get(frame + 1).copied());
    }
    items.iter().for_each(|item| canvas.item(item));
    canvas.raw(format_args!("</g>\n"));
}

/// Writes an animation that hides an element before `start` and from `end` on.
fn visibility(canvas: &mut SvgCanvas, clock: &Clock, start: Option<Duration>, end: Option<Duration>) {
    let (mut values, mut times) = match start {
        Some(start) => ("hidden;visible".to_owned(), format!("0;{}", clock.part(start))),
        None => ("visible".to_owned(), "0".to_owned()),
    };
    if let Some(end) = end {
        values += ";hidden";
        times += &format!(";{}", clock.part(end));
    }
    canvas.raw(format_args!(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{values}\" keyTimes=\"{times}\" {}/>\n",
        clock.attributes()
    ));
}

/// Writes a piece with its path.
fn piece(canvas: &mut SvgCanvas, clock: &Clock, layout: &Layout, track: &Track, id: &str) {
    let (first_frame, first_cell) = track.stops[0];
    let at = layout.center(first_cell);
    let first = if first_frame == 0 { "" } else { " visibility=\"hidden\"" };
    canvas.raw(format_args!(
        "<use xlink:href=\"#{id}\" transform=\"translate({} {})\"{first}>",
        Short(at.x),
        Short(at.y)
    ));
    // Captured pieces disappear when the slide of the capturing piece ends.
    let end = track.end.map(|end| clock.starts[end] + clock.slide);
    if first_frame > 0 || end.is_some() {
        visibility(canvas, clock, (first_frame > 0).then(|| clock.starts[first_frame]), end);
    }
    if track.stops.len() > 1 {
        slides(canvas, clock, layout, track);
    }
    canvas.raw(format_args!("</use>\n"));
}

/// Writes the animation that moves a piece from stop to stop.
fn slides(canvas: &mut SvgCanvas, clock: &Clock, layout: &Layout, track: &Track) {
    let mut values = String::new();
    let mut times = String::new();
    let mut key = |cell, moment: Duration| {
        let at = layout.center(cell);
        let before = if values.is_empty() { "" } else { ";" };
        write!(values, "{before}{} {}", Short(at.x), Short(at.y)).expect("a String takes any text");
        write!(times, "{before}{}", clock.part(moment)).expect("a String takes any text");
    };
    let mut last = track.stops[0].1;
    key(last, Duration::ZERO);
    for (frame, cell) in &track.stops[1..] {
        key(last, clock.starts[*frame]);
        key(*cell, clock.starts[*frame] + clock.slide);
        last = *cell;
    }
    key(last, clock.total);
    canvas.raw(format_args!(
        "<animateTransform attributeName=\"transform\" type=\"translate\" values=\"{values}\" keyTimes=\"{times}\" {}/>\n",
        clock.attributes()
    ));
}
