//! `tafl solve --check`: checks a proof.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tafl_rules::counted;
use taflbase::engine::CheckProofRequest;
use taflbase::{App, Request, json_pretty};

use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Checks the proof in a file.
pub(super) fn run(path: &Path, format: TextFormat, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = path.display();
    let read = File::open(path).and_then(|file| read(file, CheckProofRequest::MAX_BYTES));
    let checked = read.map_err(|error| error.to_string()).and_then(|proof| {
        CheckProofRequest { proof }.run(&App::new(), &io.job()).map_err(|error| error.to_string())
    });
    let answer = match checked {
        Ok(answer) => answer,
        Err(error) => {
            io.error(&format!("{name}: {error}"));
            return Ok(Exit::Error);
        }
    };
    let claim = format!("the {} win within {}", answer.wins, counted(answer.plies.into(), "ply", "plies"));
    match format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => match &answer.error {
            None => {
                let used = counted(answer.steps_used.unwrap_or_default(), "step", "steps");
                let played = counted(answer.moves_played.unwrap_or_default(), "move", "moves");
                io.print(&format!("valid: {claim} ({used} used, {played} played)\n"))?;
            }
            Some(error) => io.print(&format!("invalid: it is not proven that {claim}: {error}\n"))?,
        },
    }
    Ok(if answer.holds { Exit::Ok } else { Exit::Findings })
}

/// Reads a text of at most `max` bytes. The size of a device or a pipe is unknown before it is read.
fn read(input: impl Read, max: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::other("larger than any certificate"));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_input_is_read_up_to_the_maximum() {
        assert!(read(io::repeat(b' '), 100).unwrap_err().to_string().contains("larger than any certificate"));
        assert_eq!(read(&b"ply"[..], 3).unwrap(), "ply");
        assert!(read(&b"\xff"[..], 3).is_err());
    }
}
