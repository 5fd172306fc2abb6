//! Preparation of games: rows, keys, and facts. It needs no other game, and runs on many threads.

use std::collections::HashMap;
use std::sync::Arc;

use tafl_parser::{ChosenRules, Diagnostic, ReasonSource, RuleChoice, Severity, Soundness, SourcedOutcome};
use tafl_rules::{AnyRulebook, CellSet, Game, Move, Outcome, Reason, Setup, Side};

use super::columns::{
    comments, quality_score, quality_score_of_row, set_end, set_names, set_source, set_tags,
};
use super::date::{StatedDate, date_of};
use super::replayer::{GameReplayer, RecordedPly, ReplayedGame, follow};
use crate::id::{CanonicalLine, LineOfPlay, RulesId};
use crate::ingest::checked_record::CheckedRecord;
use crate::move_log::GameSetup;
use crate::rejected_record::RejectedRecord;
use crate::row::{GameRow, RecordVerdict};

/// A generated game, such as one of self-play. It has no record.
#[derive(Debug, Clone)]
pub struct GeneratedGame<'a> {
    /// The rules.
    pub rules: &'a RuleChoice,
    /// The moves from the start of the rules, each a legal step.
    pub moves: &'a [Move],
    /// The result, if the position does not determine it.
    pub outcome: Option<Outcome>,
    /// The tags of the game, with names as in [`tag`](tafl_parser::tag).
    pub tags: &'a [(&'a str, &'a str)],
}

/// A record that was prepared for an import.
#[derive(Debug, Clone)]
pub enum PreparedRecord {
    /// A game that can be stored.
    Game(Box<PreparedGame>),
    /// A record that cannot be stored.
    Rejected(Box<RejectedRecord>),
}

/// A game that can be stored.
#[derive(Debug, Clone)]
pub struct PreparedGame {
    pub(crate) row: GameRow,
    pub(crate) game_setup: Arc<GameSetup>,
    pub(crate) shape: tafl_rules::Shape,
    pub(crate) replayed: ReplayedGame,
    pub(crate) date: StatedDate,
}

impl PreparedGame {
    /// Returns the row of the game.
    pub fn row(&self) -> &GameRow {
        &self.row
    }
}

/// Compiled rules, with the values that all their games share.
#[derive(Debug)]
struct RulesInfo {
    chosen: Arc<ChosenRules>,
    rules: Arc<str>,
    rules_id: RulesId,
    shape: Arc<str>,
    game_setup: Arc<GameSetup>,
    start: Arc<str>,
    /// A game at the start of the rules.
    game: Game,
}

/// A preparer of games, which caches rules. Each thread has its own.
#[derive(Debug, Default)]
pub struct Preparer {
    /// By address, which is unique while [`RulesInfo::chosen`] keeps the rules alive.
    known: HashMap<usize, RulesInfo>,
}

/// The maximum number of rules that are cached. No known archive has as many.
const MAX_KNOWN: usize = 512;

/// The plies of a game, from which rows and keys are made.
struct PlayedLine<'a> {
    chosen: &'a Arc<ChosenRules>,
    /// The start, if it is not that of the rules.
    start: Option<&'a Setup>,
    first: Side,
    steps: Vec<RecordedPly>,
}

