//! A player: results by side, variant, opponent, opening, and month; accuracy and error rates.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameAt, GameResult, GameSummary};
use tafl_reports::stats::WdlCounts;
use tafl_rules::Side;

use super::opening_names::StoredOpenings;
use super::player_errors::{JudgedSeat, player_errors};
use super::{CorpusRequest, CorpusSnapshot, PlayerErrors, ShareEstimate};
use crate::escape::escape;
use crate::{App, Bounded, Error, ErrorKind, Job, Result, SideName};

/// The number of games between two checks of the job.
const GAMES_PER_CHECK: usize = 1024;

/// The similarity that a suggested name must have.
const MIN_SIMILARITY: f64 = 0.7;

/// Show the results of a player
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
    pub errors: Option<PlayerErrors>,
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
        let (mut found, mut seats) = (Counts::default(), Vec::new());
        let mut openings = StoredOpenings::new(corpus, app.opening_names());
        self.each_seat(corpus, job, |at, game, side, player, opponent| {
            if player == self.name {
                found.add(game, side, opponent);
                let variant = game.variant.map(ToOwned::to_owned);
                seats.push(JudgedSeat { game: game.game, side, variant: variant.clone() });
                if let Some(opening) = openings.of(at)? {
                    let key = OpeningKey { name: opening.name, source: opening.source, variant, side };
                    found.openings.entry(key).or_default().add(game.result, side);
                }
            }
            Ok(())
        })?;
        if found.total.games > 0 {
            let errors = player_errors(corpus, &seats)?;
            return Ok(found.answer(self.name, self.opponents.size(), errors));
        }
        let mut names = HashSet::new();
        self.each_seat(corpus, job, |_, _, _, player, _| {
            if !names.contains(player) {
                names.insert(player.to_owned());
            }
            Ok(())
        })?;
        Err(unknown_player(&self.name, "game of the corpus", names).of("name"))
    }
}

impl PlayerRequest {
    /// Passes each named player of each game to a function, with the side and the opponent.
    fn each_seat(
        &self,
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

/// Counts of a player's games.
#[derive(Default)]
struct Counts {
    total: PlayerResults,
    sides: HashMap<Side, PlayerResults>,
    variants: HashMap<Option<String>, HashMap<Side, PlayerResults>>,
    opponents: HashMap<Option<String>, PlayerResults>,
    openings: HashMap<OpeningKey, PlayerResults>,
    months: HashMap<String, PlayerResults>,
    first_date: Option<String>,
    last_date: Option<String>,
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

impl Counts {
    fn add(&mut self, game: &GameSummary<'_>, side: Side, opponent: Option<&str>) {
        let (result, owned) = (game.result, |text: Option<&str>| text.map(ToOwned::to_owned));
        let of_variant = self.variants.entry(owned(game.variant)).or_default();
        let of_opponent = self.opponents.entry(owned(opponent)).or_default();
        let of_side = self.sides.entry(side).or_default();
        for counts in [&mut self.total, of_side, of_variant.entry(side).or_default(), of_opponent] {
            counts.add(result, side);
        }
        let Some(date) = game.date else { return };
        if let Some(month) = date.get(..7) {
            self.months.entry(month.to_owned()).or_default().add(result, side);
        }
        if self.first_date.as_deref().is_none_or(|first| date < first) {
            self.first_date = Some(date.to_owned());
        }
        if self.last_date.as_deref().is_none_or(|last| date > last) {
            self.last_date = Some(date.to_owned());
        }
        let rating = if side == Side::Attackers { game.attackers_rating } else { game.defenders_rating };
        if let Some(rating) = rating
            && self.rating.as_ref().is_none_or(|(last, _)| date >= last.as_str())
        {
            self.rating = Some((date.to_owned(), rating));
        }
    }

    fn answer(mut self, name: String, n_opponents: usize, errors: Option<PlayerErrors>) -> PlayerAnswer {
        let opponents_total = self.opponents.keys().flatten().count();
        let frequent = most_frequent(self.opponents, |results| results.games).into_iter().take(n_opponents);
        let all = |sides: &HashMap<Side, PlayerResults>| sides.values().map(|results| results.games).sum();
        let side =
            |sides: &mut HashMap<Side, PlayerResults>, side| sides.remove(&side).unwrap_or_default().scored();
        let variants =
            most_frequent(self.variants, all).into_iter().map(|(variant, mut sides)| VariantResults {
                variant,
                attackers: side(&mut sides, Side::Attackers),
                defenders: side(&mut sides, Side::Defenders),
            });
        let openings = most_frequent(self.openings, |results| results.games).into_iter().map(
            |(OpeningKey { name, source, variant, side }, results)| OpeningResults {
                name,
                source,
                variant,
                side: side.into(),
                results: results.scored(),
            },
        );
        let mut months: Vec<_> = self.months.into_iter().collect();
        months.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        PlayerAnswer {
            name,
            total: self.total.scored(),
            variants: variants.collect(),
            sides: Side::ALL
                .map(|of| SideResults { side: of.into(), results: side(&mut self.sides, of) })
                .into(),
            opponents: frequent
                .map(|(name, results)| OpponentResults { name, results: results.scored() })
                .collect(),
            opponents_total,
            openings: openings.collect(),
            errors,
            months: months
                .into_iter()
                .map(|(month, results)| MonthResults { month, results: results.scored() })
                .collect(),
            first_date: self.first_date,
            last_date: self.last_date,
            rating: self.rating.map(|(_, rating)| rating),
        }
    }
}

impl PlayerResults {
    fn add(&mut self, result: GameResult, side: Side) {
        self.games += 1;
        let count = match (result, side) {
            (GameResult::Attackers, Side::Attackers) | (GameResult::Defenders, Side::Defenders) => {
                &mut self.won
            }
            (GameResult::Attackers, Side::Defenders) | (GameResult::Defenders, Side::Attackers) => {
                &mut self.lost
            }
            (GameResult::Draw, _) => &mut self.drawn,
            (GameResult::Unfinished, _) => &mut self.unfinished,
        };
        *count += 1;
    }

    fn scored(mut self) -> PlayerResults {
        let counts = WdlCounts { wins: self.won, draws: self.drawn, losses: self.lost };
        self.score = counts.score().ok().map(|score| ShareEstimate {
            value: score.value,
            low: score.low,
            high: score.high,
        });
        self
    }
}

/// Returns the entries of a map by descending number of games, then by key.
fn most_frequent<K: Ord + Hash, V>(map: HashMap<K, V>, games: impl Fn(&V) -> u64) -> Vec<(K, V)> {
    let mut entries: Vec<(K, V)> = map.into_iter().collect();
    entries.sort_by(|one, other| games(&other.1).cmp(&games(&one.1)).then_with(|| one.0.cmp(&other.0)));
    entries
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
