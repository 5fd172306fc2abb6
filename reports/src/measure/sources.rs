//! Disagreement between sources on the balance of a variant: the same games, counted in the ways in which
//! sources differ.

use polars::prelude::{col, lit};
use tafl_corpus::{Corpus, Result, file_name};

use super::adjusted::adjusted;
use super::balance::BalanceOptions;
use super::frame::{self, FrameColumn};
use super::games::{GameFacts, Games};
use super::groups::{GameGroup, by_band, by_group};
use super::names::NameNumber;
use super::published::{
    Agreement, PublishedBalance, PublishedCheck, agreement, check_published, games_per_player,
};
use super::sensitivity::{Sensitivity, sensitivity};
use super::stronger_side::by_match;
use super::tags::{ID, last_number, record_tags};
use super::tally::{Ending, GameTally};
use super::time_order::in_stable_order;
use crate::stats::dyadic::SharedPlayers;
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::strength::{elo, expectation};
use crate::stats::{Balance, NotEstimable, WinRatio};

/// The disagreement between sources.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceDisagreement {
    /// All games of the variant.
    pub all: BalanceSlice,
    /// The games of each file, largest first; files with fewer than 30 games are combined, and so are those
    /// after the first [`MAX_SOURCES`].
    pub by_source: Vec<BalanceSlice>,
    /// The number of lines of play of ten plies or more that occur in more than one file.
    pub shared_lines: u64,
    /// With games excluded.
    pub sensitivity: Vec<Sensitivity>,
    /// Games that ended by timeout.
    pub by_timeout: BalanceSlice,
    /// Games that ended by resignation, inferred ones included.
    pub by_resignation: BalanceSlice,
    /// Games whose resignation is inferred.
    pub by_inferred_resignation: BalanceSlice,
    /// Games that ended on the board.
    pub on_board: BalanceSlice,
    /// By strength of the players, weakest first.
    pub by_band: std::result::Result<Vec<GameGroup>, NotEstimable>,
    /// By the number of experienced players, who have [`EXPERIENCED`] games or more of all variants of the selection.
    pub by_experience: Vec<GameGroup>,
    /// By the difference of the strengths of both players in other games. Games of players without other games are left out.
    pub by_match: Vec<BalanceSlice>,
    /// By the numbers that the site gave its games, earliest first; [`NotEstimable`] if fewer than 120 games have
    /// a number.
    pub by_number: std::result::Result<Vec<BalanceSlice>, NotEstimable>,
    /// The balance between equals: the plain figure includes games of unequal players.
    pub between_equals: std::result::Result<BalanceBetweenEquals, NotEstimable>,
    /// Published figures and their agreement.
    pub published: Vec<PublishedCheck>,
}

/// A subset of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct BalanceSlice {
    /// Its label.
    pub label: String,
    /// The results.
    pub tally: GameTally,
    /// Their balance.
    pub balance: std::result::Result<Balance, NotEstimable>,
}

impl BalanceSlice {
    fn of<'g>(label: &str, games: impl IntoIterator<Item = &'g GameFacts>) -> BalanceSlice {
        BalanceSlice::new(label, GameTally::of(games))
    }

    fn new(label: &str, tally: GameTally) -> BalanceSlice {
        BalanceSlice { label: label.to_owned(), balance: tally.balance(), tally }
    }
}

/// The balance between equals as a win ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BalanceBetweenEquals {
    /// The ratio.
    pub value: WinRatio,
    /// The end of the interval that favors the attackers more.
    pub low: WinRatio,
    /// The end of the interval that favors the defenders more.
    pub high: WinRatio,
    /// The standard deviation of the players' strengths, in Elo.
    pub strength_sd: f64,
    /// The mean strength of the attackers' players minus that of the defenders' players, over all games, in
    /// Elo: the effect of side choice.
    pub chosen: f64,
}

/// The minimum number of decided games of a part that is compared with published figures: small samples agree with
/// every figure.
const MIN_DECIDED: u64 = 200;

/// The minimum number of numbered games: with fewer, a quarter would be a small sample.
const MIN_NUMBERED: usize = 120;

/// The maximum number of files with figures of their own.
pub const MAX_SOURCES: usize = 40;

/// The minimum number of games of an experienced player, of all variants of the selection.
pub const EXPERIENCED: u32 = 30;

