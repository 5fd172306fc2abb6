//! Classes of game setups that a search for one position does not tell apart.
//!
//! A corpus may have games of more than a hundred setups, but boards of few shapes with few groups of symmetries. Plans and
//! keys of a position are made once for each class, not for each setup of each segment.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tafl_rules::CanonicalKey;

use super::{SearchSegment, Searcher};
use crate::error::Result;
use crate::query::{CompiledSetup, QueryPlan};

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
    /// The distinct classes.
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
    pub(super) fn classes_of(&self, number: usize) -> Result<&SegmentClasses> {
        let known = &self.setup_classes.segments[number];
        if let Some(classes) = known.get() {
            return Ok(classes);
        }
        let made = self.make_classes(&self.segments[number])?;
        Ok(known.get_or_init(|| made))
    }

    fn make_classes(&self, segment: &SearchSegment) -> Result<SegmentClasses> {
        let (mut classes, mut of_setups): (Vec<usize>, Vec<u16>) = (Vec::new(), Vec::new());
        for game_setup in segment.move_log().game_setups() {
            let setup = self.compiled_setup(game_setup).map_err(|error| segment.move_log_error(error))?;
            let class = self.setup_classes.class_of(&setup);
            let at = classes.iter().position(|known| *known == class).unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            });
            // A segment has at most 2^16 game setups, and no more classes.
            of_setups.push(at as u16);
        }
        Ok(SegmentClasses { classes, of_setups: of_setups.into() })
    }
}
