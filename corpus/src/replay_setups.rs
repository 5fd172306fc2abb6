//! Replay setups: compiled rules and starts, for games that are replayed from their rows.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use tafl_parser::{ReasonSource, ReplayOptions, Replayer, RuleChoice, Source, SourcedOutcome};
use tafl_rules::{AnyRulebook, CellSet, Facts, Move, Outcome, Reason, RuleSet, Setup, Shape, Side};

use crate::id::{CanonicalLine, LineOfPlay, RulesId};
use crate::ingest::{
    GameReplayer, PlyReplay, PreparedGame, RecordedPly, ReplayedGame, end_of_generated, first_capture,
};
use crate::move_log::{GameResult, GameSetup};
use crate::row::{GameRow, PlyRow};

/// A cache of compiled rules and starts.
#[derive(Debug, Default)]
pub(crate) struct ReplaySetups {
    setups: HashMap<GameSetup, ReplaySetup>,
    /// By the rules string: games with the same rules may have many starts.
    books: HashMap<Arc<str>, AnyRulebook>,
}

/// The compiled rules and start of a game.
#[derive(Debug)]
pub(crate) struct ReplaySetup {
    game_setup: Arc<GameSetup>,
    /// The rules.
    pub(crate) book: AnyRulebook,
    /// The arrangement.
    pub(crate) setup: Setup,
    /// The status of the kings.
    facts: Facts,
    /// The canonical key.
    pub(crate) key: u64,
    /// The ID of the rules.
    pub(crate) rules_id: RulesId,
    /// The rules as records are replayed by them; set when the first record is.
    choice: OnceLock<Option<RuleChoice>>,
}

impl ReplaySetups {
    /// Returns the replay setup of a game; `None` if its rules or start cannot be read.
    pub(crate) fn of(&mut self, row: &GameRow) -> Option<&ReplaySetup> {
        let game_setup = row.game_setup();
        if !self.setups.contains_key(&game_setup) {
            let book = self.book(&row.rules)?;
            let setup = Setup::parse(book.shape(), &row.start).ok()?;
            let replayer = GameReplayer { book: &book, start: &setup, first: row.first };
            let replayed = replayer.play(replayer.game()?, &[]);
            let replay_setup = ReplaySetup {
                game_setup: Arc::new(game_setup.clone()),
                facts: replayed.start,
                key: replayed.keys[0],
                rules_id: RulesId::of(book.rules()),
                book,
                setup,
                choice: OnceLock::new(),
            };
            self.setups.insert(game_setup.clone(), replay_setup);
        }
        self.setups.get(&game_setup)
    }

    /// Returns the canonical keys of all positions of a game.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    #[cfg(feature = "store")]
    pub(crate) fn keys(
        &mut self,
        segment: &crate::segment::Segment,
        row: u32,
    ) -> crate::error::Result<Vec<u64>> {
        let game = segment.game(row)?;
        let start = self.of(&game).map(|replay_setup| replay_setup.key);
        let plies = segment.plies(std::slice::from_ref(&game), row)?;
        Ok(start.into_iter().chain(plies.iter().flatten().map(|ply| ply.key)).collect())
    }

    fn book(&mut self, rules: &Arc<str>) -> Option<AnyRulebook> {
        if let Some(known) = self.books.get(rules) {
            return Some(known.clone());
        }
        let book = AnyRulebook::compile(&rules.parse::<RuleSet>().ok()?).ok()?;
        self.books.insert(Arc::clone(rules), book.clone());
        Some(book)
    }
}

impl ReplaySetup {
    /// Returns the shape of the board.
    pub(crate) fn shape(&self) -> Shape {
        self.setup.shape()
    }

    /// Returns the prepared game of rows.
    pub(crate) fn prepare(&self, mut row: GameRow, plies: Vec<PlyRow>) -> PreparedGame {
        // Rows of 0.1.0 lack both.
        row.first_capture = first_capture(plies.iter().map(|ply| ply.captured.is_empty()));
        if row.reason_source.is_none() && row.reason.is_some_and(|reason| reason != Reason::Unknown) {
            row.reason_source = self.reason_source(&row, &plies);
        }
        let keys = std::iter::once(self.key).chain(plies.iter().map(|ply| ply.key)).collect();
        let plies = plies.into_iter().map(|ply| PlyReplay {
            mv: ply.mv,
            side: ply.side,
            captured: ply.captured,
            n_moves: ply.n_moves,
            facts: ply.facts,
        });
        let replayed = ReplayedGame { start: self.facts, keys, plies: plies.collect(), n_forced: 0 };
        PreparedGame::stored(row, Arc::clone(&self.game_setup), self.shape(), replayed)
    }

    /// Returns the source of the reason in a row: that of its record, if it is replayed with the same end.
    fn reason_source(&self, row: &GameRow, plies: &[PlyRow]) -> Option<ReasonSource> {
        let winner = match row.result {
            GameResult::Attackers => Some(Side::Attackers),
            GameResult::Defenders => Some(Side::Defenders),
            GameResult::Draw | GameResult::Unfinished => None,
        };
        let stored = Outcome { winner, reason: row.reason? };
        let end = match (&row.text, row.format) {
            (Some(text), Some(format)) => {
                let choice = self.choice.get_or_init(|| RuleChoice::own(self.book.rules()).ok());
                let options = ReplayOptions { rules: choice.clone(), ..ReplayOptions::default() };
                let source = Source::named(row.source.as_deref().unwrap_or("-"), text);
                Replayer::new(options).replay(&format.parse(&source).value).sourced_result()
            }
            _ => end_of_generated(self.board_end(row.first, plies), Some(stored)),
        };
        end.filter(|end| end.outcome == stored).and_then(|SourcedOutcome { source, .. }| source)
    }

    /// Returns the replayer of games in which a side moves first.
    pub(crate) fn replayer(&self, first: Side) -> GameReplayer<'_> {
        GameReplayer { book: &self.book, start: &self.setup, first }
    }

    /// Returns the outcome on the board after the plies of a game.
    fn board_end(&self, first: Side, plies: &[PlyRow]) -> Option<Outcome> {
        let mut game = self.replayer(first).game()?;
        for ply in plies {
            game.play(ply.mv).ok()?;
        }
        game.outcome()
    }

    /// Returns the canonical line of play of rows.
    pub(crate) fn line(&self, first: Side, plies: &[PlyRow]) -> CanonicalLine {
        let moves: Vec<Move> = plies.iter().map(|ply| ply.mv).collect();
        let has_own_start = self.setup != self.book.rules().start;
        let line = LineOfPlay {
            rules: self.rules_id,
            symmetries: self.book.symmetries(),
            start: has_own_start.then_some(&self.setup),
            first,
            moves: &moves,
        };
        line.canonical()
    }

    /// Returns the plies of rows.
    pub(crate) fn steps(plies: &[PlyRow]) -> Vec<RecordedPly> {
        let step = |ply: &PlyRow| {
            let captured: CellSet = ply.captured.iter().copied().collect();
            RecordedPly { mv: ply.mv, side: ply.side, captured }
        };
        plies.iter().map(step).collect()
    }
}
