//! A player: results by side, variant, opponent, opening, and month; accuracy and error rates.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameAt, GameResult, GameSummary, is_same_name};
use tafl_reports::stats::WdlCounts;
use tafl_reports::{PlayerBreakdown, PlayerGame, PlayerTally};
use tafl_rules::Side;

use super::opening_names::{OpeningName, StoredOpenings};
use super::player_error_rates::{EvaluatedGameSide, player_error_rates};
use super::{CorpusRequest, CorpusSnapshot, PlayerErrorRates, ShareEstimate};
use crate::escape::escape;
use crate::{App, Bounded, Error, ErrorKind, Job, Result, SideName};

/// The number of games between two checks of the job.
const GAMES_PER_CHECK: usize = 1024;

/// The similarity that a suggested name must have.
const MIN_SIMILARITY: f64 = 0.7;

/// Show the results of a player
///
/// # Examples
///
/// ```
/// use taflbase::database::{ImportRequest, OnCorpus, PlayerRequest};
/// use taflbase::{App, Job, Request, StreamRequest};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
/// # std::fs::write(&file, "[attackers:Ann]\n[defenders:sven77]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
/// let (app, job) = (App::new(), Job::default());
/// let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
/// import.run(&app, &job, &mut |_event| Ok(()))?;
///
/// let request = PlayerRequest { name: "Ann".to_owned(), ..PlayerRequest::default() };
/// let answer = OnCorpus { corpus, request }.run(&app, &job)?;
/// assert_eq!((answer.total.games, answer.opponents[0].name.as_deref()), (1, Some("sven77")));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerRequest {
    /// The name, as in the records
    pub name: String,
    /// The maximum number of opponents
    #[serde(default)]
    pub opponents: Bounded<0, 1000, 50>,
}

/// The results of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerAnswer {
    /// The name.
    pub name: String,
    /// Other names of the player in records.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The results of all games.
    pub total: PlayerResults,
    /// The results with each side, attackers first.
    pub sides: Vec<SideResults>,
    /// The results in each variant, the most frequent first.
    pub variants: Vec<VariantResults>,
    /// The results against each opponent, the most frequent first.
    pub opponents: Vec<OpponentResults>,
    /// The number of all opponents.
    pub opponents_total: usize,
    /// The results with each opening that has a name, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<OpeningResults>,
    /// The accuracy and the error rates; null if the corpus has no evaluations of the player's games.
    pub errors: Option<PlayerErrorRates>,
    /// The results in each month, the first one first; games without a month are left out.
    pub months: Vec<MonthResults>,
    /// The first known date.
    pub first_date: Option<String>,
    /// The last known date.
    pub last_date: Option<String>,
    /// The last known rating.
    pub rating: Option<i16>,
}

/// The results of games, from the player's point of view.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerResults {
    /// The number of games.
    pub games: u64,
    /// The number of games that the player won.
    pub won: u64,
    /// The number of drawn games.
    pub drawn: u64,
    /// The number of games that the player lost.
    pub lost: u64,
    /// The number of games without a result.
    pub unfinished: u64,
    /// The mean score of finished games: a win is 1, a draw is 1/2.
    pub score: Option<ShareEstimate>,
}

/// The results of a player with a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideResults {
    /// The side.
    pub side: SideName,
    /// The results.
    #[serde(flatten)]
    pub results: PlayerResults,
}

/// The results of a player in a variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VariantResults {
    /// The name of the variant; null for other rules.
    pub variant: Option<String>,
    /// The results with the attackers.
    pub attackers: PlayerResults,
    /// The results with the defenders.
    pub defenders: PlayerResults,
}

/// The results of a player with an opening and a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningResults {
    /// The name of the opening.
    pub name: String,
    /// The source of the name.
    pub source: String,
    /// The name of the variant; null for other rules.
    pub variant: Option<String>,
    /// The side of the player.
    pub side: SideName,
    /// The results.
    #[serde(flatten)]
    pub results: PlayerResults,
}

/// The results of a player against another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpponentResults {
    /// The opponent; null if the name is unknown.
    pub name: Option<String>,
    /// The results.
    #[serde(flatten)]
    pub results: PlayerResults,
}

/// The results of a player in a month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonthResults {
    /// The month, such as `2019-03`.
    pub month: String,
    /// The results.
    #[serde(flatten)]
    pub results: PlayerResults,
}

