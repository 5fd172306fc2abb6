//! Why a request has no answer: a code for programs, words for people, and the place in a parameter.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use taflbase::corpus::CorpusError;
use taflbase::{Error, ErrorKind, TextPlace};

/// What to do about a corpus that can't be read.
const DAMAGED_HELP: &str =
    "the server goes on when the corpus can be read again; `tafl verify` says what is wrong";

/// What kind of problem it is. The words are an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ErrorCode {
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
    /// The address has more bytes than HTTP heads may have.
    UriTooLong,
    /// The headers have too many bytes, or there are too many.
    HeadersTooLarge,
    /// The bytes are not an HTTP request.
    BadRequest,
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

impl ErrorCode {
    /// All codes.
    pub(crate) const ALL: [ErrorCode; 22] = [
        ErrorCode::BadParameter,
        ErrorCode::UnknownVariant,
        ErrorCode::BadRules,
        ErrorCode::BadPosition,
        ErrorCode::IllegalMove,
        ErrorCode::BadQuery,
        ErrorCode::UnknownGame,
        ErrorCode::NotFound,
        ErrorCode::BadMethod,
        ErrorCode::TooLarge,
        ErrorCode::UriTooLong,
        ErrorCode::HeadersTooLarge,
        ErrorCode::BadRequest,
        ErrorCode::TooMany,
        ErrorCode::TooSlow,
        ErrorCode::Busy,
        ErrorCode::ForbiddenHost,
        ErrorCode::ForbiddenOrigin,
        ErrorCode::Unauthorized,
        ErrorCode::BadRecord,
        ErrorCode::CorpusDamaged,
        ErrorCode::Internal,
    ];

    /// Returns the word of the interface.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            ErrorCode::BadParameter => "bad-parameter",
            ErrorCode::UnknownVariant => "unknown-variant",
            ErrorCode::BadRules => "bad-rules",
            ErrorCode::BadPosition => "bad-position",
            ErrorCode::IllegalMove => "illegal-move",
            ErrorCode::BadQuery => "bad-query",
            ErrorCode::UnknownGame => "unknown-game",
            ErrorCode::NotFound => "not-found",
            ErrorCode::BadMethod => "bad-method",
            ErrorCode::TooLarge => "too-large",
            ErrorCode::UriTooLong => "uri-too-long",
            ErrorCode::HeadersTooLarge => "headers-too-large",
            ErrorCode::BadRequest => "bad-request",
            ErrorCode::TooMany => "too-many",
            ErrorCode::TooSlow => "too-slow",
            ErrorCode::Busy => "busy",
            ErrorCode::ForbiddenHost => "forbidden-host",
            ErrorCode::ForbiddenOrigin => "forbidden-origin",
            ErrorCode::Unauthorized => "unauthorized",
            ErrorCode::BadRecord => "bad-record",
            ErrorCode::CorpusDamaged => "corpus-damaged",
            ErrorCode::Internal => "internal",
        }
    }

    /// Returns the status of HTTP.
    pub(crate) const fn status(self) -> u16 {
        match self {
            ErrorCode::BadParameter
            | ErrorCode::UnknownVariant
            | ErrorCode::BadRules
            | ErrorCode::BadPosition
            | ErrorCode::IllegalMove
            | ErrorCode::BadQuery
            | ErrorCode::BadRecord
            | ErrorCode::BadRequest => 400,
            ErrorCode::Unauthorized => 401,
            ErrorCode::ForbiddenHost | ErrorCode::ForbiddenOrigin => 403,
            ErrorCode::UnknownGame | ErrorCode::NotFound => 404,
            ErrorCode::BadMethod => 405,
            ErrorCode::TooLarge => 413,
            ErrorCode::UriTooLong => 414,
            ErrorCode::HeadersTooLarge => 431,
            ErrorCode::Internal => 500,
            ErrorCode::TooSlow | ErrorCode::TooMany | ErrorCode::Busy | ErrorCode::CorpusDamaged => 503,
        }
    }
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    /// What kind of problem it is.
    pub(crate) code: ErrorCode,
    /// What is wrong, in words.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: Option<String>,
    /// The parameter that it is about.
    pub(crate) parameter: Option<Cow<'static, str>>,
    /// The place in the text of the parameter.
    pub(crate) place: Option<TextPlace>,
}

