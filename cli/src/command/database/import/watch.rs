//! `tafl import --watch`: imports the files of a folder as they appear, until the command is interrupted.

use anyhow::Context as _;
use tafl_rules::counted;
use taflbase::database::{ImportRequest, WatchEvent};
use taflbase::{App, CancelToken, json_line};

use super::{show_event, summary};
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the path is not a folder, the rules are unknown, or the output can't be written.
pub(super) fn run(request: &ImportRequest, format: TextFormat, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let job = io.job();
    cancel_on_interrupt(job.cancel_token())?;
    if let Some(folder) = &request.watch {
        io.notice(&format!("watching {}; interrupt with Ctrl-C", taflbase::escape::escape_path(folder)));
    }
    let mut failure = None;
    let watched = request.watch(&App::new(), &job, &mut |event| {
        match event {
            WatchEvent::Import(event) => drop(show_event(&event, io)),
            WatchEvent::Failed(error) => {
                io.error(&error.to_string());
                io.notice("the files are tried again");
            }
            WatchEvent::Imported { files, answer } => {
                io.end_progress();
                io.notice(&counted(files as u64, "file", "files"));
                let text = match format {
                    TextFormat::Text => summary::text(&answer),
                    TextFormat::Json => json_line(&*answer),
                };
                // Readers of a pipe see each batch at once.
                if let Err(error) = io.print(&text).and_then(|()| io.flush()) {
                    failure = Some(error);
                    job.cancel_token().cancel();
                }
            }
        }
        Ok(())
    });
    io.end_progress();
    watched?;
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(Exit::Ok),
    }
}

/// Cancels the job when the user interrupts the program, or the system ends it.
fn cancel_on_interrupt(token: CancelToken) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("signals can't be received")?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            #[cfg(unix)]
            {
                let kind = tokio::signal::unix::SignalKind::terminate();
                if let Ok(mut terminate) = tokio::signal::unix::signal(kind) {
                    tokio::select! {
                        _ = terminate.recv() => {}
                        _ = tokio::signal::ctrl_c() => {}
                    }
                    return;
                }
            }
            let _ = tokio::signal::ctrl_c().await;
        });
        token.cancel();
    });
    Ok(())
}