impl Preparer {
    /// Prepares a record.
    pub fn prepare(&mut self, checked: &CheckedRecord<'_>) -> PreparedRecord {
        let CheckedRecord { record, replay, .. } = *checked;
        let is_clean = checked.diagnostics.iter().all(|found| found.severity() == Severity::Note);
        let verdict = match checked.verdict {
            Soundness::Sound if is_clean => Some(RecordVerdict::Sound),
            // Part of the text could not be read, and a diagnostic reports it.
            Soundness::Sound => Some(RecordVerdict::Explained),
            Soundness::Explained(_) => Some(RecordVerdict::Explained),
            Soundness::Unexplained(_) => None,
        };
        let (Some(verdict), Some(chosen)) = (verdict, &replay.rules) else {
            return PreparedRecord::Rejected(Box::new(RejectedRecord::of(checked)));
        };
        // If only the beginning of a game is known, its result would count as that of a short game.
        if replay.plies.is_empty() || checked.diagnostics.iter().any(Diagnostic::is_contradiction) {
            return PreparedRecord::Rejected(Box::new(RejectedRecord::of(checked)));
        }
        let rules = chosen.book.rules();
        let written = record.start.as_ref().map(|start| &start.setup);
        let start = written.filter(|setup| setup.shape() == rules.shape() && **setup != rules.start);
        let steps: Vec<RecordedPly> = replay
            .plies
            .iter()
            .map(|ply| RecordedPly { mv: ply.mv, side: ply.side, captured: ply.captured })
            .collect();
        let first = steps[0].side;
        let mut game = self.play(&PlayedLine { chosen, start, first, steps });
        let row = &mut game.row;
        row.verdict = verdict;
        set_end(row, replay.sourced_result());
        set_source(row, checked);
        set_tags(row, record.tags.iter().map(|tag| (tag.name, tag.value)));
        set_names(row, record);
        row.comments = comments(record);
        row.quality_score = quality_score(row, record);
        game.finish();
        PreparedRecord::Game(Box::new(game))
    }

    /// Prepares a generated game. An illegal move and those after it are left out.
    ///
    /// Returns nothing for a game without a legal move.
    pub fn prepare_generated(&mut self, made: &GeneratedGame<'_>) -> Option<PreparedGame> {
        let chosen = made.rules.chosen();
        let known = self.known(&chosen);
        let (replayed, end) = follow(known.game.clone(), made.moves);
        let steps = replayed.steps();
        let first = steps.first()?.side;
        let played = PlayedLine { chosen: &chosen, start: None, first, steps };
        let mut prepared =
            known.prepared(&played, Arc::clone(&known.start), Arc::clone(&known.game_setup), replayed);
        let row = &mut prepared.row;
        row.verdict = RecordVerdict::Sound;
        set_end(row, end_of_generated(end, made.outcome));
        set_tags(row, made.tags.iter().copied());
        row.quality_score = quality_score_of_row(row);
        prepared.finish();
        Some(prepared)
    }

    fn known(&mut self, chosen: &Arc<ChosenRules>) -> &RulesInfo {
        let address = Arc::as_ptr(chosen) as usize;
        if self.known.len() >= MAX_KNOWN && !self.known.contains_key(&address) {
            self.known.clear();
        }
        self.known.entry(address).or_insert_with(|| RulesInfo::of(chosen))
    }

    fn play(&mut self, played: &PlayedLine<'_>) -> PreparedGame {
        let known = self.known(played.chosen);
        let book: &AnyRulebook = &known.chosen.book;
        let rules = book.rules();
        let replayer =
            GameReplayer { book, start: played.start.unwrap_or(&rules.start), first: played.first };
        let game = match played.start {
            None if played.first == known.game_setup.first => Some(known.game.clone()),
            None | Some(_) => replayer.game(),
        };
        let replayed = replayer.play(game.unwrap_or_else(|| known.game.clone()), &played.steps);
        let start: Arc<str> =
            played.start.map_or_else(|| Arc::clone(&known.start), |start| start.to_string().into());
        let game_setup = if played.start.is_none() && played.first == known.game_setup.first {
            Arc::clone(&known.game_setup)
        } else {
            let game_setup =
                GameSetup { rules: known.rules.to_string(), start: start.to_string(), first: played.first };
            Arc::new(game_setup)
        };
        known.prepared(played, start, game_setup, replayed)
    }
}

impl RulesInfo {
    fn of(chosen: &Arc<ChosenRules>) -> RulesInfo {
        let rules = chosen.book.rules();
        // Rules outside the catalog keep the name that their author gave them; it is not part of the ID.
        let text = if chosen.variant.is_some() { RulesId::string(rules) } else { rules.to_string() };
        let start = rules.start.to_string();
        let game_setup = GameSetup { rules: text.clone(), start: start.clone(), first: rules.first_mover };
        RulesInfo {
            chosen: Arc::clone(chosen),
            rules: text.into(),
            rules_id: RulesId::of(rules),
            shape: rules.shape().to_string().into(),
            game_setup: Arc::new(game_setup),
            start: start.into(),
            game: Game::with_mode(&chosen.book, tafl_rules::RepetitionMode::Report),
        }
    }

