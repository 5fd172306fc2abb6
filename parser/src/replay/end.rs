//! The end of a game: the record's claim, compared with the rules.

use tafl_rules::{Game, Outcome, Reason, Side, Span};

use super::Discrepancy;
use super::policy::{Policy, ReplayStop};
use super::reconciler::Reconciler;
use crate::record::{EndingKind, Record, WrittenEnding, WrittenVerdict};

/// The record's statements about the end of its game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// The recorded winner or status.
    pub(crate) verdict: WrittenVerdict,
    /// The reason, if the record gives one.
    pub(crate) reason: Option<Reason>,
    /// The last statement among the moves.
    pub(crate) ending: Option<WrittenEnding>,
    /// Whether no move follows this statement.
    pub(crate) is_ending_last: bool,
}

impl Claim {
    pub(crate) fn of(record: &Record) -> Claim {
        Claim {
            verdict: record.result.map_or(WrittenVerdict::Unknown, |result| result.verdict),
            reason: record.result.and_then(|result| result.reason),
            ending: record.ending,
            is_ending_last: record
                .ending
                .is_some_and(|ending| ending.after as usize >= record.main().moves.len()),
        }
    }

    /// Returns the reason that the record gives: with the result, or as the last statement among the moves.
    pub(crate) fn written_reason(&self) -> Option<Reason> {
        self.reason.or(self.ending.map(|ending| ending.kind.reason()))
    }

    /// Returns the winner of a won or drawn game: `Some(None)` for a draw.
    pub(crate) fn winner(&self) -> Option<Option<Side>> {
        match self.verdict {
            WrittenVerdict::Win(side) => Some(Some(side)),
            WrittenVerdict::Draw => Some(None),
            WrittenVerdict::Ongoing | WrittenVerdict::Unknown => None,
        }
    }

    /// Returns the result of the last statement among the moves, in the last position.
    pub(crate) fn last_word(&self, game: &Game) -> Option<Outcome> {
        let ending = self.ending?;
        let reason = ending.kind.reason();
        match ending.kind {
            EndingKind::Agreed => Some(Outcome::draw(reason)),
            EndingKind::Adjudicated => None,
            EndingKind::Resigned | EndingKind::Timeout => {
                // In a game without moves that ran out of time, the record does not name the loser.
                let by = ending.side.unwrap_or(next_to_move(game));
                Some(Outcome::win(by.other(), reason))
            }
        }
    }
}

/// Returns the side to move at the end of a record. A player who may end a chain is assumed to have ended it.
pub(crate) fn next_to_move(game: &Game) -> Side {
    let side = game.to_move();
    if game.chain().is_some() && game.rules().chain.may_decline { side.other() } else { side }
}

/// Returns whether rules end games for this reason.
const fn is_by_rules(reason: Reason) -> bool {
    reason.is_on_board() || matches!(reason, Reason::Repetition | Reason::PlyLimit)
}

impl Reconciler<'_> {
    /// Returns the end on the board: the current one, or an earlier one if play continued to a win of the
    /// same side, because it still explains the result.
    pub(crate) fn board_end(&self, claim: &Claim) -> Option<Outcome> {
        let winner = claim.verdict.winner();
        self.game.outcome().or(self.end.filter(|end| winner.is_some() && end.winner == winner))
    }

    /// Compares the end of the game with the record. Returns the end on which both agree, if any.
    pub(crate) fn compare_end<P: Policy>(
        &self,
        claim: &Claim,
        span: Span,
        policy: &mut P,
    ) -> Result<Option<Outcome>, ReplayStop> {
        let shown = if P::RULES_IN_QUESTION {
            self.game.outcome().or(self.repetition)
        } else {
            self.board_end(claim)
        };
        let compared = match (claim.winner(), shown) {
            (None, Some(board)) => self.compare_last_word::<P>(claim, board).map(Some),
            (None, None) if claim.last_word(&self.game).is_none() => Err(Discrepancy::Unfinished),
            (None, None) => Ok(None),
            (Some(winner), Some(board)) if board.winner != winner => {
                Err(Discrepancy::Result { board, winner })
            }
            (Some(_), Some(board)) if P::RULES_IN_QUESTION => compare_reasons(claim, board).map(Some),
            (Some(_), Some(board)) => Ok(Some(board)),
            (Some(winner), None) => self.explain_end::<P>(claim, winner).map(|()| None),
        };
        match compared {
            Ok(agreed) => Ok(agreed),
            Err(found) => self.handle(policy, span, found).map(|_| None),
        }
    }

    /// Compares the end by the rules with the last statement of a record without a result.
    fn compare_last_word<P: Policy>(&self, claim: &Claim, board: Outcome) -> Result<Outcome, Discrepancy> {
        match claim.last_word(&self.game).filter(|_| claim.is_ending_last) {
            None => Err(Discrepancy::Unrecorded(board)),
            Some(word) if word.winner != board.winner => {
                Err(Discrepancy::Result { board, winner: word.winner })
            }
            Some(_) if P::RULES_IN_QUESTION => compare_reasons(claim, board),
            Some(_) => Ok(board),
        }
    }

    /// Returns the side that moved last.
    fn last_mover(&self) -> Side {
        let side = self.game.to_move();
        if self.game.chain().is_some() { side } else { side.other() }
    }

    /// Looks for the reason of a result that the rules do not produce.
    fn explain_end<P: Policy>(&self, claim: &Claim, winner: Option<Side>) -> Result<(), Discrepancy> {
        let last_word = claim.last_word(&self.game);
        let is_explained = if P::RULES_IN_QUESTION { claim.ending.is_some() } else { last_word.is_some() };
        // A game can be drawn although a player ran out of time, but not after a resignation.
        if let Some(Outcome { winner: Some(stated), reason }) = last_word
            && !P::RULES_IN_QUESTION
            && winner != Some(stated)
            && (winner.is_some() || reason == Reason::Resignation)
        {
            return Err(Discrepancy::LastWord { recorded: winner, stated });
        }
        if let Some(reason) = claim.reason {
            // If the rules are known, a record that also states how the player lost is trusted.
            let must_be_seen =
                P::RULES_IN_QUESTION || (winner.is_some() && !is_explained && reason.is_on_board());
            return if must_be_seen && is_by_rules(reason) {
                Err(Discrepancy::NotOnBoard { claimed: Outcome { winner, reason } })
            } else {
                Ok(())
            };
        }
        match winner {
            _ if is_explained => Ok(()),
            Some(winner) if self.repetition.is_some_and(|outcome| outcome.winner == Some(winner)) => Ok(()),
            Some(winner) if self.last_mover() == winner => Err(Discrepancy::SilentWin { winner }),
            Some(_) | None => Err(Discrepancy::SilentStop { winner }),
        }
    }
}

/// Compares the reason given by a record with the end under the rules.
fn compare_reasons(claim: &Claim, board: Outcome) -> Result<Outcome, Discrepancy> {
    match claim.reason {
        Some(reason) if reason == board.reason => Ok(board),
        Some(reason) if is_by_rules(reason) => {
            Err(Discrepancy::NotOnBoard { claimed: Outcome { winner: board.winner, reason } })
        }
        None if claim.ending.is_none() => Ok(board),
        Some(_) | None => Err(Discrepancy::EndedBefore(board)),
    }
}
