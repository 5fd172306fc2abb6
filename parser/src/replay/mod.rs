//! Replay: what really happened in a game that somebody wrote down.
//!
//! A [`Replayer`] plays the moves of a [`Record`] by the rules. The [`Replay`] has the legal part of the game with what
//! the rules did, and a [`Diagnostic`] for each difference between that and what is written.

mod chain_steps;
mod choose;
mod contradiction;
mod discrepancy;
mod end;
mod fork;
mod plan;
mod reason;
mod reconciler;
mod report;
mod resolve;
mod result;
mod search;
mod soundness;

mod variations;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use tafl_rules::game::CellSet;
use tafl_rules::zobrist::Key;
use tafl_rules::{AnyRulebook, Move, Outcome, Setup, Side};

use crate::diagnostic::Diagnostic;
use crate::record::Record;

pub(crate) use chain_steps::{ChainLimits, chain_steps};
pub use choose::Choice;
pub use discrepancy::Discrepancy;
pub(crate) use end::Claim;
pub(crate) use reconciler::{Policy, Reconciler, ReplayStop, Response, WrittenStep, is_listed};
pub use soundness::Soundness;
pub use variations::before as before_variation;
pub(crate) use walk::start;

/// How to replay.
#[derive(Debug, Clone, Default)]
pub struct ReplayOptions {
    /// The rules to use whatever records say.
    pub rules: Option<Choice>,
    /// The rules to use where records say nothing, such as those that a file's name mentions.
    pub hint: Option<Choice>,
    /// Whether to count the legal moves before every ply.
    pub count_moves: bool,
}

/// Replays records; keeps what it compiled, so one serves for many records.
#[derive(Debug)]
pub struct Replayer {
    options: ReplayOptions,
    /// Compiled rules by rules string.
    books: HashMap<Box<str>, Arc<Chosen>>,
    /// Compiled rules by the name that records write.
    names: HashMap<Box<str>, Option<Arc<Chosen>>>,
    forced: Option<Arc<Chosen>>,
    /// Rules and a variant that were compared last, and whether they play alike.
    compared: Option<(Arc<Chosen>, Arc<Chosen>, bool)>,
    /// The last game, to be played again from its start.
    last: Option<(Arc<Chosen>, tafl_rules::Game)>,
}

/// Rules that records are replayed by.
#[derive(Debug)]
pub struct Chosen {
    /// The name of the variant, if the rules have one in the catalog.
    pub variant: Option<&'static str>,
    /// The compiled rules.
    pub book: AnyRulebook,
    /// Other editions of the variant, each with what differs, for records that do not fit the first.
    pub(crate) other_editions: Vec<(&'static str, Arc<Chosen>)>,
}

/// A record as it was played by the rules.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The rules; nothing where they are not known.
    pub rules: Option<Arc<Chosen>>,
    /// The legal part of the game as it was played, without variations.
    ///
    /// Where a record can only be played with steps that are not written, or after moves are taken back, these are the
    /// plies that led to the end: [`ReplayPly::written`] says which move of the record each of them is, and findings
    /// name what was added and what was taken back.
    pub plies: Vec<ReplayPly>,
    /// How the rules ended the game: the first end, even where play goes on after it.
    pub outcome: Option<Outcome>,
    /// How the game ended by the record, with the reason as far as it can be told; nothing for unfinished games.
    pub recorded: Option<Outcome>,
    /// The arrangement after the last ply.
    pub last: Option<Setup>,
    /// The side to move after the last ply.
    pub to_move: Option<Side>,
    /// What differs or is worth knowing, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Replay {
    /// Returns how the game ended: by the board where that shows an end, else by the record.
    pub fn result(&self) -> Option<Outcome> {
        self.outcome.or(self.recorded)
    }
}

/// A ply that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayPly {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Side,
    /// The cells of the captured pieces, kings included.
    pub captured: CellSet,
    /// Whether the same piece goes on in the same turn.
    pub goes_on: bool,
    /// The key of the position after the ply.
    pub key: Key,
    /// The number of legal moves before the ply, where it was asked for.
    pub legal_moves: Option<u32>,
    /// The index of the move among those of the game in the record; nothing for a step that is not written and had to be
    /// reconstructed.
    pub written: Option<u32>,
}

impl ReplayPly {
    /// Returns whether the ply is not written in the record, so that replay had to reconstruct it.
    pub const fn is_unwritten(&self) -> bool {
        self.written.is_none()
    }
}

impl Replayer {
    /// Returns a replayer.
    pub fn new(options: ReplayOptions) -> Replayer {
        let forced = options.rules.as_ref().map(Choice::chosen);
        Replayer { options, books: HashMap::new(), names: HashMap::new(), forced, compared: None, last: None }
    }

    /// Replays a record by its rules: those that the options force, the record's own, those of its variant, those that
    /// its notation implies, the hint, and at last the variant of the catalog that fits best.
    pub fn replay(&mut self, record: &Record) -> Replay {
        let mut findings = Vec::new();
        let chosen = match self.forced.clone() {
            Some(chosen) => Some(chosen),
            None => self.choose(record, &mut findings),
        };
        match chosen {
            Some(chosen) => self.replay_by(record, &chosen, findings),
            None => match self.guess(record) {
                Some(mut replay) => {
                    replay.diagnostics.splice(0..0, findings);
                    replay
                }
                None => result::undecided(record, findings),
            },
        }
    }

    /// Replays a record by given rules.
    pub(crate) fn replay_by(
        &mut self,
        record: &Record,
        chosen: &Arc<Chosen>,
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
