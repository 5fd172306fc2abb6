//! Pictures of boards and games.

mod frames;
mod game_file;
mod picture_format;
mod position_picture;

use std::io::BufRead;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Diagnostic, Format, Severity, Source};
use tafl_reports::{Animation, BoardPicture, ContactSheet, Frame, Ink, PictureError, View, Zones};

use crate::records::{Finding, FindingLocator, ReplayConfig, ReplayWorker, ReplayedRecord};
use crate::{
    App, Bounded, Error, ErrorKind, Job, Named, PositionRequest, Request, Result, RulesRequest, Variant,
    read_position, shapes_of,
};

pub use game_file::GameFile;
pub use picture_format::{PictureFormat, PictureTheme};
pub use position_picture::PositionPictureRequest;

/// Draw a board or a game
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, Request, ShowRequest};
///
/// let mut request = ShowRequest::default();
/// request.rules.variant = Some("brandubh7".into());
/// let picture = request.run(&App::new(), &Job::default())?;
/// assert!(String::from_utf8_lossy(&picture.bytes).contains("t t T K T t t"));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct ShowRequest {
    /// A file of records; add `:GAME`, a number, an ID, or a line such as `L12`, to select
    /// a game other than the first
    #[cfg_attr(feature = "clap", arg(value_name = "FILE[:GAME]"))]
    pub game: Option<GameFile>,
    /// Show the board after N plies [default: all]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub ply: Option<usize>,
    /// Show a sheet of boards: the start, every N plies, and the end
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub diagram_every: Option<Bounded<1, { u64::MAX }, 1>>,
    /// Rotate the board by 180 degrees, with its coordinates
    #[cfg_attr(feature = "clap", arg(long))]
    pub flip: bool,
    /// The rules.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// Show this position: a position record, rank 1 first, or a FEN, top rank first
    #[cfg_attr(feature = "clap", arg(long, value_name = "RECORD"))]
    pub position: Option<String>,
    /// Play these moves from the position or the start, such as "d1-d3 f4-f2"
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES", allow_hyphen_values = true))]
    pub moves: Option<String>,
    /// The kind of picture [default: by the extension of the output, or text]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT"))]
    pub format: Option<PictureFormat>,
    /// Show the whole game, move by move (SVG or GIF)
    #[cfg_attr(feature = "clap", arg(long))]
    pub animate: bool,
    /// The colors of pictures
    #[cfg_attr(feature = "clap", arg(long, value_name = "THEME", default_value_t, value_enum))]
    pub theme: PictureTheme,
    /// The width of a board in PNG and GIF, in pixels, 32 to 6000
    #[cfg_attr(feature = "clap", arg(long, value_name = "PIXELS", default_value_t))]
    pub width: Bounded<32, 6000, 640>,
    /// Read the file in this notation instead of detecting it
    #[serde(rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// Whether text is colored by ANSI escape sequences. The caller knows whether it writes to a terminal.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub ansi_colors: bool,
}

/// A picture of a board or a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowAnswer {
    /// The kind of picture.
    pub format: PictureFormat,
    /// The content of a file of this kind; text is UTF-8.
    pub bytes: Vec<u8>,
    /// Set if only the first plies of a game could be played, although all were requested.
    pub unplayed: Option<UnplayedPlies>,
}

/// The plies of a game that can't be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnplayedPlies {
    /// The number of plies that could be played.
    pub played: usize,
    /// The number of moves in the record. Unreadable words count as moves unless all moves after them can be played.
    pub written: usize,
    /// The file, as it was named.
    pub file: String,
    /// The number of the game in it, from 1.
    pub game: u64,
    /// Whether the last move of the record is among them. If not, all moves can be played, but a word among them can't be read.
    pub is_end: bool,
    /// The first error.
    pub finding: Option<Finding>,
}

/// The code of a word that can't be read as a move.
const UNREADABLE_MOVE: &str = "bad-move";

