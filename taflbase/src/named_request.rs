//! Requests by name, whose parameters and answers are JSON: one table for other languages and protocols.

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(not(target_family = "wasm"))]
use crate::PerftRequest;
#[cfg(feature = "database")]
use crate::database::{ExploreRequest, InfoRequest, OnCorpus, PlayerRequest, SearchRequest};
use crate::engine::EvalRequest;
#[cfg(not(target_family = "wasm"))]
use crate::engine::RulingRequest;
use crate::escape::escape;
use crate::json::{read_parameters, run_json, run_text_json};
use crate::records::{ConvertTextRequest, RepairTextRequest, TextRequest, ValidateTextRequest};
use crate::{
    App, BoardRequest, Error, ErrorKind, Job, MoveRequest, PositionRequest, Request, Result,
    RulesDiffRequest, RulesExplainRequest, RulesListRequest, ShowAnswer, ShowRequest,
};

/// A request with its name.
struct NamedRequest {
    name: &'static str,
    run: fn(&str, &[u8], &App, &Job) -> Result<String>,
}

impl NamedRequest {
    const fn of<R>(name: &'static str) -> NamedRequest
    where
        R: Request<Answer: Serialize> + DeserializeOwned,
    {
        NamedRequest { name, run: |parameters, _, app, job| run_json::<R>(parameters, app, job) }
    }

    const fn of_text<R>(name: &'static str) -> NamedRequest
    where
        R: TextRequest<Answer: Serialize> + DeserializeOwned,
    {
        NamedRequest {
            name,
            run: |parameters, text, app, job| run_text_json::<R>(parameters, text, app, job),
        }
    }
}

/// Requests that are run by name.
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, RequestTable};
///
/// let parameters = r#"{ "variant": "brandubh7" }"#;
/// let position = RequestTable::VIEWER.answer("position", parameters, b"", &App::new(), &Job::default())?;
/// assert!(position.contains(r#""to_move":"attackers""#));
/// assert!(RequestTable::VIEWER.answer("rules-explain", parameters, b"", &App::new(), &Job::default()).is_err());
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RequestTable(&'static [NamedRequest]);

impl RequestTable {
    /// All requests. WebAssembly lacks `perft` and `rules-ruling`, which need threads or the clock of the standard library.
    pub const ALL: RequestTable = RequestTable(&[
        NamedRequest::of::<BoardRequest>("board"),
        NamedRequest::of_text::<ConvertTextRequest>("convert"),
        NamedRequest::of::<EvalRequest>("eval"),
        #[cfg(feature = "database")]
        NamedRequest::of::<OnCorpus<ExploreRequest>>("explore"),
        #[cfg(feature = "database")]
        NamedRequest::of::<OnCorpus<InfoRequest>>("info"),
        NamedRequest::of::<MoveRequest>("move"),
        #[cfg(not(target_family = "wasm"))]
        NamedRequest::of::<PerftRequest>("perft"),
        #[cfg(feature = "database")]
        NamedRequest::of::<OnCorpus<PlayerRequest>>("player"),
        NamedRequest::of::<PositionRequest>("position"),
        NamedRequest::of_text::<RepairTextRequest>("repair"),
        NamedRequest::of::<RulesDiffRequest>("rules-diff"),
        NamedRequest::of::<RulesExplainRequest>("rules-explain"),
        NamedRequest::of::<RulesListRequest>("rules-list"),
        #[cfg(not(target_family = "wasm"))]
        NamedRequest::of::<RulingRequest>("rules-ruling"),
        #[cfg(feature = "database")]
        NamedRequest::of::<OnCorpus<SearchRequest>>("search"),
        NamedRequest::of_text::<ValidateTextRequest>("validate"),
    ]);

    /// The requests of a viewer of games. They need neither the engine, repairs, conversions, nor the rules sheet, so that a program
    /// with only these requests is small.
    pub const VIEWER: RequestTable = RequestTable(&[
        NamedRequest::of::<BoardRequest>("board"),
        NamedRequest::of::<MoveRequest>("move"),
        NamedRequest::of::<PositionRequest>("position"),
        NamedRequest::of::<RulesListRequest>("rules-list"),
        NamedRequest::of_text::<ValidateTextRequest>("validate"),
    ]);

    /// Runs the request with a name, and returns its answer as JSON. The parameters are a JSON object; `text` has the records
    /// of `convert`, `repair`, and `validate`, and other requests ignore it.
    ///
    /// # Errors
    ///
    /// Fails if the name or a parameter is wrong, or if the request itself fails.
    pub fn answer(self, name: &str, parameters: &str, text: &[u8], app: &App, job: &Job) -> Result<String> {
        match self.0.iter().find(|request| request.name == name) {
            Some(request) => (request.run)(parameters, text, app, job),
            None => {
                let names: Vec<&str> = self.0.iter().map(|request| request.name).collect();
                Err(Error::new(ErrorKind::BadParameter, format!("unknown request `{}`", escape(name)))
                    .with_help(format!("use one of {}", names.join(", "))))
            }
        }
    }
}

/// Runs one of [all requests](RequestTable::ALL), and returns its answer as JSON.
///
/// # Errors
///
/// Fails as [`RequestTable::answer`] does.
pub fn answer(name: &str, parameters: &str, text: &[u8], app: &App, job: &Job) -> Result<String> {
    RequestTable::ALL.answer(name, parameters, text, app, job)
}

/// Draws a board or a game. The parameters are those of [`ShowRequest`], as a JSON object.
///
/// # Errors
///
/// Fails if the parameters are not those of the request, or as the request does.
pub fn picture(parameters: &str, app: &App, job: &Job) -> Result<ShowAnswer> {
    read_parameters::<ShowRequest>(parameters)?.run(app, job)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sorted() {
        for RequestTable(requests) in [RequestTable::ALL, RequestTable::VIEWER] {
            assert!(requests.is_sorted_by(|one, next| one.name < next.name));
        }
    }

    #[test]
    fn an_unknown_request_is_an_error_that_lists_the_known_ones() {
        let error = answer("positoin", "{}", b"", &App::new(), &Job::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadParameter);
        assert!(error.help.unwrap().contains("position"));
    }

    #[test]
    fn a_text_is_passed_to_requests_about_texts() {
        let records = b"[variant:brandubh7]\n\n1. d2-c2 e4-e1\n";
        let converted =
            answer("convert", r#"{ "to": "pgn" }"#, records, &App::new(), &Job::default()).unwrap();
        assert!(converted.contains("1. d2c2"), "{converted}");
    }

    #[test]
    fn a_picture_is_drawn_from_json() {
        let shown = picture(r#"{ "variant": "brandubh7" }"#, &App::new(), &Job::default()).unwrap();
        assert!(String::from_utf8_lossy(&shown.bytes).contains("t t T K T t t"));
        let error = picture(r#"{ "width": 3 }"#, &App::new(), &Job::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadParameter);
    }
}
