//! The order of hits.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::query::{Date, Query};
use tafl_corpus::{GameAt, GameMatch, GameResult, GameSummary, HitPage, HitUnit, PageRequest, Total};
use tafl_parser::ReasonSource;

use super::CorpusSnapshot;
use super::error::under;
use crate::{Job, Result};

/// The least number of plies of a notable game that did not end on the board: six moves of each side.
const MIN_NOTABLE_PLIES: u32 = 12;

/// The number of games between two checks of the job.
const GAMES_PER_CHECK: usize = 4096;

/// The order of hits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum HitOrder {
    /// As the games were imported
    #[default]
    Corpus,
    /// The newest games first
    Date,
    /// The games of the strongest players first, by the mean of the known ratings
    Rating,
    /// The longest games first
    Length,
    /// Finished games of named players first, then those of an event, then by rating and date
    Notable,
    /// The games first whose texts the query covers most, then those with the most matching positions
    Relevance,
}

/// An order in one of its directions.
#[derive(Debug, Clone, Copy)]
pub(super) struct HitSort {
    /// The order.
    pub(super) order: HitOrder,
    /// Whether it is reversed. Games without the fact by which they are sorted are last in both directions.
    pub(super) is_reversed: bool,
}

impl HitSort {
    /// Returns whether the order is that of the corpus.
    pub(super) fn is_of_corpus(self) -> bool {
        self.order == HitOrder::Corpus && !self.is_reversed
    }
}

/// Returns the page of hits in an order other than that of the corpus. All hits are counted.
///
/// # Errors
///
/// Returns which file is damaged, or that the job is over.
pub(super) fn sorted_page(
    sort: HitSort,
    query: &Query,
    request: PageRequest,
    corpus: &Arc<CorpusSnapshot>,
    job: &Job,
) -> Result<HitPage> {
    let searcher = corpus.searcher();
    let games = under(job, |stop| searcher.game_matches(query, stop))?;
    let keys = sort_keys(sort.order, &games, query, corpus, job)?;
    let sorted = sorted(&keys, sort.is_reversed);
    let n_hits = games.iter().map(|game| game.n_hits).sum();
    let end = request.offset.saturating_add(request.limit);
    let mut page = HitPage {
        hits: Vec::new(),
        matches: Vec::new(),
        total: Total::Exactly(n_hits),
        games: Total::Exactly(games.len() as u64),
        candidates: games.len() as u64,
    };
    match request.unit {
        HitUnit::Game => {
            let part = slice(request.offset..end, sorted.len());
            page.hits = sorted[part.clone()].iter().map(|at| games[*at].first).collect();
            page.matches = sorted[part].iter().map(|at| games[*at].n_hits).collect();
        }
        HitUnit::Position => {
            // The games whose positions are in the page, with the number of positions before each.
            let mut before = 0;
            let mut wanted: Vec<(usize, u64)> = Vec::new();
            for at in sorted {
                if before < end && before + games[at].n_hits > request.offset {
                    wanted.push((at, before));
                }
                before += games[at].n_hits;
            }
            let mut in_order: Vec<usize> = wanted.iter().map(|(at, _)| *at).collect();
            in_order.sort_unstable();
            let of_page: Vec<GameMatch> = in_order.iter().map(|at| games[*at]).collect();
            let hits = under(job, |stop| searcher.hits_in(query, &of_page, stop))?;
            for (at, before) in wanted {
                let of_game = hits.iter().filter(|found| found.at() == games[at].first.at());
                let numbered = (before..).zip(of_game).filter(|(nth, _)| (request.offset..end).contains(nth));
                page.hits.extend(numbered.map(|(_, found)| *found));
            }
        }
    }
    under(job, |stop| searcher.locate(query, &mut page.hits, stop))?;
    Ok(page)
}

/// Returns the games of a list in an order, as their indices.
///
/// # Errors
///
/// As [`sorted_page`].
pub(super) fn sorted_games(
    sort: HitSort,
    games: &[GameAt],
    corpus: &CorpusSnapshot,
    job: &Job,
) -> Result<Vec<usize>> {
    let keys = match sort.order {
        HitOrder::Corpus | HitOrder::Relevance => places(games.len()),
        HitOrder::Date | HitOrder::Rating | HitOrder::Length | HitOrder::Notable => {
            summary_keys(sort.order, games.iter().copied(), corpus, job)?
        }
    };
    Ok(sorted(&keys, sort.is_reversed))
}

