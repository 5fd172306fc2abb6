//! Authorization: requests must use a name of this server, come from its own pages, and carry the token.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;

use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};

use super::api_error::{ApiError, ErrorCode};
use super::origins::AllowedOrigins;

/// The name of the cookie with the token, followed by the port: browsers send cookies to all ports of a host.
const COOKIE_NAME: &str = "taflbase-";

/// The security headers of every response, which keep other sites from using the pages.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         font-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "SAMEORIGIN"),
];

/// The authorization of requests.
pub(crate) struct Auth {
    bind: IpAddr,
    /// The additional host names, in lowercase.
    hosts: Vec<String>,
    /// The other sites whose pages may read the API.
    origins: AllowedOrigins,
    token: Option<String>,
    /// The path below which everything is.
    base_path: String,
}

/// The session of an authorized request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Session {
    /// The request needs no token, or has it in a header.
    Known,
    /// The request has the token in its address, which the browser exchanges for a cookie.
    New {
        /// The value of the header `Set-Cookie`.
        cookie: String,
        /// The address without the token.
        to: String,
    },
}

impl Auth {
    /// Returns the authorization of a server by its address, its additional host names, and its token.
    pub(crate) fn new(bind: IpAddr, hosts: &[String], token: Option<String>) -> Auth {
        let hosts = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Auth { bind, hosts, origins: AllowedOrigins::default(), token, base_path: String::new() }
    }

    /// Sets the path below which everything is, for cookies and for addresses without a token.
    #[must_use]
    pub(crate) fn with_base_path(self, base_path: String) -> Auth {
        Auth { base_path, ..self }
    }

    /// Allows requests from pages of other sites.
    #[must_use]
    pub(crate) fn with_origins(self, origins: AllowedOrigins) -> Auth {
        Auth { origins, ..self }
    }

    /// Returns the other sites whose pages may read the API.
    pub(crate) fn origins(&self) -> &AllowedOrigins {
        &self.origins
    }

    /// Authorizes a request, whose address is without the base path.
    ///
    /// # Errors
    ///
    /// Returns an error if the host name, the origin, or the token is wrong.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<Session, ApiError> {
        let host = self.host(uri, headers)?;
        if self.origins.of(headers).is_none() {
            check_origin(&host, headers)?;
        }
        let Some(token) = &self.token else { return Ok(Session::Known) };
        // The health check needs no token; it reveals only that the server runs.
        let cookie_name = format!("{COOKIE_NAME}{}", port_of(&host));
        if uri.path() == "/healthz" || has_token(headers, &cookie_name, token) {
            return Ok(Session::Known);
        }
        if !uri.path().starts_with("/api/")
            && let Some((given, to)) = token_in(uri)
            && eq_constant_time(&given, token)
        {
            let base = &self.base_path;
            let path = if base.is_empty() { "/" } else { base };
            let cookie = format!("{cookie_name}={token}; Path={path}; SameSite=Strict; HttpOnly");
            return Ok(Session::New { cookie, to: format!("{base}{to}") });
        }
        Err(ApiError::new(ErrorCode::Unauthorized, "the token is missing or wrong")
            .help("open the address that `tafl serve` printed, or send `Authorization: Bearer TOKEN`"))
    }

    /// Returns the host and port of a request, in lowercase.
    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<String, ApiError> {
        let forbidden = |message: &str| {
            ApiError::new(ErrorCode::ForbiddenHost, message)
                .help("start `tafl serve` with `--host NAME` to allow another name")
        };
        let mut named = headers.get_all(HOST).iter();
        let host = match (named.next(), named.next()) {
            (Some(host), None) => host.to_str().unwrap_or("").to_ascii_lowercase(),
            (None, _) => return Err(forbidden("the `Host` header is missing")),
            (Some(_), Some(_)) => return Err(forbidden("the request has two `Host` headers")),
        };
        let is_other =
            |authority: &axum::http::uri::Authority| !authority.as_str().eq_ignore_ascii_case(&host);
        // Pages contain the host as it was sent, and the cookie is named by its port.
        let has_plain_port = port_of(&host).bytes().all(|byte| byte.is_ascii_digit());
        if uri.authority().is_some_and(is_other) || !has_plain_port || !self.is_ours(without_port(&host)) {
            return Err(forbidden("the `Host` header is not a name of this server"));
        }
        Ok(host)
    }

    fn is_ours(&self, name: &str) -> bool {
        if ["localhost", "127.0.0.1", "[::1]"].contains(&name) || self.hosts.iter().any(|host| host == name) {
            return true;
        }
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let Ok(address) = bare.parse::<IpAddr>() else { return false };
        // A server on all addresses accepts any IP address: another site can't use one as its name.
        address == self.bind || self.bind.is_unspecified()
    }
}

/// Adds the security headers that a response doesn't set itself.
pub(crate) fn add_security_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
}

