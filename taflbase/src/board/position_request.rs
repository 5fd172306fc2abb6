//! The position that a request is about, and the moves that lead there.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_rules::{Coord, Game, Move, Ply, RepetitionMode, Setup, Side};

use super::rules_cache::CompiledVariant;
use super::side::SideName;
use super::turn::{
    DECLINE, check_count, decline_chain, is_move_number, move_on, play_moves, read_turn, words,
};
use super::variant::Variant;
use crate::{App, Error, ErrorKind, Result};

/// Rules that a request names, and changes of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RulesRequest {
    /// Use the rules of a variant (see `tafl rules list`), of a rules string, or of a file with a rules string
    #[serde(alias = "rules")]
    #[schemars(description = "The name of a variant, or a rules string.")]
    #[cfg_attr(feature = "clap", arg(long, alias = "rules", value_name = "VARIANT"))]
    pub variant: Option<String>,
    /// Change one rule of the variant, such as sw=w; may be repeated
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(description = "Changes of single rules of the variant, such as `sw=w`.")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    pub rule: Vec<String>,
}

/// A position: its rules, its record, and the moves played from there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PositionRequest {
    /// The rules.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// The position: a position record, rank 1 first, or a FEN, top rank first
    /// [default: the start]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RECORD"))]
    pub position: Option<String>,
    /// The side to move in the position [default: the one that moves first by the rules]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIDE"))]
    pub side: Option<SideName>,
    /// Moves to play from there, such as "d1-d3 f4-f2"; they count as history, and `decline` declines to continue a chain
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES"))]
    pub moves: Option<String>,
}

impl RulesRequest {
    /// Returns the request for a variant without changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use taflbase::{App, RulesRequest};
    ///
    /// let rules = RulesRequest::of("brandubh7").require(&App::new())?;
    /// assert_eq!(rules.variant.name(), "brandubh7");
    /// # Ok::<(), taflbase::Error>(())
    /// ```
    pub fn of(variant: impl Into<String>) -> RulesRequest {
        RulesRequest { variant: Some(variant.into()), rule: Vec::new() }
    }

    /// Returns the rules, if any are named. No file is read unless [`App::with_rules_files`] allows it.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the variant or a change, or that changes are given without a variant.
    pub fn find(&self, app: &App) -> Result<Option<Arc<CompiledVariant>>> {
        self.read(|text| app.compiled(text, &self.rule))
    }

    /// Returns the rules, if any are named, and doesn't compile them: they may be such that can't be played.
    ///
    /// # Errors
    ///
    /// As [`RulesRequest::find`].
    pub fn variant(&self, app: &App) -> Result<Option<Variant>> {
        self.read(|text| app.variant(text, &self.rule))
    }

    fn read<T>(&self, read: impl FnOnce(&str) -> Result<T>) -> Result<Option<T>> {
        // The text is not trimmed: the place of an error is a place in it.
        match &self.variant {
            Some(text) => read(text).map(Some),
            None => self.without_variant().map(|()| None),
        }
    }

    /// Checks that no rule is changed without a variant.
    ///
    /// # Errors
    ///
    /// Fails if a rule is changed.
    pub fn without_variant(&self) -> Result<()> {
        if self.rule.is_empty() {
            return Ok(());
        }
        Err(Error::parameter("rule", "a rule is changed, but no variant is given")
            .with_help("name the variant whose rule is changed"))
    }

    /// Returns the rules, as [`RulesRequest::find`] does.
    ///
    /// # Errors
    ///
    /// As [`RulesRequest::find`]; and that none are given.
    pub fn require(&self, app: &App) -> Result<Arc<CompiledVariant>> {
        self.find(app)?.ok_or_else(|| {
            Error::parameter("variant", "no rules are given")
                .with_help("set --variant to the name of a variant, or to a rules string")
        })
    }
}

/// A position with its rules, and the moves that led there.
#[derive(Debug)]
pub struct PlayedPosition {
    /// The rules.
    pub rules: Arc<CompiledVariant>,
    /// The arrangement before the first move.
    pub start: Setup,
    /// The side to move in it.
    pub first: Side,
    /// The game after the last move. Repetitions are reported, but don't end the game.
    pub game: Game,
    /// The plies that were played from the start.
    pub plies: Vec<Ply>,
    /// The game before the last ply, if there is one, without an outcome: the last ply was played even after an end.
    pub before: Option<Game>,
}