impl UnplayedPlies {
    /// Returns the plies of a record that couldn't be played, if there are any.
    fn of(source: Source<'_>, replayed: &ReplayedRecord) -> Option<UnplayedPlies> {
        let errors = || replayed.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
        let unreadable = || errors().filter(|found| found.code().name() == UNREADABLE_MOVE);
        let played = replayed.replay.plies.len();
        let moves = &replayed.record.main().moves;
        // Moves that were taken back are not among the plies.
        let last = replayed.replay.plies.iter().filter_map(|ply| ply.written).max();
        let last = last.map(|last| last as usize);
        let is_all_read = last.map_or(0, |last| last + 1) == moves.len();
        let n_unreadable = unreadable().count();
        // Moves of a string with escapes have one place, so their order is not known.
        let follows = |found: &Diagnostic| {
            last.is_none_or(|last| {
                let span = moves[last].span;
                found.span.start >= span.end || found.span == span
            })
        };
        let is_end = !is_all_read || unreadable().any(follows);
        let written = moves.len() + if is_end { n_unreadable } else { 0 };
        let finding = errors().next().map(|error| FindingLocator::new(source, &replayed.record).find(error));
        let file = source.name.to_owned();
        let is_complete = is_all_read && n_unreadable == 0;
        (!is_complete).then_some(UnplayedPlies {
            played,
            written,
            file,
            game: source.ordinal,
            is_end,
            finding,
        })
    }
}

impl From<PictureError> for Error {
    fn from(error: PictureError) -> Error {
        Error::new(ErrorKind::BadParameter, error.to_string())
    }
}

/// The boards to draw: one, or several of a game.
struct Scenes {
    /// The players and the variant of a game.
    title: Option<String>,
    frames: Vec<Frame>,
    zones: Zones,
    unplayed: Option<UnplayedPlies>,
}

impl Scenes {
    fn of_board(frame: Frame, zones: Zones) -> Scenes {
        Scenes { title: None, frames: vec![frame], zones, unplayed: None }
    }
}

impl ShowRequest {
    /// Returns the same request for a picture that is written to a file, whose extension decides the kind of picture if
    /// the request names none.
    ///
    /// # Errors
    ///
    /// Fails if neither the request nor the extension names a kind of picture.
    pub fn for_file(self, path: &Path) -> Result<ShowRequest> {
        match self.format.or_else(|| PictureFormat::of_file(path)) {
            None if !self.animate => {
                let extension = path.extension().map(|extension| extension.to_string_lossy());
                let what = match extension {
                    Some(extension) => format!("unknown extension `.{extension}`"),
                    None => "the output has no extension".to_owned(),
                };
                let help = "expected .txt, .svg, .png, .pdf, or .gif (with --animate); or name the format with --format";
                Err(Error::parameter("format", format!("{what}; {help}")))
            }
            format => Ok(ShowRequest { format, ..self }),
        }
    }