/// Returns the indices of keys from the greatest to the least, or reversed; unknown keys are always last.
fn sorted(keys: &[Option<i64>], is_reversed: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|at| {
        let key = keys[*at].map_or(0, |key| if is_reversed { key } else { -key });
        (Reverse(keys[*at].is_some()), key)
    });
    order
}

/// Returns keys for the order of the corpus.
fn places(n: usize) -> Vec<Option<i64>> {
    (0..n as i64).map(|nth| Some(-nth)).collect()
}

fn sort_keys(
    order: HitOrder,
    games: &[GameMatch],
    query: &Query,
    corpus: &CorpusSnapshot,
    job: &Job,
) -> Result<Vec<Option<i64>>> {
    match order {
        HitOrder::Corpus => Ok(places(games.len())),
        HitOrder::Relevance => {
            let scores = corpus.searcher().text_scores(corpus.corpus(), query, games)?;
            let key = |(score, game): (&u64, &GameMatch)| {
                // A game has fewer than 2^32 positions.
                Some(((*score as i64) << 32) + i64::from(u32::try_from(game.n_hits).unwrap_or(u32::MAX)))
            };
            Ok(scores.iter().zip(games).map(key).collect())
        }
        HitOrder::Date | HitOrder::Rating | HitOrder::Length | HitOrder::Notable => {
            summary_keys(order, games.iter().map(|game| game.first.at()), corpus, job)
        }
    }
}

/// Returns the keys of games by their summaries.
fn summary_keys(
    order: HitOrder,
    games: impl Iterator<Item = GameAt>,
    corpus: &CorpusSnapshot,
    job: &Job,
) -> Result<Vec<Option<i64>>> {
    let mut keys = Vec::with_capacity(games.size_hint().0);
    for (nth, at) in games.enumerate() {
        if nth % GAMES_PER_CHECK == 0 {
            job.check()?;
        }
        // A page of summaries is read once for all of its games.
        keys.push(key(order, &corpus.summaries().get(at)?));
    }
    Ok(keys)
}

/// Returns the key of a game; the greatest is first.
fn key(order: HitOrder, game: &GameSummary<'_>) -> Option<i64> {
    match order {
        HitOrder::Date => Some(Date::parse(game.date?)?.day_numbers()[0]),
        HitOrder::Rating => {
            let known: Vec<i64> =
                [game.attackers_rating, game.defenders_rating].into_iter().flatten().map(i64::from).collect();
            (!known.is_empty()).then(|| 2 * known.iter().sum::<i64>() / known.len() as i64)
        }
        HitOrder::Length => Some(game.plies.into()),
        HitOrder::Notable => {
            let named = [game.attackers, game.defenders].into_iter().flatten().count() as i64;
            // Fragments and games that were given up in the opening show little.
            let is_whole = game.result != GameResult::Unfinished
                && (game.plies >= MIN_NOTABLE_PLIES || game.reason_source == Some(ReasonSource::Board));
            let rating = key(HitOrder::Rating, game).map_or(0, |rating| rating.clamp(0, 9999));
            let date = key(HitOrder::Date, game).unwrap_or_default();
            let kind = 2 * (5 * i64::from(is_whole) + 2 * named) + i64::from(game.event.is_some());
            Some((kind * 10_000 + rating) * 100_000_000 + date)
        }
        HitOrder::Corpus | HitOrder::Relevance => None,
    }
}

/// Returns the part of a list that a page has.
fn slice(page: Range<u64>, len: usize) -> Range<usize> {
    let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(len);
    at(page.start)..at(page.end).max(at(page.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_last_in_both_directions() {
        let keys = [Some(3), None, Some(5), Some(3)];
        assert_eq!(sorted(&keys, false), [2, 0, 3, 1]);
        assert_eq!(sorted(&keys, true), [0, 3, 2, 1]);
        assert_eq!(sorted(&places(3), false), [0, 1, 2]);
        assert_eq!(sorted(&places(3), true), [2, 1, 0]);
    }

    #[test]
    fn a_slice_stays_within_the_list() {
        assert_eq!(slice(2..5, 4), 2..4);
        assert_eq!(slice(9..u64::MAX, 4), 4..4);
    }
}
