//! Why a request has no answer: a code for programs, words for people, and the place in a parameter.

use serde_json::{Value, json};
use tafl_corpus::CorpusError;
use tafl_corpus::query::QueryError;
use tafl_rules::Span;
use taflbase::{Error, ErrorKind, TextPlace};

/// What kind of problem it is. The words are an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    /// A parameter is missing, unknown, given twice, or no value of its kind.
    BadParameter,
    /// No variant has the name.
    UnknownVariant,
    /// The rules string has a mistake, or the rules cannot be played.
    BadRules,
    /// The position record does not fit the board.
    BadPosition,
    /// A move is against the rules.
    IllegalMove,
    /// The text is no question.
    BadQuery,
    /// No game has the number.
    UnknownGame,
    /// Nothing has the address.
    NotFound,
    /// The address is not asked with this method.
    BadMethod,
    /// The body or the address is too long.
    TooLarge,
    /// Too many connections are open.
    TooMany,
    /// The answer would take too long.
    TooSlow,
    /// All places for such work are taken.
    Busy,
    /// The header `Host` is none of this server's names.
    ForbiddenHost,
    /// Another page asks.
    ForbiddenOrigin,
    /// The token is missing or wrong.
    Unauthorized,
    /// The body is no record that can be read.
    BadRecord,
    /// The corpus cannot be read.
    CorpusDamaged,
    /// A mistake of this program.
    Internal,
}

impl Code {
    /// All codes.
    pub(crate) const ALL: [Code; 19] = [
        Code::BadParameter,
        Code::UnknownVariant,
        Code::BadRules,
        Code::BadPosition,
        Code::IllegalMove,
        Code::BadQuery,
        Code::UnknownGame,
        Code::NotFound,
        Code::BadMethod,
        Code::TooLarge,
        Code::TooMany,
        Code::TooSlow,
        Code::Busy,
        Code::ForbiddenHost,
        Code::ForbiddenOrigin,
        Code::Unauthorized,
        Code::BadRecord,
        Code::CorpusDamaged,
        Code::Internal,
    ];

    /// Returns the word of the interface.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Code::BadParameter => "bad-parameter",
            Code::UnknownVariant => "unknown-variant",
            Code::BadRules => "bad-rules",
            Code::BadPosition => "bad-position",
            Code::IllegalMove => "illegal-move",
            Code::BadQuery => "bad-query",
            Code::UnknownGame => "unknown-game",
            Code::NotFound => "not-found",
            Code::BadMethod => "bad-method",
            Code::TooLarge => "too-large",
            Code::TooMany => "too-many",
            Code::TooSlow => "too-slow",
            Code::Busy => "busy",
            Code::ForbiddenHost => "forbidden-host",
            Code::ForbiddenOrigin => "forbidden-origin",
            Code::Unauthorized => "unauthorized",
            Code::BadRecord => "bad-record",
            Code::CorpusDamaged => "corpus-damaged",
            Code::Internal => "internal",
        }
    }

    /// Returns the status of HTTP.
    pub(crate) const fn status(self) -> u16 {
        match self {
            Code::BadParameter
            | Code::UnknownVariant
            | Code::BadRules
            | Code::BadPosition
            | Code::IllegalMove
            | Code::BadQuery
            | Code::BadRecord => 400,
            Code::Unauthorized => 401,
            Code::ForbiddenHost | Code::ForbiddenOrigin => 403,
            Code::UnknownGame | Code::NotFound => 404,
            Code::BadMethod => 405,
            Code::TooLarge => 413,
            Code::Internal => 500,
            Code::TooSlow | Code::TooMany | Code::Busy | Code::CorpusDamaged => 503,
        }
    }
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// What kind of problem it is.
    pub(crate) code: Code,
    /// What is wrong, in words.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: Option<String>,
    /// The parameter that it is about.
    pub(crate) parameter: Option<&'static str>,
    /// The place in the text of the parameter.
    pub(crate) place: Option<TextPlace>,
}

