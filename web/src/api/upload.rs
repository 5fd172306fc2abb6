//! Validation, repair, and conversion of records in the body of a request. They are not stored.

use std::sync::Arc;

use taflbase::records::{
    ConvertTextAnswer, ConvertTextRequest, RepairTextAnswer, RepairTextRequest, TextRequest,
    ValidateTextAnswer, ValidateTextRequest,
};

use crate::api_error::ApiError;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, RequestBody, Work};

/// The body of these requests.
pub(super) const BODY: RequestBody = RequestBody {
    description: "Game records as text, optionally compressed with gzip or Zstandard.",
    content_type: "application/octet-stream",
};

impl Endpoint for ValidateTextRequest {
    const NAME: &'static str = "validate";
    const PATH: &'static str = "/api/validate";
    const SUMMARY: &'static str = "Validate game records. They are not stored.";
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
        "Convert game records to another notation, with a list of losses. They are not stored.";
    const WORK: Work = Work::Query;
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = ConvertTextAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&self.run_on(&request.body, &request.snapshot.app, &request.job)?))
    }
}

impl Endpoint for RepairTextRequest {
    const NAME: &'static str = "repair";
    const PATH: &'static str = "/api/repair";
    const SUMMARY: &'static str =
        "Suggest repairs of broken game records, and apply them to the text. Records are not stored.";
    const WORK: Work = Work::Query;
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = RepairTextAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&self.run_on(&request.body, &request.snapshot.app, &request.job)?))
    }
}
