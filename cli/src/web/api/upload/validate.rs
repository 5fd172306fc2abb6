//! Records checked: which are sound, and what is wrong with the others.

use std::sync::Arc;

use taflbase::records::{TextRequest, ValidateTextRequest};

use super::input;
use tafl_web::{ApiError, ApiRequest, Reply};

/// Answers with what is wrong with the records of the body.
pub(super) fn validate(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let text_request = ValidateTextRequest { input: input(request)? };
    let answer = text_request.run_on(&request.body, &request.snapshot.app, &request.job)?;
    Ok(Reply::Json(serde_json::to_value(answer).expect("answers have only texts, numbers, and lists")))
}
