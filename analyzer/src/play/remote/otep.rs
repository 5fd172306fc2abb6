//! OpenTafl's engine protocol, spoken to a program.
//!
//! Each position is given as a whole and asked with `analyze`: the protocol's `play` takes its time from settings of the
//! program. So the program knows nothing of positions that came before, and cannot see a repetition.

use std::time::{Duration, Instant};

use super::{Talk, quoted, read_move};
use crate::limits::Limits;
use crate::play::player::{Choice, Decision, Fault, Standing};

/// How long to wait between two commands: OpenTafl takes what it reads at once for one piece.
const PAUSE: Duration = Duration::from_millis(10);

/// Returns for how many seconds a program is told to think: the protocol knows whole seconds only.
pub(super) fn seconds(limits: &Limits) -> u64 {
    limits.time.map_or(1, |time| time.as_secs_f64().ceil().max(1.0) as u64)
}

pub(super) fn begin(talk: &mut Talk, deadline: Instant) -> Result<(), Fault> {
    if talk.state.games == 0 {
        while talk.wire.hear(deadline)?.trim() != "hello" {}
    }
    talk.wire.say(&format!("rules {}", talk.state.rules))
}

pub(super) fn choose(
    talk: &mut Talk,
    at: Standing<'_>,
    limits: &Limits,
    deadline: Instant,
) -> Result<Decision, Fault> {
    let commands = [
        format!("position {}", at.game.setup()),
        format!("side {}", at.game.to_move().word()),
        format!("analyze 1 {}", seconds(limits)),
    ];
    for command in commands {
        std::thread::sleep(PAUSE);
        talk.wire.say(&command)?;
    }
    loop {
        let line = talk.wire.hear(deadline)?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "analysis" => {
                let Some(moves) = rest.split_whitespace().nth(1) else { return Ok(Decision::Pass) };
                return match read_move(at.game.shape(), moves) {
                    Some(mv) => Ok(Decision::Move(Choice::bare(mv))),
                    None => Err(Fault::Nonsense { said: quoted(&line) }),
                };
            }
            "error" if rest.starts_with("-1") => return Err(Fault::Refused { said: quoted(&line) }),
            _ => {}
        }
    }
}
