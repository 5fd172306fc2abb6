//! Random games as lists of moves.

use std::fmt::Write;

use tafl_rules::{Game, Outcome, RepetitionMode, Rng, Role, Side};

use crate::{Variant, ours};

/// The maximum number of plies of a game.
const MAX_PLIES: usize = 150;

/// Returns `n_games` games, one per line, and the same ones each time.
pub(crate) fn games(variant: Variant, n_games: usize) -> String {
    let mut game = Game::with_mode(&ours::rulebook(variant), RepetitionMode::Report);
    let mut rng = Rng::new(0x7461_666c);
    let mut text = String::new();
    for _ in 0..n_games {
        game.restart();
        let mut fallen = [0, 0];
        let mut last = None;
        for n in 0..MAX_PLIES {
            let moves = game.moves();
            if moves.is_empty() || last.is_some() {
                break;
            }
            let ply = game.play(moves[rng.below(moves.len())]).expect("a move of the list is legal");
            let blank = if n > 0 { " " } else { "" };
            write!(text, "{blank}{}", ply.mv.display(game.shape())).expect("strings can be written");
            for cell in ply.captured.iter() {
                let Some(piece) = game.captured_piece(cell) else { continue };
                // Archives neither write nor count the capture of a king.
                if piece.role != Role::King {
                    fallen[ply.side.index()] += 1;
                    write!(text, "x{}", game.shape().coord(cell)).expect("strings can be written");
                }
            }
            last = ply.outcome;
        }
        writeln!(text, ",{},{},{}", fallen[0], fallen[1], result(last)).expect("strings can be written");
    }
    text
}

fn result(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "Ongoing",
        Some(outcome) => match outcome.winner {
            Some(Side::Attackers) => "Black",
            Some(Side::Defenders) => "White",
            None => "Draw",
        },
    }
}
