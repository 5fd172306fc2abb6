//! Studies in the folder of the user, on a server that may write.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::{Study, StudyEntry};

use crate::api_error::{ApiError, ErrorCode};
use crate::media_type::LINES;
use crate::request::ApiRequest;
use crate::routes::{Access, Endpoint, Reply, RequestBody, Work};

/// The body of a study.
const BODY: RequestBody = RequestBody {
    description: "The games of the study: a record as JSON on each line, as `/api/convert` writes with `to=jsonl`.",
    content_type: LINES,
};

/// List the studies
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StudiesParams {}

/// Open a study
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StudyParams {
    /// The title.
    title: String,
}

/// Save a study
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SaveStudyParams {
    /// The title.
    title: String,
    /// The version that is replaced; none for a new study.
    version: Option<String>,
}

/// Rename a study
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RenameStudyParams {
    /// The title.
    title: String,
    /// The new title.
    new_title: String,
}

/// Delete a study
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct DeleteStudyParams {
    /// The title.
    title: String,
    /// The version that is deleted.
    version: String,
}

/// The studies.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StudiesAnswer {
    /// The studies, by title.
    studies: Vec<StudyEntry>,
}

/// A study that was deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DeletedStudy {
    /// The title.
    title: String,
}

impl Endpoint for StudiesParams {
    const NAME: &'static str = "studies";
    const PATH: &'static str = "/api/studies";
    const SUMMARY: &'static str = "The studies in the folder of the user.";
    const WORK: Work = Work::Query;
    const ACCESS: Access = Access::UserFiles;
    type Answer = StudiesAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&StudiesAnswer { studies: request.site.studies()?.list()? }))
    }
}

impl Endpoint for StudyParams {
    const NAME: &'static str = "study";
    const PATH: &'static str = "/api/study";
    const SUMMARY: &'static str = "A study: its games as records.";
    const WORK: Work = Work::Query;
    const ACCESS: Access = Access::UserFiles;
    type Answer = Study;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&request.site.studies()?.open(&self.title)?))
    }
}

impl Endpoint for SaveStudyParams {
    const NAME: &'static str = "study_save";
    const PATH: &'static str = "/api/study/save";
    const SUMMARY: &'static str = "Save a study. A change must name the version that it replaces.";
    const WORK: Work = Work::Write;
    const BODY: Option<RequestBody> = Some(BODY);
    const ACCESS: Access = Access::Write;
    type Answer = StudyEntry;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let games = std::str::from_utf8(&request.body)
            .map_err(|_| ApiError::new(ErrorCode::BadRecord, "the body is not UTF-8"))?;
        Ok(Reply::json(&request.site.studies()?.save(&self.title, games, self.version.as_deref())?))
    }
}

impl Endpoint for RenameStudyParams {
    const NAME: &'static str = "study_rename";
    const PATH: &'static str = "/api/study/rename";
    const SUMMARY: &'static str = "Rename a study.";
    const WORK: Work = Work::Write;
    const ACCESS: Access = Access::Write;
    type Answer = StudyEntry;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&request.site.studies()?.rename(&self.title, &self.new_title)?))
    }
}

impl Endpoint for DeleteStudyParams {
    const NAME: &'static str = "study_delete";
    const PATH: &'static str = "/api/study/delete";
    const SUMMARY: &'static str = "Delete a study.";
    const WORK: Work = Work::Write;
    const ACCESS: Access = Access::Write;
    type Answer = DeletedStudy;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        request.site.studies()?.remove(&self.title, &self.version)?;
        Ok(Reply::json(&DeletedStudy { title: self.title }))
    }
}
