//! Errors of requests.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an [`Error`]. The serialized words are an interface and never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A parameter is missing, unknown, or out of its range.
    BadParameter,
    /// No variant has this name.
    UnknownVariant,
    /// The rules string is wrong, or these rules can't be played.
    BadRules,
    /// The position doesn't fit the board.
    BadPosition,
    /// A move is against the rules.
    IllegalMove,
    /// The query is wrong.
    BadQuery,
    /// The body or the file is not a record that can be read.
    BadRecord,
    /// The corpus has no game with this number.
    UnknownGame,
    /// The corpus has no player with this name.
    UnknownPlayer,
    /// No study has this title.
    UnknownStudy,
    /// Something was changed in the meantime, or exists already.
    Conflict,
    /// The corpus can't be read.
    CorpusDamaged,
    /// Another program writes into the corpus.
    Busy,
    /// The answer would exceed the maximum size.
    TooLarge,
    /// A file can't be read or written.
    Io,
    /// The job's time is over.
    TimedOut,
    /// The job was canceled.
    Canceled,
    /// A bug in this program.
    Internal,
}

/// A range of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextPlace {
    /// The range in bytes of UTF-8, the end excluded.
    pub bytes: (usize, usize),
    /// The range in characters, the end excluded.
    pub columns: (usize, usize),
}

/// The error of a request: a kind for programs, a message for people, and the place in a parameter.
#[derive(Debug, Clone)]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The problem, in lowercase and without a period. The message and the help name parameters as flags, such as `--min-games`
    /// without backticks; [`Error::with_field_names`] names them as other callers know them.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
    /// The name of the parameter that is wrong.
    pub parameter: Option<Cow<'static, str>>,
    /// The name and the content of the faulty text, such as a query or a rules string.
    pub text: Option<Box<(String, String)>>,
    /// The place in that text.
    pub place: Option<TextPlace>,
    /// The error below. It may name paths of this machine: print it on the command line, but don't send it.
    pub cause: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Creates an error.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
            help: None,
            parameter: None,
            text: None,
            place: None,
            cause: None,
        }
    }

    /// Creates the error of a parameter.
    pub fn parameter(name: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::BadParameter, message).of(name)
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Error {
        Error { help: Some(help.into()), ..self }
    }

    /// Adds the error below.
    #[must_use]
    pub fn with_cause(self, cause: Arc<dyn std::error::Error + Send + Sync>) -> Error {
        Error { cause: Some(cause), ..self }
    }

    /// Names the parameter that is wrong.
    #[must_use]
    pub fn of(self, parameter: impl Into<Cow<'static, str>>) -> Error {
        Error { parameter: Some(parameter.into()), ..self }
    }

    /// Names parameters as fields of requests, for callers in other languages and protocols: `min_games` instead of --min-games.
    /// Text in backticks is quoted, and stays as it is.
    #[must_use]
    pub fn with_field_names(self) -> Error {
        Error { message: field_names(&self.message), help: self.help.as_deref().map(field_names), ..self }
    }

    /// Adds the text that is wrong, its name, and a range of its bytes, which is clamped to characters.
    #[must_use]
    pub fn at(self, name: &str, text: &str, range: Range<usize>) -> Error {
        let clamp =
            |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let bytes = (clamp(range.start), clamp(range.end.max(range.start)));
        let columns = (text[..bytes.0].chars().count(), text[..bytes.1].chars().count());
        let place = Some(TextPlace { bytes, columns });
        Error { text: Some(Box::new((name.to_owned(), text.to_owned()))), place, ..self }
    }
}

/// Returns a text in which parameters are named as fields instead of flags.
fn field_names(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, part) in text.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        if number % 2 == 1 {
            out.push_str(part);
            continue;
        }
        for (nth, piece) in part.split("--").enumerate() {
            let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            let end = piece.find(|letter| !is_name(letter)).unwrap_or(piece.len());
            let is_flag = end > 0 && (out.is_empty() || out.ends_with([' ', '(']));
            match piece.split_at(end) {
                _ if nth == 0 => out.push_str(piece),
                _ if !is_flag => out.extend(["--", piece]),
                (flag, rest) => out.extend(["`", &flag.replace('-', "_"), "`", rest]),
            }
        }
    }
    out
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl PartialEq for Error {
    /// Compares everything except the cause.
    fn eq(&self, other: &Error) -> bool {
        let Error { kind, message, help, parameter, text, place, cause: _ } = self;
        (kind, message, help) == (&other.kind, &other.message, &other.help)
            && (parameter, text, place) == (&other.parameter, &other.text, &other.place)
    }
}

impl Eq for Error {}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_bytes_and_characters() {
        let place = Error::parameter("query", "unknown word").at("query", "Þórr x", 7..8).place.unwrap();
        assert_eq!((place.bytes, place.columns), ((7, 8), (5, 6)));
    }

    #[test]
    fn flags_are_fields_for_other_callers() {
        let error = Error::parameter("limit", "--limit of `--x` and /a--b is 1 -- too few")
            .with_help("see `tafl report --help`, --min-games, and --limit")
            .with_field_names();
        assert_eq!(error.message, "`limit` of `--x` and /a--b is 1 -- too few");
        assert_eq!(error.help.unwrap(), "see `tafl report --help`, `min_games`, and `limit`");
    }

    #[test]
    fn a_place_inside_a_character_begins_with_it() {
        let place = Error::parameter("query", "").at("query", "Þ", 1..9).place.unwrap();
        assert_eq!(place.bytes, (0, 2));
    }
}
