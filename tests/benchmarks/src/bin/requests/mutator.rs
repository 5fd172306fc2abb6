//! Random edits of requests.

use std::fs;
use std::path::Path;

use tafl_rules::Rng;

/// The maximum size of a mutated request.
const MAX_SIZE: usize = 1 << 16;

/// Parts of requests, and values at which the server changes its behavior.
const WORDS: &[&str] = &[
    "GET ",
    "POST ",
    "HEAD ",
    "OPTIONS ",
    "PUT ",
    " HTTP/1.1\r\n",
    " HTTP/1.0\r\n",
    "\r\n",
    "\r\n\r\n",
    "\n",
    "Host: localhost\r\n",
    "Host: evil.example\r\n",
    "Content-Length: 0\r\n",
    "Content-Length: 99999999999999999999\r\n",
    "Content-Length: -1\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n",
    "Connection: keep-alive\r\n",
    "Upgrade: h2c\r\n",
    "Origin: https://a.example\r\n",
    "Accept-Encoding: gzip\r\n",
    "Range: bytes=0-1\r\n",
    "If-None-Match: *\r\n",
    "Cookie: a=b\r\n",
    "Authorization: Bearer x\r\n",
    "0\r\n\r\n",
    "5\r\nabcde\r\n",
    "ffffffffffffffff\r\n",
    "/api/",
    "/",
    "//",
    "/..",
    "/%2e%2e/",
    "?",
    "&",
    "=",
    "%",
    "%00",
    "%zz",
    "%C0%AF",
    "%F0%9F%91%91",
    "+",
    "#",
    ";",
    ":",
    "variant=brandubh7",
    "variant=dim:255",
    "query=",
    "limit=0",
    "limit=-1",
    "limit=18446744073709551616",
    "offset=1e9",
    "position=",
    "moves=d2-c2",
    "side=attackers",
    "format=csv",
    "format=jsonl",
    "to=pgn",
    "nodes=1",
    "depth=255",
    "ply=-1",
    "brandubh7",
    "hexentafl4",
    "a1-a2",
    "K",
    "not ",
    " and ",
    " or ",
    "(",
    ")",
    "\"",
    "[",
    "]",
    "{",
    "}",
    ",",
    "null",
    "true",
    "plies>3",
    "king_on_throne",
    "\u{202e}",
    "\u{0}",
    "æ",
    "王",
    "0",
    "1",
    "255",
    "65536",
    "4294967296",
    "NaN",
    "1e308",
];

/// The requests of a folder, and changes of them.
pub(crate) struct RequestMutator {
    inputs: Vec<Vec<u8>>,
}

impl RequestMutator {
    /// Reads the requests, in which `GAME` is the number of a game.
    pub(crate) fn load(game: &str) -> Result<RequestMutator, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/requests");
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        paths.sort();
        let mut inputs = Vec::new();
        for path in paths {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            inputs.push(request_of(&text.replace("GAME", game)));
        }
        Ok(RequestMutator { inputs })
    }

    pub(crate) fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Returns a random request, changed or as it is.
    pub(crate) fn request(&self, rng: &mut Rng, is_intact: bool) -> Vec<u8> {
        let mut request = self.input(rng).to_owned();
        if !is_intact {
            for _ in 0..=rng.below(4) {
                self.edit(&mut request, rng);
                request.truncate(MAX_SIZE);
            }
        }
        request
    }

    fn input(&self, rng: &mut Rng) -> &[u8] {
        &self.inputs[rng.below(self.inputs.len())]
    }

    fn edit(&self, request: &mut Vec<u8>, rng: &mut Rng) {
        let length = request.len();
        let word = WORDS[rng.below(WORDS.len())].as_bytes();
        if length == 0 {
            request.extend_from_slice(word);
            return;
        }
        // Half of the changes are in the first line, which decides what the server does.
        let first_line = request.iter().position(|byte| *byte == b'\n').unwrap_or(length).max(1);
        let end = if rng.below(2) == 0 { first_line } else { length };
        let at = rng.below(end);
        let end = (at + 1 + rng.below(16)).min(length);
        match rng.below(8) {
            0 => request[at] ^= 1 << rng.below(8),
            1 => request[at] = rng.below(256) as u8,
            2 => drop(request.drain(at..end)),
            3 => {
                let part = request[at..end].to_vec();
                request.splice(at..at, part);
            }
            4 => drop(request.splice(at..end, word.iter().copied())),
            5 | 6 => drop(request.splice(at..at, word.iter().copied())),
            _ => {
                let other = self.input(rng);
                let from = rng.below(other.len());
                request.truncate(at);
                request.extend_from_slice(&other[from..]);
            }
        }
    }
}

/// Returns a request from the text of a file: the first line is the method and the address, and the others are the body.
fn request_of(text: &str) -> Vec<u8> {
    let (line, body) = text.split_once('\n').unwrap_or((text, ""));
    let (method, address) = line.split_once(' ').unwrap_or(("GET", line));
    let address: String = address.chars().map(encoded).collect();
    let length = match body.len() {
        0 => String::new(),
        length => format!("Content-Length: {length}\r\n"),
    };
    format!("{method} {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{length}\r\n{body}")
        .into_bytes()
}

/// Returns a character of an address as it is sent.
fn encoded(symbol: char) -> String {
    match symbol {
        ' ' => "%20".to_owned(),
        '"' => "%22".to_owned(),
        '<' => "%3C".to_owned(),
        '>' => "%3E".to_owned(),
        symbol => symbol.to_string(),
    }
}
