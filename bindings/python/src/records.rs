//! Requests over the records of files.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use taflbase::records::{
    ConvertRequest, RecordEvent, RecordRequest, RepairAnswer, RepairRequest, ReplayRequest, ValidateRequest,
};
use taflbase::{Error, ErrorKind, Job, Result, StreamRequest, read_parameters};

use crate::app;
use crate::error::to_python;

/// The answers about records as JSON: one text per record, and the summary.
type Answers = (Vec<String>, String);

/// Runs a request over the records of files: `convert`, `repair`, `replay`, or `validate`.
#[pyfunction]
pub(crate) fn records(py: Python<'_>, name: &str, parameters: &str) -> PyResult<Answers> {
    py.detach(|| run(name, parameters)).map_err(|error| to_python(py, error))
}

fn run(name: &str, parameters: &str) -> Result<Answers> {
    match name {
        "convert" => {
            answers::<ConvertRequest>(parameters, json, |summary| {
                let losses = summary.losses.iter();
                let losses = losses.map(|(kind, counts)| json!({ "what": kind.what, "count": counts.count, "games": counts.games }));
                let losses: Vec<Value> = losses.collect();
                json(&json!({ "games": summary.games, "left_out": summary.left_out, "losses": losses }))
            })
        }
        "repair" => {
            let write = |answer: &RepairAnswer| match answer {
                RepairAnswer::Broken(record) => json(&**record),
                RepairAnswer::Text(repaired) => json(&repaired.text),
                RepairAnswer::Intact => Ok(None),
            };
            answers::<RepairRequest>(parameters, write, json)
        }
        "replay" => answers::<ReplayRequest>(parameters, json, json),
        "validate" => answers::<ValidateRequest>(parameters, json, json),
        _ => Err(Error::new(ErrorKind::BadParameter, format!("unknown request `{name}`"))),
    }
}

fn json<T: Serialize>(answer: &T) -> Result<Option<String>> {
    match serde_json::to_string(answer) {
        Ok(text) => Ok(Some(text)),
        Err(error) => Err(Error::new(ErrorKind::Internal, error.to_string())),
    }
}

/// Returns the answers of a request, without those for which `write` returns `None`, and its summary.
fn answers<R: RecordRequest + DeserializeOwned>(
    parameters: &str,
    write: impl Fn(&R::Answer) -> Result<Option<String>> + Send + Sync,
    summarize: impl FnOnce(&R::Summary) -> Result<Option<String>>,
) -> Result<Answers> {
    let request: R = read_parameters(parameters)?;
    let mut lines = Vec::new();
    let summary = request.run(app(), &Job::default(), &mut |item| {
        match item.event {
            RecordEvent::Record(answer) => lines.extend(write(&answer)?),
            RecordEvent::Unreadable(error) => {
                return Err(Error::new(ErrorKind::Io, format!("{}: {error}", item.input)));
            }
            RecordEvent::Finding(_)
            | RecordEvent::Failed(..)
            | RecordEvent::Skipped(_)
            | RecordEvent::Awaited => {}
        }
        Ok(())
    })?;
    Ok((lines, summarize(&summary)?.unwrap_or_default()))
}
