//! Conditions on games as queries of tantivy.
//!
//! Queries run over the one segment reader of the index, and not by tantivy's `Searcher`: opening one writes a lock
//! file into the folder of the index, which may be read-only and belongs to the manifest.

use std::ops::Bound;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, EnableScoring, FuzzyTermQuery, PhrasePrefixQuery, PhraseQuery, Query,
    RangeQuery, TermQuery, TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::{PreTokenizedString, Token};
use xxhash_rust::xxh3::xxh3_64;

use super::read::SegmentIndex;
use super::schema::{IndexedColumn, PRESENT};
use super::{IndexError, NumberSet, guarded, read_error};
use crate::id::GameId;
use crate::query::plain_word;
use crate::query::{Comparison, ConditionValue, Date, GameCondition, GameField};
use crate::text::{folded, words};

type BoxQuery = Box<dyn Query>;

/// The games that a query is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConditionPart {
    /// Those that match the value.
    Matching,
    /// Those that have a text which can be compared with the value.
    Comparable,
}

/// Returns the terms of a text besides its words: that there is one, and the whole of it.
pub(super) fn extra_terms(text: &str) -> PreTokenizedString {
    let token = |(position, text)| Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 };
    let terms = [PRESENT.to_owned(), whole(text)];
    PreTokenizedString { text: String::new(), tokens: terms.into_iter().enumerate().map(token).collect() }
}

/// Returns the term for a whole text.
fn whole(text: &str) -> String {
    format!("{PRESENT}{:016x}", xxh3_64(folded(text).as_bytes()))
}

