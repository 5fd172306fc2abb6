//! What games of rows are played by, compiled once.

use std::collections::HashMap;
use std::sync::Arc;

use tafl_rules::facts::Facts;
use tafl_rules::game::CellSet;
use tafl_rules::{AnyRulebook, Move, RuleSet, Setup, Shape, Side};

use crate::id::{CanonicalLine, Line, RulesId};
use crate::ingest::{GameReplayer, PreparedGame, ReplayedGame, ReplayedPly, Step, first_capture};
use crate::row::{GameRow, PlyRow};
use crate::tape::Arena;

/// What games are played by and where they start, each compiled once.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    starts: HashMap<Arena, Start>,
    /// By the rules string: games by the same rules may begin in many ways.
    books: HashMap<Arc<str>, AnyRulebook>,
}

/// A start.
#[derive(Debug)]
pub(crate) struct Start {
    arena: Arc<Arena>,
    /// The rules.
    pub(crate) book: AnyRulebook,
    /// The arrangement.
    pub(crate) setup: Setup,
    /// How the kings stand.
    facts: Facts,
    /// The canonical key.
    pub(crate) key: u64,
    /// The number of the rules.
    pub(crate) rules_id: RulesId,
}

impl Starts {
    /// Returns the start of a game; nothing where its rules or start cannot be read.
    pub(crate) fn of(&mut self, row: &GameRow) -> Option<&Start> {
        let arena = row.arena();
        if !self.starts.contains_key(&arena) {
            let book = self.book(&row.rules)?;
            let setup = Setup::parse(book.shape(), &row.start).ok()?;
            let replayer = GameReplayer { book: &book, start: &setup, first: row.first };
            let course = replayer.play(replayer.game()?, &[]);
            let start = Start {
                arena: Arc::new(arena.clone()),
                facts: course.start,
                key: course.keys[0],
                rules_id: RulesId::of(book.rules()).0,
                book,
                setup,
            };
            self.starts.insert(arena.clone(), start);
        }
        self.starts.get(&arena)
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
        let start = self.of(&game).map(|start| start.key);
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

impl Start {
    /// Returns the shape of the board.
    pub(crate) fn shape(&self) -> Shape {
        self.setup.shape()
    }

    /// Returns the game that rows say.
    pub(crate) fn game(&self, mut row: GameRow, plies: Vec<PlyRow>) -> PreparedGame {
        // Rows of 0.1.0 lack it.
        row.first_capture = first_capture(plies.iter().map(|ply| ply.captured.is_empty()));
        let keys = std::iter::once(self.key).chain(plies.iter().map(|ply| ply.key)).collect();
        let plies = plies.into_iter().map(|ply| ReplayedPly {
            mv: ply.mv,
            side: ply.side,
            captured: ply.captured,
            moves: ply.moves,
            facts: ply.facts,
        });
        let course = ReplayedGame { start: self.facts, keys, plies: plies.collect(), n_forced: 0 };
        PreparedGame::stored(row, Arc::clone(&self.arena), self.shape(), course)
    }

    /// Returns the line of play that rows say.
    pub(crate) fn line(&self, first: Side, plies: &[PlyRow]) -> CanonicalLine {
        let moves: Vec<Move> = plies.iter().map(|ply| ply.mv).collect();
        let has_own_start = self.setup != self.book.rules().start;
        let line = Line {
            rules: self.rules_id,
            symmetries: self.book.symmetries(),
            start: has_own_start.then_some(&self.setup),
            first,
            moves: &moves,
        };
        line.canonical()
    }

    /// Returns the steps that rows say.
    pub(crate) fn steps(plies: &[PlyRow]) -> Vec<Step> {
        let step = |ply: &PlyRow| {
            let captured: CellSet = ply.captured.iter().copied().collect();
            Step { mv: ply.mv, side: ply.side, captured }
        };
        plies.iter().map(step).collect()
    }
}
