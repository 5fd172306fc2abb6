//! Errors of the API: a code for programs, a message for people, and the place in a parameter.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use taflbase::corpus::CorpusError;
use taflbase::{Error, ErrorKind, TextPlace};

/// The advice about a damaged corpus.
const DAMAGED_HELP: &str =
    "run `tafl verify` to find the damage; the server continues when the corpus can be read again";

/// The code of an error. Its text is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ErrorCode {
    /// A parameter is missing, unknown, given twice, or has a wrong value.
    BadParameter,
    /// No variant has the name.
    UnknownVariant,
    /// The rules string is wrong, or the rules cannot be played.
    BadRules,
    /// The position record does not fit the board.
    BadPosition,
    /// A move is illegal.
    IllegalMove,
    /// The query is wrong.
    BadQuery,
    /// No game has the number.
    UnknownGame,
    /// No game has the player.
    UnknownPlayer,
    /// No study has the title.
    UnknownStudy,
    /// The address is unknown.
    NotFound,
    /// Something was changed in the meantime, or exists already.
    Conflict,
    /// The address has sent too many requests.
    RateLimited,
    /// The server may not write.
    ReadOnly,
    /// A file of a user can't be written.
    CannotWrite,
    /// The address doesn't support the method.
    BadMethod,
    /// The body or the address is too long.
    TooLarge,
    /// The address is longer than the HTTP library accepts.
    UriTooLong,
    /// The headers are too long, or there are too many.
    HeadersTooLarge,
    /// The bytes are not an HTTP request.
    BadRequest,
    /// Too many connections are open.
    TooMany,
    /// The answer would take too long.
    TooSlow,
    /// No permit for the work was released in time.
    Busy,
    /// The server stops.
    Stopping,
    /// The `Host` header is not a name of this server.
    ForbiddenHost,
    /// The request comes from a page of another site.
    ForbiddenOrigin,
    /// The token is missing or wrong.
    Unauthorized,
    /// The body cannot be read as records.
    BadRecord,
    /// The corpus cannot be read.
    CorpusDamaged,
    /// A bug in the server.
    Internal,
}

impl ErrorCode {
    /// All codes.
    pub(crate) const ALL: [ErrorCode; 29] = [
        ErrorCode::BadParameter,
        ErrorCode::UnknownVariant,
        ErrorCode::BadRules,
        ErrorCode::BadPosition,
        ErrorCode::IllegalMove,
        ErrorCode::BadQuery,
        ErrorCode::UnknownGame,
        ErrorCode::UnknownPlayer,
        ErrorCode::UnknownStudy,
        ErrorCode::NotFound,
        ErrorCode::Conflict,
        ErrorCode::RateLimited,
        ErrorCode::ReadOnly,
        ErrorCode::CannotWrite,
        ErrorCode::BadMethod,
        ErrorCode::TooLarge,
        ErrorCode::UriTooLong,
        ErrorCode::HeadersTooLarge,
        ErrorCode::BadRequest,
        ErrorCode::TooMany,
        ErrorCode::TooSlow,
        ErrorCode::Busy,
        ErrorCode::Stopping,
        ErrorCode::ForbiddenHost,
        ErrorCode::ForbiddenOrigin,
        ErrorCode::Unauthorized,
        ErrorCode::BadRecord,
        ErrorCode::CorpusDamaged,
        ErrorCode::Internal,
    ];

    /// Returns the code as in JSON and metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            ErrorCode::BadParameter => "bad-parameter",
            ErrorCode::UnknownVariant => "unknown-variant",
            ErrorCode::BadRules => "bad-rules",
            ErrorCode::BadPosition => "bad-position",
            ErrorCode::IllegalMove => "illegal-move",
            ErrorCode::BadQuery => "bad-query",
            ErrorCode::UnknownGame => "unknown-game",
            ErrorCode::UnknownPlayer => "unknown-player",
            ErrorCode::UnknownStudy => "unknown-study",
            ErrorCode::NotFound => "not-found",
            ErrorCode::Conflict => "conflict",
            ErrorCode::RateLimited => "rate-limited",
            ErrorCode::ReadOnly => "read-only",
            ErrorCode::CannotWrite => "cannot-write",
            ErrorCode::BadMethod => "bad-method",
            ErrorCode::TooLarge => "too-large",
            ErrorCode::UriTooLong => "uri-too-long",
            ErrorCode::HeadersTooLarge => "headers-too-large",
            ErrorCode::BadRequest => "bad-request",
            ErrorCode::TooMany => "too-many",
            ErrorCode::TooSlow => "too-slow",
            ErrorCode::Busy => "busy",
            ErrorCode::Stopping => "stopping",
            ErrorCode::ForbiddenHost => "forbidden-host",
            ErrorCode::ForbiddenOrigin => "forbidden-origin",
            ErrorCode::Unauthorized => "unauthorized",
            ErrorCode::BadRecord => "bad-record",
            ErrorCode::CorpusDamaged => "corpus-damaged",
            ErrorCode::Internal => "internal",
        }
    }

    /// Returns the HTTP status.
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
            ErrorCode::ForbiddenHost | ErrorCode::ForbiddenOrigin | ErrorCode::ReadOnly => 403,
            ErrorCode::UnknownGame
            | ErrorCode::UnknownPlayer
            | ErrorCode::UnknownStudy
            | ErrorCode::NotFound => 404,
            ErrorCode::BadMethod => 405,
            ErrorCode::Conflict => 409,
            ErrorCode::TooLarge => 413,
            ErrorCode::UriTooLong => 414,
            ErrorCode::RateLimited => 429,
            ErrorCode::HeadersTooLarge => 431,
            ErrorCode::Internal | ErrorCode::CannotWrite => 500,
            ErrorCode::TooSlow
            | ErrorCode::TooMany
            | ErrorCode::Busy
            | ErrorCode::Stopping
            | ErrorCode::CorpusDamaged => 503,
        }
    }
}