    /// Returns a game whose row has the columns that follow from the moves.
    fn prepared(
        &self,
        played: &PlayedLine<'_>,
        start: Arc<str>,
        game_setup: Arc<GameSetup>,
        replayed: ReplayedGame,
    ) -> PreparedGame {
        let moves: Vec<Move> = played.steps.iter().map(|step| step.mv).collect();
        let line = LineOfPlay {
            rules: self.rules_id,
            symmetries: self.chosen.book.symmetries(),
            start: played.start,
            first: played.first,
            moves: &moves,
        };
        let row = self.row(line.canonical(), start, played);
        PreparedGame {
            row,
            game_setup,
            shape: self.chosen.book.shape(),
            replayed,
            date: StatedDate::default(),
        }
    }

    /// Returns a row with the columns that follow from the moves.
    fn row(&self, line: CanonicalLine, start: Arc<str>, played: &PlayedLine<'_>) -> GameRow {
        let captured = |side: Side| {
            let of_side = played.steps.iter().filter(|step| step.side == side);
            let n_captured: usize = of_side.map(|step| CellSet::len(&step.captured)).sum();
            u16::try_from(n_captured).unwrap_or(u16::MAX)
        };
        GameRow {
            line: line.id,
            orientation: line.symmetry,
            variant: self.chosen.variant.map(str::to_owned),
            rules: Arc::clone(&self.rules),
            rules_id: self.rules_id,
            shape: Arc::clone(&self.shape),
            start,
            first: played.first,
            plies: u32::try_from(played.steps.len()).unwrap_or(u32::MAX),
            attackers_captures: captured(Side::Attackers),
            defenders_captures: captured(Side::Defenders),
            first_capture: first_capture(played.steps.iter().map(|step| step.captured.is_empty())),
            ..GameRow::default()
        }
    }
}

/// Returns the end of a generated game: that on the board, or else the one that the generator states.
pub(crate) fn end_of_generated(board: Option<Outcome>, stated: Option<Outcome>) -> Option<SourcedOutcome> {
    let stated = stated.map(|outcome| {
        let source = (outcome.reason != Reason::Unknown).then_some(ReasonSource::Record);
        SourcedOutcome { outcome, source }
    });
    board.map(SourcedOutcome::on_board).or(stated)
}

/// Returns the number of the ply with the first capture; `plies` are whether each captures nothing.
pub(crate) fn first_capture(plies: impl IntoIterator<Item = bool>) -> Option<u32> {
    let at = plies.into_iter().position(|is_quiet| !is_quiet)?;
    u32::try_from(at + 1).ok()
}

impl PreparedGame {
    /// Returns a game that is already stored.
    pub(crate) fn stored(
        row: GameRow,
        game_setup: Arc<GameSetup>,
        shape: tafl_rules::Shape,
        replayed: ReplayedGame,
    ) -> PreparedGame {
        PreparedGame { row, game_setup, shape, replayed, date: StatedDate::default() }
    }

    /// Returns the game with the date of its row.
    pub(crate) fn dated(mut self) -> PreparedGame {
        self.date = date_of(&self.row);
        self
    }

    fn finish(&mut self) {
        let row = &mut self.row;
        self.date = date_of(row);
        row.game = row.game_id();
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{BySide, catalog};

    use super::*;

    #[test]
    fn more_captures_than_the_column_holds_are_its_most() {
        let chosen = RuleChoice::named(catalog::find("brandubh7").unwrap()).chosen();
        let known = RulesInfo::of(&chosen);
        let mv = known.game.moves()[0];
        let captured: CellSet = chosen.book.shape().cells().collect();
        let steps = vec![RecordedPly { mv, side: Side::Attackers, captured }; 1500];
        let played = PlayedLine { chosen: &chosen, start: None, first: Side::Attackers, steps };
        let line = LineOfPlay {
            rules: known.rules_id,
            symmetries: chosen.book.symmetries(),
            start: None,
            first: Side::Attackers,
            moves: &[mv],
        };
        let row = known.row(line.canonical(), Arc::clone(&known.start), &played);
        assert_eq!(row.captures(), BySide { attackers: u16::MAX, defenders: 0 });
    }
}
