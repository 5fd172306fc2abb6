//! A web site that embeds games: a server of a few files, on a free port.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// A file of a site.
pub(crate) struct SiteFile {
    /// The path, such as `/post.html`.
    pub(crate) path: &'static str,
    /// The content.
    pub(crate) content: Vec<u8>,
    /// Further header lines, each with its line end.
    pub(crate) headers: &'static str,
}

/// Serves files until the process ends, and returns the address, such as `http://127.0.0.1:8080`.
pub(crate) fn serve(files: Vec<SiteFile>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let files = Arc::new(files);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let files = Arc::clone(&files);
            thread::spawn(move || answer(&stream, &files));
        }
    });
    address
}

fn answer(mut stream: &TcpStream, files: &[SiteFile]) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    lines.map_while(Result::ok).take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1)?;
    let file = files.iter().find(|file| file.path == path);
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        _ => "text/plain; charset=utf-8",
    };
    let (status, content, headers) =
        file.map_or(("404 Not Found", &[][..], ""), |file| ("200 OK", &file.content[..], file.headers));
    let length = content.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    )
    .ok()?;
    stream.write_all(content).ok()
}
