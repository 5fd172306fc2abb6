//! Hits with what the tables and the move log say of them.

use std::collections::HashMap;

use tafl_rules::{Cell, Move, Setup, Side, shape_symmetries};

use super::{SearchHit, Searcher};
use crate::error::Result;
use crate::folder::Corpus;
use crate::query::{Placement, Query};
use crate::row::GameRow;

/// For more games of a segment than this, all rows of the segment are read at once.
const MANY_GAMES: usize = 40;

/// A hit with what the tables and the move log say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitRow {
    /// The game, without the text of the record.
    pub game: GameRow,
    /// The hit in it.
    pub detail: HitDetail,
}

/// A hit with what the move log says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitDetail {
    /// The hit.
    pub found: SearchHit,
    /// The position.
    pub position: Setup,
    /// Who moves next.
    pub to_move: Side,
    /// The ply that led to the position; nothing at the start, or where the hit is a whole game.
    pub last: Option<Move>,
    /// The cells of the pieces that it captured.
    pub captured: Vec<Cell>,
    /// The cells on which the board or pattern of the query lies.
    pub cells: Vec<Cell>,
    /// How it lies there, in words, such as `mirrored left to right`.
    pub transform: Option<String>,
}

impl Searcher {
    /// Returns hits with what the tables and the move log of their corpus say of them.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn rows(&self, corpus: &Corpus, query: &Query, hits: &[SearchHit]) -> Result<Vec<HitRow>> {
        let mut rows = Vec::with_capacity(hits.len());
        for hits in hits.chunk_by(|one, other| one.segment == other.segment) {
            let games = games_of(corpus, hits)?;
            for found in hits {
                let mut game = games[&found.game].clone();
                game.text = None;
                rows.push(HitRow { game, detail: self.detail(query, *found)? });
            }
        }
        Ok(rows)
    }

    /// Returns a hit with what the move log says of it.
    ///
    /// # Errors
    ///
    /// Returns that the move log is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment or game.
    pub fn detail(&self, query: &Query, found: SearchHit) -> Result<HitDetail> {
        let segment = &self.segments[found.segment];
        let play = || {
            let mut cursor = segment.move_log().play(found.game)?;
            while cursor.state().ply < found.hit.ply && cursor.advance()? {}
            Ok(cursor.state().clone())
        };
        let state = play().map_err(|error| segment.move_log_error(error))?;
        let placement = found.hit.placement;
        let shape = state.shape();
        Ok(HitDetail {
            found,
            position: state.setup(),
            to_move: state.to_move,
            last: state.last,
            captured: if state.last.is_some() { state.captured } else { Vec::new() },
            cells: placement.map_or(Vec::new(), |placement| query.cells(shape, &placement)),
            transform: placement.map(|placement| words(&placement, shape)),
        })
    }
}

/// Reads the rows of the games of hits in one segment.
fn games_of(corpus: &Corpus, hits: &[SearchHit]) -> Result<HashMap<u32, GameRow>> {
    let Some(first) = hits.first() else { return Ok(HashMap::new()) };
    let segment = &corpus.segments()[first.segment];
    let mut numbers: Vec<u32> = hits.iter().map(|found| found.game).collect();
    numbers.dedup();
    if numbers.len() > MANY_GAMES {
        return Ok((0..).zip(segment.games_without_text()?).collect());
    }
    numbers.into_iter().map(|number| Ok((number, segment.game(number)?))).collect()
}

/// Returns how something lies on a board, in words.
fn words(placement: &Placement, shape: tafl_rules::Shape) -> String {
    let symmetries = shape_symmetries(shape);
    let turned = symmetries.get(usize::from(placement.symmetry));
    let mut words = turned.map_or_else(|| "as it stands".to_owned(), |symmetry| symmetry.words(shape));
    if placement.swapped {
        words.push_str(", sides swapped");
    }
    words
}