/// The error of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    /// The code.
    pub(crate) code: ErrorCode,
    /// The problem.
    pub(crate) message: String,
    /// The advice.
    pub(crate) help: Option<String>,
    /// The wrong parameter.
    pub(crate) parameter: Option<Cow<'static, str>>,
    /// The place in the parameter.
    pub(crate) place: Option<TextPlace>,
}

impl ApiError {
    /// Creates an error.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), help: None, parameter: None, place: None }
    }

    /// Creates an error about the value of a parameter.
    pub(crate) fn parameter(name: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::BadParameter, message).of(name)
    }

    /// Creates the error of work that ends because the server stops.
    pub(crate) fn stopping() -> ApiError {
        ApiError::new(ErrorCode::Stopping, "the server stops, so the answer is incomplete")
            .help("repeat the request when it runs again")
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> ApiError {
        ApiError { help: Some(help.into()), ..self }
    }

    /// Sets the wrong parameter.
    #[must_use]
    pub(crate) fn of(self, parameter: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError { parameter: Some(parameter.into()), ..self }
    }

    /// Returns the body of the response.
    pub(crate) fn json(&self) -> Value {
        let range = |(start, end): (usize, usize)| TextRange { start, end };
        let error = ErrorObject {
            code: self.code.as_str(),
            message: &self.message,
            help: self.help.as_deref(),
            parameter: self.parameter.as_deref(),
            span: self.place.map(|place| range(place.bytes)),
            columns: self.place.map(|place| range(place.columns)),
        };
        serde_json::to_value(ErrorBody { error }).expect("an error has only strings and numbers")
    }
}

/// The body of every response with an error status.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(crate) struct ErrorBody<'a> {
    /// The error.
    error: ErrorObject<'a>,
}

/// An error.
#[derive(Debug, Serialize, JsonSchema)]
struct ErrorObject<'a> {
    /// The code, for programs.
    #[schemars(extend("enum" = ErrorCode::ALL.map(ErrorCode::as_str)))]
    code: &'static str,
    /// The problem, for people.
    message: &'a str,
    /// The advice.
    help: Option<&'a str>,
    /// The wrong parameter.
    parameter: Option<&'a str>,
    /// The place in the parameter, in bytes.
    span: Option<TextRange>,
    /// The place in the parameter, in characters.
    columns: Option<TextRange>,
}

/// A range of a text, the end excluded.
#[derive(Debug, Serialize, JsonSchema)]
struct TextRange {
    /// The start, from 0.
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
            ErrorKind::UnknownPlayer => ErrorCode::UnknownPlayer,
            ErrorKind::UnknownStudy => ErrorCode::UnknownStudy,
            ErrorKind::Conflict => ErrorCode::Conflict,
            ErrorKind::Busy => ErrorCode::Busy,
            ErrorKind::Io => ErrorCode::CannotWrite,
            ErrorKind::CorpusDamaged => ErrorCode::CorpusDamaged,
            ErrorKind::TooLarge => ErrorCode::TooLarge,
            ErrorKind::TimedOut | ErrorKind::Canceled => ErrorCode::TooSlow,
            // The enum is non-exhaustive; a kind without a code is a bug.
            _ => ErrorCode::Internal,
        }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        let Error { kind, message, help, parameter, place, .. } = error.with_field_names();
        let help = match kind {
            ErrorKind::UnknownVariant => help.or(Some("/api/variants lists the variants".to_owned())),
            ErrorKind::BadQuery => help.or(Some("docs/query.md describes the query language".to_owned())),
            ErrorKind::UnknownGame => {
                help.or(Some("a game ID has 16 hexadecimal digits; /api/games lists the games".to_owned()))
            }
            ErrorKind::CorpusDamaged => help.or(Some(DAMAGED_HELP.to_owned())),
            _ => help,
        };
        ApiError { code: kind.into(), message, help, parameter, place }
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
        let words: std::collections::BTreeSet<&str> =
            ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), ErrorCode::ALL.len());
    }

    #[test]
    fn the_page_of_the_api_has_every_code_with_its_status() {
        let page = include_str!("../../docs/api.md");
        for code in ErrorCode::ALL {
            let (word, status) = (format!("`{}`", code.as_str()), format!("| {} |", code.status()));
            let row = page.lines().find(|line| line.starts_with('|') && line.contains(&word));
            assert!(row.is_some_and(|row| row.contains(&status)), "{word} {status}: {row:?}");
        }
    }

    #[test]
    fn a_place_has_bytes_and_characters() {
        let error = Error::parameter("query", "unknown word").at("query", "Þórr x", 7..8);
        let json = ApiError::from(error).json();
        assert_eq!(json["error"]["span"], json!({ "start": 7, "end": 8 }));
        assert_eq!(json["error"]["columns"], json!({ "start": 5, "end": 6 }));
    }
}
