//! The client side of a protocol like the Universal Chess Interface.

use std::time::Instant;

use tafl_rules::{Shape, Side};

use super::{Connection, quoted, read_move};
use crate::limits::{Depth, Limits, Nodes};
use crate::play::player::{Decision, PlayerChoice, PlayerError, PlayerView};
use crate::score::{PovScore, Score};

pub(super) fn begin(connection: &mut Connection, deadline: Instant) -> Result<(), PlayerError> {
    if connection.state.games == 0 {
        connection.wire.send("uci")?;
        let mut takes_rules = false;
        loop {
            let line = connection.wire.receive(deadline)?;
            takes_rules |= line.starts_with("option name Rules ");
            if line.trim() == "uciok" {
                break;
            }
        }
        if takes_rules {
            connection.wire.send(&format!("setoption name Rules value {}", connection.state.rules))?;
        }
    }
    connection.wire.send("ucinewgame")?;
    connection.wire.send("isready")?;
    while connection.wire.receive(deadline)?.trim() != "readyok" {}
    Ok(())
}

pub(super) fn choose(
    connection: &mut Connection,
    at: PlayerView<'_>,
    limits: &Limits,
    deadline: Instant,
) -> Result<Decision, PlayerError> {
    let shape = at.game.shape();
    let mut position = "position startpos".to_owned();
    for (n, mv) in at.moves.iter().enumerate() {
        position.push_str(if n == 0 { " moves " } else { " " });
        position.push_str(&format!("{}{}", shape.name(mv.from), shape.name(mv.to)));
    }
    if at.declined {
        position.push_str(" 0000");
    }
    connection.wire.send(&position)?;
    connection.wire.send(&go(limits))?;
    let mut search_info = SearchInfo::default();
    loop {
        let line = connection.wire.receive(deadline)?;
        match line.split_once(' ') {
            Some(("info", rest)) => search_info.read(rest, at.game.to_move()),
            Some(("bestmove", rest)) => return search_info.decide(shape, rest.trim()),
            Some(_) | None => {}
        }
    }
}

fn go(limits: &Limits) -> String {
    let mut go = "go".to_owned();
    if let Some(Nodes(nodes)) = limits.nodes {
        go.push_str(&format!(" nodes {nodes}"));
    }
    if let Some(Depth(depth)) = limits.depth {
        go.push_str(&format!(" depth {depth}"));
    }
    if let Some(time) = limits.time {
        go.push_str(&format!(" movetime {}", time.as_millis().max(1)));
    }
    go
}

/// The search results reported so far.
#[derive(Default)]
struct SearchInfo {
    score: Option<PovScore>,
    depth: Option<Depth>,
    nodes: Option<Nodes>,
}

impl SearchInfo {
    fn read(&mut self, info: &str, side: Side) {
        let words: Vec<&str> = info.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let number = |after: usize| words.get(at + after).and_then(|word| word.parse::<i64>().ok());
            match *word {
                "depth" => {
                    self.depth = number(1).map(|plies| Depth(plies.clamp(0, 255) as u8)).or(self.depth)
                }
                "nodes" => self.nodes = number(1).map(|n| Nodes(n.max(0) as u64)).or(self.nodes),
                "cp" => {
                    let score =
                        number(1).map(|n| Score::evaluation(n.clamp(-40_000, 40_000) as i32).of(side));
                    self.score = score.or(self.score);
                }
                "mate" => self.score = number(1).map(|moves| mate(moves).of(side)).or(self.score),
                // The rest of the line may contain these words with another meaning.
                "pv" | "string" => break,
                _ => {}
            }
        }
    }

    fn decide(&self, shape: Shape, answer: &str) -> Result<Decision, PlayerError> {
        match answer.split_whitespace().next() {
            None | Some("(none)" | "none" | "0000") => Ok(Decision::Pass),
            Some("resign") => Ok(Decision::Resign),
            Some(word) => match read_move(shape, word) {
                // A null move means that the program has no move.
                Some(mv) if mv.from == mv.to => Ok(Decision::Pass),
                Some(mv) => {
                    let SearchInfo { score, depth, nodes } = *self;
                    Ok(Decision::Move(PlayerChoice { mv, score, depth, nodes }))
                }
                None => Err(PlayerError::Nonsense { answer: quoted(&format!("bestmove {answer}")) }),
            },
        }
    }
}

/// Returns the score of a win in a number of moves of the winner, or of a loss if the number is
/// negative.
fn mate(moves: i64) -> Score {
    let plies = |moves: i64, less: i64| (moves.min(250) * 2 - less).clamp(0, 500) as u16;
    match moves {
        1.. => Score::win_in(plies(moves, 1)),
        // `saturating_neg`, because the smallest number has no counterpart.
        _ => Score::loss_in(plies(moves.saturating_neg(), 0)),
    }
}
