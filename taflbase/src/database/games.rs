//! Lists of the games of a corpus.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::GameAt;

use super::hit_order::{HitOrder, HitSort, sorted_games};
use super::selection::games_with;
use super::{CorpusRequest, CorpusSnapshot, Hit, PageOffset, no_match_reasons, parse_query};
use crate::{App, Bounded, Error, Job, Result, Variant};

/// The number of games between two checks of the job.
const GAMES_PER_CHECK: usize = 1024;

/// List the games of a corpus, page by page
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GamesRequest {
    /// Only games of this variant
    pub variant: Option<String>,
    /// Only games that match this query, or have a position that matches it
    #[serde(alias = "where")]
    pub query: Option<String>,
    /// The order of the games
    pub sort: HitOrder,
    /// Reverse the order; games without a date or rating stay last
    pub reverse: bool,
    /// The number of games to skip first
    pub offset: PageOffset,
    /// The maximum number of games to return
    pub limit: Bounded<0, 200, 50>,
}

/// A page of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GamesAnswer {
    /// The games with their last positions, in the requested order.
    pub games: Vec<Hit>,
    /// The number of games that fit.
    pub total: u64,
    /// Always true: all games were counted.
    pub exact: bool,
    /// The number of games that were skipped.
    pub offset: u64,
    /// Possible reasons why no game fits the query.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl CorpusRequest for GamesRequest {
    type Answer = GamesAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, job: &Job) -> Result<GamesAnswer> {
        let chosen = match &self.query {
            Some(text) => Some(games_with(corpus, text, job)?),
            None => None,
        };
        let name = self.variant.as_deref().map(variant_name).transpose()?;
        let mut found = Vec::new();
        for (nth, at) in corpus.corpus().games().enumerate() {
            if nth % GAMES_PER_CHECK == 0 {
                job.check()?;
            }
            if chosen.as_ref().is_some_and(|sets| !sets[at.segment].contains(at.row)) {
                continue;
            }
            if name.is_none() || corpus.summaries().get(at)?.variant == name {
                found.push(at);
            }
        }
        let offset = self.offset.get();
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let limit = usize::try_from(self.limit.get()).unwrap_or(usize::MAX);
        let total = found.len() as u64;
        let sort = HitSort { order: self.sort, is_reversed: self.reverse };
        if !sort.is_of_corpus() {
            let order = sorted_games(sort, &found, corpus, job)?;
            found = order.into_iter().map(|at| found[at]).collect();
        }
        let page = found.into_iter().skip(skipped).take(limit);
        let games = page.map(|at| entry(corpus, at)).collect::<Result<Vec<Hit>>>()?;
        let notes = match &self.query {
            Some(text) if total == 0 => no_match_reasons(&parse_query(text, "query")?, corpus)?,
            _ => Vec::new(),
        };
        Ok(GamesAnswer { games, total, exact: true, offset, notes })
    }
}

/// Returns the name in the catalog of a variant, which stored games have.
fn variant_name(text: &str) -> Result<&'static str> {
    let variant = Variant::named(text).map_err(|error| error.of("variant"))?;
    variant.catalog_name().ok_or_else(|| {
        Error::parameter("variant", "games are listed by the name of a variant, not by a rules string")
    })
}

fn entry(corpus: &CorpusSnapshot, at: GameAt) -> Result<Hit> {
    // The list is useful without the position; `tafl verify` reports the damage of the move log.
    let replay = || {
        let mut cursor = corpus.corpus().segments()[at.segment].move_log().ok()?.cursor(at.row).ok()?;
        while cursor.advance().ok()? {}
        Some(cursor.state().setup().to_string())
    };
    corpus.with_summary(at, |summary| Hit::of_game(summary, replay()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{ImportRequest, OnCorpus};
    use crate::{Request, StreamRequest};

    #[test]
    fn games_are_listed_by_the_name_of_their_variant() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
        std::fs::write(&file, "[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
        let (app, job) = (App::new(), Job::default());
        let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
        import.run(&app, &job, &mut |_| Ok(())).unwrap();
        let list = |variant: &str| {
            let request = GamesRequest { variant: Some(variant.to_owned()), ..GamesRequest::default() };
            OnCorpus { corpus: corpus.clone(), request }.run(&app, &job)
        };
        assert_eq!(list("brandubh").unwrap().total, 1);
        assert_eq!(list("copenhagen11").unwrap().total, 0);
        let rules = Variant::named("brandubh7").unwrap().rules.to_string();
        assert_eq!(list(&rules).unwrap_err().parameter.as_deref(), Some("variant"));
    }
}
