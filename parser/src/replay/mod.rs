//! Replay: plays the moves of a record by the rules.
//!
//! A [`Replayer`] plays the moves of a [`Record`] by the rules. The [`Replay`] contains the legal part of the
//! game and its results under the rules, and a [`Diagnostic`] for each difference from the record.

mod before_play;
mod chain_steps;
mod choose;
mod contradiction;
mod discrepancy;
mod end;
mod fork;
mod guess;
mod plan;
mod policy;
mod reason;
mod reason_source;
mod reconciler;
mod report;
mod resolve;
mod result;
mod search;
mod sides;
mod soundness;
mod variations;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use tafl_rules::{AnyRulebook, CellSet, Move, Outcome, PositionKey, Setup, Side};

use crate::diagnostic::Diagnostic;
use crate::record::Record;

pub(crate) use chain_steps::{ChainLimits, chain_steps};
pub use choose::RuleChoice;
pub use discrepancy::Discrepancy;
pub(crate) use end::Claim;
use guess::VariantGuess;
pub(crate) use guess::by_popularity;
pub(crate) use policy::{Policy, ReplayStop, Response, WrittenStep};
pub use reason_source::{ReasonSource, SourcedOutcome};
pub(crate) use reconciler::{Reconciler, is_listed};
pub use soundness::Soundness;
pub use variations::before as before_variation;
pub(crate) use walk::start;

/// Options for replay.
#[derive(Debug, Clone, Default)]
pub struct ReplayOptions {
    /// Rules that override those of the records.
    pub rules: Option<RuleChoice>,
    /// Rules for records that name none, such as those mentioned in a file name.
    pub hint: Option<RuleChoice>,
    /// Whether to count the legal moves before every ply.
    pub count_moves: bool,
}

/// Replays records. It caches compiled rules, so reuse one replayer for many records.
///
/// # Examples
///
/// ```
/// use tafl_parser::{Format, ReplayOptions, Replayer, RuleChoice, Soundness, Source};
/// use tafl_rules::catalog;
///
/// let rules = catalog::find("brandubh7").map(RuleChoice::named);
/// let mut replayer = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() });
/// let parsed = Format::MoveList.parse(&Source::new("d2-c2 e4-e1 b4-b2 d4-e4"));
/// let replay = replayer.replay(&parsed.value);
/// assert_eq!((replay.plies.len(), replay.soundness()), (4, Soundness::Sound));
/// ```
#[derive(Debug)]
pub struct Replayer {
    options: ReplayOptions,
    /// Compiled rules by rules string.
    books: HashMap<Box<str>, Arc<ChosenRules>>,
    /// Compiled rules by the name written in records.
    names: HashMap<Box<str>, Option<Arc<ChosenRules>>>,
    forced: Option<Arc<ChosenRules>>,
    /// The last compared pair of rules, and whether they are equivalent.
    compared: Option<(Arc<ChosenRules>, Arc<ChosenRules>, bool)>,
    /// The last game, kept for reuse from its start.
    last: Option<(Arc<ChosenRules>, tafl_rules::Game)>,
}

/// The rules used for a record.
#[derive(Debug)]
pub struct ChosenRules {
    /// The name of the variant, if the rules are in the catalog.
    pub variant: Option<&'static str>,
    /// The compiled rules.
    pub book: AnyRulebook,
    /// Other editions of the variant, each with its difference, for records that do not fit the rules in the catalog.
    pub(crate) other_editions: Vec<(&'static str, Arc<ChosenRules>)>,
}

/// The result of replaying a record by the rules.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The rules; `None` if they are unknown.
    pub rules: Option<Arc<ChosenRules>>,
    /// The legal part of the main line.
    ///
    /// If a record can only be played with unwritten steps, or after taking moves back, these are the plies
    /// that led to the end: [`ReplayPly::written`] is the corresponding move of the record, and diagnostics
    /// name the steps that were added and the moves that were taken back.
    pub plies: Vec<ReplayPly>,
    /// The end under the rules: the first one, even if play continues after it.
    pub outcome: Option<Outcome>,
    /// The end according to the record, with the reason as far as it is known, and its source; `None` for unfinished
    /// games.
    pub recorded: Option<SourcedOutcome>,
    /// The setup after the last ply.
    pub last: Option<Setup>,
    /// The side to move after the last ply.
    pub to_move: Option<Side>,
    /// Differences and notes, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Replay {
    /// Returns the result: that on the board if the game ended there, otherwise the recorded one.
    pub fn result(&self) -> Option<Outcome> {
        self.sourced_result().map(|result| result.outcome)
    }

