//! `tafl mcp`: tools for language models, over the Model Context Protocol on standard input and output.

mod server;
mod tools;

use std::io::BufRead;
use std::thread;

use anyhow::bail;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::{Builder, Handle};

use crate::args::mcp::McpArgs;
use crate::features::{HAS_DATABASE, needs_database};
use crate::{Exit, Io};
use server::ToolServer;

/// The number of bytes of messages that wait to be read or written.
const PIPE_SIZE: usize = 1 << 16;

/// Runs the command, until the client closes standard input.
///
/// # Errors
///
/// Returns an error if the corpus can't be read, or standard output not be written.
pub(crate) fn serve(args: &McpArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.corpus.is_some() && !HAS_DATABASE {
        bail!(needs_database("a corpus"));
    }
    let server = ToolServer::open(args.corpus.as_deref())?;
    let runtime = Builder::new_current_thread().enable_time().build()?;
    let (client, transport) = tokio::io::duplex(PIPE_SIZE);
    let (mut answers, requests) = tokio::io::split(client);
    let (input, handle) = (io.take_stdin(), runtime.handle().clone());
    thread::scope(|scope| {
        // Standard input has no portable way to wait for it without a thread.
        scope.spawn(move || forward(input, requests, &handle));
        runtime.block_on(async {
            let serving = tokio::spawn(async move {
                match rmcp::serve_server(server, transport).await {
                    Ok(running) => drop(running.waiting().await),
                    // A client that closes the connection before its first message needs no error.
                    Err(ServerInitializeError::ConnectionClosed(_)) => {}
                    Err(error) => return Some(error.to_string()),
                }
                None
            });
            let mut buffer = vec![0; PIPE_SIZE];
            loop {
                let length = answers.read(&mut buffer).await?;
                if length == 0 {
                    break;
                }
                io.write_bytes(&buffer[..length])?;
                io.flush()?;
            }
            match serving.await? {
                None => Ok(Exit::Ok),
                Some(error) => bail!("the client did not begin the conversation: {error}"),
            }
        })
    })
}

/// Forwards standard input to the server, until its end or until the server has stopped.
fn forward(
    mut input: Box<dyn BufRead + Send + '_>,
    mut requests: impl AsyncWriteExt + Unpin,
    handle: &Handle,
) {
    while let Ok(bytes) = input.fill_buf()
        && !bytes.is_empty()
    {
        let length = bytes.len();
        if handle.block_on(requests.write_all(bytes)).is_err() {
            return;
        }
        input.consume(length);
    }
    // The server has stopped if it can't be told about the end.
    let _ = handle.block_on(requests.shutdown());
}
