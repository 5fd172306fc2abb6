//! Answers of other programs during a game.

use std::collections::VecDeque;
use std::time::Instant;

use tafl_analyzer::{Limits, MatchTerms, PlayerError, Protocol, RandomPlayer, RemotePlayer, Wire, play_game};
use tafl_rules::{AnyRulebook, BySide, catalog};

/// A program that writes its lines regardless of its input, and then exits.
struct Speaker(VecDeque<String>);

impl Wire for Speaker {
    fn send(&mut self, _line: &str) -> Result<(), PlayerError> {
        Ok(())
    }

    fn receive(&mut self, _deadline: Instant) -> Result<String, PlayerError> {
        self.0.pop_front().ok_or_else(|| PlayerError::gone("it ended"))
    }
}

/// Arbitrary answers of a program in any protocol: a game with it ends, and every ply is legal.
pub(super) fn remote(data: &[u8]) {
    let [first, output @ ..] = data else { return };
    let protocol = Protocol::ALL[usize::from(*first) % Protocol::ALL.len()];
    let variant = if *first < 128 { "brandubh7" } else { "hexentafl4" };
    let rules = catalog::find(variant).expect("a variant of the catalog").rules();
    let book = AnyRulebook::compile(&rules).expect("variants can be compiled");
    let lines: VecDeque<String> = String::from_utf8_lossy(output).lines().map(str::to_owned).collect();
    let connect = move || Ok(Box::new(Speaker(lines.clone())) as Box<dyn Wire>);
    let mut program = RemotePlayer::new("program", protocol, Limits::nodes(1), Box::new(connect));
    let players = BySide { attackers: &mut program as _, defenders: &mut RandomPlayer::new(7) as _ };
    let played = play_game(&book, &[], players, &MatchTerms { plies: Some(20), ..MatchTerms::default() });
    assert!(!played.ending.to_string().is_empty());
    let mut game = tafl_rules::Game::new(&book);
    for ply in &played.plies {
        assert_eq!(ply.side, game.to_move());
        game.play(ply.mv).unwrap_or_else(|why| panic!("{why:?} in a game that was played"));
    }
}
