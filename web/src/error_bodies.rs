//! JSON bodies for the errors that hyper reports itself: a request head that is too long, has too many headers, or is
//! malformed.
//!
//! hyper answers such a request without a body, before any service sees it, and has no hook for it. So the connection
//! inspects what is written: every response of this server has the header `x-content-type-options`, so a response head
//! without it that announces an empty body is from hyper.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::api_error::{ApiError, ErrorCode};

/// A connection on which every error response has a body.
pub(crate) struct ErrorBodies<S> {
    stream: S,
    /// A response that replaces one of hyper, and the number of its bytes already written.
    pending: Option<(Vec<u8>, usize)>,
}

impl<S: AsyncWrite + Unpin> ErrorBodies<S> {
    /// Wraps a connection.
    pub(crate) fn new(stream: S) -> ErrorBodies<S> {
        ErrorBodies { stream, pending: None }
    }

    /// Writes the rest of the response that replaces one of hyper.
    fn poll_pending(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((bytes, written)) = &mut self.pending {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, &bytes[*written..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                n => *written += n,
            }
            if *written == bytes.len() {
                self.pending = None;
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Returns the response that replaces a response head of hyper, or `None` for other bytes.
fn with_body(head: &[u8]) -> Option<Vec<u8>> {
    let head = head.strip_prefix(b"HTTP/1.1 ")?;
    let head = std::str::from_utf8(head).ok()?.strip_suffix("\r\n\r\n")?;
    let lines = head.to_ascii_lowercase();
    if lines.contains("\r\nx-content-type-options:") || !lines.contains("\r\ncontent-length: 0") {
        return None;
    }
    let error = match head.get(..3)? {
        "414" => ApiError::new(ErrorCode::UriTooLong, "the address is too long"),
        "431" => ApiError::new(ErrorCode::HeadersTooLarge, "the headers are too long, or too many"),
        "400" => ApiError::new(ErrorCode::BadRequest, "the request is not HTTP/1.1"),
        _ => return None,
    };
    let body = error.json().to_string();
    let length = body.len();
    let status = head.lines().next()?;
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         x-content-type-options: nosniff\r\nconnection: close\r\n\r\n{body}"
    );
    Some(text.into_bytes())
}

impl<S: AsyncRead + Unpin> AsyncRead for ErrorBodies<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ErrorBodies<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        ready!(this.poll_pending(cx))?;
        if let Some(response) = with_body(buf) {
            this.pending = Some((response, 0));
            // The rest is written by the flush that follows.
            let _ = this.poll_pending(cx)?;
            return Poll::Ready(Ok(buf.len()));
        }
        Pin::new(&mut this.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [part] = parts {
            return self.poll_write(cx, part);
        }
        let this = self.get_mut();
        ready!(this.poll_pending(cx))?;
        Pin::new(&mut this.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_pending(cx))?;
        Pin::new(&mut this.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_pending(cx))?;
        Pin::new(&mut this.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_responses_of_hyper_are_replaced() {
        let head = b"HTTP/1.1 414 URI Too Long\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let response = String::from_utf8(with_body(head).unwrap()).unwrap();
        assert!(response.starts_with("HTTP/1.1 414 URI Too Long\r\n"), "{response}");
        let body = response.split_once("\r\n\r\n").unwrap().1;
        assert!(
            body.contains("\"uri-too-long\"")
                && response.contains(&format!("content-length: {}", body.len()))
        );
        let ours =
            b"HTTP/1.1 400 Bad Request\r\nx-content-type-options: nosniff\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(with_body(ours), None);
        assert_eq!(with_body(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"), None);
        assert_eq!(with_body(b"1. d2-c2"), None);
    }
}
