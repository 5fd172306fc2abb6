//! The settings of the site that visitors notice: its place behind a proxy, whether they can write, and what they may learn of the machine.

use std::borrow::Cow;

use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use taflbase::StudyFolder;

use super::api_error::{ApiError, ErrorCode};
use super::auth::without_port;

/// The settings of the site that visitors notice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// The path below which everything is, such as `/tafl`; empty if the server has a host of its own.
    pub(crate) base_path: String,
    /// The studies of the user, if the server may write.
    pub(crate) studies: Option<StudyFolder>,
    /// Whether answers leave out the folders of files.
    pub(crate) redacts_folders: bool,
    /// The additional names of the server, in lowercase.
    pub(crate) hosts: Vec<String>,
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
    fn local_path<'p>(&self, path: &'p str) -> Option<&'p str> {
        match path.strip_prefix(&*self.base_path)? {
            "" => Some("/"),
            rest => rest.starts_with('/').then_some(rest),
        }
    }

    /// Returns the origin and the local path of the address of a page, or `None` if the address is not one of this server.
    /// `host` is the one of the request, which is a name of this server.
    pub(crate) fn split_address<'a>(&self, address: &'a str, host: &str) -> Option<(&'a str, &'a str)> {
        let at = address.find("://").filter(|at| matches!(&address[..*at], "http" | "https"))? + 3;
        let slash = at + address[at..].find('/')?;
        let named = address[at..slash].to_ascii_lowercase();
        let is_ours = named == host || self.hosts.iter().any(|own| own == without_port(&named));
        let path = self.local_path(&address[slash..])?;
        is_ours.then_some((&address[..slash], path))
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
    fn only_addresses_of_this_server_are_split() {
        let hosts = vec!["tafl.example.org".to_owned()];
        let site = Site { base_path: "/tafl".to_owned(), hosts, ..Site::default() };
        let split = |address| site.split_address(address, "localhost:8080");
        assert_eq!(
            split("http://localhost:8080/tafl/game/1#3"),
            Some(("http://localhost:8080", "/game/1#3"))
        );
        let named = "https://Tafl.example.org:8443/tafl/play?moves=";
        assert_eq!(split(named), Some(("https://Tafl.example.org:8443", "/play?moves=")));
        for wrong in [
            "https://evil.example/tafl/game/1",
            "https://tafl.example.org@evil.example/tafl/game/1",
            "http://localhost:8081/tafl/game/1",
            "http://localhost:8080/game/1",
            "http://localhost:8080/taflx/game/1",
            "javascript://localhost:8080/tafl/x",
            "http://localhost:8080",
            "/tafl/game/1",
            "",
        ] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
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
