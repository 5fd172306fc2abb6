//! The client side of OpenTafl's engine protocol (OTEP).
//!
//! Each position is sent in full and searched with `analyze`, because the time for `play` comes
//! from the program's own settings. Therefore the program does not know earlier positions and
//! cannot detect repetitions.

use std::time::{Duration, Instant};

use super::{Connection, quoted, read_move};
use crate::limits::Limits;
use crate::play::player::{Decision, PlayerChoice, PlayerError, PlayerView};

/// The pause between two commands. OpenTafl treats everything that it reads at once as one command.
const PAUSE: Duration = Duration::from_millis(10);

/// Returns the time limit sent to the program; the protocol has whole seconds only.
pub(super) fn seconds(limits: &Limits) -> u64 {
    limits.time.map_or(1, |time| time.as_secs_f64().ceil().max(1.0) as u64)
}

pub(super) fn begin(connection: &mut Connection, deadline: Instant) -> Result<(), PlayerError> {
    if connection.state.games == 0 {
        while connection.wire.receive(deadline)?.trim() != "hello" {}
    }
    connection.wire.send(&format!("rules {}", connection.state.rules))
}

pub(super) fn choose(
    connection: &mut Connection,
    at: PlayerView<'_>,
    limits: &Limits,
    deadline: Instant,
) -> Result<Decision, PlayerError> {
    let commands = [
        format!("position {}", at.game.setup()),
        format!("side {}", at.game.to_move().as_str()),
        format!("analyze 1 {}", seconds(limits)),
    ];
    for command in commands {
        std::thread::sleep(PAUSE);
        connection.wire.send(&command)?;
    }
    loop {
        let line = connection.wire.receive(deadline)?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "analysis" => {
                let Some(moves) = rest.split_whitespace().nth(1) else { return Ok(Decision::Pass) };
                return match read_move(at.game.shape(), moves) {
                    Some(mv) => Ok(Decision::Move(PlayerChoice::bare(mv))),
                    None => Err(PlayerError::Nonsense { answer: quoted(&line) }),
                };
            }
            "error" if rest.starts_with("-1") => return Err(PlayerError::Refused { answer: quoted(&line) }),
            _ => {}
        }
    }
}