/// Analyzes the disagreement between sources on a variant.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn disagreement(
    corpus: &Corpus,
    games: &Games,
    variant: u32,
    published: &[PublishedBalance],
) -> Result<SourceDisagreement> {
    let own = games.filtered(|game| game.variant == variant && !game.has_other_start());
    let (sorted, _) = in_stable_order(own.rows.iter());
    let rows: &[GameFacts] = &sorted.into_iter().copied().collect::<Vec<GameFacts>>();
    let all = BalanceSlice::of("all games", rows);
    let shared = SharedPlayers::of(rows.iter().map(GameFacts::pair));
    let StrengthParts { by_band, by_match, between_equals } = by_strength((rows, &shared));
    let counts = games_per_player(&games.rows, games.players.len());
    let is_experienced = |game: &GameFacts| {
        game.pair().is_some_and(|pair| pair.iter().all(|player| counts[*player as usize] >= EXPERIENCED))
    };
    let label =
        games.variants.get(variant as usize).map(super::games::PlayedVariant::label).unwrap_or_default();
    let published = published.iter().filter(|figure| figure.variant == label);
    let mut found = SourceDisagreement {
        by_source: by_source(&own),
        shared_lines: shared_lines(rows),
        sensitivity: sensitivity(rows, &all.tally, &shared),
        all,
        by_timeout: BalanceSlice::of("ended by timeout", rows.iter().filter(|game| game.is_timeout())),
        by_resignation: BalanceSlice::of(
            "ended by resignation",
            rows.iter().filter(|game| game.is_resignation()),
        ),
        by_inferred_resignation: BalanceSlice::of(
            "of these, inferred resignations",
            rows.iter().filter(|game| game.is_resignation() && Ending::of(game).is_inferred),
        ),
        on_board: BalanceSlice::of(
            "ended on the board",
            rows.iter().filter(|game| game.reason.is_some_and(|reason| reason.is_on_board())),
        ),
        by_band,
        by_experience: by_experience(games, (rows, &shared)),
        by_match,
        by_number: by_number(&own.rows, &record_tags(corpus, &own, ID)?),
        between_equals,
        published: published.map(|figure| check_published(figure, rows, is_experienced)).collect(),
    };
    let parts = found.parts();
    for check in &mut found.published {
        let agrees = |tally: &GameTally| match agreement(&check.published.figure, tally) {
            Agreement::Same | Agreement::WithinChance => true,
            Agreement::Differs | Agreement::Nothing => false,
        };
        let agreeing = parts.iter().filter(|(_, tally)| agrees(tally));
        check.agreeing = agreeing.map(|(label, _)| label.clone()).collect();
    }
    Ok(found)
}

/// The results by strength, as in [`SourceDisagreement`].
struct StrengthParts {
    by_band: std::result::Result<Vec<GameGroup>, NotEstimable>,
    by_match: Vec<BalanceSlice>,
    between_equals: std::result::Result<BalanceBetweenEquals, NotEstimable>,
}

fn by_strength((rows, shared): (&[GameFacts], &SharedPlayers)) -> StrengthParts {
    let found = adjusted(rows);
    match &found {
        Ok(overall) => {
            let adjusted = &overall.adjusted;
            // In log odds.
            let gap = |game: &GameFacts| {
                let [attackers, defenders] = game.pair()?;
                Some(overall.strength(attackers)? - overall.strength(defenders)?)
            };
            let chosen: Vec<f64> = rows.iter().filter_map(&gap).collect();
            let mean = chosen.iter().sum::<f64>() / chosen.len().max(1) as f64;
            let [value, low, high] = [
                adjusted.advantage.value,
                adjusted.advantage.estimate().high,
                adjusted.advantage.estimate().low,
            ]
            .map(|x| WinRatio::of_proportion(expectation(-x)));
            let equals = BalanceBetweenEquals {
                value,
                low,
                high,
                strength_sd: adjusted.strength_sd,
                chosen: elo(mean),
            };
            let slice = |(label, games): (&str, Vec<&GameFacts>)| BalanceSlice::of(label, games);
            StrengthParts {
                by_band: by_band((rows, shared), overall, BalanceOptions::default().bands),
                by_match: by_match(rows, overall).into_iter().map(slice).collect(),
                between_equals: Ok(equals),
            }
        }
        Err(missing) => {
            StrengthParts { by_band: Err(*missing), by_match: Vec::new(), between_equals: Err(*missing) }
        }
    }
}

impl SourceDisagreement {
    /// Returns the parts of the games that are compared with published figures.
    fn parts(&self) -> Vec<(String, GameTally)> {
        let slices = self.by_source.iter().chain([&self.by_timeout, &self.by_resignation, &self.on_board]);
        let slices = slices.map(|slice| (slice.label.clone(), slice.tally.clone()));
        let left =
            self.sensitivity.iter().map(|choice| (choice.without.as_str().to_owned(), choice.tally.clone()));
        let bands = self.by_band.iter().flatten();
        let bands = bands.map(|group| (format!("players of strength {}", group.label), group.tally.clone()));
        let experience = self.by_experience.iter().map(|group| (group.label.clone(), group.tally.clone()));
        let is_large = |(_, tally): &(String, GameTally)| tally.decided() >= MIN_DECIDED;
        slices.chain(left).chain(bands).chain(experience).filter(is_large).collect()
    }
}

