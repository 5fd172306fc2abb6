//! Classes of game setups that a search for one position does not tell apart.
//!
//! A corpus may have games of more than a hundred setups, but boards of few shapes with few groups of symmetries. Plans and
//! keys of a position are made once for each class, not for each setup of each segment.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tafl_rules::{BySide, CanonicalKey};

use super::{SearchSegment, Searcher};
use crate::error;
use crate::move_log::{MoveLog, MoveLogError};
use crate::openings::{ExpectedTurn, turn};
use crate::query::{CompiledSetup, QueryPlan, RunBuffers, SearchedGame};

/// The classes of the game setups of a searcher.
#[derive(Default)]
pub(super) struct SetupClasses {
    /// A setup of each class.
    setups: Mutex<Vec<Arc<CompiledSetup>>>,
    /// The classes of each segment, which are determined at the first search in it.
    segments: Vec<OnceLock<SegmentClasses>>,
}

/// The classes of the game setups of a segment.
#[derive(Debug)]
pub(super) struct SegmentClasses {
    /// The distinct classes, in rising order.
    pub(super) classes: Vec<usize>,
    /// The index in `classes` of the class of each game setup.
    pub(super) of_setups: Arc<[u16]>,
}

/// The plan of a position for a class of game setups.
pub(super) struct PositionPlan {
    pub(super) plan: Arc<QueryPlan>,
    /// The keys of the position, with either side to move and in chains; none if it does not fit on the board.
    pub(super) keys: Vec<CanonicalKey>,
}

/// The plans of a position for some classes, and all their keys, in rising order.
pub(super) struct ClassPlans {
    pub(super) plans: Vec<Arc<PositionPlan>>,
    pub(super) keys: Vec<CanonicalKey>,
}

/// The plans of a position that were made so far.
#[derive(Default)]
pub(super) struct PositionPlans {
    /// By class.
    pub(super) by_class: Vec<Option<Arc<PositionPlan>>>,
    /// By the classes of segments, most of which have the same.
    pub(super) of_classes: Vec<(Vec<usize>, Arc<ClassPlans>)>,
}

/// The number of hits of a position in a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HitsBySide {
    /// With each side to move, outside chains of captures.
    pub(super) by_side: BySide<u64>,
    pub(super) in_chains: u64,
}

impl PositionPlan {
    /// Returns the number of hits in a game by the key that the position has there.
    pub(super) fn hits_by_side(
        &self,
        move_log: &MoveLog,
        row: u32,
        buffers: &mut RunBuffers,
    ) -> Result<HitsBySide, MoveLogError> {
        let (mut hits, mut counts) = (Vec::new(), HitsBySide::default());
        let truth: Vec<bool> = Vec::new();
        let mut cursor = move_log.cursor(row)?;
        let searched = SearchedGame { cursor: &mut cursor, blocks: None, truth: &truth };
        self.plan.find(searched, buffers, &mut hits)?;
        move_log.rewind(&mut cursor, row)?;
        for hit in hits {
            while cursor.state().ply < hit.ply && cursor.advance()? {}
            let ExpectedTurn { side, chain } = turn(cursor.state());
            match chain {
                None => counts.by_side[side] += 1,
                Some(_) => counts.in_chains += 1,
            }
        }
        Ok(counts)
    }
}

impl SetupClasses {
    /// Returns the classes of a number of segments.
    pub(super) fn new(n_segments: usize) -> SetupClasses {
        let segments = (0..n_segments).map(|_| OnceLock::new()).collect();
        SetupClasses { setups: Mutex::default(), segments }
    }

    /// Returns a setup of a class.
    pub(super) fn setup(&self, class: usize) -> Arc<CompiledSetup> {
        self.setups.lock().unwrap_or_else(PoisonError::into_inner)[class].clone()
    }

    /// Returns the class of a setup.
    fn class_of(&self, setup: &Arc<CompiledSetup>) -> usize {
        let mut setups = self.setups.lock().unwrap_or_else(PoisonError::into_inner);
        setups.iter().position(|known| known.has_positions_of(setup)).unwrap_or_else(|| {
            setups.push(setup.clone());
            setups.len() - 1
        })
    }
}

impl Searcher {
    /// Returns the classes of the game setups of a segment.
    ///
    /// # Errors
    ///
    /// Fails if the rules or the start of a game setup cannot be read.
    pub(super) fn classes_of(&self, number: usize) -> error::Result<&SegmentClasses> {
        let known = &self.setup_classes.segments[number];
        if let Some(classes) = known.get() {
            return Ok(classes);
        }
        let made = self.make_classes(&self.segments[number])?;
        Ok(known.get_or_init(|| made))
    }

    fn make_classes(&self, segment: &SearchSegment) -> error::Result<SegmentClasses> {
        let mut all: Vec<usize> = Vec::new();
        for game_setup in segment.move_log()?.game_setups() {
            let setup = self.compiled_setup(game_setup).map_err(|error| segment.move_log_error(error))?;
            all.push(self.setup_classes.class_of(&setup));
        }
        let mut classes = all.clone();
        classes.sort_unstable();
        classes.dedup();
        // A segment has at most 2^16 game setups, and no more classes.
        let of_setups: Vec<u16> =
            all.iter().map(|class| classes.partition_point(|known| known < class) as u16).collect();
        Ok(SegmentClasses { classes, of_setups: of_setups.into() })
    }
}
