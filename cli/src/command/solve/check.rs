//! `tafl solve --check`: does a proof hold?

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::json;
use tafl_analyzer::Nodes;
use tafl_analyzer::solver::{Certificate, check};

use crate::args::rules::TextFormat;
use crate::number::counted;
use crate::{Exit, Io};

/// More moves than this are not played.
const MOST: Nodes = Nodes(4_000_000_000);

/// The largest file that is read: the largest proof that is written is half of it.
const LARGEST: u64 = 1 << 30;

/// Checks the proof in a file.
pub(super) fn run(path: &Path, format: TextFormat, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = path.display();
    let text = match File::open(path).and_then(|file| read(file, LARGEST)) {
        Ok(text) => text,
        Err(error) => {
            io.error(&format!("{name}: {error}"));
            return Ok(Exit::Error);
        }
    };
    let certificate = match Certificate::parse(&text) {
        Ok(certificate) => certificate,
        Err(error) => {
            io.error(&format!("{name}: {error}"));
            return Ok(Exit::Error);
        }
    };
    let found = check(&certificate, MOST);
    let (side, plies) = (certificate.proof.side, certificate.proof.plies);
    let claim = format!("the {side} win within {}", counted(plies.into(), "ply", "plies"));
    let exit = if found.is_ok() { Exit::Ok } else { Exit::Findings };
    match format {
        TextFormat::Json => {
            let answer = json!({
                "holds": found.is_ok(),
                "wins": side.word(),
                "plies": plies,
                "steps": certificate.proof.steps.len(),
                "rules": certificate.rules.to_string(),
                "moves_played": found.as_ref().ok().map(|checked| checked.plies.0),
                "error": found.as_ref().err().map(ToString::to_string),
            });
            io.print(&format!("{answer:#}\n"))?;
        }
        TextFormat::Text => match found {
            Ok(checked) => {
                let used = counted(checked.steps as u64, "step", "steps");
                let played = counted(checked.plies.0, "move", "moves");
                io.print(&format!("it holds: {claim} ({used} used, {played} played)\n"))?;
            }
            Err(error) => io.print(&format!("it does not hold that {claim}: {error}\n"))?,
        },
    }
    Ok(exit)
}

/// Reads a text of at most so many bytes. A device or a pipe does not say before how much it has.
fn read(input: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other("larger than any certificate"));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_is_read_up_to_the_most() {
        assert!(read(io::repeat(b' '), 100).unwrap_err().to_string().contains("larger than any certificate"));
        assert_eq!(read(&b"ply"[..], 3).unwrap(), "ply");
        assert!(read(&b"\xff"[..], 3).is_err());
    }
}
