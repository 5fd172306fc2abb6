//! Requests by name, with parameters and answers as JSON.

use pyo3::prelude::*;
use taflbase::engine::EvalRequest;
use taflbase::records::{ConvertTextRequest, ValidateTextRequest};
use taflbase::{
    BoardRequest, Error, ErrorKind, Job, MoveRequest, PerftRequest, PositionRequest, Request, Result,
    RulesDiffRequest, RulesExplainRequest, RulesListRequest, ShowRequest, run_json, run_text_json,
};

use crate::app;
use crate::error::to_python;

/// Runs the request with a name: its parameters are a JSON object, and its answer is JSON. `text` has the records of
/// `validate` and `convert`.
#[pyfunction]
#[pyo3(signature = (name, parameters, text = Vec::new()))]
pub(crate) fn request(py: Python<'_>, name: &str, parameters: &str, text: Vec<u8>) -> PyResult<String> {
    py.detach(|| run(name, parameters, &text)).map_err(|error| to_python(py, error))
}

fn run(name: &str, parameters: &str, text: &[u8]) -> Result<String> {
    let (app, job) = (app(), &Job::default());
    match name {
        "board" => run_json::<BoardRequest>(parameters, app, job),
        "convert" => run_text_json::<ConvertTextRequest>(parameters, text, app, job),
        "eval" => run_json::<EvalRequest>(parameters, app, job),
        "move" => run_json::<MoveRequest>(parameters, app, job),
        "perft" => run_json::<PerftRequest>(parameters, app, job),
        "position" => run_json::<PositionRequest>(parameters, app, job),
        "rules-diff" => run_json::<RulesDiffRequest>(parameters, app, job),
        "rules-explain" => run_json::<RulesExplainRequest>(parameters, app, job),
        "rules-list" => run_json::<RulesListRequest>(parameters, app, job),
        "validate" => run_text_json::<ValidateTextRequest>(parameters, text, app, job),
        _ => Err(Error::new(ErrorKind::BadParameter, format!("unknown request `{name}`"))),
    }
}

/// Draws a board or a game, and returns the content of a file. The parameters are those of `tafl show`, as a JSON object.
#[pyfunction]
pub(crate) fn picture(py: Python<'_>, parameters: &str) -> PyResult<Vec<u8>> {
    let draw = || {
        let request: ShowRequest = serde_json::from_str(parameters)
            .map_err(|error| Error::new(ErrorKind::BadParameter, error.to_string()))?;
        Ok(request.run(app(), &Job::default())?.bytes)
    };
    py.detach(draw).map_err(|error| to_python(py, error))
}
