//! Lists of the games of a corpus.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameAt, MoveLogError};

use super::selection::games_with;
use super::{CorpusRequest, CorpusSnapshot, Hit, parse_query};
use crate::{App, Bounded, Job, Result};

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
    /// The number of games to skip first
    pub offset: Bounded<0, { u64::MAX }, 0>,
    /// The maximum number of games to return
    pub limit: Bounded<0, 200, 50>,
}

/// A page of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GamesAnswer {
    /// The games, in the order of the corpus.
    pub games: Vec<GameEntry>,
    /// The number of games that fit.
    pub total: u64,
    /// Always true: all games were counted.
    pub exact: bool,
    /// The number of games that were skipped.
    pub offset: u64,
}

/// A game with its last position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameEntry {
    /// The game.
    #[serde(flatten)]
    pub game: Hit,
    /// The last position; null if the game can't be replayed.
    pub r#final: Option<String>,
}

impl CorpusRequest for GamesRequest {
    type Answer = GamesAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<GamesAnswer> {
        let chosen = match &self.query {
            Some(text) => Some(games_with(corpus, &parse_query(text, "query")?, job)?),
            None => None,
        };
        let name = match &self.variant {
            Some(text) => {
                let rules = app.rules().named(text, &[]).map_err(|error| error.of("variant"))?;
                Some(rules.variant.name())
            }
            None => None,
        };
        let first = self.offset.get();
        let page = first..first.saturating_add(self.limit.get());
        let (mut games, mut total) = (Vec::new(), 0);
        for (nth, at) in corpus.corpus().games().enumerate() {
            if nth % GAMES_PER_CHECK == 0 {
                job.check()?;
            }
            if chosen.as_ref().is_some_and(|sets| !sets[at.segment].contains(at.row)) {
                continue;
            }
            if name.is_some() && corpus.summaries().get(at)?.variant != name.as_deref() {
                continue;
            }
            if page.contains(&total) {
                games.push(entry(corpus, at)?);
            }
            total += 1;
        }
        Ok(GamesAnswer { games, total, exact: true, offset: first })
    }
}

fn entry(corpus: &CorpusSnapshot, at: GameAt) -> Result<GameEntry> {
    let replay = || {
        let mut player = corpus.corpus().segments()[at.segment].move_log().play(at.row)?;
        while player.advance()? {}
        Ok::<_, MoveLogError>(player.state().setup().to_string())
    };
    let game = corpus.with_summary(at, |card| Hit::new(card, None))?;
    // The list is useful without the position; `tafl verify` reports the damage of the move log.
    Ok(GameEntry { game, r#final: replay().ok() })
}
