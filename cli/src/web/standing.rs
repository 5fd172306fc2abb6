//! The position that a request is about, and how play came there.

use std::sync::Arc;

use tafl_rules::{Game, Move, Ply, RepetitionMode, Setup, Side};

use super::call::Call;
use super::params::Params;
use super::problem::{Code, Problem};
use super::routes::{Param, ParamKind};
use super::shelf::{Ruled, Shelf};
use crate::question::read_turn;
use crate::variant::read_position;

const VARIANT: Param =
    Param { name: "variant", kind: ParamKind::Text, words: "The name of the variant; else give `rules`." };
const RULES: Param =
    Param { name: "rules", kind: ParamKind::Text, words: "The rules string, where the variant has no name." };

/// The parameters that name rules.
pub(crate) const RULES_PARAMS: &[Param] = &[VARIANT, RULES];

/// The parameters that name a position.
pub(crate) const PARAMS: &[Param] = &[
    VARIANT,
    RULES,
    Param {
        name: "position",
        kind: ParamKind::Text,
        words: "The position record, rank 1 first. Without it, the start of the rules.",
    },
    Param {
        name: "side",
        kind: ParamKind::Choice(&["attackers", "defenders"]),
        words: "Who is to move in it. Without it, who moves first by the rules.",
    },
    Param {
        name: "moves",
        kind: ParamKind::Text,
        words: "Moves that are played from there, such as `d1-d3 f4-f2`, with blanks or commas between.",
    },
];

/// The most moves that a request may play.
const MOST_MOVES: usize = 4000;

/// A position with its rules, and how play came there.
pub(crate) struct Standing {
    /// The rules.
    pub(crate) ruled: Arc<Ruled>,
    /// The arrangement before the first move.
    pub(crate) start: Setup,
    /// Who was to move in it.
    pub(crate) first: Side,
    /// The game where it stands now. Rules about repetition are reported and end nothing.
    pub(crate) game: Game,
    /// What was played from the start.
    pub(crate) plies: Vec<Ply>,
    /// The game before the last ply, if there is one.
    pub(crate) before: Option<Game>,
}

impl Standing {
    /// Returns the position that a request names.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the rules, the position or the moves.
    pub(crate) fn of(call: &Call) -> Result<Standing, Problem> {
        Standing::read(&call.params, &call.snapshot.shelf)
    }

    /// Returns the position that parameters name.
    ///
    /// # Errors
    ///
    /// As [`Standing::of`].
    pub(crate) fn read(params: &Params, shelf: &Shelf) -> Result<Standing, Problem> {
        let ruled = shelf.named(params)?;
        let rules = &ruled.variant.rules;
        let start = match params.text("position") {
            None => rules.start.clone(),
            Some(text) => read_position(rules.shape(), text.trim())
                .map_err(|error| Problem::of_position(&error, text))?,
        };
        let first = ruled.variant.side(params.side("side")?);
        let game = Game::from_setup(&ruled.book, &start, first, RepetitionMode::Report)
            .map_err(|error| Problem::new(Code::BadPosition, error.to_string()).of("position"))?;
        let mut standing = Standing { ruled, start, first, game, plies: Vec::new(), before: None };
        if let Some(text) = params.text("moves") {
            standing.play(text)?;
        }
        Ok(standing)
    }

    /// Returns the moves that were played.
    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Plays moves as a parameter writes them.
    fn play(&mut self, text: &str) -> Result<(), Problem> {
        let mut words = words(text).peekable();
        while let Some((start, word)) = words.next() {
            let is_last = words.peek().is_none();
            if self.plies.len() >= MOST_MOVES {
                let message = format!("`moves` has more than {MOST_MOVES} moves");
                return Err(Problem::parameter("moves", message));
            }
            let at = |problem: Problem| problem.of("moves").at(text, (start, start + word.len()));
            let record =
                read_turn(word).map_err(|error| at(Problem::new(Code::BadParameter, error.to_string())))?;
            for written in &record.main().moves {
                if is_last {
                    self.before = Some(self.game.clone());
                }
                self.step(written.from, written.to).map_err(at)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, from: tafl_rules::Coord, to: tafl_rules::Coord) -> Result<(), Problem> {
        let shape = self.game.shape();
        let cell = |coord| {
            let message = || format!("`{coord}` is no cell of a {shape} board");
            shape.cell(coord).ok_or_else(|| Problem::new(Code::IllegalMove, message()))
        };
        let mv = Move::new(cell(from)?, cell(to)?);
        if self.game.outcome().is_some() {
            // Records go on after ends that nobody saw; whoever explores them may, too.
            self.game.resume();
        }
        let number = self.plies.len() + 1;
        let ply = self.game.watch(mv).map_err(|why| {
            let words = why.words(shape, mv);
            Problem::new(Code::IllegalMove, format!("ply {number}, {}: {words}", mv.text(shape)))
        })?;
        self.plies.push(ply.0);
        Ok(())
    }
}

/// Returns the words of a text between blanks and commas, each with the byte at which it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_gap = |symbol: char| symbol.is_whitespace() || symbol == ',';
    text.split(is_gap)
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
