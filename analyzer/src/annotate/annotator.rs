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
use super::judge::{Judgement, ONLY_MARGIN, Thresholds};
use super::log::EvalLog;
use super::motif::{self, Motif, Voice};
use super::notes::{GameNotes, KnownResult, OnlyMove, PlyNote, PositionNote, SearchCounts, Stopped};
use super::position_searcher::PositionSearcher;
use crate::engine::{Engine, SearchReport};
use crate::limits::{Limits, Nodes};
use crate::solver;

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
    /// Before that, plies with at least half the loss of an inaccuracy are judged again by searches of the positions before and
    /// after them with this many times the limits. Their results replace the first ones.
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
    /// Returns an error if the log cannot be read or written, or if the limits allow no search.
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
        let mut annotation = GameAnnotator::new(self, played)?;
        let mut game = Game::from_setup(played.book, played.start, played.first, RepetitionMode::Report)
            .map_err(|_| AnnotateError::Board)?;
        let mut positions = vec![annotation.evaluate_position(&game)?];
        let mut plies = Vec::with_capacity(played.plies.len());
        let mut stopped = None;
        for (nth, (mv, side)) in (0u32..).zip(played.plies) {
            if annotation.is_stopped() {
                stopped = Some(Stopped::Asked { ply: nth + 1 });
                break;
            }
            if game.outcome().is_some() {
                game.clear_outcome();
            }
            if game.to_move() != *side {
                game.set_to_move(*side);
                *positions.last_mut().expect("the start is a position") =
                    annotation.evaluate_position(&game)?;
            }
            let before = game.clone();
            if game.play(*mv).is_err() {
                stopped = Some(Stopped::Illegal { ply: nth + 1 });
                break;
            }
            let mut after = annotation.evaluate_position(&game)?;
            if annotation.is_stopped() && after.evaluation().is_none() && game.outcome().is_none() {
                stopped = Some(Stopped::Asked { ply: nth + 1 });
                break;
            }
            let step = AnnotatedStep {
                before: &before,
                mv: *mv,
                side: *side,
                from: &positions[plies.len()],
                to: &after,
            };
            let deeper = annotation.search_deeper(&step, &game)?;
            let is_deeper = deeper.is_some();
            if let Some((from, to)) = deeper {
                (positions[plies.len()], after) = (from, to);
            }
            let step = AnnotatedStep {
                before: &before,
                mv: *mv,
                side: *side,
                from: &positions[plies.len()],
                to: &after,
            };
            plies.push(annotation.judge(&step, is_deeper)?);
            positions.push(after);
            if on_ply(plies.len()).is_break() && plies.len() < played.plies.len() {
                stopped = Some(Stopped::Asked { ply: nth + 2 });
                break;
            }
        }
        let sides = GameNotes::sum_up(&plies);
        let curve = annotation.usual.curve.name().to_owned();
        let engine = annotation.usual.context.engine.clone();
        Ok(GameNotes { positions, plies, sides, engine, curve, stopped, searches: annotation.searches })
    }

    /// Returns the identity of the engine for these rules, as it appears in outputs.
    pub fn engine(&self, book: &AnyRulebook) -> String {
        super::context::engine_text(&Engine::new(book, options_for(&Limits::nodes(1))))
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
        let mut annotation = GameAnnotator::new(self, played)?;
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
        Ok(GameAnnotator::new(self, &unplayed)?.evaluate_position(game)?.known)
    }
}

/// The annotation of one game in progress.
struct GameAnnotator<'d> {
    settings: &'d AnnotateSettings,
    usual: PositionSearcher<'d>,
    /// The searches of suspected errors, if they have other limits.
    deeper: Option<PositionSearcher<'d>>,
    searches: SearchCounts,
}

/// A ply between two positions.
struct AnnotatedStep<'s> {
    /// The game before the ply.
    before: &'s Game,
    mv: Move,
    side: Side,
    from: &'s PositionNote,
    to: &'s PositionNote,
}

impl AnnotatedStep<'_> {
    fn expectation(&self, note: &PositionNote) -> Option<f64> {
        note.expectation.map(|expectation| expectation.for_side(self.side))
    }

    /// Returns the loss of expectation by the ply.
    fn loss(&self) -> Option<f64> {
        let (before, after) = self.expectation(self.from).zip(self.expectation(self.to))?;
        Some((before - after).max(0.0))
    }

    /// Returns the engine's first choice.
    fn best(&self) -> Option<Move> {
        self.from.evaluation().map(|evaluation| evaluation.best().moves[0])
    }

    fn is_best(&self) -> bool {
        self.best() == Some(self.mv)
    }
}

