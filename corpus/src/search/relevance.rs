//! The relevance of games for the texts of a query.

use super::{GameMatch, Searcher};
use crate::error::Result;
use crate::folder::Corpus;
use crate::query::{Comparison, FieldKind, GameCondition, Query};
use crate::row::GameRow;
use crate::schema::GAMES;
use crate::text::words;

/// The score of a text that consists of the words of the condition only.
const WHOLE_TEXT: u64 = 1000;

impl Searcher {
    /// Returns a score for each game: how much of its texts the text conditions of the query cover, up to 1000 for each
    /// condition. A player whose whole name was given comes before one with another name besides.
    ///
    /// The scores are 0 if the query has no condition on texts; then nothing is read.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn text_scores(&self, corpus: &Corpus, query: &Query, games: &[GameMatch]) -> Result<Vec<u64>> {
        let is_text = |condition: &&GameCondition| {
            condition.field.kind() == FieldKind::Text && condition.comparison == Comparison::Equal
        };
        let conditions: Vec<&GameCondition> = query.game_conditions().into_iter().filter(is_text).collect();
        if conditions.is_empty() {
            return Ok(vec![0; games.len()]);
        }
        let mut scores = Vec::with_capacity(games.len());
        for games in games.chunk_by(|one, other| one.first.segment == other.first.segment) {
            let rows = corpus.segments()[games[0].first.segment].games_without_text()?;
            scores.extend(games.iter().map(|game| {
                let row = rows.get(game.first.row as usize);
                row.map_or(0, |row| conditions.iter().map(|condition| score(condition, row)).sum())
            }));
        }
        Ok(scores)
    }
}

fn score(condition: &GameCondition, row: &GameRow) -> u64 {
    let n_wanted = words(condition.value.text().unwrap_or("")).len() as u64;
    let of_column = |name: &str| {
        let column = GAMES.iter().find(|column| column.field.name == name)?;
        let value = (column.get)(row);
        let text = value.as_text().filter(|text| condition.value.is_in(text))?;
        let n_words = words(text).len().max(1) as u64;
        Some(WHOLE_TEXT * n_wanted.min(n_words) / n_words)
    };
    condition.field.columns().into_iter().filter_map(of_column).max().unwrap_or(0)
}
