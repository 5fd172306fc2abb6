//! Records that are sent: checked and converted, never stored.

mod batches;
mod convert;
mod validate;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use taflbase::{Named, RulesRequest};

use tafl_web::{ApiError, ApiRequest, Endpoint, InputNotation, Reply, RequestBody, Work, WritableNotation};

/// How a body is read.
#[derive(Debug, Deserialize, JsonSchema)]
struct BodyParams {
    /// The notation; `auto` finds out.
    #[serde(default = "InputNotation::default_name")]
    r#as: Named<InputNotation>,
    /// The rules by which the records are replayed. Without them, what each record says.
    #[serde(flatten)]
    rules: RulesRequest,
    /// The file's name: it helps to find out notation and variant.
    name: Option<String>,
}

/// Check records.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ValidateParams {
    /// How the body is read.
    #[serde(flatten)]
    body: BodyParams,
}

/// Convert records.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ConvertParams {
    /// How the body is read.
    #[serde(flatten)]
    body: BodyParams,
    /// The notation to write.
    #[serde(default = "WritableNotation::default_name")]
    to: Named<WritableNotation>,
}

/// The body of both.
const BODY: RequestBody = RequestBody {
    description: "The text of records, plain or packed as gzip or Zstandard.",
    content_type: "application/octet-stream",
};

impl Endpoint for ValidateParams {
    const NAME: &'static str = "validate";
    const PATH: &'static str = "/api/validate";
    const SUMMARY: &'static str =
        "Checks records: the body is a text, or a text packed by gzip or Zstandard. Nothing is stored.";
    const WORK: Work = Work::Query;
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = serde_json::Map<String, serde_json::Value>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        validate::validate(&self.body, request)
    }
}

impl Endpoint for ConvertParams {
    const NAME: &'static str = "convert";
    const PATH: &'static str = "/api/convert";
    const SUMMARY: &'static str =
        "Writes records in another notation, with a list of what it cannot say. Nothing is stored.";
    const WORK: Work = Work::Query;
    const BODY: Option<RequestBody> = Some(BODY);
    type Answer = serde_json::Map<String, serde_json::Value>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        convert::convert(&self.body, self.to.0.0, request)
    }
}