impl PositionRequest {
    /// Plays the moves from the position.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules, the position, or a move, and where.
    pub fn play(&self, app: &App) -> Result<PlayedPosition> {
        let BegunGame { rules, start, first, game } = self.begin(app, RepetitionMode::Report)?;
        let mut played = PlayedPosition { rules, start, first, game, plies: Vec::new(), before: None };
        if let Some(text) = &self.moves {
            played.play_all(text)?;
        }
        Ok(played)
    }
}

/// A game without moves.
struct BegunGame {
    rules: Arc<CompiledVariant>,
    start: Setup,
    first: Side,
    game: Game,
}

/// A position in a game in progress: the moves were legal, and repetition rules are enforced.
#[derive(Debug, Clone)]
pub struct GamePosition {
    /// The rules.
    pub rules: Arc<CompiledVariant>,
    /// The arrangement before the first move.
    pub start: Setup,
    /// The side to move in it.
    pub first: Side,
    /// The moves.
    pub moves: Vec<Move>,
    /// The game after them.
    pub game: Game,
}

impl PositionRequest {
    /// Plays the moves from the position, with rules about repetition in force.
    ///
    /// # Errors
    ///
    /// As [`PositionRequest::play`]; and that a move makes a forbidden repetition.
    pub fn enforce(&self, app: &App) -> Result<GamePosition> {
        let BegunGame { rules, start, first, mut game } = self.begin(app, RepetitionMode::Enforce)?;
        let text = self.moves.as_deref().unwrap_or_default().replace(',', " ");
        let moves = play_moves(&mut game, &text).map_err(|error| error.of("moves"))?;
        Ok(GamePosition { rules, start, first, moves, game })
    }

    /// Reads the rules and the position.
    fn begin(&self, app: &App, mode: RepetitionMode) -> Result<BegunGame> {
        let rules = self.rules.require(app)?;
        let start = rules.variant.setup(self.position.as_deref()).map_err(|error| error.of("position"))?;
        let rules = rules.with_pieces_of(&start)?;
        let first = rules.variant.side(self.side.map(Side::from), self.position.as_deref());
        let game = Game::from_setup(&rules.book, &start, first, mode)
            .map_err(|error| Error::new(ErrorKind::BadPosition, error.to_string()).of("position"))?;
        Ok(BegunGame { rules, start, first, game })
    }
}

impl PlayedPosition {
    /// Returns the game with repetition rules enforced, or without them if they forbid a move that was played.
    pub fn enforced(&self) -> Game {
        let (book, start) = (&self.rules.book, &self.start);
        let Ok(mut game) = Game::from_setup(book, start, self.first, RepetitionMode::Enforce) else {
            return self.game.clone();
        };
        for mv in self.moves() {
            game.clear_outcome();
            if game.play(mv).is_err() {
                return self.game.clone();
            }
        }
        self.decline_as_played(&mut game);
        game
    }

    /// Declines a chain in a game with the same moves if it was declined after the last one. Where the other side moved next, its
    /// move declines the chain.
    pub(crate) fn decline_as_played(&self, game: &mut Game) {
        if game.chain().is_some() && self.game.chain().is_none() {
            game.decline_chain();
        }
    }