    /// Runs the request. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Fails if the parameters contradict each other, the rules or the position is wrong, or the game can't be found or
    /// drawn.
    pub fn run_with_stdin<'i>(
        self,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
        app: &App,
        job: &Job,
    ) -> Result<ShowAnswer> {
        let format = self.picture_format()?;
        let scenes = match (&self.game, &self.position) {
            (Some(_), _) if self.moves.is_some() => {
                let message = "a file cannot be combined with --moves; give only one of them";
                return Err(Error::parameter("moves", message));
            }
            (Some(_), Some(_)) => {
                let message = "a file cannot be combined with --position; give only one of them";
                return Err(Error::parameter("position", message));
            }
            (Some(game), None) => self.game(game, stdin, app, job)?,
            (None, _) if self.moves.is_some() => self.played(app)?,
            (None, Some(position)) => self.position(position, app)?,
            (None, None) => match self.rules.variant(app)? {
                Some(variant) => start(&variant),
                None => {
                    let message = "nothing to show; name a file of records, a --variant, or a --position";
                    return Err(Error::parameter("variant", message));
                }
            },
        };
        let unplayed = scenes.unplayed.clone();
        Ok(ShowAnswer { format, bytes: self.draw(scenes, format)?, unplayed })
    }

    fn picture_format(&self) -> Result<PictureFormat> {
        let usual = if self.animate { PictureFormat::Svg } else { PictureFormat::Text };
        let format = self.format.unwrap_or(usual);
        let wrong = |message: String| Err(Error::parameter("format", message));
        match (format, self.animate) {
            _ if self.diagram_every.is_some() && self.animate => {
                Err(Error::parameter("diagram_every", "--diagram-every cannot be used with --animate"))
            }
            _ if self.diagram_every.is_some() && self.ply.is_some() => {
                Err(Error::parameter("diagram_every", "--diagram-every cannot be used with --ply"))
            }
            _ if self.diagram_every.is_some() && self.game.is_none() => {
                Err(Error::parameter("diagram_every", "--diagram-every needs a game; name a file of records"))
            }
            (PictureFormat::Text | PictureFormat::Png | PictureFormat::Pdf, true) => {
                wrong(format!("--animate writes SVG or GIF, not {}", format.as_str()))
            }
            (PictureFormat::Gif, false) => wrong("GIF is for games: add --animate, or write PNG".to_owned()),
            _ => Ok(format),
        }
    }

    /// Returns the frames of a game: all of them for an animation, those of a sheet, otherwise the last one.
    fn game(
        &self,
        game: &GameFile,
        stdin: Option<Box<dyn BufRead + Send + '_>>,
        app: &App,
        job: &Job,
    ) -> Result<Scenes> {
        let mut worker = ReplayWorker::new(&ReplayConfig::by(&self.rules, app)?.into());
        let format = self.notation.map(|Named(format)| format);
        let shown = game.replay(format, &mut worker, stdin, job)?;
        let replayed = &shown.replayed;
        let Some(rules) = &replayed.replay.rules else {
            // A position needs no rules to be drawn, as with --position.
            let start = replayed.record.start.as_ref().filter(|_| replayed.record.main().moves.is_empty());
            if let Some(start) = start {
                return Ok(Scenes::of_board(Frame::new(start.setup.clone()), Zones::default()));
            }
            let message = "the rules of this game are not known; name them with --variant";
            return Err(Error::parameter("variant", message));
        };
        let n_plies = replayed.replay.plies.len();
        let last = self.ply.unwrap_or(n_plies);
        if last > n_plies {
            let message = format!("{game} has {n_plies} plies that can be played, not {last}");
            return Err(Error::parameter("ply", message));
        }
        let first = if self.animate || self.diagram_every.is_some() { 0 } else { last };
        let mut frames = frames::play(&shown, first..=last)?;
        if let Some(every) = self.diagram_every {
            let n_frames = frames.len();
            let mut ply = 0..n_frames;
            frames.retain(|_| ply.next().is_some_and(|ply| ply % every.size() == 0 || ply + 1 == n_frames));
        }
        Ok(Scenes {
            title: Some(frames::title(replayed)),
            frames,
            zones: Zones::of(rules.book.rules()),
            unplayed: shown.unplayed.filter(|_| self.ply.is_none()),
        })
    }

    /// Returns the frame of a position record, with the special cells of the rules if any are named.
    fn position(&self, position: &str, app: &App) -> Result<Scenes> {
        let variant = self.rules.variant(app)?;
        let (shape, zones) = match (&variant, &shapes_of(position)[..]) {
            (Some(variant), _) => (variant.rules.shape(), Zones::of(&variant.rules)),
            (None, [shape, ..]) => (*shape, Zones::default()),
            (None, []) => {
                let message = "the position fits no board; give --variant to see where the error is";
                return Err(Error::new(ErrorKind::BadPosition, message).of("position"));
            }
        };
        let setup = read_position(shape, position).map_err(|error| error.of("position"))?;
        Ok(Scenes::of_board(Frame::new(setup), zones))
    }

    /// Returns the frames of the moves from a position: all of them for an animation, otherwise the last one.
    fn played(&self, app: &App) -> Result<Scenes> {
        let request = PositionRequest {
            rules: self.rules.clone(),
            position: self.position.clone(),
            side: None,
            moves: self.moves.clone(),
        };
        position_picture::scenes(&request.play(app)?, self.ply, self.animate)
    }

    fn draw(&self, scenes: Scenes, format: PictureFormat) -> Result<Vec<u8>> {
        let Scenes { title, frames, zones, .. } = scenes;
        let width = u32::try_from(self.width.get()).unwrap_or(u32::MAX);
        let ink = if self.ansi_colors { Ink::Ansi } else { Ink::Plain };
        if self.diagram_every.is_some() {
            let boards = frames.into_iter().map(|frame| self.picture(frame, &zones)).collect();
            let sheet = ContactSheet { title, boards };
            return Ok(match format {
                PictureFormat::Text => sheet.to_text(ink).into_bytes(),
                PictureFormat::Svg => sheet.to_svg().into_bytes(),
                PictureFormat::Pdf => sheet.to_pdf(),
                PictureFormat::Png | PictureFormat::Gif => sheet.to_png(width)?,
            });
        }
        let mut frames: Vec<Frame> =
            frames.into_iter().map(|frame| titled(frame, title.as_deref())).collect();
        if self.animate {
            let mut animation = Animation::new(zones, frames)?;
            animation.view = self.view(animation.view);
            if format != PictureFormat::Gif {
                return Ok(animation.to_svg().into_bytes());
            }
            let mut gif = Vec::new();
            animation.write_gif(&mut gif, width)?;
            return Ok(gif);
        }
        let Some(frame) = frames.pop() else {
            return Err(Error::new(ErrorKind::Internal, "no board to show"));
        };
        let picture = self.picture(frame, &zones);
        Ok(match format {
            PictureFormat::Text => picture.to_text(ink).into_bytes(),
            PictureFormat::Svg => picture.to_svg().into_bytes(),
            PictureFormat::Pdf => picture.to_pdf(),
            PictureFormat::Png | PictureFormat::Gif => picture.to_png(width)?,
        })
    }

    fn picture(&self, frame: Frame, zones: &Zones) -> BoardPicture {
        let Frame { setup, marks, caption } = frame;
        let mut picture = BoardPicture { marks, caption, ..BoardPicture::new(setup, zones.clone()) };
        picture.view = self.view(picture.view);
        picture
    }

    /// Returns a view as the request wants it.
    fn view(&self, usual: View) -> View {
        View { theme: self.theme.into(), is_rotated: self.flip, ..usual }
    }
}