/// Splits games by file, the largest one first.
fn by_source(own: &Games) -> Vec<BalanceSlice> {
    let mut all: Vec<(Option<u32>, GameTally)> =
        frame::tallies(&own.rows, FrameColumn::Source).into_iter().collect();
    all.sort_by_key(|(source, tally)| (std::cmp::Reverse(tally.games), *source));
    let is_large =
        |(source, tally): &(Option<u32>, GameTally)| source.is_some() && tally.games >= SMALL_SAMPLE;
    let (large, small): (Vec<_>, Vec<_>) = all.into_iter().partition(is_large);
    let n_large = large.len();
    let mut slices = Vec::new();
    let mut others = GameTally::default();
    for (at, (source, tally)) in large.into_iter().chain(small).enumerate() {
        match source.filter(|_| at < n_large.min(MAX_SOURCES)) {
            Some(source) => {
                let rows = own.rows.iter().filter(|game| game.source.map(NameNumber::get) == Some(source));
                slices.push(BalanceSlice::of(file_name(own.sources.name(source)), rows));
            }
            None => others.add_all(&tally),
        }
    }
    if others.games > 0 {
        let label = match n_large.saturating_sub(MAX_SOURCES) {
            0 => "other files".to_owned(),
            n => format!("other files, {n} of them with {SMALL_SAMPLE} games or more"),
        };
        slices.push(BalanceSlice::new(&label, others));
    }
    slices
}

/// Returns the number of lines of play of ten plies or more that are in more than one file.
fn shared_lines(rows: &[GameFacts]) -> u64 {
    let n_sources = FrameColumn::Source.col().n_unique().alias("sources");
    let lines = frame::facts(rows, &[FrameColumn::Line, FrameColumn::Plies, FrameColumn::Source])
        .filter(FrameColumn::Plies.col().gt_eq(lit(10)))
        .group_by([FrameColumn::Line.col()])
        .agg([n_sources])
        .filter(col("sources").gt(lit(1)));
    frame::answer(lines).height() as u64
}

/// Splits games into quarters by their number.
fn by_number(
    rows: &[GameFacts],
    ids: &[Option<String>],
) -> std::result::Result<Vec<BalanceSlice>, NotEstimable> {
    let numbers: Vec<Option<u64>> = ids.iter().map(|id| id.as_deref().and_then(last_number)).collect();
    let mut sorted: Vec<u64> = numbers.iter().flatten().copied().collect();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < MIN_NUMBERED {
        return Err(NotEstimable::TooFew { found: sorted.len() as u64, needed: MIN_NUMBERED as u64 });
    }
    let limits: Vec<u64> = (1..4).map(|part| sorted[part * sorted.len() / 4]).collect();
    let part = |number: u64| limits.partition_point(|limit| *limit <= number);
    let label = |at: usize| {
        let from = at.checked_sub(1).map_or(sorted[0], |before| limits[before]);
        let to = limits.get(at).map_or(sorted[sorted.len() - 1], |limit| limit - 1);
        format!("site's numbers {from} to {to}")
    };
    let of = |at: usize| {
        let games = rows.iter().zip(&numbers).filter(|(_, number)| number.map(part) == Some(at));
        BalanceSlice::of(&label(at), games.map(|(game, _)| game))
    };
    Ok((0..4).map(of).collect())
}

/// Splits games by the experience of both players, with strengths estimated from all of them.
pub(crate) fn by_experience(games: &Games, (rows, shared): (&[GameFacts], &SharedPlayers)) -> Vec<GameGroup> {
    let counts = games_per_player(&games.rows, games.players.len());
    let group = |game: &GameFacts| {
        let n = game.pair()?.iter().filter(|player| counts[**player as usize] >= EXPERIENCED).count();
        Some(n as u32)
    };
    let labels = ["both newcomers", "one newcomer", "both experienced"].map(str::to_owned).to_vec();
    let groups: Vec<Option<u32>> = rows.iter().map(group).collect();
    by_group((rows, shared), labels, &groups, None)
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::*;

    #[test]
    fn files_after_the_largest_are_combined() {
        let mut games = Games::default();
        let n_files = MAX_SOURCES as u32 + 3;
        for file in 0..n_files {
            games.sources.number(&format!("folder/{file}.pgn"));
            // The last files are the largest; the first has too few games for a figure.
            let n = if file == 0 { 5 } else { 30 + file };
            let game = GameFacts {
                source: Some(NameNumber::new(file)),
                ..crate::measure::tests::game(None, GameResult::Draw, 20)
            };
            games.rows.extend((0..n).map(|_| game));
        }
        let slices = by_source(&games);
        assert_eq!(slices.len(), MAX_SOURCES + 1);
        assert_eq!((slices[0].label.as_str(), slices[0].tally.games), ("42.pgn", 72));
        let last = &slices[MAX_SOURCES];
        assert_eq!(last.label, "other files, 2 of them with 30 games or more");
        assert_eq!(last.tally.games, 5 + 31 + 32);
        let all: u64 = slices.iter().map(|slice| slice.tally.games).sum();
        assert_eq!(all, games.rows.len() as u64);
    }
}
