//! A client that sends any bytes.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The time after which an answer is missing. Requests of the inputs have small limits.
const PATIENCE: Duration = Duration::from_secs(60);
/// The number of bytes of an answer that are examined.
const LARGEST_HEAD: usize = 1 << 16;

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A response of HTTP with this status.
    Status(u16),
    /// Nothing: the connection was closed.
    Closed,
    /// The client did not wait.
    Left,
    /// Something that must not happen.
    Fault(String),
}

/// Sends bytes, and returns the answer. A client that leaves closes the connection at once.
pub(crate) fn exchange(address: &str, request: &[u8], leaves: bool) -> Answer {
    match try_exchange(address, request, leaves) {
        Ok(answer) => answer,
        // The server rejects some requests before it has read them.
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Answer::Closed,
        Err(error) => Answer::Fault(error.to_string()),
    }
}

fn try_exchange(address: &str, request: &[u8], leaves: bool) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // The server may close the connection before it has read everything.
    let sent = stream.write_all(request);
    if leaves {
        return Ok(Answer::Left);
    }
    if sent.is_ok() {
        // Nothing more comes, so that the server does not wait for the rest of a request.
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    let mut block = [0; 8192];
    loop {
        match stream.read(&mut block) {
            Ok(0) => break,
            Ok(n) if answer.len() < LARGEST_HEAD => answer.extend_from_slice(&block[..n]),
            Ok(_) => {}
            Err(_) if !answer.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(classified(&answer))
}

fn classified(answer: &[u8]) -> Answer {
    if answer.is_empty() {
        return Answer::Closed;
    }
    let status = answer
        .strip_prefix(b"HTTP/1.")
        .and_then(|rest| rest.get(2..5))
        .and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<u16>().ok());
    match status {
        Some(500) | None => {
            let begin = &answer[..answer.len().min(400)];
            Answer::Fault(format!("answer {}", begin.escape_ascii()))
        }
        Some(status) => Answer::Status(status),
    }
}