impl Problem {
    /// Returns a problem of a kind, in words.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), help: None, parameter: None, place: None }
    }

    /// Returns a problem with the value of a parameter.
    pub(crate) fn parameter(name: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(Code::BadParameter, message).of(name)
    }

    /// Returns the problem with words about what to do.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// Returns the problem as one of a parameter.
    #[must_use]
    pub(crate) fn of(self, parameter: &'static str) -> Problem {
        Problem { parameter: Some(parameter), ..self }
    }

    /// Returns the problem with a range of bytes of the parameter's text.
    #[must_use]
    pub(crate) fn at(self, text: &str, (start, end): (usize, usize)) -> Problem {
        let clamp =
            |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let bytes = (clamp(start), clamp(end.max(start)));
        let columns = (text[..bytes.0].chars().count(), text[..bytes.1].chars().count());
        Problem { place: Some(TextPlace { bytes, columns }), ..self }
    }

    /// Returns the problem of a text that is no question.
    pub(crate) fn of_query(error: &QueryError, text: &str, parameter: &'static str) -> Problem {
        let span = bytes(error.span);
        Problem::new(Code::BadQuery, error.to_string())
            .of(parameter)
            .at(text, span)
            .help("docs/query.md describes the language of questions")
    }

    /// Returns the JSON of the answer.
    pub(crate) fn json(&self) -> Value {
        let range = |(start, end): (usize, usize)| json!({ "start": start, "end": end });
        json!({ "error": {
            "code": self.code.word(),
            "message": self.message,
            "help": self.help,
            "parameter": self.parameter,
            "span": self.place.map(|place| range(place.bytes)),
            "columns": self.place.map(|place| range(place.columns)),
        } })
    }
}

fn bytes(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

impl From<ErrorKind> for Code {
    fn from(kind: ErrorKind) -> Code {
        match kind {
            ErrorKind::BadParameter => Code::BadParameter,
            ErrorKind::UnknownVariant => Code::UnknownVariant,
            ErrorKind::BadRules => Code::BadRules,
            ErrorKind::BadPosition => Code::BadPosition,
            ErrorKind::IllegalMove => Code::IllegalMove,
            ErrorKind::BadQuery => Code::BadQuery,
            ErrorKind::BadRecord => Code::BadRecord,
            ErrorKind::UnknownGame => Code::UnknownGame,
            ErrorKind::CorpusDamaged => Code::CorpusDamaged,
            ErrorKind::TimedOut | ErrorKind::Canceled => Code::TooSlow,
            // Kinds may be added; one that is not known here is a bug.
            _ => Code::Internal,
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let Error { kind, message, help, parameter, place, .. } = error;
        let help = match kind {
            ErrorKind::UnknownVariant => help.or(Some("/api/variants lists the variants".to_owned())),
            _ => help,
        };
        Problem { code: kind.into(), message, help, parameter, place }
    }
}

impl From<CorpusError> for Problem {
    /// The message names the file only by its name: paths are nobody's business on the other side.
    fn from(error: CorpusError) -> Problem {
        let damaged = |message: String| {
            Problem::new(Code::CorpusDamaged, message).help(
                "the server goes on when the corpus can be read again; `tafl verify` says what is wrong",
            )
        };
        let name = |path: &std::path::Path| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        match &error {
            CorpusError::Absent { .. } | CorpusError::NoCorpus { .. } => {
                damaged("the corpus is gone".to_owned())
            }
            CorpusError::Newer { found, known, .. } => {
                damaged(format!("the corpus has version {found}, this server reads version {known}"))
            }
            CorpusError::Keys { found, known, .. } => {
                damaged(format!("the position keys have version {found}, this server has version {known}"))
            }
            CorpusError::Damaged { path, fault } => {
                damaged(format!("a file of the corpus is damaged, {}: {fault}", name(path)))
            }
            CorpusError::Io { path, source } => {
                damaged(format!("a file of the corpus cannot be read, {}: {}", name(path), source.kind()))
            }
            CorpusError::Stopped => Problem::new(Code::TooSlow, "the answer takes too long")
                .help("ask for less: name a variant, a year, a player, or a smaller page"),
            CorpusError::Sql(message) => Problem::new(Code::BadQuery, message.clone()),
            // The list of kinds may grow; a kind that is not known here is a mistake of this program.
            _ => Problem::new(Code::Internal, "the corpus cannot be asked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_word() {
        let words: std::collections::BTreeSet<&str> = Code::ALL.iter().map(|code| code.word()).collect();
        assert_eq!(words.len(), Code::ALL.len());
    }

    #[test]
    fn the_page_of_the_api_has_every_code_with_its_status() {
        let page = include_str!("../../../docs/api.md");
        for code in Code::ALL {
            let (word, status) = (format!("`{}`", code.word()), format!("| {} |", code.status()));
            let row = page.lines().find(|line| line.starts_with('|') && line.contains(&word));
            assert!(row.is_some_and(|row| row.contains(&status)), "{word} {status}: {row:?}");
        }
    }

    #[test]
    fn a_place_counts_bytes_and_characters() {
        let problem = Problem::parameter("query", "what is this?").at("Þórr x", (7, 8));
        let json = problem.json();
        assert_eq!(json["error"]["span"], json!({ "start": 7, "end": 8 }));
        assert_eq!(json["error"]["columns"], json!({ "start": 5, "end": 6 }));
    }

    #[test]
    fn a_place_inside_of_a_character_begins_with_it() {
        let problem = Problem::parameter("query", "").at("Þ", (1, 9));
        assert_eq!(problem.place.map(|place| place.bytes), Some((0, 2)));
    }
}
