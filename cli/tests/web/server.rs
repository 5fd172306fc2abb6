//! `tafl serve` for a corpus of the samples, on a free port.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::http;

/// A game with names and a comment that contain HTML.
const GAME_WITH_HTML: &str = r#"[GameId "odd"]
[Attackers "<script>document.title='run'</script>"]
[Defenders "<img src=x onerror=\"document.title='run'\">"]
[Event "Q & A <b>bold</b>"]
[Result "defenders"]
[Variant "tablut9_wtf"]

1. i4g4 { <script>document.title='run'</script> } e3g3 2. f1f4 g3f3
"#;

/// Games with names, dates, and an opening that [`OPENING_NAMES`] names.
const NAMED_GAMES: &str = "[attackers:Ann]\n[defenders:Bo]\n[variant:brandubh7]\n[date:2019-03-01]\n[result:1]\n\n1. d2-c2 d3-b3\n\n\
                           [attackers:Bo]\n[defenders:Ann]\n[variant:brandubh7]\n[date:2021-01-05]\n[result:-1]\n\n1. d6-e6 d5-g5\n\n\
                           [attackers:Ann]\n[defenders:Cy]\n[variant:brandubh7]\n[date:2020-02-03]\n[result:-1]\n\n1. d2-b2 d3-c3\n\n";

/// Games with custom rules, which have a name, and a player whose name has control characters.
const OWN_RULES: &str = "[attackers:Zoë\u{7}\u{202e}x]\n[event:Größtes Turnier]\n[rules:dim:7 name:Five-men ks:w start:/3t3/7/3T3/t1TKT1t/3T3/7/3t3/]\n\n1. d1-c1 d3-c3\n\n";

/// A table of opening names.
const OPENING_NAMES: &str =
    "variant\tmoves\tname\tsource\nbrandubh7\td2-c2\tAlpha <b>\thttps://example.org/openings\n";

/// A server that is stopped when it is dropped.
pub(crate) struct SampleServer {
    child: Child,
    address: String,
    corpus: PathBuf,
    args: Vec<String>,
    _folder: tempfile::TempDir,
}

impl SampleServer {
    /// Starts a server with options for a corpus of the samples, a game with HTML, and one with custom rules.
    pub(crate) fn start(args: &[&str]) -> SampleServer {
        SampleServer::of(args, false)
    }

    /// Starts a server that also has a table of opening names, and three games with names and dates.
    pub(crate) fn with_names() -> SampleServer {
        SampleServer::of(&[], true)
    }

    /// Starts a server for a corpus without games.
    pub(crate) fn empty() -> SampleServer {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path().join("empty"), folder.path().join("none.otg"));
        std::fs::write(&file, "[variant:brandubh7]\n\n").unwrap();
        let import = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["import", "--quiet"])
            .args([&corpus, &file])
            .output()
            .unwrap();
        assert!(corpus.join("manifest.json").exists(), "{}", String::from_utf8_lossy(&import.stderr));
        let (child, address) = serve(&corpus, "0", &[]);
        SampleServer { child, address, corpus, args: Vec::new(), _folder: folder }
    }

    fn of(args: &[&str], has_names: bool) -> SampleServer {
        let folder = tempfile::tempdir().unwrap();
        let with_html = folder.path().join("odd.pgn");
        std::fs::write(&with_html, GAME_WITH_HTML).unwrap();
        let own_rules = folder.path().join("own.otg");
        std::fs::write(&own_rules, OWN_RULES).unwrap();
        let corpus = folder.path().join("samples");
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        let import = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["import", "--quiet"])
            .args([&corpus, &samples, &with_html, &own_rules])
            .args(has_names.then(|| {
                let named = folder.path().join("named.otg");
                std::fs::write(&named, NAMED_GAMES).unwrap();
                named
            }))
            .output()
            .unwrap();
        assert!(corpus.join("manifest.json").exists(), "{}", String::from_utf8_lossy(&import.stderr));
        let mut args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        if has_names {
            let names = folder.path().join("names.tsv");
            std::fs::write(&names, OPENING_NAMES).unwrap();
            args.push(format!("--opening-names={}", names.display()));
        }
        let (child, address) = serve(&corpus, "0", &args);
        SampleServer { child, address, corpus, args, _folder: folder }
    }

    /// Returns the URL of the server, such as `http://127.0.0.1:8080`.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the JSON response of the API.
    pub(crate) fn api(&self, path: &str) -> Value {
        http::get_json(&self.address, path)
    }

    /// Returns the number of the first game that matches a query.
    pub(crate) fn game(&self, query: &str) -> String {
        let found = self.api(&format!("/api/games?limit=1&query={}", http::percent_encode(query)));
        found["games"][0]["game"].as_str().unwrap_or_else(|| panic!("{query}: {found}")).to_owned()
    }

    /// Runs `tafl puzzles --store` on the corpus.
    pub(crate) fn store_puzzles(&self) {
        let puzzles = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["puzzles", "--nodes", "500", "--store", "--quiet"])
            .arg(&self.corpus)
            .output()
            .unwrap();
        assert!(puzzles.status.success(), "{}", String::from_utf8_lossy(&puzzles.stderr));
    }

    /// Evaluates some games of the corpus.
    pub(crate) fn annotate(&self, query: &str) {
        let annotation = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["annotate", "--nodes", "50", "--quiet", "--query", query])
            .arg(&self.corpus)
            .output()
            .unwrap();
        assert!(annotation.status.success(), "{}", String::from_utf8_lossy(&annotation.stderr));
    }

    /// Kills the server.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again on the same port.
    pub(crate) fn restart(&mut self) {
        let (_, port) = self.address.rsplit_once(':').unwrap();
        (self.child, self.address) = serve(&self.corpus, port, &self.args);
    }
}

/// Starts the server, and returns the process and the address that it prints.
fn serve(corpus: &Path, port: &str, args: &[String]) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(["serve", "--port", port])
        .args(args)
        .arg(corpus)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).map(|rest| rest.trim().trim_end_matches('/').to_owned());
    let address = address.unwrap_or_else(|| panic!("the first line has no address: {line:?}"));
    (child, address)
}

impl Drop for SampleServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
