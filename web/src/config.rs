//! The options of `tafl serve`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use taflbase::StudyFolder;

use super::limits::ServerLimits;
use super::log::LogTarget;
use super::origins::parse_origin;
use super::rate_limit::RequestRate;
use super::site::{Site, parse_base_path};

/// The options of `tafl serve`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
The server writes only evaluations of the engine into the corpus, unless --write
lets visitors add games, tags, player aliases, and studies. It accepts
connections from this machine only, unless --bind names another address. With
--write or such an address, requests need a token, which is part of the address
that is printed to standard error. The first line on standard output is the
address without the token.

Answers contain the paths of folders only if the server is for this machine
alone: without --bind, --host, --allow-origin, and --base-path.

When the corpus changes, new requests see the new state, and running requests
finish with the old one. Ctrl-C stops the server.

Examples:
  tafl serve games.corpus
  tafl serve games.corpus --port 0 --open
  tafl serve games.corpus --write --open
  tafl serve games.corpus --bind 0.0.0.0 --host tafl.example.org
  tafl serve games.corpus --host example.org --base-path /tafl --rate 20 \\
    --trust-proxy")]
pub struct ServeConfig {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The port to listen on; 0 selects a free one
    #[arg(long, short = 'p', value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
    /// The IP address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for
    /// all of its networks
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = bind_address)]
    pub bind: IpAddr,
    /// A host name that requests may use, besides localhost and the address
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    pub host: Vec<String>,
    /// Another site whose pages may read the API and show games and positions in
    /// frames, such as `https://club.example.org`
    #[arg(long, value_name = "ORIGIN", value_parser = parse_origin)]
    pub allow_origin: Vec<String>,
    /// Serve everything below this path, such as `/tafl`
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true, value_parser = parse_base_path)]
    pub base_path: String,
    /// Let requests add games and tags, merge players' names, and save studies
    #[arg(long)]
    pub write: bool,
    /// Keep studies in this folder [default: beside the corpus, with the extension
    /// `.studies`]
    #[arg(long, value_name = "FOLDER", requires = "write")]
    pub studies: Option<PathBuf>,
    /// Limit each address to N requests per second; the files of pages don't
    /// count
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rate: Option<u32>,
    /// Allow N requests at once after a pause
    /// [default: 5 times --rate]
    #[arg(long, value_name = "N", requires = "rate")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub burst: Option<u32>,
    /// Take the addresses of visitors for --rate from the header X-Forwarded-For,
    /// to which a proxy appends them
    #[arg(long, requires = "rate")]
    pub trust_proxy: bool,
    /// Read names of openings from this table, besides those of the project
    /// (docs/opening-names.md)
    #[arg(long, value_name = "FILE")]
    pub opening_names: Option<PathBuf>,
    /// Require this token [default: a random one with --write, or if
    /// --bind names an address that other machines can reach, else none]
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
    /// Log to this file, requests included, or to standard error at this
    /// level: off, error, warn, info (with requests), debug, or trace
    #[arg(long, value_name = "FILE|LEVEL", default_value = "warn")]
    pub log: LogTarget,
    /// Open the address in the browser
    #[arg(long)]
    pub open: bool,
    /// The maximum time of a query, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = ServerLimits::QUERY_SECONDS)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    pub query_time: u64,
    /// The maximum time of an engine search for a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = ServerLimits::ENGINE_SECONDS)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub engine_time: u64,
    /// The number of concurrent engine searches [default: the number of cores]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub engine_jobs: Option<u16>,
    /// The maximum time without progress of a client that sends a request or
    /// receives an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = ServerLimits::CLIENT_SECONDS, alias = "patience")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    pub client_timeout: u64,
    /// The maximum size of a request's body, in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = ServerLimits::BODY_MEBIBYTES)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub body: u32,
}

/// The number of seconds whose requests an address may send at once.
const DEFAULT_BURST: f64 = 5.0;

fn bind_address(text: &str) -> Result<IpAddr, String> {
    if text.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::from([127, 0, 0, 1]));
    }
    text.parse().map_err(|_| {
        "expected an IP address: 127.0.0.1 for this machine only, 0.0.0.0 for all of its networks; --host \
         allows a name"
            .to_owned()
    })
}

/// Checks a host name, and returns it as browsers send it.
fn host_name(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-._".contains(symbol);
    match bare.parse::<IpAddr>() {
        Ok(address) if address.is_unspecified() => {
            Err("no request has this name; did you mean --bind?".to_owned())
        }
        Ok(IpAddr::V4(address)) => Ok(address.to_string()),
        Ok(IpAddr::V6(address)) => Ok(format!("[{address}]")),
        Err(_) if !text.is_empty() && text.chars().all(is_plain) => Ok(text.to_owned()),
        Err(_) => {
            Err("expected the name of a host in ASCII and without a port, such as tafl.example.org"
                .to_owned())
        }
    }
}

impl ServeConfig {
    /// Returns what the server is to its visitors.
    pub(crate) fn site(&self) -> Site {
        let is_private = self.bind.is_loopback()
            && self.host.is_empty()
            && self.allow_origin.is_empty()
            && self.base_path.is_empty();
        let beside =
            || self.corpus.canonicalize().unwrap_or_else(|_| self.corpus.clone()).with_extension("studies");
        let studies = || self.studies.clone().unwrap_or_else(beside);
        Site {
            base_path: self.base_path.clone(),
            studies: self.write.then(|| StudyFolder::new(studies())),
            redacts_folders: !is_private,
            hosts: self.host.iter().map(|host| host.to_ascii_lowercase()).collect(),
        }
    }

    /// Returns the rate at which each address may send requests.
    pub(crate) fn rate(&self) -> Option<RequestRate> {
        let per_second = f64::from(self.rate?);
        let burst = self.burst.map_or(per_second * DEFAULT_BURST, f64::from);
        Some(RequestRate { per_second, burst, trusts_proxy: self.trust_proxy })
    }

    /// Returns the limits on a machine with this number of cores.
    pub(crate) fn limits(&self, cores: usize) -> ServerLimits {
        let usual = ServerLimits::of_cores(cores);
        let body_bytes = self.body as usize * (1 << 20);
        ServerLimits {
            body_bytes,
            held_bytes: usual.held_bytes.max(body_bytes),
            query_time: Duration::from_secs(self.query_time),
            engine_time: Duration::from_secs(self.engine_time),
            engine_jobs: self.engine_jobs.map_or(usual.engine_jobs, usize::from),
            client_timeout: Duration::from_secs(self.client_timeout),
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_addresses_and_names_are_explained() {
        assert_eq!(bind_address("localhost"), Ok("127.0.0.1".parse().unwrap()));
        assert_eq!(bind_address("::1"), Ok("::1".parse().unwrap()));
        assert!(bind_address("tafl.example.org").unwrap_err().contains("--host"));
        assert!(host_name("0.0.0.0").unwrap_err().contains("--bind"));
        // A name with a port, or with other letters, would equal the name in no request.
        for wrong in ["", "a b", "http://tafl.example.org/", "tafl.example.org:8443", "täfl.example.org"] {
            assert!(host_name(wrong).unwrap_err().contains("without a port"), "{wrong}");
        }
        assert_eq!(host_name("tafl.example.org"), Ok("tafl.example.org".to_owned()));
        for address in ["2001:db8::1", "[2001:DB8:0::1]"] {
            assert_eq!(host_name(address), Ok("[2001:db8::1]".to_owned()));
        }
        assert_eq!(host_name("192.0.2.1"), Ok("192.0.2.1".to_owned()));
    }
}
