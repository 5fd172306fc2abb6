//! Operations on corpora that are not requests by name: imports, tables in the Arrow IPC stream format, and reports.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Deserialize;
use taflbase::database::{ImportRequest, OnCorpus, ReportFormat, ReportRequest, SqlRequest};
use taflbase::{Error, ErrorKind, Job, Request, Result, StreamRequest, json_text, read_parameters};

use crate::app;
use crate::error::to_python;

/// Imports games into a corpus, and returns the counts as JSON. The parameters are those of `tafl import`.
#[pyfunction]
pub(crate) fn import_games(py: Python<'_>, parameters: &str) -> PyResult<String> {
    let run = || {
        let summary =
            read_parameters::<ImportRequest>(parameters)?.run(app(), &Job::default(), &mut |_| Ok(()))?;
        Ok(json_text(&summary))
    };
    py.detach(run).map_err(|error| to_python(py, error))
}

/// Returns the result of an SQL query about a corpus.
#[pyfunction]
pub(crate) fn table<'py>(py: Python<'py>, folder: PathBuf, query: String) -> PyResult<Bound<'py, PyBytes>> {
    let table = || {
        let request = OnCorpus { corpus: folder, request: SqlRequest { question: query } };
        let mut bytes = Vec::new();
        let written = request.run(app(), &Job::default())?.write_arrow(&mut bytes);
        written.map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))?;
        Ok(bytes)
    };
    let bytes = py.detach(table).map_err(|error| to_python(py, error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The format of a report, as a parameter.
#[derive(Deserialize)]
struct ReportFile {
    format: ReportFormat,
}

/// Creates a report about corpora, and returns it as a file of a format.
#[pyfunction]
pub(crate) fn report(py: Python<'_>, parameters: &str, format: &str) -> PyResult<Vec<u8>> {
    let make = || {
        let request: ReportRequest = read_parameters(parameters)?;
        let ReportFile { format } = read_parameters(&serde_json::json!({ "format": format }).to_string())?;
        let opened =
            request.sources().iter().map(|path| app().corpora().open(path)).collect::<Result<Vec<_>>>()?;
        let answer = request.make(&opened, app(), &Job::default())?;
        format.write(&answer.report, &|name| name.to_owned())
    };
    py.detach(make).map_err(|error| to_python(py, error))
}
