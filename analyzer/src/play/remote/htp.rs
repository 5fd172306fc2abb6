//! The text protocol of hnefatafl.org, spoken to a program.

use std::time::Instant;

use tafl_rules::{Shape, Side};

use super::{Talk, quoted, read_move};
use crate::play::player::{Choice, Decision, Fault, Standing};

pub(super) fn begin(talk: &mut Talk, shape: Shape, deadline: Instant) -> Result<(), Fault> {
    // This also starts over.
    talk.wire.say(&format!("board_size {}", shape.side()))?;
    answer(talk, deadline).map(drop)
}

pub(super) fn choose(talk: &mut Talk, at: Standing<'_>, deadline: Instant) -> Result<Decision, Fault> {
    let shape = at.game.shape();
    let mut side = at.game.to_move();
    // Sides alternate in every game that the protocol knows.
    if at.moves.len().saturating_sub(talk.state.known) % 2 == 1 {
        side = side.other();
    }
    for mv in &at.moves[talk.state.known.min(at.moves.len())..] {
        talk.wire.say(&format!("play {} {} {}", role(side), shape.name(mv.from), shape.name(mv.to)))?;
        answer(talk, deadline)?;
        side = side.other();
    }
    talk.state.known = at.moves.len();
    talk.wire.say("generate_move")?;
    let said = match answer(talk, deadline) {
        Ok(said) => said,
        // It thinks that the game is over.
        Err(Fault::Refused { .. }) => return Ok(Decision::Pass),
        Err(fault) => return Err(fault),
    };
    let mut words = said.split([' ', ',']).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("play"), Some(_), Some("resigns" | "resign"), _) => Ok(Decision::Resign),
        (Some("play"), Some(_), Some(from), Some(to)) => {
            let mv = read_move(shape, &format!("{from}-{to}").to_lowercase());
            let mv = mv.ok_or_else(|| Fault::Nonsense { said: quoted(&said) })?;
            // The program has made the move on its own board.
            talk.state.known += 1;
            Ok(Decision::Move(Choice::bare(mv)))
        }
        (None, ..) => Ok(Decision::Pass),
        (Some(_), ..) => Err(Fault::Nonsense { said: quoted(&said) }),
    }
}

const fn role(side: Side) -> &'static str {
    match side {
        Side::Attackers => "attacker",
        Side::Defenders => "defender",
    }
}

/// Returns what follows the mark of the next answer; other lines are remarks.
fn answer(talk: &mut Talk, deadline: Instant) -> Result<String, Fault> {
    loop {
        let line = talk.wire.hear(deadline)?;
        if let Some(said) = line.strip_prefix('=') {
            return Ok(said.trim().to_owned());
        }
        if let Some(said) = line.strip_prefix('?') {
            return Err(Fault::Refused { said: quoted(said.trim()) });
        }
    }
}
