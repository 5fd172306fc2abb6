//! Annotation of games, ply by ply.
//!
//! Each position is searched once, because the evaluation after a ply is the one before the next
//! ply. Every search starts as if in a new game, so its result depends only on the position, its
//! history, and the limits, not on earlier searches or stored evaluations. Resumed work therefore
//! gives the same results.

use std::ops::ControlFlow;
use std::sync::Mutex;

use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, Setup, Side};

use super::annotate_error::AnnotateError;
use super::context::options_for;
use super::curves::Curves;
use super::judge::Thresholds;
use super::log::EvalLog;
use super::notes::{GameNotes, KnownResult, PositionNote, StopReason};
use crate::engine::{Engine, SearchReport};
use crate::limits::{Limits, Nodes};
use game_annotator::{AnnotatedStep, GameAnnotator};

mod game_annotator;

/// The settings of annotation.
#[derive(Debug, Clone)]
pub struct AnnotateSettings {
    /// The limits of each search.
    pub limits: Limits,
    /// The losses from which a ply is an error.
    pub thresholds: Thresholds,
    /// Whether suspected errors are confirmed.
    pub confirm: Confirm,
    /// The number of positions that the solver may visit to prove a missed win; without it, the
    /// solver is not used.
    pub prove: Option<Nodes>,
}

/// Whether a suspected error is checked by a search after the better move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Confirm {
    /// Each suspected error costs one extra search, after the engine's preferred move. If that move turns out no better, the
    /// played move was not an error. The smaller of the two losses counts.
    #[default]
    Errors,
    /// As [`Confirm::Errors`], but first, the positions before and after plies with at least half the loss of an inaccuracy
    /// are searched again with this many times the limits. The new results replace the first ones.
    Deeper(u32),
    /// No extra searches: losses follow from the searches before and after the ply.
    Nothing,
}

/// A game to annotate.
#[derive(Debug, Clone, Copy)]
pub struct GameToAnnotate<'g> {
    /// The rules.
    pub book: &'g AnyRulebook,
    /// The name of the variant, which selects the curve.
    pub variant: Option<&'g str>,
    /// The arrangement at the start.
    pub start: &'g Setup,
    /// The side that moves first.
    pub first: Side,
    /// The plies, with the side that made each of them.
    pub plies: &'g [(Move, Side)],
}

/// Annotates games. An annotator is for one thread; threads may share a log.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{AnnotateSettings, GameToAnnotate, Annotator, Confirm, Curves, Limits, Thresholds};
/// use tafl_rules::{AnyRulebook, Game, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
/// let game = Game::new(&book);
/// let plies = [(game.moves()[0], game.to_move())];
/// let start = game.setup();
/// let played = GameToAnnotate { book: &book, variant: Some("brandubh7"), start: &start, first: game.to_move(), plies: &plies };
///
/// let (limits, thresholds) = (Limits::nodes(500), Thresholds::default());
/// let settings = AnnotateSettings { limits, thresholds, confirm: Confirm::Errors, prove: None };
/// let curves = Curves::built_in();
/// let notes = Annotator::new(&settings, &curves, None).annotate(&played).unwrap();
/// assert_eq!((notes.positions.len(), notes.plies.len()), (2, 1));
/// println!("{:?}: loss {:?}", notes.plies[0].judgement, notes.plies[0].loss);
/// ```
#[derive(Debug)]
pub struct Annotator<'a> {
    settings: &'a AnnotateSettings,
    curves: &'a Curves,
    log: Option<&'a Mutex<EvalLog>>,
}

