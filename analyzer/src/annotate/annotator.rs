//! Annotation of games, ply by ply.
//!
//! Each position is searched once: the evaluation after a ply is the one before the next. Every search begins as one of a
//! new game, so its result depends on the position, its history and the limits alone, and neither on what was searched before
//! nor on what was kept: resumed work gives the same answers.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, Setup, Side};

use super::context::{Context, options_for};
use super::curves::{CurveChoice, Curves};
use super::evaluation::{EvalKey, Evaluation};
use super::expect::{Expectation, Phase};
use super::judge::{Judgement, ONLY_MARGIN, Thresholds};
use super::log::{EvalLog, LogError};
use super::motif::{self, Motif, Voice};
use super::notes::{GameNotes, Known, OnlyMove, PlyNote, PositionNote, Searches, Stopped};
use crate::engine::{Engine, EngineError};
use crate::limits::{Limits, Nodes};
use crate::solver;

/// How games are annotated.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The limits of each search.
    pub limits: Limits,
    /// From which loss on a ply is an error.
    pub thresholds: Thresholds,
    /// Whether losses are confirmed.
    pub confirm: Confirm,
    /// The positions that the solver may look at to prove a win that was missed; it is not asked without this.
    pub prove: Option<Nodes>,
}

/// Whether a loss must hold when the better move has been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Confirm {
    /// Each suspected error costs one extra search, after the engine's preferred move. If that move turns out no better, the
    /// played move was not an error. The smaller of the two losses counts.
    #[default]
    Errors,
    /// The search before the ply is believed.
    Nothing,
}

/// A game as it was played.
#[derive(Debug, Clone, Copy)]
pub struct Played<'g> {
    /// The rules.
    pub book: &'g AnyRulebook,
    /// The variant, for the choice of the curve.
    pub variant: Option<&'g str>,
    /// The arrangement at the start.
    pub start: &'g Setup,
    /// Who moves first.
    pub first: Side,
    /// The plies, with who made them.
    pub plies: &'g [(Move, Side)],
}

/// Annotates games. An annotator serves one thread; a log may be shared.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::annotate::annotator::Confirm;
/// use tafl_analyzer::annotate::{Annotator, Curves, Played, Settings, Thresholds};
/// use tafl_analyzer::Limits;
/// use tafl_rules::{AnyRulebook, Game, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
/// let game = Game::new(&book);
/// let plies = [(game.moves()[0], game.to_move())];
/// let start = game.setup();
/// let played = Played { book: &book, variant: Some("brandubh7"), start: &start, first: game.to_move(), plies: &plies };
///
/// let (limits, thresholds) = (Limits::nodes(500), Thresholds::default());
/// let settings = Settings { limits, thresholds, confirm: Confirm::Errors, prove: None };
/// let curves = Curves::built_in();
/// let notes = Annotator::new(&settings, &curves, None).annotate(&played).unwrap();
/// assert_eq!((notes.positions.len(), notes.plies.len()), (2, 1));
/// println!("{:?}: loss {:?}", notes.plies[0].judgement, notes.plies[0].loss);
/// ```
#[derive(Debug)]
pub struct Annotator<'a> {
    settings: &'a Settings,
    curves: &'a Curves,
    log: Option<&'a Mutex<EvalLog>>,
}

