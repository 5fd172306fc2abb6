//! The client side of the text protocol of hnefatafl.org.

use std::time::Instant;

use tafl_rules::Shape;

use super::{Connection, quoted, read_move};
use crate::play::player::{Decision, PlayerChoice, PlayerError, PlayerView};

pub(super) fn begin(connection: &mut Connection, shape: Shape, deadline: Instant) -> Result<(), PlayerError> {
    // This command also starts a new game.
    connection.wire.send(&format!("board_size {}", shape.side()))?;
    answer(connection, deadline).map(drop)
}

pub(super) fn choose(
    connection: &mut Connection,
    at: PlayerView<'_>,
    deadline: Instant,
) -> Result<Decision, PlayerError> {
    let shape = at.game.shape();
    let mut game = at.game.clone();
    game.restart();
    for (nth, mv) in at.moves.iter().enumerate() {
        // In a chain, a side moves several times.
        let side = game.piece(mv.from).map_or(game.to_move(), |piece| piece.side);
        if nth >= connection.state.known {
            let (from, to) = (shape.name(mv.from), shape.name(mv.to));
            connection.wire.send(&format!("play {} {from} {to}", side.singular()))?;
            answer(connection, deadline)?;
        }
        // The move is legal: it was played before.
        let _ = game.play(*mv);
    }
    connection.state.known = at.moves.len();
    if at.declined {
        connection.wire.send(&format!("play {} declines", at.game.to_move().other().singular()))?;
        answer(connection, deadline)?;
    }
    connection.wire.send("generate_move")?;
    let reply = match answer(connection, deadline) {
        Ok(reply) => reply,
        // The program believes that the game is over.
        Err(PlayerError::Refused { .. }) => return Ok(Decision::Pass),
        Err(error) => return Err(error),
    };
    let mut words = reply.split([' ', ',']).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("play"), Some(_), Some("resigns" | "resign"), _) => Ok(Decision::Resign),
        (Some("play"), Some(_), Some("declines"), _) => Ok(Decision::Pass),
        (Some("play"), Some(_), Some(from), Some(to)) => {
            let mv = read_move(shape, &format!("{from}-{to}").to_lowercase());
            let mv = mv.ok_or_else(|| PlayerError::Nonsense { answer: quoted(&reply) })?;
            // The program has already made the move on its own board.
            connection.state.known += 1;
            Ok(Decision::Move(PlayerChoice::bare(mv)))
        }
        (None, ..) => Ok(Decision::Pass),
        (Some(_), ..) => Err(PlayerError::Nonsense { answer: quoted(&reply) }),
    }
}

/// Returns the text of the next answer line. Other lines are remarks and are skipped.
fn answer(connection: &mut Connection, deadline: Instant) -> Result<String, PlayerError> {
    loop {
        let line = connection.wire.receive(deadline)?;
        if let Some(reply) = line.strip_prefix('=') {
            return Ok(reply.trim().to_owned());
        }
        if let Some(reply) = line.strip_prefix('?') {
            return Err(PlayerError::Refused { answer: quoted(reply.trim()) });
        }
    }
}