/// Returns a frame with a title above its caption.
fn titled(frame: Frame, title: Option<&str>) -> Frame {
    let lines = title.into_iter().chain(frame.caption.as_deref());
    let caption = lines.collect::<Vec<_>>().join("\n");
    Frame { caption: Some(caption).filter(|caption| !caption.is_empty()), ..frame }
}

impl Request for ShowRequest {
    type Answer = ShowAnswer;

    fn run(self, app: &App, job: &Job) -> Result<ShowAnswer> {
        self.run_with_stdin(None, app, job)
    }
}

fn start(variant: &Variant) -> Scenes {
    let frame = Frame { caption: Some(variant.title()), ..Frame::new(variant.rules.start.clone()) };
    Scenes::of_board(frame, Zones::of(&variant.rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_of_a_file_decides_the_format() {
        let format =
            |name: &str| ShowRequest::default().for_file(Path::new(name)).map(|request| request.format);
        assert_eq!(format("a.PNG"), Ok(Some(PictureFormat::Png)));
        assert_eq!(format("a.xyz").unwrap_err().parameter.as_deref(), Some("format"));
        let named = ShowRequest { format: Some(PictureFormat::Text), ..ShowRequest::default() };
        assert_eq!(named.for_file(Path::new("a.png")).unwrap().format, Some(PictureFormat::Text));
        let animation = ShowRequest { animate: true, ..ShowRequest::default() };
        assert_eq!(animation.for_file(Path::new("a.xyz")).unwrap().format, None);
    }

    #[test]
    fn a_request_has_defaults() {
        let request: ShowRequest = serde_json::from_str(r#"{"variant": "brandubh7", "as": "pgn"}"#).unwrap();
        assert_eq!((request.width.get(), request.theme), (640, PictureTheme::Light));
        assert_eq!(request.notation, Some(Named(Format::from_name("pgn").unwrap())));
        assert!(serde_json::from_str::<ShowRequest>(r#"{"width": 31}"#).is_err());
    }
}