impl ApiError {
    /// Returns a problem of a kind, in words.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), help: None, parameter: None, place: None }
    }

    /// Returns a problem with the value of a parameter.
    pub(crate) fn parameter(name: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::BadParameter, message).of(name)
    }

    /// Returns the problem with words about what to do.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> ApiError {
        ApiError { help: Some(help.into()), ..self }
    }

    /// Returns the problem as one of a parameter.
    #[must_use]
    pub(crate) fn of(self, parameter: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError { parameter: Some(parameter.into()), ..self }
    }

    /// Returns the JSON of the answer.
    pub(crate) fn json(&self) -> Value {
        let range = |(start, end): (usize, usize)| TextRange { start, end };
        let error = ErrorObject {
            code: self.code.word(),
            message: &self.message,
            help: self.help.as_deref(),
            parameter: self.parameter.as_deref(),
            span: self.place.map(|place| range(place.bytes)),
            columns: self.place.map(|place| range(place.columns)),
        };
        serde_json::to_value(ErrorBody { error }).expect("an error has only texts and numbers")
    }
}

/// The body of every answer with an error status.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(crate) struct ErrorBody<'a> {
    /// Why there is no answer.
    error: ErrorObject<'a>,
}

/// Why there is no answer.
#[derive(Debug, Serialize, JsonSchema)]
struct ErrorObject<'a> {
    /// The kind, for programs.
    #[schemars(extend("enum" = ErrorCode::ALL.map(ErrorCode::word)))]
    code: &'static str,
    /// The problem, for people.
    message: &'a str,
    /// What to do about it.
    help: Option<&'a str>,
    /// The parameter that is wrong.
    parameter: Option<&'a str>,
    /// The place in the parameter, in bytes.
    span: Option<TextRange>,
    /// The place in the parameter, in characters.
    columns: Option<TextRange>,
}

/// A range of a text, the end excluded.
#[derive(Debug, Serialize, JsonSchema)]
struct TextRange {
    /// The beginning, from 0.
    start: usize,
    /// The end.
    end: usize,
}

impl From<ErrorKind> for ErrorCode {
    fn from(kind: ErrorKind) -> ErrorCode {
        match kind {
            ErrorKind::BadParameter => ErrorCode::BadParameter,
            ErrorKind::UnknownVariant => ErrorCode::UnknownVariant,
            ErrorKind::BadRules => ErrorCode::BadRules,
            ErrorKind::BadPosition => ErrorCode::BadPosition,
            ErrorKind::IllegalMove => ErrorCode::IllegalMove,
            ErrorKind::BadQuery => ErrorCode::BadQuery,
            ErrorKind::BadRecord => ErrorCode::BadRecord,
            ErrorKind::UnknownGame => ErrorCode::UnknownGame,
            ErrorKind::CorpusDamaged => ErrorCode::CorpusDamaged,
            ErrorKind::TooLarge => ErrorCode::TooLarge,
            ErrorKind::TimedOut | ErrorKind::Canceled => ErrorCode::TooSlow,
            // Kinds may be added; one that is not known here is a bug.
            _ => ErrorCode::Internal,
        }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        let Error { kind, message, help, parameter, place, .. } = error;
        let help = match kind {
            ErrorKind::UnknownVariant => help.or(Some("/api/variants lists the variants".to_owned())),
            ErrorKind::BadQuery => {
                help.or(Some("docs/query.md describes the language of questions".to_owned()))
            }
            ErrorKind::UnknownGame => {
                help.or(Some("a number has 16 hexadecimal digits; /api/games lists games".to_owned()))
            }
            ErrorKind::CorpusDamaged => Some(DAMAGED_HELP.to_owned()),
            _ => help,
        };
        ApiError { code: kind.into(), message, help, parameter: parameter.map(Cow::Borrowed), place }
    }
}

impl From<CorpusError> for ApiError {
    fn from(error: CorpusError) -> ApiError {
        ApiError::from(Error::from(error))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_code_has_its_own_word() {
        let words: std::collections::BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.word()).collect();
        assert_eq!(words.len(), ErrorCode::ALL.len());
    }

    #[test]
    fn the_page_of_the_api_has_every_code_with_its_status() {
        let page = include_str!("../../docs/api.md");
        for code in ErrorCode::ALL {
            let (word, status) = (format!("`{}`", code.word()), format!("| {} |", code.status()));
            let row = page.lines().find(|line| line.starts_with('|') && line.contains(&word));
            assert!(row.is_some_and(|row| row.contains(&status)), "{word} {status}: {row:?}");
        }
    }

    #[test]
    fn a_place_has_bytes_and_characters() {
        let error = Error::parameter("query", "unknown word").at("query", "Þórr x", (7, 8));
        let json = ApiError::from(error).json();
        assert_eq!(json["error"]["span"], json!({ "start": 7, "end": 8 }));
        assert_eq!(json["error"]["columns"], json!({ "start": 5, "end": 6 }));
    }
}