impl<'d> GameAnnotator<'d> {
    fn new(
        annotator: &Annotator<'d>,
        played: &GameToAnnotate<'d>,
    ) -> Result<GameAnnotator<'d>, AnnotateError> {
        let Annotator { settings, curves, log } = *annotator;
        let curve = curves.of(played.variant);
        let searcher =
            |limits: Limits| PositionSearcher::new(limits, (played.book, played.start), (curve, log));
        let deeper = match settings.confirm {
            Confirm::Deeper(factor) => Some(searcher(settings.limits.times(factor))),
            Confirm::Errors | Confirm::Nothing => None,
        };
        let usual = searcher(settings.limits.clone());
        Ok(GameAnnotator { settings, usual, deeper, searches: SearchCounts::default() })
    }

    fn is_stopped(&self) -> bool {
        self.settings.limits.is_stopped()
    }

    /// Evaluates the current position of a game with the usual limits.
    fn evaluate_position(&mut self, game: &Game) -> Result<PositionNote, AnnotateError> {
        self.usual.evaluate(game, &mut self.searches, |_, _| {})
    }

    /// Searches the positions before and after a ply with the larger limits, if there are any and the ply may be an error.
    fn search_deeper(
        &mut self,
        step: &AnnotatedStep<'_>,
        after: &Game,
    ) -> Result<Option<(PositionNote, PositionNote)>, AnnotateError> {
        let Some(searcher) = &mut self.deeper else { return Ok(None) };
        let suspicious = step.loss().is_some_and(|loss| loss >= self.settings.thresholds.inaccuracy() / 2.0);
        if !suspicious || step.is_best() || step.from.win().is_some() {
            return Ok(None);
        }
        let from = searcher.evaluate(step.before, &mut self.searches, |_, _| {})?;
        let to = searcher.evaluate(after, &mut self.searches, |_, _| {})?;
        let is_complete = from.expectation.is_some() && to.expectation.is_some();
        Ok(is_complete.then_some((from, to)))
    }

    /// Judges a ply. `is_deeper` says that its positions were searched with the larger limits.
    fn judge(&mut self, step: &AnnotatedStep<'_>, is_deeper: bool) -> Result<PlyNote, AnnotateError> {
        let AnnotatedStep { mv, side, .. } = *step;
        let is_best = step.is_best();
        let mut could = step.expectation(step.from);
        let mut loss = step.loss();
        if is_best {
            // The engine found nothing better. If it sees more one ply later, the move is not to
            // blame.
            loss = loss.map(|_| 0.0);
        }
        let mut is_confirmed = false;
        let is_error =
            |loss: Option<f64>| loss.is_some_and(|loss| self.settings.thresholds.judge(loss).is_error());
        if self.settings.confirm != Confirm::Nothing
            && is_error(loss)
            && let Some(best) = step.best()
            && step.from.win().is_none()
        {
            let confirmed = self.expectation_after((step.before, best), side, is_deeper)?;
            let after = step.expectation(step.to);
            if let (Some(before), Some(after), Some(confirmed)) = (could, after, confirmed) {
                is_confirmed = true;
                // The loss never exceeds the first estimate: if the best move is worth even more,
                // this was not visible before the ply.
                let before = before.min(confirmed);
                could = Some(before.max(after));
                loss = Some((before - after).max(0.0));
            }
        }
        let judgement = loss.map_or(Judgement::Good, |loss| self.settings.thresholds.judge(loss));
        let missed_win = step.from.win_missed_by(side, step.to);
        let asked = self.settings.prove.filter(|_| missed_win.is_some());
        let proven_win =
            asked.and_then(|nodes| solver::prove_win(step.before, nodes)).map(|proof| proof.plies);
        let motifs = motifs(step, judgement, missed_win.is_some());
        let only = self.only_move(step.from);
        Ok(PlyNote {
            mv,
            side,
            loss,
            judgement,
            could,
            is_best,
            is_confirmed,
            missed_win,
            proven_win,
            only,
            motifs,
        })
    }

    /// Searches the position after a move, and returns the expectation of a side.
    fn expectation_after(
        &mut self,
        (before, mv): (&Game, Move),
        side: Side,
        is_deeper: bool,
    ) -> Result<Option<f64>, AnnotateError> {
        let mut game = before.clone();
        if game.play(mv).is_err() {
            return Ok(None);
        }
        let searcher = self.deeper.as_mut().filter(|_| is_deeper).unwrap_or(&mut self.usual);
        let note = searcher.evaluate(&game, &mut self.searches, |_, _| {})?;
        Ok(note.expectation.map(|expectation| expectation.for_side(side)))
    }

    /// Returns the only good move of a position, if the engine searched at least two lines.
    fn only_move(&self, note: &PositionNote) -> Option<OnlyMove> {
        let [first, second, ..] = note.evaluation()?.lines() else { return None };
        let part = |score| self.usual.curve.expect(note.to_move, score, note.phase).for_side(note.to_move);
        let margin = part(first.score) - part(second.score);
        (margin >= ONLY_MARGIN).then_some(OnlyMove { mv: first.moves[0], margin })
    }
}

/// Returns the motifs of a ply; for an error or a missed win, also what it missed and what it
/// allowed.
fn motifs(step: &AnnotatedStep<'_>, judgement: Judgement, has_missed: bool) -> Vec<Motif> {
    let mut game = step.before.clone();
    let mut motifs = motif::motifs_of_move(&mut game, step.mv, Voice::Done).unwrap_or_default();
    if !judgement.is_error() && !has_missed {
        return motifs;
    }
    if let Some(evaluation) = step.from.evaluation() {
        let missed = motif::motifs_of_line(step.before, &evaluation.best().moves, Voice::Missed);
        let is_new = |new: &&Motif| motifs.iter().all(|done| done.kind != new.kind);
        let missed: Vec<Motif> = missed.iter().filter(is_new).copied().collect();
        motifs.extend(missed);
    }
    // Inside a chain, the same side continues, so the line is not the opponent's.
    if let Some(evaluation) = step.to.evaluation().filter(|_| step.to.to_move != step.side) {
        motifs.extend(motif::motifs_of_line(&game, &evaluation.best().moves, Voice::Allowed));
    }
    motifs
}
