//! Evaluations of the positions of a game: from the log, or by a search.

use std::sync::{Mutex, PoisonError};

use tafl_rules::{AnyRulebook, Game, Setup};

use super::annotate_error::AnnotateError;
use super::context::{EvalContext, options_for};
use super::curves::CurveChoice;
use super::evaluation::{EvalKey, Evaluation};
use super::expect::{Expectation, Phase};
use super::log::EvalLog;
use super::notes::{KnownResult, NoSearchReason, PositionNote, SearchCounts};
use crate::engine::{Engine, EngineError, SearchReport};
use crate::limits::Limits;

/// Evaluates positions of a game with the same limits.
pub(super) struct PositionSearcher<'d> {
    /// The limits of each search.
    limits: Limits,
    /// The curve that turns scores into expectations.
    pub(super) curve: CurveChoice<'d>,
    /// Everything that determines the results.
    pub(super) context: EvalContext,
    key: u64,
    log: Option<&'d Mutex<EvalLog>>,
    engine: Engine,
    start: &'d Setup,
}

impl<'d> PositionSearcher<'d> {
    /// Creates a searcher for games by some rules, which began with an arrangement.
    pub(super) fn new(
        limits: Limits,
        book: &AnyRulebook,
        start: &'d Setup,
        curve: CurveChoice<'d>,
        log: Option<&'d Mutex<EvalLog>>,
    ) -> PositionSearcher<'d> {
        let engine = Engine::new(book, options_for(&limits));
        let context = EvalContext::of(&engine, book, &limits);
        let key = context.key();
        PositionSearcher { limits, curve, context, key, log, engine, start }
    }

    /// Evaluates the current position of a game, calls `on_info` after each depth of a search, and counts the search.
    pub(super) fn evaluate(
        &mut self,
        game: &Game,
        searches: &mut SearchCounts,
        mut on_info: impl FnMut(&SearchReport, PositionNote),
    ) -> Result<PositionNote, AnnotateError> {
        let (to_move, chain, curve) = (game.to_move(), game.chain(), self.curve);
        let phase = Phase::of(self.start, &game.setup(), game.n_plies());
        let note = |known| {
            let expectation = match &known {
                KnownResult::Ended(outcome) => Some(Expectation::of_winner(outcome.winner)),
                KnownResult::Searched(evaluation) => Some(curve.expect(to_move, evaluation.score(), phase)),
                KnownResult::NotSearched(_) => None,
            };
            PositionNote { to_move, chain, known, phase, expectation }
        };
        let known = match game.outcome() {
            Some(outcome) => KnownResult::Ended(outcome),
            None => self.evaluation(game, searches, |report| {
                on_info(report, note(KnownResult::Searched(Evaluation::of(to_move, report))));
            })?,
        };
        Ok(note(known))
    }

    fn evaluation(
        &mut self,
        game: &Game,
        searches: &mut SearchCounts,
        on_info: impl FnMut(&SearchReport),
    ) -> Result<KnownResult, AnnotateError> {
        let key = EvalKey::of(self.key, game);
        if let Some(log) = self.log
            && let Some(stored) = lock(log).get(&key)?
            && stored.side == game.to_move()
            && stored.is_on(game.shape())
        {
            searches.reused += 1;
            return Ok(KnownResult::Searched(stored));
        }
        if self.limits.is_stopped() {
            return Ok(KnownResult::NotSearched(NoSearchReason::Stopped));
        }
        self.engine.new_game();
        match self.engine.search_with_info(game, &self.limits, on_info) {
            Ok(report) => {
                searches.made += 1;
                searches.nodes += report.nodes.0;
                let evaluation = Evaluation::of(game.to_move(), &report);
                // A search that was stopped from outside does not have the result of its limits, so
                // it is not stored.
                if let Some(log) = self.log.filter(|_| !self.limits.is_stopped()) {
                    lock(log).put(key, &self.context, &evaluation)?;
                }
                Ok(KnownResult::Searched(evaluation))
            }
            Err(error @ EngineError::ZeroLimit(_)) => Err(AnnotateError::Limits(error)),
            Err(error) => {
                let outcome = match error {
                    EngineError::Position(why) => why.outcome(game.rules()),
                    EngineError::ZeroLimit(_) | EngineError::OtherRules => None,
                };
                Ok(outcome
                    .map_or(KnownResult::NotSearched(NoSearchReason::Engine(error)), KnownResult::Ended))
            }
        }
    }
}

fn lock(log: &Mutex<EvalLog>) -> std::sync::MutexGuard<'_, EvalLog> {
    // The log is consistent even after a panic, because each record is written with one call.
    log.lock().unwrap_or_else(PoisonError::into_inner)
}