impl CorpusRequest for PlayerRequest {
    type Answer = PlayerAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<PlayerAnswer> {
        if self.name.is_empty() {
            return Err(Error::new(ErrorKind::BadParameter, "the name is missing").of("name"));
        }
        let aliases = &corpus.corpus().manifest().aliases;
        let name = aliases.iter().find(|entry| is_same_name(&entry.alias, &self.name));
        let name = name.map_or_else(|| self.name.clone(), |entry| entry.name.clone());
        let mut found = PlayerGames::default();
        let mut openings = StoredOpenings::new(corpus, app.opening_names());
        each_game_side(corpus, job, |at, game, side, player, opponent| {
            if player == name {
                found.add(game, side, opponent);
                if let Some(OpeningName { name, source, .. }) = openings.of(at)? {
                    let key = OpeningKey { name, source, variant: game.variant.map(ToOwned::to_owned), side };
                    found.openings.entry(key).or_default().push(found.games.len() - 1);
                }
            }
            Ok(())
        })?;
        if !found.games.is_empty() {
            let aliases = aliases.iter().filter(|entry| entry.name == name);
            let aliases = aliases.map(|entry| entry.alias.clone()).collect();
            let errors = player_error_rates(corpus, &found.game_sides)?;
            let answer = found.answer(name, self.opponents.size());
            return Ok(PlayerAnswer { aliases, errors, ..answer });
        }
        let mut names = HashSet::new();
        each_game_side(corpus, job, |_, _, _, player, _| {
            if !names.contains(player) {
                names.insert(player.to_owned());
            }
            Ok(())
        })?;
        Err(unknown_player(&self.name, "game of the corpus", names).of("name"))
    }
}

/// Passes each named player of each game to a function, with the side and the opponent.
fn each_game_side(
    corpus: &CorpusSnapshot,
    job: &Job,
    mut take: impl FnMut(GameAt, &GameSummary<'_>, Side, &str, Option<&str>) -> Result<()>,
) -> Result<()> {
    for (nth, at) in corpus.corpus().games().enumerate() {
        if nth % GAMES_PER_CHECK == 0 {
            job.check()?;
        }
        let game = corpus.summaries().get(at)?;
        if let Some(player) = game.attackers {
            take(at, &game, Side::Attackers, player, game.defenders)?;
        }
        if let Some(player) = game.defenders {
            take(at, &game, Side::Defenders, player, game.attackers)?;
        }
    }
    Ok(())
}

/// Returns the error of a player whom none of `games` has, with the most similar of the given names.
pub(super) fn unknown_player(name: &str, games: &str, names: impl IntoIterator<Item = String>) -> Error {
    let wanted = name.to_lowercase();
    let similarity = |name: &String| strsim::jaro_winkler(&wanted, &name.to_lowercase());
    let scored = names.into_iter().map(|name| (similarity(&name), name));
    let best = scored
        .filter(|(score, _)| *score > MIN_SIMILARITY)
        .max_by(|(one, name), (other, other_name)| one.total_cmp(other).then_with(|| other_name.cmp(name)));
    let message = format!("no {games} has the player `{}`", escape(name));
    let error = Error::new(ErrorKind::UnknownPlayer, message);
    match best {
        Some((_, name)) => error.with_help(format!("did you mean `{}`?", escape(&name))),
        None => error,
    }
}

/// The games of a player.
#[derive(Default)]
struct PlayerGames {
    games: Vec<PlayerGame<Option<String>, String>>,
    results: Vec<GameResult>,
    /// The same games, for their evaluations.
    game_sides: Vec<EvaluatedGameSide>,
    /// The games of each opening that has a name.
    openings: HashMap<OpeningKey, Vec<usize>>,
    /// The last known rating, and its date.
    rating: Option<(String, i16)>,
}

/// An opening with a side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct OpeningKey {
    name: String,
    source: String,
    variant: Option<String>,
    side: Side,
}

impl PlayerGames {
    fn add(&mut self, game: &GameSummary<'_>, side: Side, opponent: Option<&str>) {
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let (variant, opponent, date) = (owned(game.variant), owned(opponent), owned(game.date));
        self.game_sides.push(EvaluatedGameSide { game: game.game, side, variant: variant.clone() });
        self.games.push(PlayerGame { side, variant, opponent, date });
        self.results.push(game.result);
        let rating = if side == Side::Attackers { game.attackers_rating } else { game.defenders_rating };
        if let Some((date, rating)) = game.date.zip(rating)
            && self.rating.as_ref().is_none_or(|(last, _)| date >= last.as_str())
        {
            self.rating = Some((date.to_owned(), rating));
        }
    }

    fn results(&self, part: &[usize]) -> PlayerResults {
        let tally = PlayerTally::of(part.iter().map(|at| (self.results[*at], self.games[*at].side)));
        let WdlCounts { wins, draws, losses } = tally.finished;
        let score = tally.finished.score().ok();
        PlayerResults {
            games: tally.games(),
            won: wins,
            drawn: draws,
            lost: losses,
            unfinished: tally.unfinished,
            score: score.map(|score| ShareEstimate { value: score.value, low: score.low, high: score.high }),
        }
    }

