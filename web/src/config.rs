//! What is served, to whom, and what a request may cost.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::limits::Limits;

/// What is served, to whom, and what a request may cost.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
The server reads the corpus and never writes to it. It listens on this machine
only, unless --bind names another address; then whoever asks needs a token,
which is part of the address that is written to standard error. The address
without it is the first line on standard output.

When the corpus changes, new requests see it; those under way finish with what
they began with. The server ends at Ctrl-C.

Examples:
  tafl serve games.corpus
  tafl serve games.corpus --port 0 --open
  tafl serve games.corpus --bind 0.0.0.0 --host tafl.example.org")]
pub struct ServeConfig {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The port to listen on; 0 takes a free one
    #[arg(long, short = 'p', value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// A name by which browsers may call the server, beside localhost and the
    /// address
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// The token that requests need [default: made anew where --bind names
    /// another machine's way, else none]
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
    /// Log every request: to this file, or to standard error at this level
    /// (error, warn, info, debug, trace)
    #[arg(long, value_name = "FILE|LEVEL")]
    pub log: Option<String>,
    /// Open the address in the browser
    #[arg(long)]
    pub open: bool,
    /// How many seconds a question may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    pub query_time: u64,
    /// How many seconds the engine may search for one request
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub engine_time: u64,
    /// How many searches of the engine run at once [default: as many as there
    /// are cores]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub engine_jobs: Option<u16>,
    /// How many seconds a client may take to send a request, or to take a part of
    /// the answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    pub patience: u64,
    /// The longest body of a request, in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub body: u32,
}

impl ServeConfig {
    /// Returns the limits on a machine with this number of cores.
    pub(crate) fn limits(&self, cores: usize) -> Limits {
        let usual = Limits::of_cores(cores);
        let body_bytes = self.body as usize * (1 << 20);
        Limits {
            body_bytes,
            held_bytes: usual.held_bytes.max(body_bytes),
            query_time: Duration::from_secs(self.query_time),
            engine_time: Duration::from_secs(self.engine_time),
            engine_jobs: self.engine_jobs.map_or(usual.engine_jobs, usize::from),
            patience: Duration::from_secs(self.patience),
            ..usual
        }
    }
}