impl<'a> Annotator<'a> {
    /// Returns an annotator that keeps evaluations in a log, if there is one.
    pub fn new(settings: &'a Settings, curves: &'a Curves, log: Option<&'a Mutex<EvalLog>>) -> Annotator<'a> {
        Annotator { settings, curves, log }
    }

    /// Annotates a game as far as it can be played.
    ///
    /// # Errors
    ///
    /// Returns that the log cannot be read or written, and that the limits allow nothing.
    pub fn annotate(&self, played: &Played<'_>) -> Result<GameNotes, AnnotateError> {
        self.annotate_telling(played, |_| ControlFlow::Continue(()))
    }

    /// Annotates a game as far as it can be played, and tells after each ply how many are done; who is told may break off.
    ///
    /// # Errors
    ///
    /// As [`Annotator::annotate`].
    pub fn annotate_telling(
        &self,
        played: &Played<'_>,
        mut tell: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<GameNotes, AnnotateError> {
        let mut desk = Desk::new(self, played)?;
        let mut game = Game::from_setup(played.book, played.start, played.first, RepetitionMode::Report)
            .map_err(|_| AnnotateError::Board)?;
        let mut positions = vec![desk.look(&game)?];
        let mut plies = Vec::with_capacity(played.plies.len());
        let mut stopped = None;
        for (nth, (mv, side)) in (0u32..).zip(played.plies) {
            if desk.is_stopped() {
                stopped = Some(Stopped::Asked { ply: nth + 1 });
                break;
            }
            if game.outcome().is_some() {
                game.resume();
            }
            if game.to_move() != *side {
                game.set_to_move(*side);
                *positions.last_mut().expect("the start is a position") = desk.look(&game)?;
            }
            let before = game.clone();
            if game.play(*mv).is_err() {
                stopped = Some(Stopped::Illegal { ply: nth + 1 });
                break;
            }
            let after = desk.look(&game)?;
            if desk.is_stopped() && after.evaluation().is_none() && game.outcome().is_none() {
                stopped = Some(Stopped::Asked { ply: nth + 1 });
                break;
            }
            let step =
                Step { before: &before, mv: *mv, side: *side, from: &positions[plies.len()], to: &after };
            plies.push(desk.judge(&step)?);
            positions.push(after);
            if tell(plies.len()).is_break() && plies.len() < played.plies.len() {
                stopped = Some(Stopped::Asked { ply: nth + 2 });
                break;
            }
        }
        let sides = GameNotes::sum_up(&plies);
        let curve = desk.curve.name().to_owned();
        let engine = desk.context.engine.clone();
        Ok(GameNotes { positions, plies, sides, engine, curve, stopped, searches: desk.searches })
    }

    /// Returns who looks at games by these rules, as outputs name it.
    pub fn engine(&self, book: &AnyRulebook) -> String {
        super::context::engine_text(&Engine::new(book, options_for(&Limits::nodes(1))))
    }

    /// Evaluates the position in which a game stands.
    ///
    /// # Errors
    ///
    /// As [`Annotator::annotate`].
    pub fn evaluate(&self, book: &AnyRulebook, game: &Game) -> Result<Known, AnnotateError> {
        let nowhere = Played { book, variant: None, start: &game.setup(), first: game.to_move(), plies: &[] };
        Ok(Desk::new(self, &nowhere)?.look(game)?.known)
    }
}

/// Why games cannot be annotated at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotateError {
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The limits allow nothing.
    #[error(transparent)]
    Limits(EngineError),
    /// The start is for another board than the rules.
    #[error("the start is for another board than the rules")]
    Board,
}

/// What annotation of one game needs.
struct Desk<'d> {
    settings: &'d Settings,
    curve: CurveChoice<'d>,
    log: Option<&'d Mutex<EvalLog>>,
    engine: Engine,
    context: Context,
    key: u64,
    start: &'d Setup,
    searches: Searches,
}

/// A ply between two positions.
struct Step<'s> {
    /// The game before it.
    before: &'s Game,
    mv: Move,
    side: Side,
    from: &'s PositionNote,
    to: &'s PositionNote,
}

