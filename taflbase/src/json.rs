//! Requests whose parameters and answers are JSON, for callers in other languages.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tafl_parser::escape_json;

use crate::records::TextRequest;
use crate::{App, Error, ErrorKind, Job, Request, Result, TextPlace};

/// Runs a request, and returns its answer as JSON. The parameters are a JSON object with the fields of the request.
///
/// # Errors
///
/// Fails if the parameters are not those of the request, or as the request does.
pub(crate) fn run_json<R>(parameters: &str, app: &App, job: &Job) -> Result<String>
where
    R: Request<Answer: Serialize> + DeserializeOwned,
{
    to_json(&read_parameters::<R>(parameters)?.run(app, job)?)
}

/// Runs a request over a text with records, and returns its answer as JSON.
///
/// # Errors
///
/// Fails if the parameters are not those of the request, or as the request does.
pub(crate) fn run_text_json<R>(parameters: &str, text: &[u8], app: &App, job: &Job) -> Result<String>
where
    R: TextRequest<Answer: Serialize> + DeserializeOwned,
{
    to_json(&read_parameters::<R>(parameters)?.run_on(text, app, job)?)
}

/// Reads the parameters of a request, which are a JSON object with its fields.
///
/// # Errors
///
/// Fails if the parameters are not those of the request.
pub fn read_parameters<R: DeserializeOwned>(parameters: &str) -> Result<R> {
    let mut deserializer = serde_json::Deserializer::from_str(parameters);
    serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| Error::new(ErrorKind::BadParameter, error.to_string()))
}

/// Returns an answer as JSON.
///
/// # Errors
///
/// Fails if the answer can't be written as JSON, which is a bug.
pub fn to_json<T: Serialize>(answer: &T) -> Result<String> {
    let json = serde_json::to_string(answer);
    json.map(escape_json).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
}

/// An error as JSON. The fields are those of [`Error`], without the faulty text and the cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ErrorAnswer {
    /// The kind.
    pub kind: ErrorKind,
    /// The problem, in lowercase and without a period.
    pub message: String,
    /// The remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The name of the parameter that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<&'static str>,
    /// The place in the parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<TextPlace>,
}

impl ErrorAnswer {
    /// Returns the error as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an error has only texts and numbers")
    }
}

impl From<Error> for ErrorAnswer {
    fn from(error: Error) -> ErrorAnswer {
        let Error { kind, message, help, parameter, place, .. } = error;
        ErrorAnswer { kind, message, help, parameter, place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::ValidateTextRequest;
    use crate::{MoveRequest, PositionRequest};

    #[test]
    fn a_wrong_parameter_is_named() {
        let run = |parameters| run_json::<MoveRequest>(parameters, &App::new(), &Job::default());
        let error = run(r#"{ "variant": "brandubh7", "move": 3 }"#).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadParameter);
        assert!(error.message.contains("move"), "{error}");
        assert_eq!(run("{").unwrap_err().kind, ErrorKind::BadParameter);
    }

    #[test]
    fn an_error_has_its_kind_and_its_place() {
        let parameters = r#"{ "variant": "brandubh7", "position": "/3t3/x" }"#;
        let error = run_json::<PositionRequest>(parameters, &App::new(), &Job::default()).unwrap_err();
        let answer: serde_json::Value = serde_json::from_str(&ErrorAnswer::from(error).to_json()).unwrap();
        assert_eq!((&answer["kind"], &answer["parameter"]), (&"bad-position".into(), &"position".into()));
    }

    #[test]
    fn a_text_is_validated_by_the_rules_of_the_parameters() {
        let text = b"d6-a6 d5-a5xa6 d2-g2 d3-a3xa4 d1-d7,0,2,White";
        let parameters = r#"{ "variant": "brandubh7" }"#;
        let answer =
            run_text_json::<ValidateTextRequest>(parameters, text, &App::new(), &Job::default()).unwrap();
        assert!(answer.contains(r#""code":"L001""#), "{answer}");
    }
}
