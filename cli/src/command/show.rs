//! `tafl show`: draws a board or a game.

mod game;

use std::path::Path;

use anyhow::{Context, bail};
use tafl_reports::BoardPicture;
use tafl_reports::board::{Animation, Frame, Ink, Theme, Zones};

use crate::args::board::{Picture, ShowArgs};
use crate::exit::Said;
use crate::io::Style;
use crate::output::{file_named, write_whole};
use crate::variant::{print_error, variant_of};
use crate::{Exit, Io};
use taflbase::escape::escape_path;
use taflbase::{Variant, read_position, shapes_of};

/// Runs the command.
///
/// # Errors
///
/// Fails when the game cannot be found or the picture not be made or written.
pub(crate) fn run(args: &ShowArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let kind = kind(args)?;
    let shown = match (&args.game, &args.position) {
        (Some(_), Some(_)) => bail!("a file and --position are two boards; name one of them"),
        (Some(game), None) => game::frames(game, args, io)?,
        (None, Some(position)) => position_frame(position, args, io).map_err(Said)?,
        (None, None) => match variant_of(&args.variant, io).map_err(Said)? {
            Some(variant) => start_frame(&variant),
            None => bail!("name a file of records, a --variant or a --position"),
        },
    };
    let picture = draw(shown.frames, shown.zones, (args, kind, io.style()))?;
    match output(args) {
        Some(path) => {
            write_whole(path, &picture).with_context(|| format!("{}", path.display()))?;
            io.notice(&format!("{} written to {}", kind.word(), escape_path(path)));
        }
        None => io.write_bytes(&picture)?,
    }
    Ok(shown.exit)
}

/// What is to be drawn: a frame for a board, several for a game.
struct Shown {
    frames: Vec<Frame>,
    zones: Zones,
    exit: Exit,
}

impl Picture {
    const fn word(self) -> &'static str {
        match self {
            Picture::Text => "text",
            Picture::Svg => "SVG",
            Picture::Png => "PNG",
            Picture::Gif => "GIF",
        }
    }
}

/// Returns the kind of picture that is asked for: by name, else by the ending of the output.
fn kind(args: &ShowArgs) -> anyhow::Result<Picture> {
    let ending = output(args).and_then(Path::extension).and_then(|ending| ending.to_str());
    let by_ending = match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Some(Picture::Svg),
        Some("png") => Some(Picture::Png),
        Some("gif") => Some(Picture::Gif),
        Some("txt") => Some(Picture::Text),
        Some(_) | None => None,
    };
    let kind = match (args.format, by_ending, args.animate) {
        (Some(kind), ..) | (None, Some(kind), _) => kind,
        (None, None, true) => Picture::Svg,
        (None, None, false) if output(args).is_some() => {
            bail!("say with --format what to write: text, svg, png or gif")
        }
        (None, None, false) => Picture::Text,
    };
    match (kind, args.animate) {
        (Picture::Text | Picture::Png, true) => bail!("--animate makes SVG or GIF, no {}", kind.word()),
        (Picture::Gif, false) => bail!("GIF is for games: add --animate, or write PNG"),
        (Picture::Text | Picture::Png, false) | (Picture::Svg, _) | (Picture::Gif, true) => Ok(kind),
    }
}

fn start_frame(variant: &Variant) -> Shown {
    let title = variant.named.map_or_else(|| variant.name(), |named| named.title.to_owned());
    let frame = Frame { caption: Some(title), ..Frame::new(variant.rules.start.clone()) };
    Shown { frames: vec![frame], zones: Zones::of(&variant.rules), exit: Exit::Ok }
}

/// Returns the picture of a position record: with the special cells of a variant, or without any.
fn position_frame(position: &str, args: &ShowArgs, io: &mut Io<'_>) -> Result<Shown, Exit> {
    let variant = variant_of(&args.variant, io)?;
    let (shape, zones) = match (&variant, &shapes_of(position)[..]) {
        (Some(variant), _) => (variant.rules.shape(), Zones::of(&variant.rules)),
        (None, [shape, ..]) => (*shape, Zones::default()),
        (None, []) => {
            io.error("this position fits no board; with --variant the place of the mistake is shown");
            return Err(Exit::Error);
        }
    };
    match read_position(shape, position) {
        Ok(setup) => Ok(Shown { frames: vec![Frame::new(setup)], zones, exit: Exit::Ok }),
        Err(error) => Err(print_error(&error, io)),
    }
}

/// Draws the last frame, or all of them where a moving picture is asked for.
fn draw(
    mut frames: Vec<Frame>,
    zones: Zones,
    (args, kind, style): (&ShowArgs, Picture, Style),
) -> anyhow::Result<Vec<u8>> {
    let theme = args.theme.map_or(Theme::Light, |theme| theme.theme());
    if args.animate {
        let mut animation = Animation::new(zones, frames)?;
        animation.view.theme = theme;
        return Ok(match kind {
            Picture::Gif => {
                let mut gif = Vec::new();
                animation.write_gif(&mut gif, args.width)?;
                gif
            }
            Picture::Text | Picture::Svg | Picture::Png => animation.to_svg().into_bytes(),
        });
    }
    let Some(frame) = frames.pop() else { bail!("there is no board to show") };
    let mut picture = BoardPicture::new(frame.setup, zones);
    picture.marks = frame.marks;
    picture.caption = frame.caption;
    picture.view.theme = theme;
    let ink = match style {
        Style::Plain => Ink::Plain,
        Style::Colored => Ink::Ansi,
    };
    Ok(match kind {
        Picture::Text => picture.to_text(if output(args).is_some() { Ink::Plain } else { ink }).into_bytes(),
        Picture::Svg => picture.to_svg().into_bytes(),
        Picture::Png | Picture::Gif => picture.to_png(args.width)?,
    })
}

/// Returns the file that is to be written; none where the picture goes to standard output.
fn output(args: &ShowArgs) -> Option<&Path> {
    file_named(args.output.as_deref())
}
