//! Other sites that may show pages of this server in frames, and read its API.

use axum::http::header::{ORIGIN, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The number of seconds for which a browser caches the answer to a preflight request.
const PREFLIGHT_SECONDS: &str = "600";

/// The path of pages for frames.
const EMBED: &str = "/embed/";

/// The origins of other sites, such as `https://club.example.org`, in lowercase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AllowedOrigins(Vec<String>);

impl AllowedOrigins {
    /// Returns the origins of these texts, which [`parse_origin`] accepted.
    pub(crate) fn new(origins: &[String]) -> AllowedOrigins {
        AllowedOrigins(origins.iter().map(|origin| origin.to_ascii_lowercase()).collect())
    }

    /// Returns the origin that a request names, if it is allowed.
    pub(crate) fn of<'h>(&self, headers: &'h HeaderMap) -> Option<&'h HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        let text = origin.to_str().ok()?.to_ascii_lowercase();
        self.0.contains(&text).then_some(origin)
    }

    /// Lets pages with these origins show the response in a frame, if it is for frames.
    pub(crate) fn allow_frames(&self, path: &str, headers: &mut HeaderMap) {
        const POLICY: HeaderName = HeaderName::from_static("content-security-policy");
        if !path.starts_with(EMBED) {
            return;
        }
        let Some(policy) = headers.get(POLICY).and_then(|policy| policy.to_str().ok()) else { return };
        let ancestors = format!("frame-ancestors 'self' {}", self.0.join(" "));
        let policy = policy.replace("frame-ancestors 'self'", ancestors.trim_end());
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(POLICY, policy);
            // The older header can't name other sites.
            headers.remove("x-frame-options");
        }
    }
}

/// Adds the CORS headers that let the page with an allowed origin read the response.
pub(crate) fn add_cors_headers(origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert("access-control-allow-origin", origin);
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    headers.append(VARY, HeaderValue::from_static("origin"));
}

/// Adds the CORS headers of the answer to a preflight request.
pub(crate) fn add_preflight_headers(headers: &mut HeaderMap) {
    for (name, value) in [
        ("access-control-allow-methods", "GET, POST"),
        ("access-control-allow-headers", "authorization, content-type"),
        ("access-control-max-age", PREFLIGHT_SECONDS),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Checks the text of an origin: a scheme, a host, and a port. Returns it as browsers send it, without the usual port.
///
/// # Errors
///
/// Returns the expected form.
pub(crate) fn parse_origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-.:[]".contains(symbol);
    match host {
        Some(host) if !host.is_empty() && host.chars().all(is_plain) => {
            let usual_port = if text.starts_with("https:") { ":443" } else { ":80" };
            Ok(text.strip_suffix(usual_port).unwrap_or(text).to_owned())
        }
        Some(_) | None => {
            Err("expected the origin of a site, such as https://club.example.org, without a path".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins() -> AllowedOrigins {
        AllowedOrigins::new(&["https://Club.example.org".to_owned()])
    }

    #[test]
    fn only_named_origins_are_allowed() {
        let named = |origin: &'static str| {
            let headers = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_static(origin))]);
            origins().of(&headers).is_some()
        };
        assert!(named("https://club.example.org"));
        for origin in [
            "http://club.example.org",
            "https://club.example.org.evil.example",
            "https://example.org",
            "null",
            "",
        ] {
            assert!(!named(origin), "{origin}");
        }
    }

    #[test]
    fn only_pages_for_frames_name_their_ancestors() {
        let policy = |path| {
            let mut headers = HeaderMap::new();
            crate::auth::add_security_headers(&mut headers);
            origins().allow_frames(path, &mut headers);
            let text = headers["content-security-policy"].to_str().unwrap().to_owned();
            (
                text.contains("frame-ancestors 'self' https://club.example.org;"),
                headers.contains_key("x-frame-options"),
            )
        };
        assert_eq!(policy("/embed/game/1"), (true, false));
        assert_eq!(policy("/game/1"), (false, true));
    }

    #[test]
    fn an_origin_has_no_path() {
        for (text, sent) in [
            ("https://club.example.org:8443", "https://club.example.org:8443"),
            ("https://club.example.org:443", "https://club.example.org"),
            ("http://club.example.org:80", "http://club.example.org"),
            ("http://club.example.org:443", "http://club.example.org:443"),
        ] {
            assert_eq!(parse_origin(text).as_deref(), Ok(sent));
        }
        for wrong in
            ["*", "club.example.org", "https://", "https://a/b", "https://a b", "ftp://a", "https://a;b"]
        {
            assert!(parse_origin(wrong).is_err(), "{wrong}");
        }
    }
}
