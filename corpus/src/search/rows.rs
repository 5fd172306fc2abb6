//! Hits with the rows of their games and their positions.

use std::collections::HashMap;

use tafl_rules::{Cell, Move, Setup, Side, shape_symmetries};

use super::{HitPage, SearchHit, Searcher};
use crate::error::Result;
use crate::folder::Corpus;
use crate::query::{Placement, Query};
use crate::row::GameRow;

/// The maximum number of games of a segment whose rows are read one by one. Reading all rows is faster for more games.
const MAX_SINGLE_READS: usize = 40;

/// A hit with the row of its game and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitRow {
    /// The game, without the text of the record.
    pub game: GameRow,
    /// The hit in it.
    pub detail: HitDetail,
    /// The number of hits in the game, if the hits are games.
    pub matches: Option<u64>,
}

/// A hit with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitDetail {
    /// The hit.
    pub found: SearchHit,
    /// The number of plies before the position.
    pub ply: u32,
    /// The position; the last one of the game if the query is about games.
    pub position: Setup,
    /// The side to move.
    pub to_move: Side,
    /// The last ply; `None` at the start.
    pub last: Option<Move>,
    /// The cells of the pieces captured by the last ply.
    pub captured: Vec<Cell>,
    /// The cells that the position or pattern of the query covers.
    pub cells: Vec<Cell>,
    /// The symmetry of its placement in words, such as `mirrored left to right`.
    pub transform: Option<String>,
}

impl Searcher {
    /// Returns hits with the rows of their games and their positions.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn rows(&self, corpus: &Corpus, query: &Query, page: &HitPage) -> Result<Vec<HitRow>> {
        let mut rows = Vec::with_capacity(page.hits.len());
        for hits in page.hits.chunk_by(|one, other| one.segment == other.segment) {
            let games = games_of(corpus, hits)?;
            for found in hits {
                let mut game = games[&found.row].clone();
                game.text = None;
                let matches = page.matches.get(rows.len()).copied();
                rows.push(HitRow { game, detail: self.detail(query, *found)?, matches });
            }
        }
        Ok(rows)
    }

    /// Returns a hit with its position.
    ///
    /// # Errors
    ///
    /// Fails if the move log is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment or game.
    pub fn detail(&self, query: &Query, found: SearchHit) -> Result<HitDetail> {
        let segment = &self.segments[found.segment];
        let last_ply = if query.is_about_games() { u32::MAX } else { found.hit.ply };
        let move_log = segment.move_log()?;
        let play = || {
            let mut cursor = move_log.cursor(found.row)?;
            while cursor.state().ply < last_ply && cursor.advance()? {}
            Ok(cursor.state().clone())
        };
        let state = play().map_err(|error| segment.move_log_error(error))?;
        let placement = found.hit.placement;
        let shape = state.shape();
        Ok(HitDetail {
            found,
            ply: state.ply,
            position: state.setup(),
            to_move: state.to_move,
            last: state.last,
            captured: if state.last.is_some() { state.captured } else { Vec::new() },
            cells: placement.map_or(Vec::new(), |placement| query.cells(shape, &placement)),
            transform: placement.map(|placement| describe_placement(&placement, shape)),
        })
    }
}

/// Reads the rows of the games of hits in one segment.
fn games_of(corpus: &Corpus, hits: &[SearchHit]) -> Result<HashMap<u32, GameRow>> {
    let Some(first) = hits.first() else { return Ok(HashMap::new()) };
    let segment = &corpus.segments()[first.segment];
    let mut numbers: Vec<u32> = hits.iter().map(|found| found.row).collect();
    numbers.dedup();
    if numbers.len() > MAX_SINGLE_READS {
        return Ok((0..).zip(segment.games_without_text()?).collect());
    }
    numbers.into_iter().map(|number| Ok((number, segment.game(number)?))).collect()
}

/// Returns the symmetry of a placement in words.
fn describe_placement(placement: &Placement, shape: tafl_rules::Shape) -> String {
    let symmetries = shape_symmetries(shape);
    let turned = symmetries.get(usize::from(placement.symmetry));
    let mut words = turned.map_or_else(|| "as it stands".to_owned(), |symmetry| symmetry.describe(shape));
    if placement.swapped {
        words.push_str(", sides swapped");
    }
    words
}
