//! Pages about access to the server: the form for the token, the page for too many requests, and the page that sets the cookie.

use axum::extract::Request;
use axum::http::header::{ACCEPT, SET_COOKIE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use taflbase::rules::counted;

use super::assets::html_attribute;
use super::media_type::HTML;
use super::request::Document;
use super::response::document_response;

/// Returns whether a request is of a browser that opens a page.
pub(crate) fn asks_for_page(request: &Request) -> bool {
    let accepts = request.headers().get(ACCEPT).and_then(|types| types.to_str().ok());
    let is_file = ["/api/", "/assets/"].iter().any(|folder| request.uri().path().starts_with(folder));
    !is_file && accepts.is_some_and(|types| types.contains("text/html"))
}

/// Returns the page that asks a visitor for the token, and opens the path with it. `is_wrong`: the address has a wrong token.
pub(crate) fn token_form(path: &str, is_wrong: bool, base_path: &str) -> Response {
    let problem = if is_wrong { "<p role=\"alert\"><strong>The token is wrong.</strong></p>" } else { "" };
    // An address that begins with two slashes would send the token to another server.
    let action = format!("{base_path}/{}", path.trim_start_matches(['/', '\\']));
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\"><title>Taflbase</title>\
         <main><h1>This server needs a token</h1>{problem}<p>Open the address that <code>tafl serve</code> printed, or enter the \
         token at its end. Only the person who started the server can tell you the token.</p><form action=\"{}\">\
         <label>Token <input name=\"token\" type=\"password\" autocomplete=\"current-password\" required></label> <button>Open</button></form></main></html>\n",
        html_attribute(&action)
    );
    let mut response = document_response(Document::new(HTML, page));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response
}

/// Returns the page for a visitor who has sent too many requests; it loads the address again when the server answers it.
pub(crate) fn wait_page(seconds: u64) -> Response {
    let wait = counted(seconds, "second", "seconds");
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\"><title>Taflbase</title>\
         <main><h1>Too many requests</h1><p>Your address has sent many requests in a short time. This page loads again in \
         {wait}.</p></main></html>\n"
    );
    let mut response = document_response(Document::new(HTML, page));
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response.headers_mut().insert(HeaderName::from_static("refresh"), HeaderValue::from(seconds));
    response
}

/// Returns the page that sets the cookie of a browser and opens the address without the token.
///
/// It refreshes instead of redirecting, because after a link from another site, browsers send no strict cookie with a
/// redirected request.
pub(crate) fn cookie_page(cookie: &str, to: &str) -> Response {
    // The icon keeps browsers from asking for /favicon.ico, for which they have no cookie below a base path.
    let page = "<!doctype html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\"><title>Taflbase</title><p>Loading…</p>\n";
    let mut response = document_response(Document::new(HTML, page));
    let headers = response.headers_mut();
    for (name, value) in
        [(SET_COOKIE, cookie.to_owned()), (HeaderName::from_static("refresh"), format!("0; url={to}"))]
    {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    response
}
