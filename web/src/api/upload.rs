//! Records that are sent: checked and converted, never stored.

use std::sync::Arc;

use taflbase::records::{
    ConvertTextAnswer, ConvertTextRequest, TextRequest, ValidateTextAnswer, ValidateTextRequest,
};

use crate::api_error::ApiError;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, RequestBody, Work};

/// The body of both.
const BODY: RequestBody = RequestBody {
    description: "The text of records, plain or packed as gzip or Zstandard.",
    content_type: "application/octet-stream",
};

impl Endpoint for ValidateTextRequest {
    const NAME: &'static str = "validate";
    const PATH: &'static str = "/api/validate";
    const SUMMARY: &'static str =
        "Checks records: the body is a text, or a text packed by gzip or Zstandard. Nothing is stored.";
    const WORK: Work = Work::Query;
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = ValidateTextAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&self.run_on(&request.body, &request.snapshot.app, &request.job)?))
    }
}

impl Endpoint for ConvertTextRequest {
    const NAME: &'static str = "convert";
    const PATH: &'static str = "/api/convert";
    const SUMMARY: &'static str =
        "Writes records in another notation, with a list of what it cannot say. Nothing is stored.";
    const WORK: Work = Work::Query;
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = ConvertTextAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&self.run_on(&request.body, &request.snapshot.app, &request.job)?))
    }
}
