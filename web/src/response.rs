//! The HTTP responses of documents, files, and errors.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;

use super::api_error::{ApiError, ErrorCode};
use super::assets::Asset;
use super::request::Document;

/// Returns the response of a document.
pub(crate) fn document_response(document: Document) -> Response {
    let mut response = Response::new(Body::from(document.bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(document.content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in document.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Returns the response of an error.
pub(crate) fn error_response(problem: &ApiError) -> Response {
    let mut response = document_response(Document::json(&problem.json()));
    *response.status_mut() =
        StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if matches!(problem.code, ErrorCode::Busy | ErrorCode::CorpusDamaged) {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

/// Returns a file, or "not modified" if the client has its current version.
pub(crate) fn asset_response(asset: &Asset, headers: &HeaderMap) -> Response {
    let tag = &*asset.tag;
    let tags = headers.get_all(IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    let is_current =
        tags.flat_map(|tags| tags.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag);
    let bytes = if is_current { Vec::new() } else { asset.bytes.to_vec() };
    let mut response = document_response(Document::new(asset.content_type, bytes));
    if is_current {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    response
}