impl<'a> Annotator<'a> {
    /// Creates an annotator, with a log that stores evaluations if one is given.
    pub fn new(
        settings: &'a AnnotateSettings,
        curves: &'a Curves,
        log: Option<&'a Mutex<EvalLog>>,
    ) -> Annotator<'a> {
        Annotator { settings, curves, log }
    }

    /// Annotates a game up to its first illegal move.
    ///
    /// # Errors
    ///
    /// Returns an error if the log cannot be read or written, if the limits allow no search, or if the start is for another board.
    pub fn annotate(&self, played: &GameToAnnotate<'_>) -> Result<GameNotes, AnnotateError> {
        self.annotate_with_progress(played, |_| ControlFlow::Continue(()))
    }

    /// Annotates a game up to its first illegal move, and calls `on_ply` with the number of plies
    /// annotated after each ply. Stops if `on_ply` returns `Break`.
    ///
    /// # Errors
    ///
    /// The same as for [`Annotator::annotate`].
    pub fn annotate_with_progress(
        &self,
        played: &GameToAnnotate<'_>,
        mut on_ply: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<GameNotes, AnnotateError> {
        let mut annotation = GameAnnotator::new(self, played);
        let mut game = Game::from_setup(played.book, played.start, played.first, RepetitionMode::Report)
            .map_err(|_| AnnotateError::Board)?;
        let mut positions = vec![annotation.evaluate_position(&game)?];
        let mut plies = Vec::with_capacity(played.plies.len());
        let mut stopped = None;
        for (ply, (mv, side)) in (1u32..).zip(played.plies) {
            if annotation.is_stopped() {
                stopped = Some(StopReason::Canceled { ply });
                break;
            }
            if game.outcome().is_some() {
                game.clear_outcome();
            }
            let from = positions.last_mut().expect("the start is a position");
            if game.to_move() != *side {
                game.set_to_move(*side);
                *from = annotation.evaluate_position(&game)?;
            }
            let before = game.clone();
            if game.play(*mv).is_err() {
                stopped = Some(StopReason::IllegalMove { ply });
                break;
            }
            let mut to = annotation.evaluate_position(&game)?;
            if annotation.is_stopped() && to.evaluation().is_none() && game.outcome().is_none() {
                stopped = Some(StopReason::Canceled { ply });
                break;
            }
            let step =
                AnnotatedStep { before: &before, mv: *mv, side: *side, from, after: &game, to: &mut to };
            plies.push(annotation.annotate_ply(step)?);
            positions.push(to);
            if on_ply(plies.len()).is_break() && plies.len() < played.plies.len() {
                stopped = Some(StopReason::Canceled { ply: ply + 1 });
                break;
            }
        }
        let sides = GameNotes::summarize(&plies);
        let curve = annotation.usual.curve.name().to_owned();
        let engine = annotation.usual.context.engine.clone();
        Ok(GameNotes { positions, plies, sides, engine, curve, stopped, searches: annotation.searches })
    }

    /// Returns the identity of the engine for these rules, as it appears in outputs.
    pub fn engine(&self, book: &AnyRulebook) -> String {
        Engine::new(book, options_for(&Limits::nodes(1))).identity().to_string()
    }

    /// Evaluates the current position of a game as [`Annotator::annotate`] does. `played` has the start of the game; its
    /// plies don't matter.
    ///
    /// # Errors
    ///
    /// The same as for [`Annotator::annotate`].
    pub fn note(&self, played: &GameToAnnotate<'_>, game: &Game) -> Result<PositionNote, AnnotateError> {
        self.note_with_info(played, game, |_, _| {})
    }

    /// Evaluates the current position of a game as [`Annotator::note`] does, and calls `on_info` after each depth with what the
    /// search has found.
    ///
    /// # Errors
    ///
    /// The same as for [`Annotator::annotate`].
    pub fn note_with_info(
        &self,
        played: &GameToAnnotate<'_>,
        game: &Game,
        on_info: impl FnMut(&SearchReport, PositionNote),
    ) -> Result<PositionNote, AnnotateError> {
        let mut annotation = GameAnnotator::new(self, played);
        annotation.usual.evaluate(game, &mut annotation.searches, on_info)
    }

    /// Evaluates the current position of a game.
    ///
    /// # Errors
    ///
    /// The same as for [`Annotator::annotate`].
    pub fn evaluate(&self, book: &AnyRulebook, game: &Game) -> Result<KnownResult, AnnotateError> {
        let unplayed =
            GameToAnnotate { book, variant: None, start: &game.setup(), first: game.to_move(), plies: &[] };
        Ok(GameAnnotator::new(self, &unplayed).evaluate_position(game)?.known)
    }
}
