//! The moves played from a position.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameSubset, NumberSet, Orientation, PositionStats, QueryPosition, VariantNameCount};

use super::error::under;
use super::selection::games_with;
use super::{CorpusRequest, CorpusSnapshot, OpeningName, PositionCounts};
use crate::{App, Job, PlayedPosition, PositionRequest, Result};

/// The games that are counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct FilterRequest {
    /// Count only games that match this query, or have a position that matches it (see `tafl
    /// search --help`)
    #[serde(alias = "where")]
    #[cfg_attr(feature = "clap", arg(long, alias = "where", value_name = "QUERY"))]
    pub query: Option<String>,
    /// Count only games with the same orientation of the board
    #[cfg_attr(feature = "clap", arg(long))]
    pub as_it_stands: bool,
}

/// Show the moves played from a position, and the results
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExploreRequest {
    /// The position.
    #[serde(flatten)]
    pub position: PositionRequest,
    /// The games that are counted.
    #[serde(flatten)]
    pub filter: FilterRequest,
    /// The maximum number of moves to return. Without it, all of them.
    pub limit: Option<u32>,
}

/// The moves played from a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExploreAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<String>,
    /// The moves that led to the position.
    pub moves_before: Vec<String>,
    /// The position record.
    pub position: String,
    /// The side to move: `attackers` or `defenders`.
    pub to_move: String,
    /// Whether only games with the same orientation of the board count.
    pub as_it_stands: bool,
    /// The query that games have to fit.
    #[serde(alias = "where")]
    pub query: Option<String>,
    /// The canonical key of the position.
    pub key: String,
    /// The name of the opening, if a position of this line has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningName>,
    /// The games that have the position.
    #[serde(flatten)]
    pub counts: PositionCounts,
    /// The names of variants with these rules, if games of the corpus have several: they are counted together. The numbers
    /// of games are those of the whole corpus, not only of the position and the query.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_rules: Vec<VariantNameCount>,
    /// The number of games that ended in it.
    pub ended_here: u64,
    /// The number of games that continued with something that these rules don't allow.
    pub went_on_otherwise: u64,
    /// The best games, by rating and date.
    pub top: Vec<TopGameSummary>,
    /// The moves that were played, the most frequent first.
    pub moves: Vec<PlayedMove>,
}

/// A move that was played from a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedMove {
    /// The move.
    pub r#move: String,
    /// Other moves that lead to the same position by symmetry.
    pub alike: Vec<String>,
    /// The games that continued with one of them.
    #[serde(flatten)]
    pub counts: PositionCounts,
}

/// One of the best games with a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopGameSummary {
    /// The ID of the game.
    pub game: String,
    /// The player of the attackers.
    pub attackers: Option<String>,
    /// The player of the defenders.
    pub defenders: Option<String>,
    /// The mean of the players' known ratings.
    pub rating: Option<i16>,
    /// The known part of the date.
    pub date: Option<String>,
    /// `attackers`, `defenders`, `draw`, or `unfinished`.
    pub result: String,
    /// The number of plies.
    pub plies: u32,
}

impl FilterRequest {
    /// Returns whether images of the position count.
    pub fn orientation(&self) -> Orientation {
        if self.as_it_stands { Orientation::Fixed } else { Orientation::Folded }
    }

    /// Returns the games of each segment that count, or `None` for all.
    pub(super) fn games(&self, corpus: &CorpusSnapshot, job: &Job) -> Result<Option<Vec<NumberSet>>> {
        let Some(text) = &self.query else { return Ok(None) };
        Ok(Some(games_with(corpus, text, job)?))
    }
}

/// Returns the choice of some games, or of all.
pub(super) fn choice(games: Option<&[NumberSet]>) -> GameSubset<'_> {
    games.map_or(GameSubset::All, GameSubset::These)
}

/// The moves played from a position, before they are converted to an answer.
pub struct ExploredPosition {
    /// The position.
    pub position: PlayedPosition,
    /// The games and moves; not more moves than the limit.
    pub node: PositionStats,
    /// The number of moves that the limit left out.
    pub n_left_out: usize,
    /// The best games.
    pub top: Vec<TopGameSummary>,
    /// The name of the opening.
    pub opening: Option<OpeningName>,
    /// The names of variants with the same rules, if games have several.
    pub same_rules: Vec<VariantNameCount>,
    filter: FilterRequest,
}

impl ExploreRequest {
    /// Counts the games with a position.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a file is damaged, or the job is stopped.
    pub fn find(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<ExploredPosition> {
        let position = self.position.play(app)?;
        let games = self.filter.games(corpus, job)?;
        let place = QueryPosition::new(&position.game, &position.rules.book, self.filter.orientation());
        let explorer = corpus.explorer()?;
        let mut node = under(job, |stop| explorer.position(&place, choice(games.as_deref()), stop))?;
        let limit = self.limit.map_or(usize::MAX, |limit| limit as usize);
        let n_left_out = node.moves.len().saturating_sub(limit);
        node.moves.truncate(limit);
        let top = node.counts.top().map(|top| {
            corpus.with_summary(top.into(), |summary| TopGameSummary {
                game: summary.game.to_string(),
                attackers: summary.attackers.map(ToOwned::to_owned),
                defenders: summary.defenders.map(ToOwned::to_owned),
                rating: top.rating,
                date: summary.date.map(ToOwned::to_owned),
                result: summary.result.as_str().to_owned(),
                plies: summary.plies,
            })
        });
        let top = top.collect::<Result<Vec<_>>>()?;
        let opening = opening_of(&position, app);
        let same_rules = corpus.names_of_rules(position.rules.book.rules())?;
        Ok(ExploredPosition { position, node, n_left_out, top, opening, same_rules, filter: self.filter })
    }
}

/// Returns the name of the opening of a position and the moves that led there.
fn opening_of(position: &PlayedPosition, app: &App) -> Option<OpeningName> {
    let (names, book) = (app.opening_names(), &position.rules.book);
    if position.start == book.rules().start && position.first == book.rules().first_mover {
        return names.of_line(book, position.moves());
    }
    names.of_position(book, &position.game)
}

impl CorpusRequest for ExploreRequest {
    type Answer = ExploreAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<ExploreAnswer> {
        Ok(self.find(corpus, app, job)?.answer())
    }
}

impl ExploredPosition {
    /// Returns the answer.
    pub fn answer(&self) -> ExploreAnswer {
        let PlayedPosition { game, rules, .. } = &self.position;
        let shape = game.shape();
        let place = QueryPosition::new(game, &rules.book, self.filter.orientation());
        let moves = self.node.moves.iter().map(|line| PlayedMove {
            r#move: line.mv.display(shape).to_string(),
            alike: line.alike.iter().map(|mv| mv.display(shape).to_string()).collect(),
            counts: (&line.counts).into(),
        });
        ExploreAnswer {
            variant: rules.variant.catalog_name().map(ToOwned::to_owned),
            moves_before: self.position.moves().map(|mv| mv.display(shape).to_string()).collect(),
            position: game.setup().to_string(),
            to_move: game.to_move().as_str().to_owned(),
            as_it_stands: self.filter.as_it_stands,
            query: self.filter.query.clone(),
            key: format!("{:016x}", place.key()),
            opening: self.opening.clone(),
            counts: (&self.node.counts).into(),
            same_rules: self.same_rules.clone(),
            ended_here: self.node.ended,
            went_on_otherwise: self.node.other,
            top: self.top.clone(),
            moves: moves.collect(),
        }
    }
}