    /// Returns the result as [`Replay::result`] does, with the source of its reason.
    pub fn sourced_result(&self) -> Option<SourcedOutcome> {
        self.outcome.map(SourcedOutcome::on_board).or(self.recorded)
    }
}

/// A replayed ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayPly {
    /// The move.
    pub mv: Move,
    /// The side that made it.
    pub side: Side,
    /// The cells of the captured pieces, kings included.
    pub captured: CellSet,
    /// Whether the same piece moves again in the same turn.
    pub goes_on: bool,
    /// The key of the position after the ply.
    pub key: PositionKey,
    /// The number of legal moves before the ply, if [`ReplayOptions::count_moves`] is set.
    pub legal_moves: Option<u32>,
    /// The index of the move in the record's main line; `None` for an unwritten step that was reconstructed.
    pub written: Option<u32>,
}

impl ReplayPly {
    /// Returns whether replay reconstructed the ply because the record does not contain it.
    pub const fn is_unwritten(&self) -> bool {
        self.written.is_none()
    }
}

impl Replayer {
    /// Creates a replayer.
    pub fn new(options: ReplayOptions) -> Replayer {
        let forced = options.rules.as_ref().map(RuleChoice::chosen);
        Replayer { options, books: HashMap::new(), names: HashMap::new(), forced, compared: None, last: None }
    }

    /// Returns whether the options give the rules of all records.
    pub(crate) fn has_required_rules(&self) -> bool {
        self.forced.is_some()
    }

    /// Replays a record. The rules are, in order of precedence: those forced by the options, the record's
    /// own, those of its variant, those implied by its notation, the hint, and finally the published variant
    /// with the best fit. A record that begins on another board than these rules is not played.
    pub fn replay(&mut self, record: &Record) -> Replay {
        let mut findings = Vec::new();
        let chosen = match self.forced.clone() {
            Some(chosen) => Some(chosen),
            None => self.choose(record, &mut findings),
        };
        match chosen {
            Some(chosen) => match choose::board_conflict(record, &chosen.book, chosen.variant) {
                Some(conflict) => {
                    findings.push(conflict);
                    result::undecided(record, None, findings)
                }
                None => self.replay_by(record, &chosen, findings),
            },
            None => match self.guess(record) {
                VariantGuess::Fits(mut replay) => {
                    replay.diagnostics.splice(0..0, findings);
                    *replay
                }
                VariantGuess::None { closest } => result::undecided(record, closest, findings),
            },
        }
    }

    /// Replays a record by the given rules.
    pub(crate) fn replay_by(
        &mut self,
        record: &Record,
        chosen: &Arc<ChosenRules>,
        findings: Vec<Diagnostic>,
    ) -> Replay {
        let reusable = self.last.take().filter(|(last, _)| Arc::ptr_eq(last, chosen)).map(|(_, game)| game);
        let header = if record.format.is_lossy() { findings.clone() } else { Vec::new() };
        let mut walk = walk::Walk::new(record, chosen, reusable, findings);
        walk.count_moves = self.options.count_moves;
        let (replay, game) = walk.run(&plan::Plan::new(), chosen);
        self.last = Some((Arc::clone(chosen), game));
        if replay.diagnostics.is_empty() || !record.format.is_lossy() {
            return replay;
        }
        resolve::Resolver { record, header: &header, count_moves: self.options.count_moves }
            .resolve(chosen, replay)
    }
}
