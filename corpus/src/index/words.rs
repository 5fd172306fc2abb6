//! Words and phrases in comments and tags.

use std::collections::BTreeMap;

use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{DocSet, TERMINATED, TantivyDocument, Term};
use xxhash_rust::xxh3::xxh3_64;

use super::columns::at;
use super::read::{SegmentIndex, read_error};
use super::{Bits, IndexError};
use crate::query::game::words_of;
use crate::query::{Comparison, GameCondition, Value};

/// The columns in which words are looked for.
const TEXTS: [&str; 2] = ["comments", "tags"];

/// Where words stand: the places in each game's text.
type Places = BTreeMap<u32, Vec<u32>>;

/// Adds the words of a text to a document, and a term for the text as a whole.
pub(super) fn add(document: &mut TantivyDocument, field: Field, text: &str) {
    let words = words_of(text).chain([whole(text)]);
    let tokens = words
        .enumerate()
        .map(|(position, text)| Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 })
        .collect();
    document.add_pre_tokenized_text(field, PreTokenizedString { text: String::new(), tokens });
}

/// Returns the term that stands for a whole text; no word has its sign.
fn whole(text: &str) -> String {
    format!("={:016x}", xxh3_64(text.to_lowercase().as_bytes()))
}

impl SegmentIndex {
    /// Returns the games in whose comments or tags the words of a condition stand.
    pub(super) fn games_with_words(&self, condition: &GameCondition) -> Result<Bits, IndexError> {
        let (mut fits, mut has_text) = (Bits::none(self.n_games()), Bits::none(self.n_games()));
        for column in TEXTS {
            for game in self.places(column, &condition.value)?.into_keys() {
                fits.insert(game);
            }
            if condition.comparison == Comparison::Different {
                // Every text has its own term, and all of them begin alike.
                self.beginning(column, "=")?.into_keys().for_each(|game| has_text.insert(game));
            }
        }
        if condition.comparison == Comparison::Different {
            has_text.take_out(&fits);
            return Ok(has_text);
        }
        Ok(fits)
    }

    fn places(&self, column: &str, value: &Value) -> Result<Places, IndexError> {
        let (phrase, is_beginning) = match value {
            Value::Whole(text) => return self.word(column, &whole(text)),
            Value::Phrase(phrase) | Value::Word(phrase) => (phrase, phrase.ends_with('*')),
            Value::Number(_) | Value::Date(_) => return Ok(Places::new()),
        };
        let words: Vec<String> = words_of(phrase).collect();
        let mut found: Option<Places> = None;
        for (nth, word) in words.iter().enumerate() {
            let next = match is_beginning && nth + 1 == words.len() {
                true => self.beginning(column, word)?,
                false => self.word(column, word)?,
            };
            found = Some(match found {
                None => next,
                Some(before) => followed(&before, next),
            });
        }
        Ok(found.unwrap_or_default())
    }

    /// Returns where a word stands.
    fn word(&self, column: &str, word: &str) -> Result<Places, IndexError> {
        let index = self.words(at(column))?;
        let term = Term::from_field_text(self.text_field(at(column)), word);
        let postings =
            index.read_postings(&term, IndexRecordOption::WithFreqsAndPositions).map_err(read_error)?;
        let mut places = Places::new();
        if let Some(mut postings) = postings {
            self.collect(&mut postings, &mut places);
        }
        Ok(places)
    }

    /// Returns where words with a beginning stand.
    fn beginning(&self, column: &str, beginning: &str) -> Result<Places, IndexError> {
        let index = self.words(at(column))?;
        let mut places = Places::new();
        let mut stream = index.terms().range().ge(beginning.as_bytes()).into_stream().map_err(read_error)?;
        while stream.advance() {
            if !stream.key().starts_with(beginning.as_bytes()) {
                break;
            }
            let mut postings = index
                .read_postings_from_terminfo(stream.value(), IndexRecordOption::WithFreqsAndPositions)
                .map_err(read_error)?;
            self.collect(&mut postings, &mut places);
        }
        places.values_mut().for_each(|places| places.sort_unstable());
        Ok(places)
    }

    fn collect(&self, postings: &mut tantivy::postings::SegmentPostings, places: &mut Places) {
        let mut buffer = Vec::new();
        while postings.doc() != TERMINATED {
            postings.positions(&mut buffer);
            if let Some(game) = postings.doc().checked_sub(self.n_blocks()) {
                places.entry(game).or_default().append(&mut buffer);
            }
            postings.advance();
        }
    }
}

/// Returns the places of `next` that come right after one of `before`.
fn followed(before: &Places, mut next: Places) -> Places {
    next.retain(|game, places| {
        let earlier = before.get(game).map_or(&[][..], Vec::as_slice);
        places.retain(|place| place.checked_sub(1).is_some_and(|place| earlier.contains(&place)));
        !places.is_empty()
    });
    next
}