impl SegmentIndex {
    /// Returns the games for which a condition holds.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn games_with(&self, condition: &GameCondition) -> Result<NumberSet, IndexError> {
        let is_text = matches!(
            condition.value,
            ConditionValue::Word(_)
                | ConditionValue::Phrase(_)
                | ConditionValue::Fuzzy(..)
                | ConditionValue::Whole(_)
        );
        guarded(|| {
            if condition.comparison != Comparison::Different || !is_text {
                return self.run(&*self.query(condition, ConditionPart::Matching)?);
            }
            // Not by `Occur::MustNot`: tantivy 0.27 seeks a phrase backward, to documents before its current one.
            let mut found = self.run(&*self.query(condition, ConditionPart::Comparable)?)?;
            found.difference_with(&self.run(&*self.query(condition, ConditionPart::Matching)?)?);
            Ok(found)
        })
    }

    /// Returns the games that a query matches.
    fn run(&self, query: &dyn Query) -> Result<NumberSet, IndexError> {
        let weight = query.weight(EnableScoring::disabled_from_schema(&self.fields.schema))?;
        let mut found = NumberSet::empty(self.n_games());
        weight.for_each_no_score(&self.reader, &mut |documents| {
            documents.iter().for_each(|game| found.insert(*game));
        })?;
        Ok(found)
    }

    /// Returns the names of the variants of the games, in rising order.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn variants(&self) -> Result<Vec<String>, IndexError> {
        match self.fields.column("variant") {
            IndexedColumn::Word(field) => guarded(|| self.terms(field)),
            _ => Ok(Vec::new()),
        }
    }

    fn query(&self, condition: &GameCondition, part: ConditionPart) -> Result<BoxQuery, IndexError> {
        let columns = condition.field.columns();
        let of_columns = |columns: &[&'static str]| {
            let parts = columns.iter().map(|column| self.column_query(column, condition, part));
            parts.collect::<Result<Vec<BoxQuery>, IndexError>>()
        };
        let side = |result: &str, column: &'static str| -> Result<BoxQuery, IndexError> {
            let IndexedColumn::Word(field) = self.fields.column("result") else { return Ok(any(Vec::new())) };
            let mut parts = of_columns(&[column])?;
            parts.push(term_query(field, result));
            Ok(all(parts))
        };
        Ok(match condition.field {
            GameField::Won => any(vec![side("attackers", "attackers")?, side("defenders", "defenders")?]),
            GameField::Lost => any(vec![side("attackers", "defenders")?, side("defenders", "attackers")?]),
            GameField::BothRatings => all(of_columns(&columns)?),
            GameField::Column(_)
            | GameField::Player
            | GameField::Rating
            | GameField::Tag
            | GameField::Comment
            | GameField::Text => any(of_columns(&columns)?),
        })
    }

    fn column_query(
        &self,
        column: &'static str,
        condition: &GameCondition,
        part: ConditionPart,
    ) -> Result<BoxQuery, IndexError> {
        let (field, comparison) = (self.fields.column(column), condition.comparison);
        Ok(match (field, &condition.value) {
            (IndexedColumn::Words(field), _) if part == ConditionPart::Comparable => {
                term_query(field, PRESENT)
            }
            (IndexedColumn::Word(_) | IndexedColumn::Id(_), _) if part == ConditionPart::Comparable => {
                self.present(field)?
            }
            (IndexedColumn::Words(field), value) => self.phrase_query(field, value)?,
            (IndexedColumn::Word(field), value) => {
                let terms = self.terms(field)?.into_iter().filter(|term| value.is_word(term));
                Box::new(TermSetQuery::new(terms.map(|term| Term::from_field_text(field, &term))))
            }
            (
                IndexedColumn::Id(field),
                ConditionValue::Word(word) | ConditionValue::Phrase(word) | ConditionValue::Whole(word),
            ) => id_query(field, word),
            (IndexedColumn::Number(field), ConditionValue::Number(number)) => {
                number_query(field, comparison, *number)
            }
            (IndexedColumn::Days(fields), ConditionValue::Date(date)) => {
                date_query(fields, comparison, *date)
            }
            _ => Box::new(EmptyQuery),
        })
    }

    /// Returns the query for games that have a word or an ID in a column.
    fn present(&self, field: IndexedColumn) -> Result<BoxQuery, IndexError> {
        let IndexedColumn::Word(field) = field else { return Ok(Box::new(AllQuery)) };
        let terms = self.terms(field)?.into_iter().map(|term| Term::from_field_text(field, &term));
        Ok(Box::new(TermSetQuery::new(terms)))
    }

    fn phrase_query(&self, field: Field, value: &ConditionValue) -> Result<BoxQuery, IndexError> {
        let phrase = match value {
            ConditionValue::Whole(text) => return Ok(term_query(field, &whole(text))),
            ConditionValue::Fuzzy(text, distance) => {
                let near = |word: &String| -> BoxQuery {
                    Box::new(FuzzyTermQuery::new(Term::from_field_text(field, word), *distance, false))
                };
                return Ok(all(words(text).iter().map(near).collect()));
            }
            ConditionValue::Phrase(phrase) | ConditionValue::Word(phrase) => phrase,
            ConditionValue::Number(_) | ConditionValue::Date(_) => return Ok(Box::new(EmptyQuery)),
        };
        let words = words(phrase);
        let Some(last) = words.last() else { return Ok(Box::new(EmptyQuery)) };
        let terms = || words.iter().map(|word| Term::from_field_text(field, word)).collect::<Vec<Term>>();
        Ok(if phrase.ends_with('*') {
            let mut query = PhrasePrefixQuery::new(terms());
            // The query allocates for this number of terms; the default of 50 would miss some.
            query.set_max_expansions(self.n_terms_with_prefix(field, last)?);
            Box::new(query)
        } else if words.len() == 1 {
            term_query(field, last)
        } else {
            Box::new(PhraseQuery::new(terms()))
        })
    }

    /// Calls `visit` for the words of the texts that a field of queries compares, each with the number of its games.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn each_word(
        &self,
        field: GameField,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        for column in field.columns() {
            let IndexedColumn::Words(field) = self.fields.column(column) else { continue };
            guarded(|| {
                let index = self.reader.inverted_index(field)?;
                let mut stream = index.terms().stream().map_err(read_error)?;
                while stream.advance() {
                    let word = std::str::from_utf8(stream.key()).unwrap_or(PRESENT);
                    if !word.starts_with(PRESENT) {
                        visit(word, stream.value().doc_freq);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the terms of a field with few of them, in rising order.
    fn terms(&self, field: Field) -> Result<Vec<String>, IndexError> {
        let index = self.reader.inverted_index(field)?;
        let mut terms = Vec::new();
        let mut stream = index.terms().stream().map_err(read_error)?;
        while stream.advance() {
            terms.push(String::from_utf8_lossy(stream.key()).into_owned());
        }
        Ok(terms)
    }

    fn n_terms_with_prefix(&self, field: Field, prefix: &str) -> Result<u32, IndexError> {
        let index = self.reader.inverted_index(field)?;
        let mut stream = index.terms().range().ge(prefix.as_bytes()).into_stream().map_err(read_error)?;
        let mut n_terms = 0;
        while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
            n_terms += 1;
        }
        Ok(n_terms)
    }
}

fn all(parts: Vec<BoxQuery>) -> BoxQuery {
    Box::new(BooleanQuery::intersection(parts))
}

fn any(parts: Vec<BoxQuery>) -> BoxQuery {
    Box::new(BooleanQuery::union(parts))
}

fn term_query(field: Field, term: &str) -> BoxQuery {
    Box::new(TermQuery::new(Term::from_field_text(field, term), IndexRecordOption::Basic))
}

/// Returns the query for an ID: sixteen hexadecimal digits, the first of them and a star, or the number of the tables.
fn id_query(field: Field, word: &str) -> BoxQuery {
    let range = |first: u64, last: u64| -> BoxQuery {
        let bound = |number| Bound::Included(Term::from_field_u64(field, number));
        Box::new(RangeQuery::new(bound(first), bound(last)))
    };
    if let Ok(GameId(number)) = word.parse() {
        return range(number, number);
    }
    let digits = plain_word(word);
    let prefix = digits.strip_suffix('*').unwrap_or(&digits);
    let is_prefix = digits.ends_with('*') && prefix.len() <= 16;
    match u64::from_str_radix(&format!("{prefix:0<16}"), 16) {
        Ok(first) if is_prefix && !prefix.starts_with('+') => {
            range(first, first | u64::MAX.checked_shr(4 * prefix.len() as u32).unwrap_or(0))
        }
        _ => Box::new(EmptyQuery),
    }
}

fn number_query(field: Field, comparison: Comparison, number: i64) -> BoxQuery {
    let term = || Term::from_field_i64(field, number);
    let range = |from, to| -> BoxQuery { Box::new(RangeQuery::new(from, to)) };
    match comparison {
        Comparison::Less => range(Bound::Unbounded, Bound::Excluded(term())),
        Comparison::AtMost => range(Bound::Unbounded, Bound::Included(term())),
        Comparison::Equal => range(Bound::Included(term()), Bound::Included(term())),
        Comparison::Different => any(vec![
            range(Bound::Unbounded, Bound::Excluded(term())),
            range(Bound::Excluded(term()), Bound::Unbounded),
        ]),
        Comparison::AtLeast => range(Bound::Included(term()), Bound::Unbounded),
        Comparison::Greater => range(Bound::Excluded(term()), Bound::Unbounded),
    }
}

/// As for [`Date::compares`], a condition holds if it holds for every day that the date of the game may mean.
fn date_query([first, last]: [Field; 2], comparison: Comparison, date: Date) -> BoxQuery {
    let [from, to] = date.day_numbers();
    match comparison {
        Comparison::Less => number_query(last, Comparison::Less, from),
        Comparison::AtMost => number_query(last, Comparison::AtMost, to),
        Comparison::Equal => {
            let ends = [(first, Comparison::AtLeast, from), (last, Comparison::AtMost, to)];
            all(ends.map(|(field, comparison, day)| number_query(field, comparison, day)).into())
        }
        Comparison::Different => {
            let ends = [(first, Comparison::Less, from), (last, Comparison::Greater, to)];
            any(ends.map(|(field, comparison, day)| number_query(field, comparison, day)).into())
        }
        Comparison::AtLeast => number_query(first, Comparison::AtLeast, from),
        Comparison::Greater => number_query(first, Comparison::Greater, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::schema::IndexFields;

    #[test]
    fn the_index_has_every_column_that_conditions_compare() {
        let fields = IndexFields::new();
        for field in GameField::all() {
            for name in field.columns() {
                fields.column(name);
            }
        }
    }
}
