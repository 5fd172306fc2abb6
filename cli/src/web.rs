//! `tafl serve`: the web server of [`tafl_web`].

use std::process::{Command, Stdio};

use tafl_web::{ServeConfig, ServerStart};

use crate::{Exit, Io};

/// Serves a corpus until the process receives a signal to stop.
///
/// # Errors
///
/// Returns an error if the corpus cannot be opened, or the address cannot be bound.
pub(crate) fn serve(config: &ServeConfig, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    tafl_web::serve(config, |started| {
        announce(started, io)?;
        let first = started.first_address();
        if config.open && !open_browser(&first) {
            io.notice(&format!("cannot start a browser; open {first}"));
        }
        Ok(())
    })?;
    Ok(Exit::Ok)
}

fn announce(started: &ServerStart, io: &mut Io<'_>) -> anyhow::Result<()> {
    if started.is_public {
        io.notice_always(
            "warning: other machines can reach this server; connections are not encrypted, \
             so use it only in a trusted network, or behind a proxy with TLS",
        );
    }
    if started.token.is_some() {
        io.notice_always(&format!("open {}", started.first_address()));
    }
    io.print(&format!("{}\n", started.address))?;
    Ok(io.flush()?)
}

/// Opens an address in the browser, and returns whether a program for that was started.
fn open_browser(address: &str) -> bool {
    let openers: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["explorer"]],
        _ => &[&["xdg-open"], &["gio", "open"]],
    };
    openers.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
