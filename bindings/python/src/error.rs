//! Errors as exceptions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taflbase::{Error, ErrorAnswer};

pyo3::create_exception!(
    taflbase,
    TaflError,
    PyValueError,
    "An error of a request. Its attributes are `kind`, `message`, `help`, and `parameter`."
);

/// Returns the exception of an error.
pub(crate) fn to_python(py: Python<'_>, error: Error) -> PyErr {
    let error = error.with_field_names();
    let words = error.to_string();
    let ErrorAnswer { kind, message, help, parameter, .. } = error.into();
    let kind = serde_json::to_value(kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
    let exception = TaflError::new_err(words);
    let value = exception.value(py);
    let set = || {
        value.setattr("kind", kind)?;
        value.setattr("message", message)?;
        value.setattr("help", help)?;
        value.setattr("parameter", parameter)
    };
    match set() {
        Ok(()) => exception,
        Err(other) => other,
    }
}
