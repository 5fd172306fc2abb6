//! The server, on a thread of this program.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use tafl_cli::{Exit, Io};

/// The number of panics in this program.
static N_PANICS: AtomicU64 = AtomicU64::new(0);

/// A server that runs until the program ends.
pub(crate) struct LinkedServer {
    /// The host and the port.
    pub(crate) address: String,
    /// The number of a game of the corpus.
    pub(crate) game: String,
}

/// A writer that sends its bytes over a channel.
struct Sent(Sender<Vec<u8>>);

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_owned()).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LinkedServer {
    /// Starts a server for a corpus; without one, for a new corpus of the samples.
    pub(crate) fn start(corpus: Option<&Path>) -> Result<LinkedServer, String> {
        let known = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            N_PANICS.fetch_add(1, Ordering::Relaxed);
            known(info);
        }));
        let corpus = match corpus {
            Some(corpus) => corpus.to_owned(),
            None => corpus_of_samples()?,
        };
        let corpus = corpus.to_string_lossy().into_owned();
        let game = tafl(&["sql", &corpus, "SELECT game FROM games LIMIT 1", "--format", "jsonl"])?;
        let game = game.split('"').nth(3).ok_or("the corpus has no games")?.to_owned();
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut io = Io::new(io::empty(), Sent(sender), io::stderr());
            let exit = tafl_cli::run(["tafl", "serve", "--port", "0", &corpus], &mut io);
            eprintln!("the server has ended: {exit:?}");
        });
        let line = lines.recv_timeout(Duration::from_secs(60)).map_err(|error| error.to_string())?;
        let line = String::from_utf8_lossy(&line).into_owned();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Ok(LinkedServer { address, game })
    }

    /// Returns the number of panics since the start.
    pub(crate) fn n_panics(&self) -> u64 {
        N_PANICS.load(Ordering::Relaxed)
    }
}

/// Imports the sample records into a new corpus, and returns its folder.
fn corpus_of_samples() -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("tafl-requests-{}", std::process::id()));
    let corpus = folder.join("games.corpus");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cli/samples");
    tafl(&["import", &corpus.to_string_lossy(), &samples.to_string_lossy()])?;
    Ok(corpus)
}

/// Runs a command of the program, and returns its output.
fn tafl(args: &[&str]) -> Result<String, String> {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(io::empty(), &mut stdout, &mut stderr);
    let exit = tafl_cli::run(["tafl"].iter().chain(args), &mut io);
    drop(io);
    match exit {
        Exit::Error => Err(String::from_utf8_lossy(&stderr).into_owned()),
        Exit::Ok | Exit::Findings => Ok(String::from_utf8_lossy(&stdout).into_owned()),
    }
}
