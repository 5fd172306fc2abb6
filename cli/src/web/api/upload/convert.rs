//! Records written in another notation.

use std::sync::Arc;

use taflbase::records::{ConvertTextRequest, TextRequest, WritableFormat};
use taflbase::{Named, NamedValue};

use super::input;
use tafl_web::{ApiError, ApiRequest, Reply};

/// Answers with the records of the body in another notation.
pub(super) fn convert(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let to = request.params.choice("to", &targets())?;
    let text_request = ConvertTextRequest { input: input(request)?, to: Named(to) };
    let answer = text_request.run_on(&request.body, &request.snapshot.app, &request.job)?;
    Ok(Reply::Json(serde_json::to_value(answer).expect("answers have only texts, numbers, and lists")))
}

/// Returns the notations that can be written, the default first.
fn targets() -> Vec<(&'static str, WritableFormat)> {
    let Named(default) = Named::<WritableFormat>::default();
    let others = WritableFormat::all().into_iter().filter(|format| *format != default);
    std::iter::once(default).chain(others).map(|format| (format.name(), format)).collect()
}
