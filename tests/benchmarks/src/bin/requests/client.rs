//! A client that sends any bytes.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The time after which an answer counts as missing. Requests of the inputs have small limits.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The time to wait for the first bytes of an answer before the sending side is closed: the server waits for the rest of an
/// incomplete request.
const FIRST_BYTES_TIMEOUT: Duration = Duration::from_millis(200);
/// The number of bytes of an answer that are examined.
const MAX_EXAMINED: usize = 1 << 16;

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// An HTTP response with this status.
    Status(u16),
    /// The connection was closed without an answer.
    Closed,
    /// The client did not wait.
    Left,
    /// An error of the server, or text that is not an HTTP response.
    Fault(String),
}

/// Sends bytes, and returns the answer. If `leaves`, the client disconnects without reading it.
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
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // The server may close the connection before it has read everything.
    let sent = stream.write_all(request);
    if leaves {
        return Ok(Answer::Left);
    }
    let mut answer = Vec::new();
    let mut block = [0; 8192];
    if sent.is_ok() {
        stream.set_read_timeout(Some(FIRST_BYTES_TIMEOUT))?;
        // An error is usually a timeout; any other one occurs again below.
        let n = stream.read(&mut block).unwrap_or(0);
        answer.extend_from_slice(&block[..n]);
        // Ends the request, so that the server does not wait for more. If this came before the first bytes of the answer, the
        // server would drop a request that it is still working on.
        let _ = stream.shutdown(Shutdown::Write);
        stream.set_read_timeout(Some(TIMEOUT))?;
    }
    loop {
        match stream.read(&mut block) {
            Ok(0) => break,
            Ok(n) if answer.len() < MAX_EXAMINED => answer.extend_from_slice(&block[..n]),
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
