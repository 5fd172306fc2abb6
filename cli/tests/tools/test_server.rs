//! A server for a small corpus, and a minimal HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::RunOutput;
use super::test_folder::TestFolder;

/// Games of Brandubh with symmetric starts; the name of one player contains HTML.
pub(super) const GAMES: &str = "\
[attackers:Red]
[defenders:<script>alert(1)</script>]
[variant:brandubh7]
1. d2-c2 e4-e1
2. b4-b2 d4-e4
3. c2-c1 e4-e3

[attackers:Þóra]
[defenders:Red]
[variant:brandubh7]
1. d2-e2 c4-c1
2. f4-f2 d4-c4

[attackers:Sven]
[defenders:Þóra]
[variant:brandubh7]
1. d6-c6 e4-e7
2. b4-b6
";

/// A folder with a corpus, and a server process for it.
pub(super) struct TestServer {
    folder: TestFolder,
    process: Child,
    address: String,
    /// The path below which everything is.
    base_path: String,
    token: Option<String>,
}

/// A function that runs the program; arguments with `@` are paths in the folder.
pub(super) type RunInFolder<'r> = dyn Fn(&[&str]) -> RunOutput + 'r;

/// A response of the server.
#[derive(Debug)]
pub(super) struct HttpResponse {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl TestServer {
    /// Starts a server with more options for a corpus of [`GAMES`].
    pub(super) fn start(args: &[&str]) -> TestServer {
        TestServer::with_options(&[("games.otg", GAMES)], args, &|_| {})
    }

    /// Imports files into a corpus, prepares it, and starts a server.
    pub(super) fn new(files: &[(&str, &str)], prepare: &dyn Fn(&RunInFolder<'_>)) -> TestServer {
        TestServer::with_options(files, &[], prepare)
    }

    /// Imports files into a corpus, prepares it, and starts a server with more options.
    pub(super) fn with_options(
        files: &[(&str, &str)],
        args: &[&str],
        prepare: &dyn Fn(&RunInFolder<'_>),
    ) -> TestServer {
        // Between fork and exec, a child process holds file locks of this process. So imports and starts must not overlap.
        static LOCK: Mutex<()> = Mutex::new(());
        let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = TestFolder::new();
        for (name, text) in files {
            folder.file(name, text);
            let path = format!("@{name}");
            let output = folder.run(&["import", "@games.corpus", &path]);
            assert_eq!(output.exit, tafl_cli::Exit::Ok, "{}", output.stderr);
        }
        prepare(&|args: &[&str]| folder.run(args));
        let mut process = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["serve", "--port", "0"])
            .arg(folder.path("games.corpus"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        let (address, base_path) = address.split_at(address.find('/').unwrap_or(address.len()));
        assert!(address.contains(':'), "{line}");
        let (address, base_path) = (address.to_owned(), base_path.to_owned());
        TestServer { folder, process, address, base_path, token: None }
    }

    /// Returns the server; requests have a token from now on.
    pub(super) fn with_token(self, token: &str) -> TestServer {
        // The fields can't be moved out of a type that is dropped.
        let mut server = self;
        server.token = Some(token.to_owned());
        server
    }

    /// Returns a path in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    /// Runs the program; arguments with `@` are paths in the folder.
    pub(super) fn run(&self, args: &[&str]) -> RunOutput {
        self.folder.run(args)
    }

    /// Returns the address with the port.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the server process.
    pub(super) fn process(&mut self) -> &mut Child {
        &mut self.process
    }

    /// Sends any bytes, and returns the bytes received until the connection is closed.
    pub(super) fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may close the connection early.
        let _ = stream.write_all(bytes);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        response
    }

    /// Sends a GET request with the given headers.
    pub(super) fn get_with_headers(&self, path: &str, headers: &[(&str, &str)]) -> HttpResponse {
        let mut stream = self.connect();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        HttpResponse::read(stream)
    }

    /// Sends a POST request with the given headers only.
    pub(super) fn post_with_headers(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> HttpResponse {
        let mut stream = self.connect();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        let head =
            format!("POST {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        HttpResponse::read(stream)
    }

    /// Opens a connection.
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    fn send(&self, method: &str, path: &str, body: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        let length = body.len();
        let (host, base) = (&self.address, &self.base_path);
        let token = self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n"));
        let token = token.unwrap_or_default();
        let head = format!(
            "{method} {base}{path} HTTP/1.1\r\nHost: {host}\r\n{token}Connection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        // A server that rejects the body may close the connection early.
        let _ = stream.write_all(body);
        stream
    }

    /// Sends a GET request.
    pub(super) fn get(&self, path: &str) -> HttpResponse {
        HttpResponse::read(self.send("GET", path, b""))
    }

    /// Sends a GET request, and returns the JSON of a successful response.
    pub(super) fn json(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.json()
    }

    /// Sends a POST request.
    pub(super) fn post(&self, path: &str, body: &[u8]) -> HttpResponse {
        HttpResponse::read(self.send("POST", path, body))
    }

    /// Sends a GET request for an event stream, and returns its events with their data.
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

    /// Sends a GET request for an event stream, reads the first event, and disconnects.
    pub(super) fn disconnect_after_first_event(&self, path: &str) {
        let stream = self.send("GET", path, b"");
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        lines
            .find(|line| line.as_ref().unwrap().starts_with("data:"))
            .expect("the stream has an event")
            .unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
    }

    /// Sends half of a body, and disconnects.
    pub(super) fn disconnect_within_body(&self, path: &str, body: &[u8]) {
        let mut stream = self.connect();
        let length = body.len() * 2;
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
    }

    /// Asserts that a response is an error with a status and a code, and that the server still responds. Returns the error.
    pub(super) fn assert_rejected(&self, response: HttpResponse, status: u16, code: &str) -> Value {
        let text = response.text().to_owned();
        assert_eq!(response.status, status, "{text}");
        assert_eq!(response.header("content-type"), Some("application/json"), "{text}");
        let error = response.json()["error"].clone();
        assert_eq!(error["code"], code, "{text}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{text}");
        assert_eq!(self.get("/api/info").status, 200);
        error
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // The server may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl HttpResponse {
    fn read(mut stream: TcpStream) -> HttpResponse {
        let mut bytes = Vec::new();
        // The server resets the connection if it did not read the whole body; the response arrives anyway.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("the response has headers");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let headers: Vec<(String, String)> = lines.map(header).collect();
        let mut response = HttpResponse { status, headers, body: bytes[end + 4..].to_vec() };
        if response.header("transfer-encoding") == Some("chunked") {
            response.body = decode_chunks(&response.body);
        }
        response
    }

    /// Returns the value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body as text.
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is UTF-8")
    }

    /// Returns the body as JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// Decodes a body with chunked transfer encoding.
fn decode_chunks(mut bytes: &[u8]) -> Vec<u8> {
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
