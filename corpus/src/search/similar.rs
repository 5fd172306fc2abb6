//! Words of the corpus that are similar to a word of a query.

use std::collections::HashMap;

use super::Searcher;
use crate::error::Result;
use crate::query::GameField;
use crate::text::words;

/// The greatest number of suggestions for a word.
const MAX_SUGGESTIONS: usize = 3;

/// A word of a text in a query, with the words of the corpus that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarWord {
    /// The word of the query, in lower case and without diacritics.
    pub word: String,
    /// Whether the texts of the corpus have this word.
    pub is_known: bool,
    /// The most similar words that the texts have, the best first; empty if the word is known.
    pub similar: Vec<String>,
}

impl Searcher {
    /// Returns the words of a text in a query, with similar words of the corpus for those that it does not have.
    ///
    /// Words are similar if at most a third of the letters of the wanted word, and one more, differ; among equally similar
    /// ones, those with more games come first.
    ///
    /// # Errors
    ///
    /// Fails if an index is missing or damaged.
    pub fn similar_words(&self, field: GameField, text: &str) -> Result<Vec<SimilarWord>> {
        let wanted = words(text);
        let mut known = vec![false; wanted.len()];
        let mut near: Vec<HashMap<String, (usize, u64)>> = vec![HashMap::new(); wanted.len()];
        for segment in &self.segments {
            segment.with_index(|index| {
                index.each_word(field, &mut |word, n_games| {
                    for (nth, wanted) in wanted.iter().enumerate() {
                        known[nth] |= wanted == word;
                        let most = 1 + wanted.chars().count() / 3;
                        if word.len().abs_diff(wanted.len()) > 4 * most {
                            continue;
                        }
                        let distance = strsim::osa_distance(wanted, word);
                        if distance <= most {
                            near[nth].entry(word.to_owned()).or_insert((distance, 0)).1 += u64::from(n_games);
                        }
                    }
                })
            })?;
        }
        let words = wanted.into_iter().zip(known).zip(near).map(|((word, is_known), near)| {
            let mut found: Vec<(String, (usize, u64))> =
                if is_known { Vec::new() } else { near.into_iter().collect() };
            found.sort_by(|(one, (distance, games)), (other, (other_distance, other_games))| {
                distance.cmp(other_distance).then(other_games.cmp(games)).then_with(|| one.cmp(other))
            });
            found.truncate(MAX_SUGGESTIONS);
            SimilarWord { word, is_known, similar: found.into_iter().map(|(word, _)| word).collect() }
        });
        Ok(words.collect())
    }
}