impl<'d> Desk<'d> {
    fn new(annotator: &Annotator<'d>, played: &Played<'d>) -> Result<Desk<'d>, AnnotateError> {
        let Annotator { settings, curves, log } = *annotator;
        let engine = Engine::new(played.book, options_for(&settings.limits));
        let context = Context::of(&engine, played.book, &settings.limits);
        let key = context.key();
        let curve = curves.of(played.variant);
        Ok(Desk {
            settings,
            curve,
            log,
            engine,
            context,
            key,
            start: played.start,
            searches: Searches::default(),
        })
    }

    fn is_stopped(&self) -> bool {
        self.settings.limits.is_stopped()
    }

    /// Returns what is known of the position in which a game stands; searches it where nobody has.
    fn look(&mut self, game: &Game) -> Result<PositionNote, AnnotateError> {
        let to_move = game.to_move();
        let phase = Phase::of(self.start, &game.setup(), game.n_plies());
        let known = match game.outcome() {
            Some(outcome) => Known::Ended(outcome),
            None => self.evaluation(game)?,
        };
        let expectation = match &known {
            Known::Ended(outcome) => Some(Expectation::of_winner(outcome.winner)),
            Known::Searched(evaluation) => Some(self.curve.expect(to_move, evaluation.score(), phase)),
            Known::NotSearched(_) => None,
        };
        Ok(PositionNote { to_move, known, phase, expectation })
    }

    fn evaluation(&mut self, game: &Game) -> Result<Known, AnnotateError> {
        let key = EvalKey::of(self.key, game);
        if let Some(log) = self.log
            && let Some(kept) = lock(log).get(&key)?
            && kept.side == game.to_move()
            && kept.is_on(game.shape())
        {
            self.searches.kept += 1;
            return Ok(Known::Searched(kept));
        }
        if self.is_stopped() {
            return Ok(Known::NotSearched(EngineError::NoLimit("time")));
        }
        self.engine.new_game();
        match self.engine.search(game, &self.settings.limits) {
            Ok(report) => {
                self.searches.made += 1;
                self.searches.nodes += report.nodes.0;
                let evaluation = Evaluation::of(game.to_move(), &report);
                // What a search said that was stopped from outside is not what its limits say, and is not kept.
                if let Some(log) = self.log.filter(|_| !self.is_stopped()) {
                    lock(log).put(key, &self.context, &evaluation)?;
                }
                Ok(Known::Searched(evaluation))
            }
            Err(error @ EngineError::NoLimit(_)) => Err(AnnotateError::Limits(error)),
            Err(error) => Ok(Known::NotSearched(error)),
        }
    }

    fn judge(&mut self, step: &Step<'_>) -> Result<PlyNote, AnnotateError> {
        let Step { mv, side, .. } = *step;
        let best = step.from.evaluation().map(|evaluation| evaluation.best().moves[0]);
        let is_best = best == Some(mv);
        let part = |note: &PositionNote| note.expectation.map(|expectation| expectation.for_side(side));
        let mut could = part(step.from);
        let mut loss = could.zip(part(step.to)).map(|(before, after)| (before - after).max(0.0));
        if is_best {
            // The engine knew nothing better: that it sees more a ply later is nobody's fault.
            loss = loss.map(|_| 0.0);
        }
        let mut is_confirmed = false;
        let is_error =
            |loss: Option<f64>| loss.is_some_and(|loss| self.settings.thresholds.judge(loss).is_error());
        if self.settings.confirm == Confirm::Errors
            && is_error(loss)
            && let Some(best) = best
            && step.from.win().is_none()
        {
            let truly = self.behind(step.before, best, side)?;
            if let (Some(before), Some(after), Some(truly)) = (could, part(step.to), truly) {
                is_confirmed = true;
                // Never more than was thought: the best move may be worth more, but that was not seen before the ply.
                let before = before.min(truly);
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

    /// Returns what a side may expect behind a move, by a search of its own.
    fn behind(&mut self, before: &Game, mv: Move, side: Side) -> Result<Option<f64>, AnnotateError> {
        let mut game = before.clone();
        if game.play(mv).is_err() {
            return Ok(None);
        }
        Ok(self.look(&game)?.expectation.map(|expectation| expectation.for_side(side)))
    }

    /// Returns the only good move of a position, where the engine was asked for two lines at least.
    fn only_move(&self, note: &PositionNote) -> Option<OnlyMove> {
        let [first, second, ..] = note.evaluation()?.lines() else { return None };
        let part = |score| self.curve.expect(note.to_move, score, note.phase).for_side(note.to_move);
        let margin = part(first.score) - part(second.score);
        (margin >= ONLY_MARGIN).then_some(OnlyMove { mv: first.moves[0], margin })
    }
}

/// Returns what a ply did; of one that is an error or lets a win go, also what it missed and what it allows.
fn motifs(step: &Step<'_>, judgement: Judgement, has_missed: bool) -> Vec<Motif> {
    let mut game = step.before.clone();
    let mut motifs = motif::of_move(&mut game, step.mv, Voice::Done).unwrap_or_default();
    if !judgement.is_error() && !has_missed {
        return motifs;
    }
    if let Some(evaluation) = step.from.evaluation() {
        let missed = motif::of_line(step.before, &evaluation.best().moves, Voice::Missed);
        let is_new = |new: &&Motif| motifs.iter().all(|done| done.kind != new.kind);
        let missed: Vec<Motif> = missed.iter().filter(is_new).copied().collect();
        motifs.extend(missed);
    }
    // In the middle of a chain the same side goes on.
    if let Some(evaluation) = step.to.evaluation().filter(|_| step.to.to_move != step.side) {
        motifs.extend(motif::of_line(&game, &evaluation.best().moves, Voice::Allowed));
    }
    motifs
}

fn lock(log: &Mutex<EvalLog>) -> std::sync::MutexGuard<'_, EvalLog> {
    // Behind a panic the log is whole: its record is written with one call.
    log.lock().unwrap_or_else(PoisonError::into_inner)
}
