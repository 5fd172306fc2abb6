//! The annotation of one game: the evaluations of its positions and the judgements of its plies.

use tafl_rules::{Game, Move, Side};

use super::{AnnotateSettings, Annotator, Confirm, GameToAnnotate};
use crate::annotate::annotate_error::AnnotateError;
use crate::annotate::judge::{Judgement, ONLY_MOVE_MARGIN};
use crate::annotate::motif::{self, Motif, Voice};
use crate::annotate::notes::{OnlyMove, PlyNote, PositionNote, SearchCounts};
use crate::annotate::position_searcher::PositionSearcher;
use crate::limits::Limits;
use crate::solver;

/// The annotation of one game in progress.
pub(super) struct GameAnnotator<'d> {
    settings: &'d AnnotateSettings,
    pub(super) usual: PositionSearcher<'d>,
    /// The searches of suspected errors, if they have other limits.
    deeper: Option<PositionSearcher<'d>>,
    pub(super) searches: SearchCounts,
}

/// A ply between two positions.
pub(super) struct AnnotatedStep<'s> {
    /// The game before the ply.
    pub(super) before: &'s Game,
    pub(super) mv: Move,
    pub(super) side: Side,
    /// The evaluation of the position before the ply.
    pub(super) from: &'s mut PositionNote,
    /// The game after the ply.
    pub(super) after: &'s Game,
    /// The evaluation of the position after the ply.
    pub(super) to: &'s mut PositionNote,
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
    pub(super) fn new(annotator: &Annotator<'d>, played: &GameToAnnotate<'d>) -> GameAnnotator<'d> {
        let Annotator { settings, curves, log } = *annotator;
        let curve = curves.of(played.variant);
        let searcher = |limits: Limits| PositionSearcher::new(limits, played.book, played.start, curve, log);
        let deeper = match settings.confirm {
            Confirm::Deeper(factor) => Some(searcher(settings.limits.times(factor))),
            Confirm::Errors | Confirm::Nothing => None,
        };
        let usual = searcher(settings.limits.clone());
        GameAnnotator { settings, usual, deeper, searches: SearchCounts::default() }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.settings.limits.is_stopped()
    }

    /// Evaluates the current position of a game with the usual limits.
    pub(super) fn evaluate_position(&mut self, game: &Game) -> Result<PositionNote, AnnotateError> {
        self.usual.evaluate(game, &mut self.searches, |_, _| {})
    }

    /// Judges a ply. Its positions are searched again if the settings ask for it and the ply may be an error.
    pub(super) fn annotate_ply(&mut self, mut step: AnnotatedStep<'_>) -> Result<PlyNote, AnnotateError> {
        let is_deeper = self.search_deeper(&mut step)?;
        self.judge(&step, is_deeper)
    }

    /// Searches the positions before and after a ply with the larger limits, if there are any and the ply may be an error, and
    /// returns whether it did. A forced win before the ply is exact, so that position is not searched again.
    fn search_deeper(&mut self, step: &mut AnnotatedStep<'_>) -> Result<bool, AnnotateError> {
        let Some(searcher) = &mut self.deeper else { return Ok(false) };
        let suspicious = step.loss().is_some_and(|loss| loss >= self.settings.thresholds.inaccuracy() / 2.0);
        if !suspicious || step.is_best() {
            return Ok(false);
        }
        let mut search = |game: &Game| searcher.evaluate(game, &mut self.searches, |_, _| {});
        let from = if step.from.win().is_some() { step.from.clone() } else { search(step.before)? };
        let to = search(step.after)?;
        let is_complete = from.expectation.is_some() && to.expectation.is_some();
        if is_complete {
            (*step.from, *step.to) = (from, to);
        }
        Ok(is_complete)
    }

    /// Judges a ply. `is_deeper` says that its positions were searched with the larger limits.
    fn judge(&mut self, step: &AnnotatedStep<'_>, is_deeper: bool) -> Result<PlyNote, AnnotateError> {
        let AnnotatedStep { mv, side, .. } = *step;
        let is_best = step.is_best();
        let mut best_expectation = step.expectation(step.from);
        let mut loss = step.loss();
        if is_best {
            // The engine found nothing better. If it sees more one ply later, the move is not to
            // blame.
            loss = loss.map(|_| 0.0);
        }
        // A forced win needs no search after its first move.
        let mut is_confirmed = self.settings.confirm != Confirm::Nothing && step.from.win().is_some();
        let is_error =
            |loss: Option<f64>| loss.is_some_and(|loss| self.settings.thresholds.judge(loss).is_error());
        if self.settings.confirm != Confirm::Nothing
            && is_error(loss)
            && let Some(best) = step.best()
            && step.from.win().is_none()
        {
            let confirmed = self.expectation_after(step.before, best, side, is_deeper)?;
            let after = step.expectation(step.to);
            if let (Some(before), Some(after), Some(confirmed)) = (best_expectation, after, confirmed) {
                is_confirmed = true;
                // The loss never exceeds the first estimate: if the best move is worth even more,
                // this was not visible before the ply.
                let before = before.min(confirmed);
                best_expectation = Some(before.max(after));
                loss = Some((before - after).max(0.0));
            }
        }
        let judgement = loss.map_or(Judgement::Good, |loss| self.settings.thresholds.judge(loss));
        is_confirmed &= judgement.is_error();
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
            best_expectation,
            is_best,
            is_confirmed,
            missed_win,
            proven_win,
            only,
            motifs,
        })
    }

    /// Searches the position after the first move of a line, and returns the expectation of a side.
    fn expectation_after(
        &mut self,
        before: &Game,
        mv: Move,
        side: Side,
        is_deeper: bool,
    ) -> Result<Option<f64>, AnnotateError> {
        let mut game = before.clone();
        // A move of the other side means to decline a chain; that side then chooses its reply.
        let is_reply = game.piece(mv.from).is_some_and(|piece| piece.side != game.to_move());
        let is_done = if is_reply { game.decline_chain() } else { game.play(mv).is_ok() };
        if !is_done {
            return Ok(None);
        }
        let searcher = self.deeper.as_mut().filter(|_| is_deeper).unwrap_or(&mut self.usual);
        let note = searcher.evaluate(&game, &mut self.searches, |_, _| {})?;
        Ok(note.expectation.map(|expectation| expectation.for_side(side)))
    }

    /// Returns the only good move of a position, if the engine searched at least two lines.
    fn only_move(&self, note: &PositionNote) -> Option<OnlyMove> {
        let [first, second, ..] = note.evaluation()?.lines() else { return None };
        if note.is_best_declined() {
            return None;
        }
        let part = |score| self.usual.curve.expect(note.to_move, score, note.phase).for_side(note.to_move);
        let margin = part(first.score) - part(second.score);
        (margin >= ONLY_MOVE_MARGIN).then_some(OnlyMove { mv: first.moves[0], margin })
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

#[cfg(test)]
mod tests {
    use tafl_rules::AnyRulebook;

    use super::*;
    use crate::annotate::curves::Curves;
    use crate::annotate::judge::Thresholds;

    #[test]
    fn declining_a_chain_is_better_than_a_continuation_and_is_no_only_move() {
        // Only the man on d2 stops the king, so the attackers should not continue their chain.
        let rules = "dim:7 esc:e ber:c xber:free start:/4t2/t3Tt1/t1T1t2/2tKt1t/2tTt2/4t2/1t4t/";
        let book = AnyRulebook::compile(&rules.parse().unwrap()).unwrap();
        let mut game = Game::new(&book);
        let start = game.setup();
        let plies: Vec<(Move, Side)> = ["a2-d2", "d2-c2", "d4-d1"]
            .into_iter()
            .map(|text| {
                let mv = game.parse_move(text).unwrap();
                (mv, game.play(mv).unwrap().side)
            })
            .collect();
        let first = Side::Attackers;
        let played = GameToAnnotate { book: &book, variant: None, start: &start, first, plies: &plies };
        let settings = AnnotateSettings {
            limits: Limits { multi_pv: Some(2), ..Limits::nodes(2_000) },
            thresholds: Thresholds::default(),
            confirm: Confirm::Errors,
            prove: None,
        };
        let curves = Curves::built_in();
        let notes = Annotator::new(&settings, &curves, None).annotate(&played).unwrap();
        let declined: Vec<bool> = notes.positions.iter().map(PositionNote::is_best_declined).collect();
        assert_eq!(declined, [false, true, false, false]);
        assert_eq!((notes.plies[1].judgement, notes.plies[1].only), (Judgement::Blunder, None));
    }
}