    /// Returns the moves that were played.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    fn play_all(&mut self, text: &str) -> Result<()> {
        let mut words = words(text);
        while let Some((start, word)) = words.next() {
            let is_last = words.clone().all(|(_, next)| next == DECLINE);
            if is_move_number(word) && words.clone().next().is_some() {
                continue;
            }
            check_count(self.plies.len() + 1)?;
            let at = |error: Error| error.of("moves").at("moves", text, start..start + word.len());
            if word == DECLINE {
                decline_chain(&mut self.game).map_err(at)?;
                continue;
            }
            let record = read_turn(word).map_err(at)?;
            for written in &record.main().moves {
                // Records continue after ends that the players didn't notice; requests may, too.
                self.game.clear_outcome();
                if is_last {
                    self.before = Some(self.game.clone());
                }
                self.step(written.from, written.to).map_err(at)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, from: Coord, to: Coord) -> Result<()> {
        let shape = self.game.shape();
        let mv = move_on(shape, from, to)?;
        let number = self.plies.len() + 1;
        let (ply, ..) = self.game.play_with_facts(mv).map_err(|why| {
            let words = why.describe(shape, mv);
            Error::new(ErrorKind::IllegalMove, format!("ply {number}, {}: {words}", mv.display(shape)))
        })?;
        self.plies.push(ply);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PositionAnswer;

    fn request(moves: &str) -> PositionRequest {
        PositionRequest {
            rules: RulesRequest::of("brandubh7"),
            moves: Some(moves.to_owned()),
            ..PositionRequest::default()
        }
    }

    #[test]
    fn moves_may_have_numbers() {
        let app = App::new();
        for moves in ["1. d1-c1 d3-c3 2. c1-d1", "1 d1-c1, d3-c3, 2) c1-d1", "1. d1-c1 1... d3-c3 2.c1-d1"] {
            let played = request(moves).play(&app).unwrap();
            assert_eq!(played.plies.len(), 3, "{moves}");
            assert_eq!(played.before.unwrap().n_plies(), 2, "{moves}");
            assert_eq!(request(moves).enforce(&app).unwrap().moves.len(), 3, "{moves}");
        }
        for moves in ["d1-c1 7", "d1-c1 zz d3-c3"] {
            let errors = [request(moves).play(&app).err(), request(moves).enforce(&app).err()];
            for error in errors {
                assert_eq!(error.unwrap().kind, ErrorKind::BadParameter, "{moves}");
            }
        }
    }

    #[test]
    fn the_number_of_moves_is_limited() {
        let app = App::new();
        let moves = |n_rounds: usize| "d1-c1 d3-c3 c1-d1 c3-d3 ".repeat(n_rounds);
        assert_eq!(request(&moves(1000)).play(&app).unwrap().plies.len(), 4000);
        let errors = [request(&moves(1001)).play(&app).err(), request(&moves(1001)).enforce(&app).err()];
        for error in errors {
            let error = error.unwrap();
            assert_eq!(error.parameter.as_deref(), Some("moves"));
            assert!(error.message.contains("more than 4000"), "{error}");
        }
    }

    /// A position in which the attackers may decline to continue a chain after `a2-b2`.
    fn chain_request(moves: &str) -> PositionRequest {
        let rules = RulesRequest::of("dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/");
        PositionRequest { rules, moves: Some(moves.to_owned()), ..PositionRequest::default() }
    }

    #[test]
    fn a_chain_is_declined_by_a_word_or_by_the_next_move() {
        let app = App::new();
        let answer = |moves: &str| PositionAnswer::of(&chain_request(moves).play(&app).unwrap());
        let chain = answer("a2-b2");
        assert_eq!((chain.to_move, chain.may_decline, chain.ply), ("attackers", true, 1));
        assert!(chain.moves.contains_key("b2") && chain.moves.contains_key("f1"), "{:?}", chain.moves);
        let declined = answer("a2-b2,decline");
        assert_eq!((declined.to_move, declined.may_decline, declined.ply), ("defenders", false, 1));
        assert!(!declined.moves.contains_key("b2"), "{:?}", declined.moves);
        assert_eq!(answer("a2-b2 decline f1-f2").key, answer("a2-b2 f1-f2").key);
        for moves in ["a2-b2", "a2-b2 decline", "a2-b2 decline f1-f2"] {
            let played = chain_request(moves).play(&app).unwrap();
            let enforced = chain_request(moves).enforce(&app).unwrap();
            assert_eq!(played.enforced().key(), played.game.key(), "{moves}");
            assert_eq!(enforced.game.key(), played.game.key(), "{moves}");
        }
        for moves in ["decline", "a2-b2 decline decline"] {
            assert_eq!(chain_request(moves).play(&app).unwrap_err().kind, ErrorKind::IllegalMove, "{moves}");
            assert_eq!(
                chain_request(moves).enforce(&app).unwrap_err().kind,
                ErrorKind::IllegalMove,
                "{moves}"
            );
        }
    }
}
