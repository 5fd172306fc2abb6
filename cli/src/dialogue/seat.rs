//! What every protocol needs: an engine, rules, and a game that can be taken back.

use tafl_analyzer::{Engine, Limits, SearchOptions, SearchReport};
use tafl_rules::{AnyRulebook, Game, Move, PieceSet, RepetitionMode, RuleSet, Setup, Shape, Side};

use super::{Next, Thought};
use taflbase::compile_for;

/// A game, and the engine that thinks about it.
pub(crate) struct Seat {
    options: SearchOptions,
    book: AnyRulebook,
    engine: Option<Engine>,
    start: (Setup, Side),
    game: Game,
    moves: Vec<Move>,
}

impl Seat {
    /// Returns a seat at the start of rules.
    pub(crate) fn new(book: AnyRulebook, options: SearchOptions) -> Seat {
        let start = (book.rules().start.clone(), book.rules().first_mover);
        Seat { options, game: Game::new(&book), book, engine: None, start, moves: Vec::new() }
    }

    /// Takes other rules, and begins at their start.
    ///
    /// # Errors
    ///
    /// Returns why they cannot be played.
    pub(crate) fn set_rules(&mut self, rules: &RuleSet) -> Result<(), String> {
        let book = AnyRulebook::compile(rules).map_err(|error| error.to_string())?;
        *self = Seat::new(book, self.options.clone());
        Ok(())
    }

    /// Sets the engine up anew.
    pub(crate) fn set_up(&mut self, change: impl FnOnce(&mut SearchOptions)) {
        change(&mut self.options);
        self.engine = None;
    }

    /// Forgets what the engine found out.
    pub(crate) fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    /// Returns the game.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the shape of the board.
    pub(crate) fn shape(&self) -> Shape {
        self.book.shape()
    }

    /// Begins another game at the start of the rules.
    pub(crate) fn restart(&mut self) {
        self.stand((self.book.rules().start.clone(), self.book.rules().first_mover), &[]);
    }

    /// Begins another game where a position record says.
    ///
    /// # Errors
    ///
    /// Returns why the record does not fit.
    pub(crate) fn place(&mut self, record: &str, side: Side) -> Result<(), String> {
        let setup = Setup::parse(self.shape(), record).map_err(|error| error.to_string())?;
        self.meet(&setup)?;
        self.stand((setup, side), &[]);
        Ok(())
    }

    /// Compiles the rules anew where a position has kinds of pieces that they were not compiled for: the engine would move
    /// them as men.
    fn meet(&mut self, setup: &Setup) -> Result<(), String> {
        let present: PieceSet = setup.pieces().map(|(_, piece)| piece).collect();
        if self.book.pieces().union(present) != self.book.pieces() {
            self.book = compile_for(self.book.rules(), setup).map_err(|error| error.to_string())?;
            self.engine = None;
        }
        Ok(())
    }

    fn stand(&mut self, start: (Setup, Side), moves: &[Move]) {
        self.game = Game::from_setup(&self.book, &start.0, start.1, RepetitionMode::Enforce)
            .expect("the position was read for the board of the rules");
        self.start = start;
        self.moves.clear();
        for mv in moves {
            if self.game.play(*mv).is_ok() {
                self.moves.push(*mv);
            }
        }
    }

    /// Makes it the turn of a side.
    pub(crate) fn set_side(&mut self, side: Side) {
        if self.game.to_move() != side {
            self.game.set_to_move(side);
            if self.moves.is_empty() {
                self.start.1 = side;
            }
        }
    }

    /// Makes a move, and returns the cells of the captured pieces.
    ///
    /// # Errors
    ///
    /// Returns why the move is none, or illegal.
    pub(crate) fn play(&mut self, text: &str) -> Result<Vec<String>, String> {
        let shape = self.shape();
        let mv = Move::parse(text, shape).map_err(|_| format!("`{text}` is no move such as `d1-d3`"))?;
        let ply =
            self.game.play(mv).map_err(|why| format!("{}: {}", mv.text(shape), why.words(shape, mv)))?;
        self.moves.push(mv);
        Ok(ply.captured.iter().map(|cell| shape.name(cell)).collect())
    }

    /// Takes the last move back, and returns whether there was one.
    pub(crate) fn take_back(&mut self) -> bool {
        let mut moves = std::mem::take(&mut self.moves);
        let had_one = moves.pop().is_some();
        self.stand(self.start.clone(), &moves);
        had_one
    }

    /// Begins to think, or says why there is nothing to think about.
    pub(crate) fn think(&mut self, limits: Limits) -> Next {
        let engine = self.engine.take().unwrap_or_else(|| Engine::new(&self.book, self.options.clone()));
        Next::Think(Box::new(Thought { engine, game: self.game.clone(), limits }))
    }

    /// Takes the engine back.
    pub(crate) fn take_engine(&mut self, engine: Engine) {
        self.engine = Some(engine);
    }

    /// Returns the best moves of a search as `d1-d3 f4-f2`.
    pub(crate) fn line(&self, report: &SearchReport, at: usize) -> Vec<String> {
        let shape = self.shape();
        report
            .lines
            .get(at)
            .map_or_else(Vec::new, |line| line.moves.iter().map(|mv| mv.text(shape)).collect())
    }
}

/// Returns the side that a word begins with: `attackers`, `a`, `defenders`, `d`.
pub(crate) fn read_side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "a" | "attacker" | "attackers" => Some(Side::Attackers),
        "d" | "defender" | "defenders" => Some(Side::Defenders),
        _ => None,
    }
}
