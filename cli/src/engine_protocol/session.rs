//! The session of a protocol: an engine, rules, and a game with undo.

use tafl_analyzer::{Engine, Limits, SearchOptions, SearchReport};
use tafl_rules::{AnyRulebook, Game, Move, PieceSet, RepetitionMode, RuleSet, Setup, Shape, Side};
use taflbase::compile_for;

use super::{Action, EngineSearch};

/// A game and the engine that searches it.
pub(crate) struct EngineSession {
    options: SearchOptions,
    book: AnyRulebook,
    engine: Option<Engine>,
    start: (Setup, Side),
    game: Game,
    /// The moves since the start; `None` where a chain was declined.
    moves: Vec<Option<Move>>,
}

impl EngineSession {
    /// Returns a session at the start of rules.
    pub(crate) fn new(book: AnyRulebook, options: SearchOptions) -> EngineSession {
        let start = (book.rules().start.clone(), book.rules().first_mover);
        EngineSession { options, game: Game::new(&book), book, engine: None, start, moves: Vec::new() }
    }

    /// Changes the rules, and starts a game at their start.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be played.
    pub(crate) fn set_rules(&mut self, rules: &RuleSet) -> Result<(), String> {
        let book = AnyRulebook::compile(rules).map_err(|error| error.to_string())?;
        *self = EngineSession::new(book, self.options.clone());
        Ok(())
    }

    /// Changes options of the engine.
    pub(crate) fn configure(&mut self, change: impl FnOnce(&mut SearchOptions)) {
        change(&mut self.options);
        self.engine = None;
    }

    /// Clears the engine's tables for a new game.
    pub(crate) fn new_game(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    /// Returns the game.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the side that moves first by the rules.
    pub(crate) fn first_mover(&self) -> Side {
        self.book.rules().first_mover
    }

    /// Returns the shape of the board.
    pub(crate) fn shape(&self) -> Shape {
        self.book.shape()
    }

    /// Changes the position. If the change fails, the position remains as it was.
    ///
    /// # Errors
    ///
    /// Returns the error of the change.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut EngineSession) -> Result<(), String>,
    ) -> Result<(), String> {
        let before = (self.book.clone(), self.start.clone(), self.game.clone(), self.moves.clone());
        let changed = change(self);
        if changed.is_err() {
            (self.book, self.start, self.game, self.moves) = before;
        }
        changed
    }

    /// Starts a game at the start of the rules.
    pub(crate) fn restart(&mut self) {
        self.reset((self.book.rules().start.clone(), self.book.rules().first_mover), &[]);
    }

    /// Starts a game at a position record or the rows of a FEN.
    ///
    /// # Errors
    ///
    /// Returns an error if the position does not fit the board.
    pub(crate) fn set_position(&mut self, record: &str, side: Side) -> Result<(), String> {
        let setup = Setup::parse(self.shape(), record).map_err(|error| error.to_string())?;
        self.compile_pieces(&setup)?;
        self.reset((setup, side), &[]);
        Ok(())
    }

    /// Compiles the rules again if a position has pieces that they were not compiled for, which would otherwise move as men.
    fn compile_pieces(&mut self, setup: &Setup) -> Result<(), String> {
        let present: PieceSet = setup.pieces().map(|(_, piece)| piece).collect();
        if self.book.pieces().union(present) != self.book.pieces() {
            self.book = compile_for(self.book.rules(), setup).map_err(|error| error.to_string())?;
            self.engine = None;
        }
        Ok(())
    }

    fn reset(&mut self, start: (Setup, Side), moves: &[Option<Move>]) {
        self.game = Game::from_setup(&self.book, &start.0, start.1, RepetitionMode::Enforce)
            .expect("the position was read for the board of the rules");
        self.start = start;
        self.moves.clear();
        for mv in moves {
            let is_played = match mv {
                Some(mv) => self.game.play(*mv).is_ok(),
                None => self.game.decline_chain(),
            };
            if is_played {
                self.moves.push(*mv);
            }
        }
    }

    /// Sets the side to move.
    pub(crate) fn set_side(&mut self, side: Side) {
        if self.game.to_move() != side {
            self.game.set_to_move(side);
            if self.moves.is_empty() {
                self.start.1 = side;
            }
        }
    }

    /// Plays a move, and returns the cells of the captured pieces.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a move, or the move is illegal.
    pub(crate) fn play(&mut self, text: &str) -> Result<Vec<String>, String> {
        let shape = self.shape();
        let mv = Move::parse(text, shape)
            .map_err(|_| format!("invalid move `{text}`; expected a move such as `d1-d3`"))?;
        let ply = self
            .game
            .play(mv)
            .map_err(|why| format!("{}: {}", mv.display(shape), why.describe(shape, mv)))?;
        self.moves.push(Some(mv));
        Ok(ply.captured.iter().map(|cell| shape.name(cell)).collect())
    }

    /// Declines to continue a chain.
    ///
    /// # Errors
    ///
    /// Returns an error if the side to move may not.
    pub(crate) fn decline(&mut self) -> Result<(), String> {
        if !self.game.decline_chain() {
            return Err(format!("the {} have no chain that they may decline", self.game.to_move()));
        }
        self.moves.push(None);
        Ok(())
    }

    /// Undoes the last move, or that a chain was declined, and returns whether there was one.
    pub(crate) fn undo(&mut self) -> bool {
        let mut moves = std::mem::take(&mut self.moves);
        let had_one = moves.pop().is_some();
        self.reset(self.start.clone(), &moves);
        had_one
    }

    /// Returns the action that searches the position.
    pub(crate) fn search(&mut self, limits: Limits) -> Action {
        let engine = self.engine.take().unwrap_or_else(|| Engine::new(&self.book, self.options.clone()));
        Action::Search(Box::new(EngineSearch { engine, game: self.game.clone(), limits }))
    }

    /// Takes the engine back.
    pub(crate) fn return_engine(&mut self, engine: Engine) {
        self.engine = Some(engine);
    }

    /// Returns whether the best line of a search declines to continue a chain. It then begins with a move of the other side.
    pub(crate) fn declines(&self, report: &SearchReport) -> bool {
        report.lines.first().is_some_and(|line| line.declines(self.game.chain()))
    }

    /// Returns the moves of a line of a search, such as `d1-d3`, `f4-f2`.
    pub(crate) fn line(&self, report: &SearchReport, at: usize) -> Vec<String> {
        let shape = self.shape();
        report
            .lines
            .get(at)
            .map_or_else(Vec::new, |line| line.moves.iter().map(|mv| mv.display(shape).to_string()).collect())
    }

    /// Returns the opponent's move after the best move, if the search found one.
    pub(crate) fn reply(&self, report: &SearchReport) -> Option<String> {
        if self.declines(report) {
            // The first move is already the opponent's.
            return None;
        }
        let [best, reply, ..] = report.lines.first()?.moves[..] else { return None };
        let mut game = self.game.clone();
        // A step after a step of a capture chain belongs to the same side.
        let is_reply = game.play(best).is_ok_and(|ply| !ply.goes_on);
        is_reply.then(|| reply.display(self.shape()).to_string())
    }
}

/// Returns the side of a word: `attackers`, `a`, `defenders`, `d`.
pub(crate) fn parse_side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "a" | "attacker" | "attackers" => Some(Side::Attackers),
        "d" | "defender" | "defenders" => Some(Side::Defenders),
        _ => None,
    }
}
