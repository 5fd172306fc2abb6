//! Answers as JSON, and requests whose parameters are JSON, for callers in other languages.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tafl_parser::escape_json;

use crate::escape::escape;
use crate::records::TextRequest;
use crate::{App, Error, ErrorKind, Job, Request, Result, TextPlace};

/// Returns an answer as JSON in one line, without a line feed. Characters that affect a terminal are escaped.
///
/// # Panics
///
/// Panics if a map has keys that are not texts, which no answer has.
pub fn json_text(answer: &impl Serialize) -> String {
    escape_json(serde_json::to_string(answer).expect("answers have only texts, numbers, and lists"))
}

/// Returns an answer as a line of JSON, as [`json_text`] writes it.
///
/// # Panics
///
/// As [`json_text`].
pub fn json_line(answer: &impl Serialize) -> String {
    json_text(answer) + "\n"
}

/// Returns an answer as indented JSON with a line feed at its end. Characters that affect a terminal are escaped.
///
/// # Panics
///
/// As [`json_text`].
pub fn json_pretty(answer: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(answer).expect("answers have only texts, numbers, and lists");
    escape_json(text) + "\n"
}

/// Runs a request, and returns its answer as JSON. The parameters are a JSON object with the fields of the request.
///
/// # Errors
///
/// Fails if the parameters are not those of the request, or as the request does.
pub(crate) fn run_json<R>(parameters: &str, app: &App, job: &Job) -> Result<String>
where
    R: Request<Answer: Serialize> + DeserializeOwned,
{
    Ok(json_text(&read_parameters::<R>(parameters)?.run(app, job)?))
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
    Ok(json_text(&read_parameters::<R>(parameters)?.run_on(text, app, job)?))
}

/// Reads the parameters of a request, which are a JSON object with its fields.
///
/// # Errors
///
/// Fails if a parameter is unknown, missing, or wrong; the error has its name.
///
/// # Examples
///
/// ```
/// let read = taflbase::read_parameters::<taflbase::PositionRequest>;
/// assert!(read(r#"{ "variant": "brandubh7" }"#).is_ok());
/// assert_eq!(read(r#"{ "mvoes": "d1-c1" }"#).unwrap_err().message, "unknown parameter `mvoes`");
/// ```
pub fn read_parameters<R: DeserializeOwned>(parameters: &str) -> Result<R> {
    let given: Map<String, Value> = serde_json::from_str(parameters).map_err(|error| {
        Error::new(ErrorKind::BadParameter, format!("the parameters are not a JSON object: {error}"))
    })?;
    let request = read_fields(&given).map_err(|_| wrong_parameter::<R>(given.clone()))?;
    match given.keys().find(|name| !is_field::<R>(&given, name)) {
        Some(name) => {
            let message = format!("unknown parameter `{}`", escape(name));
            Err(Error::parameter(name.clone(), message)
                .with_help("docs/schemas.md lists the parameters of each request"))
        }
        None => Ok(request),
    }
}

fn read_fields<R: DeserializeOwned>(fields: &Map<String, Value>) -> Result<R, serde_json::Error> {
    serde_json::from_value(Value::Object(fields.clone()))
}

/// Returns whether a request has a field: whether it refuses a value that is wrong for every field. Flattened structs have no
/// other list of their fields that includes former names.
fn is_field<R: DeserializeOwned>(given: &Map<String, Value>, name: &str) -> bool {
    let mut changed = given.clone();
    changed.insert(name.to_owned(), json!([[[]]]));
    read_fields::<R>(&changed).is_err()
}

/// Returns the error of parameters that can't be read. They are added one at a time, required ones first, until one of them is
/// refused, because errors of fields in flattened structs don't name the field.
fn wrong_parameter<R: DeserializeOwned>(mut given: Map<String, Value>) -> Error {
    let mut fields = Map::new();
    let mut last = String::new();
    loop {
        let error = read_fields::<R>(&fields).err().map(|error| error.to_string()).unwrap_or_default();
        let missing = error.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        if missing.is_none() && !error.is_empty() {
            // What serde calls a variant is a value; variants are rules here.
            let error = error.replacen("unknown variant", "unknown value", 1);
            let message = format!("`{}`: {}", escape(&last), escape(&error));
            return Error::parameter(last, message);
        }
        let next =
            missing.filter(|name| given.contains_key(*name)).or(given.keys().next().map(String::as_str));
        let Some(name) = next.map(ToOwned::to_owned) else {
            let name = missing.unwrap_or_default().to_owned();
            return Error::parameter(name.clone(), format!("missing parameter `{name}`"));
        };
        fields.extend(given.remove_entry(&name));
        last = name;
    }
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
    pub parameter: Option<Cow<'static, str>>,
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
        let Error { kind, message, help, parameter, place, .. } = error.with_field_names();
        ErrorAnswer { kind, message, help, parameter, place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EvalRequest;
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
    fn a_parameter_of_a_flattened_struct_is_named() {
        fn error<R: DeserializeOwned + std::fmt::Debug>(parameters: &str) -> (Option<String>, String) {
            let error = read_parameters::<R>(parameters).unwrap_err();
            assert_eq!(error.kind, ErrorKind::BadParameter);
            (error.parameter.map(String::from), error.message)
        }
        let named = |name: &str, message: &str| (Some(name.to_owned()), message.to_owned());
        assert_eq!(
            error::<EvalRequest>(r#"{ "variant": "brandubh7", "hash": 0 }"#),
            named("hash", "`hash`: 0 is not in 1..=65536")
        );
        let (parameter, message) = error::<EvalRequest>(r#"{ "lines": 2, "nodes": "500" }"#);
        assert_eq!(parameter.as_deref(), Some("nodes"), "{message}");
        let (parameter, message) = error::<MoveRequest>(r#"{ "move": "d1-c1", "side": "white" }"#);
        assert_eq!(parameter.as_deref(), Some("side"));
        assert!(message.starts_with("`side`: unknown value `white`"), "{message}");
        assert_eq!(
            error::<MoveRequest>(r#"{ "side": "attackers" }"#),
            named("move", "missing parameter `move`")
        );
        assert_eq!(
            error::<MoveRequest>(r#"{ "move": "", "mvoes": 1 }"#),
            named("mvoes", "unknown parameter `mvoes`")
        );
    }

    #[test]
    fn former_names_of_parameters_are_known() {
        let parameters = r#"{ "rules": "brandubh7", "to_move": "defenders", "move": "d3-c3", "rule": [] }"#;
        let request: MoveRequest = read_parameters(parameters).unwrap();
        assert_eq!(request.rules.variant.as_deref(), Some("brandubh7"));
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
