//! Requests over the records of files.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use taflbase::records::{
    ConvertRequest, ConvertedRecord, HeaderFilter, RecordEvent, RecordRequest, RepairAnswer, RepairRequest,
    ReplayRequest, ValidateRequest,
};
use taflbase::{Error, ErrorKind, Job, Result, StreamRequest, json_text, read_parameters};

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
        "convert" => convert(read_parameters(parameters)?),
        "repair" => {
            let write = |answer: &RepairAnswer| match answer {
                RepairAnswer::Broken(record) => Some(json_text(&**record)),
                RepairAnswer::Text(repaired) => Some(json_text(&repaired.text)),
                RepairAnswer::Intact => None,
            };
            let (lines, summary) = answers::<RepairRequest>(read_parameters(parameters)?, write)?;
            Ok((lines, json_text(&summary)))
        }
        "replay" => all_answers::<ReplayRequest>(parameters),
        "validate" => all_answers::<ValidateRequest>(parameters),
        _ => Err(Error::new(ErrorKind::BadParameter, format!("unknown request `{name}`"))),
    }
}

/// Converts records. The summary has the text of all of them.
fn convert(request: ConvertRequest) -> Result<Answers> {
    let (mut text, mut headers) = (String::new(), HeaderFilter::new(request.to.0.0));
    let (lines, summary) = answers(request, |record: &ConvertedRecord| {
        text.push_str(headers.filter(0, &record.text));
        Some(json_text(record))
    })?;
    let losses = summary.losses.iter();
    let losses = losses
        .map(|(kind, counts)| json!({ "what": kind.what, "count": counts.count, "games": counts.games }));
    let losses: Vec<Value> = losses.collect();
    let (games, left_out) = (summary.games, summary.left_out);
    let summary = json!({ "games": games, "left_out": left_out, "losses": losses, "text": text });
    Ok((lines, json_text(&summary)))
}

fn all_answers<R>(parameters: &str) -> Result<Answers>
where
    R: RecordRequest<Answer: Serialize, Summary: Serialize> + DeserializeOwned,
{
    let (lines, summary) = answers::<R>(read_parameters(parameters)?, |answer| Some(json_text(answer)))?;
    Ok((lines, json_text(&summary)))
}

/// Returns the answers of a request, without those for which `write` returns `None`, and its summary.
fn answers<R: RecordRequest>(
    request: R,
    mut write: impl FnMut(&R::Answer) -> Option<String> + Send,
) -> Result<(Vec<String>, R::Summary)> {
    let mut lines = Vec::new();
    let summary = request.run(app(), &Job::default(), &mut |item| {
        match item.event {
            RecordEvent::Record(answer) => lines.extend(write(&answer)),
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
    Ok((lines, summary))
}