    fn answer(&self, name: String, n_opponents: usize) -> PlayerAnswer {
        let groups = PlayerBreakdown::of(&self.games);
        let all: Vec<usize> = (0..self.games.len()).collect();
        let dates = || self.games.iter().filter_map(|game| game.date.clone());
        let mut openings: Vec<(&OpeningKey, &Vec<usize>)> = self.openings.iter().collect();
        openings.sort_unstable_by_key(|(key, part)| (Reverse(part.len()), *key));
        let of_opening = |(key, part): (&OpeningKey, &Vec<usize>)| OpeningResults {
            name: key.name.clone(),
            source: key.source.clone(),
            variant: key.variant.clone(),
            side: key.side.into(),
            results: self.results(part),
        };
        PlayerAnswer {
            name,
            aliases: Vec::new(),
            total: self.results(&all),
            sides: Side::ALL
                .map(|side| SideResults { side: side.into(), results: self.results(&groups.by_side[side]) })
                .into(),
            variants: groups
                .by_variant
                .iter()
                .map(|(variant, sides)| VariantResults {
                    variant: variant.clone(),
                    attackers: self.results(&sides.attackers),
                    defenders: self.results(&sides.defenders),
                })
                .collect(),
            opponents: groups
                .by_opponent
                .iter()
                .take(n_opponents)
                .map(|(name, part)| OpponentResults { name: name.clone(), results: self.results(part) })
                .collect(),
            opponents_total: groups.by_opponent.iter().filter(|(name, _)| name.is_some()).count(),
            openings: openings.into_iter().map(of_opening).collect(),
            errors: None,
            months: groups
                .by_month
                .iter()
                .map(|(month, part)| MonthResults { month: month.clone(), results: self.results(part) })
                .collect(),
            first_date: dates().min(),
            last_date: dates().max(),
            rating: self.rating.as_ref().map(|(_, rating)| *rating),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{ImportRequest, OnCorpus};
    use crate::{Request, StreamRequest};

    const GAMES: &str = "[attackers:Ann]\n[defenders:Bo]\n[variant:brandubh7]\n[date:2019-03-01]\n[result:1]\n\n1. d2-c2 e4-e1\n\n\
                         [attackers:Bo]\n[defenders:Ann]\n[variant:tablut9_wtf]\n[date:2020-01-05]\n[result:-1]\n\n1. d1-d2 e3-d3\n\n\
                         [attackers:Cy]\n[defenders:Ann]\n[variant:brandubh7]\n[date:2020]\n[result:0]\n\n1. d1-c1 d3-c3\n\n";

    #[test]
    fn games_are_counted_from_the_point_of_view_of_the_player() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
        std::fs::write(&file, GAMES).unwrap();
        let (app, job) = (App::new(), Job::default());
        let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
        import.run(&app, &job, &mut |_| Ok(())).unwrap();
        let ask = |name: &str| {
            let request = PlayerRequest { name: name.to_owned(), ..PlayerRequest::default() };
            OnCorpus { corpus: corpus.clone(), request }.run(&app, &job)
        };
        let ann = ask("Ann").unwrap();
        let counts = |results: &PlayerResults| {
            (results.games, results.won, results.drawn, results.lost, results.unfinished)
        };
        assert_eq!(counts(&ann.total), (3, 2, 1, 0, 0));
        assert_eq!(
            ann.sides.iter().map(|side| counts(&side.results)).collect::<Vec<_>>(),
            [(1, 1, 0, 0, 0), (2, 1, 1, 0, 0)]
        );
        assert_eq!(ann.variants.len(), 2);
        assert_eq!(
            (ann.variants[0].variant.as_deref(), counts(&ann.variants[0].defenders)),
            (Some("brandubh7"), (1, 0, 1, 0, 0))
        );
        let opponents: Vec<_> =
            ann.opponents.iter().map(|one| (one.name.as_deref(), one.results.games)).collect();
        assert_eq!((opponents, ann.opponents_total), (vec![(Some("Bo"), 2), (Some("Cy"), 1)], 2));
        let months: Vec<_> = ann.months.iter().map(|one| one.month.as_str()).collect();
        assert_eq!((months, ann.first_date.as_deref()), (vec!["2019-03", "2020-01"], Some("2019-03-01")));
        let unknown = ask("Anne").unwrap_err();
        assert_eq!(
            (unknown.kind, unknown.help.as_deref()),
            (ErrorKind::UnknownPlayer, Some("did you mean `Ann`?"))
        );
    }
}
