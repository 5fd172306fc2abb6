//! Games of a corpus that are played again by the rules.

use std::collections::HashMap;

use tafl_corpus::{Corpus, MoveLogError, Result};
use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, RuleSet, Setup, Side};

use super::games::GameFacts;

/// A game of a corpus: its start, and its moves.
#[derive(Debug, Clone)]
pub(super) struct PlayableGame {
    /// The position before the first ply.
    pub(super) board: Game,
    /// The moves.
    pub(super) moves: Vec<Move>,
    /// The side to move after the last ply.
    pub(super) to_move: Side,
}

impl PlayableGame {
    /// Plays a move, also after an end that the players overlooked; returns `false` if the rules forbid it.
    pub(super) fn play(board: &mut Game, mv: Move) -> bool {
        board.clear_outcome();
        board.play(mv).is_ok()
    }

    /// Returns the board after the last ply; `None` if the rules do not allow the moves.
    pub(super) fn end(mut self) -> Option<Game> {
        let is_legal = self.moves.iter().all(|mv| PlayableGame::play(&mut self.board, *mv));
        (is_legal && self.board.to_move() == self.to_move).then_some(self.board)
    }
}

/// Reads games of a corpus, and keeps the rules that it compiled.
pub(super) struct PlayableGames<'c> {
    corpus: &'c Corpus,
    /// The compiled rules, by the rules string; `None` if they cannot be played.
    books: HashMap<String, Option<AnyRulebook>>,
}

impl<'c> PlayableGames<'c> {
    pub(super) fn new(corpus: &'c Corpus) -> PlayableGames<'c> {
        PlayableGames { corpus, books: HashMap::new() }
    }

    /// Reads a game; `None` if its rules or its start cannot be used.
    ///
    /// # Errors
    ///
    /// Returns the path of a damaged move log.
    pub(super) fn game(&mut self, game: &GameFacts) -> Result<Option<PlayableGame>> {
        let Some(segment) = self.corpus.segments().get(game.segment as usize) else { return Ok(None) };
        let move_log = segment.move_log()?;
        let damaged = |error: MoveLogError| segment.move_log_error(error);
        let setup = &move_log.game_setups()[usize::from(move_log.entry(game.row).game_setup)];
        let compile = || AnyRulebook::compile(&setup.rules.parse::<RuleSet>().ok()?).ok();
        let Some(book) = self.books.entry(setup.rules.clone()).or_insert_with(compile) else {
            return Ok(None);
        };
        let start = Setup::parse(book.shape(), &setup.start).ok();
        let board =
            start.and_then(|start| Game::from_setup(book, &start, setup.first, RepetitionMode::Enforce).ok());
        let Some(board) = board else { return Ok(None) };
        let mut cursor = move_log.cursor(game.row).map_err(damaged)?;
        let mut moves = Vec::with_capacity(cursor.n_plies_left() as usize);
        while cursor.advance().map_err(damaged)? {
            moves.extend(cursor.state().last);
        }
        Ok(Some(PlayableGame { board, moves, to_move: cursor.state().to_move }))
    }
}
