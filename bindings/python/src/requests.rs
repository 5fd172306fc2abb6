//! Requests by name, with parameters and answers as JSON.

use pyo3::prelude::*;
use taflbase::{Job, answer};

use crate::app;
use crate::error::to_python;

/// Runs the request with a name: its parameters are a JSON object, and its answer is JSON. `text` has the records of
/// `convert`, `repair`, and `validate`.
#[pyfunction]
#[pyo3(signature = (name, parameters, text = Vec::new()))]
pub(crate) fn request(py: Python<'_>, name: &str, parameters: &str, text: Vec<u8>) -> PyResult<String> {
    py.detach(|| answer(name, parameters, &text, app(), &Job::default()))
        .map_err(|error| to_python(py, error))
}

/// Draws a board or a game, and returns the content of a file. The parameters are those of `tafl show`, as a JSON object.
#[pyfunction]
pub(crate) fn picture(py: Python<'_>, parameters: &str) -> PyResult<Vec<u8>> {
    let draw = || taflbase::picture(parameters, app(), &Job::default());
    py.detach(draw).map(|shown| shown.bytes).map_err(|error| to_python(py, error))
}
