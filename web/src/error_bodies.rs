//! A JSON body for the errors that hyper answers itself: a head that is too long, has too many headers, or is malformed.
//!
//! hyper answers such a request with a head of its own and without a body, before any service sees it, and has no hook for
//! it. So the connection looks at what is written: every response of ours has the header `x-content-type-options`, and a
//! whole head without it that announces an empty body is hyper's.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::api_error::{ApiError, ErrorCode};

/// A connection on which every error has a body.
pub(crate) struct ErrorBodies<S> {
    stream: S,
    /// A response that stands in for hyper's, and the number of its bytes that were written.
    pending: Option<(Vec<u8>, usize)>,
}

impl<S: AsyncWrite + Unpin> ErrorBodies<S> {
    /// Wraps a connection.
    pub(crate) fn new(stream: S) -> ErrorBodies<S> {
        ErrorBodies { stream, pending: None }
    }

    /// Writes the rest of a response that stands in for hyper's.
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

/// Returns the response that stands in for a head which hyper made itself.
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
            // What can't be written now is written with the flush that follows.
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
    fn only_heads_of_hyper_get_a_body() {
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
