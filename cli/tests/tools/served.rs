//! A server of a small corpus, and a client that speaks HTTP by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::RunOutput;
use super::test_folder::TestFolder;

/// A folder with a corpus, and a process that serves it.
pub(super) struct Served {
    place: TestFolder,
    server: Child,
    address: String,
}

/// Runs the program; words with `@` are paths below the folder.
pub(super) type RunHere<'r> = dyn Fn(&[&str]) -> RunOutput + 'r;

/// What the server answered.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Served {
    /// Imports files into a corpus, prepares it, and serves it.
    pub(super) fn of(files: &[(&str, &str)], prepare: &dyn Fn(&RunHere<'_>)) -> Served {
        Served::with(files, &[], prepare)
    }

    /// Imports files into a corpus, prepares it, and serves it with more words on the command line.
    pub(super) fn with(files: &[(&str, &str)], words: &[&str], prepare: &dyn Fn(&RunHere<'_>)) -> Served {
        // Between fork and exec a new process holds the locks of this one, so nothing is imported while one is started.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let place = TestFolder::new();
        for (name, text) in files {
            place.file(name, text);
            let path = format!("@{name}");
            let ran = place.run(&["import", "@games.corpus", &path]);
            assert_eq!(ran.exit, tafl_cli::Exit::Ok, "{}", ran.stderr);
        }
        prepare(&|words: &[&str]| place.run(words));
        let mut server = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["serve", "--port", "0"])
            .arg(place.path("games.corpus"))
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        assert!(address.contains(':'), "{line}");
        Served { place, server, address }
    }

    /// Returns a path below the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.path(name)
    }

    /// Runs the program; words with `@` are paths below the folder.
    pub(super) fn run(&self, words: &[&str]) -> RunOutput {
        self.place.run(words)
    }

    /// Returns address and port.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the process.
    pub(super) fn process(&mut self) -> &mut Child {
        &mut self.server
    }

    /// Asks with bytes that need not be HTTP, and returns what comes back until the connection is closed.
    pub(super) fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // A server that has seen enough closes the connection.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Asks for an address with headers of one's own.
    pub(super) fn ask(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut stream = self.connect();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        Response::read(stream)
    }

    /// Connects.
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    fn send(&self, method: &str, path: &str, body: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        let length = body.len();
        let host = &self.address;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses the body need not read it to its end.
        let _ = stream.write_all(body);
        stream
    }

    /// Asks for an address.
    pub(super) fn get(&self, path: &str) -> Response {
        Response::read(self.send("GET", path, b""))
    }

    /// Asks for an address whose answer is JSON.
    pub(super) fn json(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.json()
    }

    /// Sends a body.
    pub(super) fn post(&self, path: &str, body: &[u8]) -> Response {
        Response::read(self.send("POST", path, body))
    }

    /// Asks for events, and returns them with their data.
    pub(super) fn events(&self, path: &str) -> Vec<(String, Value)> {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        assert_eq!(response.header("content-type"), Some("text/event-stream"));
        let event = |text: &str| {
            let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let data = serde_json::from_str(field("data:")?).expect("the data of an event is JSON");
            Some((field("event:")?.to_owned(), data))
        };
        response.text().split("\n\n").filter_map(event).collect()
    }

    /// Asks for events, reads the first one, and goes away.
    pub(super) fn leave_after_first_event(&self, path: &str) {
        let stream = self.send("GET", path, b"");
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        lines.find(|line| line.as_ref().unwrap().starts_with("data:")).expect("there is an event").unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
    }

    /// Sends a part of a body, and goes away.
    pub(super) fn leave_in_the_middle_of_a_body(&self, path: &str, body: &[u8]) {
        let mut stream = self.connect();
        let length = body.len() * 2;
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
    }

    /// Checks that a request is refused with a status and a code, and that the server goes on.
    pub(super) fn refuses(&self, response: Response, status: u16, code: &str) -> Value {
        let text = response.text().to_owned();
        assert_eq!(response.status, status, "{text}");
        assert_eq!(response.header("content-type"), Some("application/json"), "{text}");
        let error = response.json()["error"].clone();
        assert_eq!(error["code"], code, "{text}");
        assert!(error["message"].as_str().is_some_and(|words| !words.is_empty()), "{text}");
        assert_eq!(self.get("/api/info").status, 200);
        error
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A server that has ended already is what we want.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Response {
    fn read(mut stream: TcpStream) -> Response {
        let mut bytes = Vec::new();
        // A connection that is closed before the body was sent is reset; what was answered counts.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("there is an answer");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let headers: Vec<(String, String)> = lines.map(header).collect();
        let mut response = Response { status, headers, body: bytes[end + 4..].to_vec() };
        if response.header("transfer-encoding") == Some("chunked") {
            response.body = unchunked(&response.body);
        }
        response
    }

    /// Returns the value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body as text.
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }

    /// Returns the body as JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&bytes[..end]).unwrap();
        let length = usize::from_str_radix(length.trim(), 16).unwrap();
        let chunk = &bytes[end + 2..];
        if length == 0 {
            break;
        }
        body.extend_from_slice(&chunk[..length]);
        bytes = &chunk[length + 2..];
    }
    body
}
