//! What a server is to its visitors: its place behind a proxy, whether they can write, and what they may learn of the machine.

use std::borrow::Cow;

use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use taflbase::StudyFolder;

use super::api_error::{ApiError, ErrorCode};

/// What a server is to its visitors.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// The path below which everything is, such as `/tafl`; empty if the server has a host of its own.
    pub(crate) base_path: String,
    /// The studies of the user, if the server may write.
    pub(crate) studies: Option<StudyFolder>,
    /// Whether answers leave out the folders of files.
    pub(crate) redacts_folders: bool,
}

impl Site {
    /// Returns whether requests may change the corpus and the studies.
    pub(crate) fn may_write(&self) -> bool {
        self.studies.is_some()
    }

    /// Returns the studies of the user.
    ///
    /// # Errors
    ///
    /// Returns an error if the server may not write.
    pub(crate) fn studies(&self) -> Result<&StudyFolder, ApiError> {
        self.studies.as_ref().ok_or_else(|| {
            ApiError::new(ErrorCode::ReadOnly, "this server is read-only")
                .help("start `tafl serve` with `--write` to add games, tags, and studies")
        })
    }

    /// Returns the path of an address without the base path, or `None` if the address is outside of it.
    pub(crate) fn local_path<'p>(&self, path: &'p str) -> Option<&'p str> {
        match path.strip_prefix(&*self.base_path)? {
            "" => Some("/"),
            rest => rest.starts_with('/').then_some(rest),
        }
    }

    /// Returns an address without the base path, or `None` if it is outside of it. The health check is everywhere.
    pub(crate) fn local(&self, uri: &Uri) -> Option<Uri> {
        if self.base_path.is_empty() || uri.path() == "/healthz" {
            return Some(uri.clone());
        }
        let path = self.local_path(uri.path())?;
        let text = match uri.query() {
            Some(query) => Cow::Owned(format!("{path}?{query}")),
            None => Cow::Borrowed(path),
        };
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(PathAndQuery::try_from(&*text).ok()?);
        Uri::from_parts(parts).ok()
    }
}

/// Checks the text of a base path, and returns it without a slash at its end.
///
/// # Errors
///
/// Returns the expected form.
pub(crate) fn parse_base_path(text: &str) -> Result<String, String> {
    let path = text.trim_end_matches('/');
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-._~/".contains(symbol);
    let has_parts = || path[1..].split('/').all(|part| !matches!(part, "" | "." | ".."));
    if path.is_empty() {
        return Ok(String::new());
    }
    if path.starts_with('/') && path.chars().all(is_plain) && has_parts() {
        return Ok(path.to_owned());
    }
    Err("expected a path such as /tafl, of letters, digits, `-`, `.`, `_`, and `~`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_below_the_base_path() {
        let site = Site { base_path: "/tafl".to_owned(), ..Site::default() };
        let local = |address: &str| site.local(&address.parse().unwrap()).map(|uri| uri.to_string());
        for (address, expected) in [
            ("/tafl", Some("/")),
            ("/tafl/", Some("/")),
            ("/tafl?token=x", Some("/?token=x")),
            ("/tafl/api/search?query=a/b", Some("/api/search?query=a/b")),
            ("/tafl//evil.example/?a", Some("//evil.example/?a")),
            ("/taflx", None),
            ("/api/info", None),
            ("/healthz", Some("/healthz")),
        ] {
            assert_eq!(local(address).as_deref(), expected, "{address}");
        }
        assert_eq!(Site::default().local(&"/a?b".parse().unwrap()).unwrap().to_string(), "/a?b");
    }

    #[test]
    fn a_base_path_is_a_plain_path() {
        for (text, path) in [("/tafl", "/tafl"), ("/a/b-1/", "/a/b-1"), ("/", ""), ("", "")] {
            assert_eq!(parse_base_path(text).as_deref(), Ok(path));
        }
        for wrong in ["tafl", "//a", "/a//b", "/a/../b", "/a?b", "/a\"b", "/a b", "https://a/b"] {
            assert!(parse_base_path(wrong).is_err(), "{wrong}");
        }
    }
}