/// Returns a token that can't be guessed: its randomness comes from the operating system.
pub(crate) fn new_token() -> String {
    let random = RandomState::new();
    (0..2u8).map(|part| format!("{:016x}", random.hash_one(part))).collect()
}

/// Returns the host without the port.
pub(crate) fn without_port(host: &str) -> &str {
    split_port(host).0
}

/// Returns the port in a `Host` header; without one, that of HTTP.
fn port_of(host: &str) -> &str {
    split_port(host).1.unwrap_or("80")
}

fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rfind(':') {
        Some(at) if !host[at..].contains(']') => (&host[..at], Some(&host[at + 1..])),
        Some(_) | None => (host, None),
    }
}

/// Rejects requests from pages of other sites.
fn check_origin(host: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    let forbidden = || {
        ApiError::new(ErrorCode::ForbiddenOrigin, "requests from pages of other sites are forbidden")
            .help("start `tafl serve` with `--allow-origin ORIGIN` to allow a site")
    };
    if let Some(origin) = headers.get(ORIGIN) {
        let origin = origin.to_str().unwrap_or("").to_ascii_lowercase();
        let is_same = |scheme: &str| origin.strip_prefix(scheme) == Some(host);
        if !is_same("http://") && !is_same("https://") {
            return Err(forbidden());
        }
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match header("sec-fetch-site") {
        // A link from another page is a navigation, which is allowed.
        Some("cross-site" | "same-site") if header("sec-fetch-mode") != Some("navigate") => Err(forbidden()),
        Some(_) | None => Ok(()),
    }
}

/// Rejects requests for files of users from pages of other sites, even of sites that may read the API. A program of such a site
/// that has the token may send it as a header, which no page does by itself.
///
/// # Errors
///
/// Returns an error if the request comes from such a page.
pub(crate) fn check_same_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    if headers.contains_key(AUTHORIZATION) {
        return Ok(());
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    check_origin(&host.to_ascii_lowercase(), headers)
}

fn has_token(headers: &HeaderMap, cookie_name: &str, token: &str) -> bool {
    let texts = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let bearer = texts(AUTHORIZATION).any(|value| {
        value.split_once(' ').is_some_and(|(scheme, given)| {
            scheme.eq_ignore_ascii_case("bearer") && eq_constant_time(given.trim(), token)
        })
    });
    let mut cookies = texts(COOKIE).flat_map(|value| value.split(';'));
    bearer
        || cookies.any(|cookie| {
            cookie
                .trim()
                .split_once('=')
                .is_some_and(|(name, given)| name == cookie_name && eq_constant_time(given, token))
        })
}

/// Returns the token in an address, and the address without it.
pub(crate) fn token_in(uri: &Uri) -> Option<(String, String)> {
    let parts: Vec<&str> = uri.query()?.split('&').collect();
    let given = parts.iter().find_map(|part| part.strip_prefix("token="))?;
    let rest: Vec<&str> = parts.iter().filter(|part| !part.starts_with("token=")).copied().collect();
    let to =
        if rest.is_empty() { uri.path().to_owned() } else { format!("{}?{}", uri.path(), rest.join("&")) };
    // An address that begins with two slashes would lead to another server; browsers read a backslash as a slash.
    Some((given.to_owned(), format!("/{}", to.trim_start_matches(['/', '\\']))))
}

/// Compares texts in a time that doesn't depend on where they differ.
fn eq_constant_time(given: &str, token: &str) -> bool {
    let differing = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth(token: Option<&str>) -> Auth {
        Auth::new("127.0.0.1".parse().unwrap(), &["Tafl.Example.org".to_owned()], token.map(str::to_owned))
    }

    fn ask(auth: &Auth, address: &str, given: &[(&'static str, &'static str)]) -> Result<Session, ErrorCode> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        auth.check(&address.parse().unwrap(), &headers).map_err(|problem| problem.code)
    }

    #[test]
    fn only_names_of_this_server_are_answered() {
        for host in
            ["localhost:8080", "LOCALHOST", "127.0.0.1:1", "[::1]:8080", "[::1]", "tafl.example.org:80"]
        {
            assert_eq!(ask(&auth(None), "/", &[("host", host)]), Ok(Session::Known), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:8080", "", "127.0.0.2", "[::2]", "a:b]"] {
            assert_eq!(ask(&auth(None), "/", &[("host", host)]), Err(ErrorCode::ForbiddenHost), "{host}");
        }
        for host in ["localhost:80a", "localhost:\"><script>", "[::1]:80; Path=/"] {
            assert_eq!(ask(&auth(None), "/", &[("host", host)]), Err(ErrorCode::ForbiddenHost), "{host}");
        }
        assert_eq!(ask(&auth(None), "/", &[]), Err(ErrorCode::ForbiddenHost));
        let two = [("host", "localhost"), ("host", "localhost")];
        assert_eq!(ask(&auth(None), "/", &two), Err(ErrorCode::ForbiddenHost));
        let other = ask(&auth(None), "http://evil.example/", &[("host", "localhost")]);
        assert_eq!(other, Err(ErrorCode::ForbiddenHost));
    }

    #[test]
    fn a_server_on_all_addresses_accepts_ip_addresses_as_hosts() {
        let auth = Auth::new("0.0.0.0".parse().unwrap(), &[], None);
        assert_eq!(ask(&auth, "/", &[("host", "192.168.0.7:8080")]), Ok(Session::Known));
        assert_eq!(ask(&auth, "/", &[("host", "evil.example")]), Err(ErrorCode::ForbiddenHost));
    }

    #[test]
    fn requests_from_pages_of_other_sites_are_rejected() {
        let host = ("host", "localhost:8080");
        for origin in ["http://localhost:8080", "https://localhost:8080"] {
            assert_eq!(ask(&auth(None), "/", &[host, ("origin", origin)]), Ok(Session::Known), "{origin}");
        }
        for origin in ["http://localhost:8081", "http://evil.example", "null", ""] {
            let answer = ask(&auth(None), "/", &[host, ("origin", origin)]);
            assert_eq!(answer, Err(ErrorCode::ForbiddenOrigin), "{origin}");
        }
        let image = [host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")];
        assert_eq!(ask(&auth(None), "/", &image), Err(ErrorCode::ForbiddenOrigin));
        let link = [host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(ask(&auth(None), "/", &link), Ok(Session::Known));
    }

    #[test]
    fn a_token_comes_as_header_or_cookie_or_first_address() {
        let auth = auth(Some("s3cret"));
        let host = ("host", "localhost");
        assert_eq!(ask(&auth, "/api/info", &[host]), Err(ErrorCode::Unauthorized));
        for given in [
            ("authorization", "Bearer s3cret"),
            ("authorization", "bearer s3cret"),
            ("cookie", "a=b; taflbase-80=s3cret"),
        ] {
            assert_eq!(ask(&auth, "/api/info", &[host, given]), Ok(Session::Known), "{given:?}");
        }
        for given in [
            ("authorization", "Bearer s3cre"),
            ("cookie", "taflbase-80=s3cret1"),
            ("cookie", "taflbase-80="),
            ("cookie", "taflbase-8080=s3cret"),
        ] {
            assert_eq!(ask(&auth, "/api/info", &[host, given]), Err(ErrorCode::Unauthorized), "{given:?}");
        }
        let Ok(Session::New { cookie, to }) = ask(&auth, "/explore?a=1&token=s3cret&b=2", &[host]) else {
            panic!("the first address has the token");
        };
        assert_eq!(to, "/explore?a=1&b=2");
        assert_eq!(cookie, "taflbase-80=s3cret; Path=/; SameSite=Strict; HttpOnly");
        let at_port = ask(&auth, "/?token=s3cret", &[("host", "[::1]:8081")]);
        let Ok(Session::New { cookie, .. }) = at_port else { panic!("{at_port:?}") };
        assert!(cookie.starts_with("taflbase-8081="), "{cookie}");
        assert_eq!(ask(&auth, "/api/info?token=s3cret", &[host]), Err(ErrorCode::Unauthorized));
        assert_eq!(ask(&auth, "/?token=wrong", &[host]), Err(ErrorCode::Unauthorized));
        assert_eq!(ask(&auth, "/healthz", &[host]), Ok(Session::Known));
    }

    #[test]
    fn files_of_users_are_for_the_own_pages() {
        let check = |given: &[(&'static str, &'static str)]| {
            let headers = given
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
            check_same_origin(&headers.collect()).is_ok()
        };
        let host = ("host", "Tafl.example.org:8080");
        assert!(check(&[host]) && check(&[host, ("origin", "https://tafl.example.org:8080")]));
        assert!(!check(&[host, ("origin", "https://club.example.org")]));
        assert!(!check(&[host, ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "no-cors")]));
        assert!(check(&[host, ("origin", "https://club.example.org"), ("authorization", "Bearer x")]));
    }

    #[test]
    fn a_cookie_is_for_the_base_path() {
        let auth = auth(Some("s3cret")).with_base_path("/tafl".to_owned());
        let Ok(Session::New { cookie, to }) = ask(&auth, "/explore?token=s3cret", &[("host", "localhost")])
        else {
            panic!("the address has the token");
        };
        assert_eq!((to.as_str(), cookie.contains("; Path=/tafl;")), ("/tafl/explore", true));
    }

    #[test]
    fn the_first_address_never_leads_to_another_server() {
        let auth = auth(Some("t"));
        for address in ["//evil.example/?token=t", "/\\evil.example/?token=t"] {
            let Ok(Session::New { to, .. }) = ask(&auth, address, &[("host", "localhost")]) else {
                panic!("the address has the token");
            };
            assert_eq!(to, "/evil.example/");
        }
    }

    #[test]
    fn tokens_are_long_and_new_each_time() {
        let (one, other) = (new_token(), new_token());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
