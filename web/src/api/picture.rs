//! Pictures of positions.

use std::sync::Arc;

use taflbase::{PictureFormat, PositionPictureRequest, Request as _, ShowAnswer};

use crate::api_error::ApiError;
use crate::media_type::{GIF, PDF, PNG, SVG, TEXT};
use crate::param::ParamLimit;
use crate::request::{ApiRequest, Document};
use crate::routes::{Endpoint, Reply, Work};

impl Endpoint for PositionPictureRequest {
    const NAME: &'static str = "picture";
    const PATH: &'static str = "/api/picture";
    const SUMMARY: &'static str =
        "A picture of a position, or of the moves that lead there, as `tafl show` draws it.";
    const WORK: Work = Work::Query;
    const TYPES: &'static [&'static str] = &[SVG, PNG, GIF, PDF, TEXT];
    const LIMITS: &'static [ParamLimit] = &[ParamLimit::new("width", 2000, 640)];
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = String;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let ShowAnswer { format, bytes, .. } = self.run(&request.snapshot.app, &request.job)?;
        let (content_type, extension) = match format {
            PictureFormat::Text => (TEXT, "txt"),
            PictureFormat::Svg => (SVG, "svg"),
            PictureFormat::Png => (PNG, "png"),
            PictureFormat::Gif => (GIF, "gif"),
            PictureFormat::Pdf => (PDF, "pdf"),
        };
        let name = format!("attachment; filename=\"tafl-board.{extension}\"");
        Ok(Reply::Document(Document::new(content_type, bytes).header("content-disposition", name)))
    }
}
