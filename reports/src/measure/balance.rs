//! The balance of variants: all figures of the page of a variant, and the ranking of all variants.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use rayon::prelude::*;
use tafl_corpus::{CancelCheck, CorpusError, GameResult};
use tafl_rules::{BySide, Side};

use super::adjusted::{AdjustedAdvantage, AdvantageTrend, adjusted, trend};
use super::common_advantage::{CommonAdvantage, pool};
use super::even_arrangements::{EvenArrangements, even_arrangements};
use super::expected::ExpectedScores;
use super::fairness::{Fairness, fairness};
use super::game_start::OtherStarts;
use super::games::{GameFacts, Games, PlayedVariant};
use super::groups::{GameGroup, by_band, by_era, by_first_mover};
use super::lengths::{LengthFindings, lengths};
use super::order::in_order_of;
use super::rejected::RejectedFindings;
use super::sensitivity::{Sensitivity, sensitivity};
use super::tally::{Ending, GameTally};
use super::time_order::in_stable_order;
use crate::stats::dyadic::SharedPlayers;
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::multiple::{benjamini_hochberg, holm};
use crate::stats::quantile::Summary;
use crate::stats::strength::Advantage;
use crate::stats::{Balance, Estimate, NotEstimable, Rate};

/// Options for measuring the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalanceOptions {
    /// The number of bands of strength.
    pub bands: usize,
    /// The number of eras.
    pub eras: usize,
    /// The number of threads, by default that of the machine; it does not change the findings.
    pub threads: NonZeroUsize,
}

impl Default for BalanceOptions {
    fn default() -> BalanceOptions {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        BalanceOptions { bands: 3, eras: 3, threads }
    }
}

/// The balance of all variants.
#[derive(Debug, Clone, PartialEq)]
pub struct BalanceFindings {
    /// The variants, by number of games.
    pub variants: Vec<VariantFindings>,
    /// The results of all variants, excluding games that did not begin as their rules say; without a design effect.
    pub total: GameTally,
    /// The games that did not begin as their rules say and are excluded.
    pub other_starts: OtherStarts,
    /// The pooled advantages of all variants.
    pub hierarchy: Result<CommonAdvantage, NotEstimable>,
    /// The rejected records of the corpus. They are not part of the games, so [`balance`] leaves them empty.
    pub rejected: RejectedFindings,
}

/// The balance of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantFindings {
    /// The variant.
    pub variant: PlayedVariant,
    /// Its index in [`Games::variants`].
    pub number: u32,
    /// The results of its games, without those that did not begin as its rules say.
    pub tally: GameTally,
    /// The games that did not begin as its rules say and are excluded.
    pub other_starts: OtherStarts,
    /// The proportion of finished games with each end; the intervals allow for games that share players.
    pub endings: BTreeMap<Ending, Rate>,
    /// The scores that the strengths of the players predict; `None` if strengths cannot be estimated.
    pub expected: Option<ExpectedScores>,
    /// The win ratio.
    pub balance: Result<Balance, NotEstimable>,
    /// The attackers' score, with draws as halves.
    pub score: Result<Estimate, NotEstimable>,
    /// The defenders' proportion of decided games with an interval that allows for games that share players.
    pub over_players: Option<Estimate>,
    /// The probability of a balance at least as uneven if the game is even, allowing for games that share players.
    pub p: Option<f64>,
    /// The same, adjusted for the comparison of all variants (Holm).
    pub p_holm: Option<f64>,
    /// The same, adjusted for the false discovery rate (Benjamini and Hochberg).
    pub p_fdr: Option<f64>,
    /// The number of variants for whose comparison p-values are adjusted; 0 if this one is not among them.
    pub n_tested: usize,
    /// The p-value of the advantage between equals, adjusted for the comparison of all variants (Holm).
    pub equals_holm: Option<f64>,
    /// The same, adjusted for the false discovery rate (Benjamini and Hochberg).
    pub equals_fdr: Option<f64>,
    /// The p-value of the trend, adjusted for the false discovery rate over all variants that have one.
    pub trend_fdr: Option<f64>,
    /// Whether the variant is fair between equals.
    pub fairness: Option<Fairness>,
    /// Arrangements that make the game even; `None` if the favored side between equals is not known.
    pub even_arrangements: Option<EvenArrangements>,
    /// The attackers' advantage between equals.
    pub adjusted: Result<AdjustedAdvantage, NotEstimable>,
    /// The advantage between equals in Elo, partially pooled over all variants.
    pub partially_pooled: Option<Estimate>,
    /// The advantage by strength of the players.
    pub trend: Result<AdvantageTrend, NotEstimable>,
    /// By strength of the players, weakest first.
    pub by_band: Result<Vec<GameGroup>, NotEstimable>,
    /// By year.
    pub by_era: Result<Vec<GameGroup>, NotEstimable>,
    /// By first mover.
    pub by_first: Vec<GameGroup>,
    /// With other selections of games.
    pub sensitivity: Vec<Sensitivity>,
    /// The lengths of the games.
    pub lengths: LengthFindings,
    /// The number of captures by each side in a finished game.
    pub captures: BySide<Option<Summary>>,
    /// The number of duplicates of games, which are not counted.
    pub copies: u64,
}

/// Measures the balance of all variants.
///
/// # Examples
///
/// ```
/// use tafl_reports::{BalanceOptions, Games, balance};
///
/// let findings = balance(&Games::default(), &BalanceOptions::default());
/// assert!(findings.variants.is_empty() && findings.total.balance().is_err());
/// ```
pub fn balance(games: &Games, options: &BalanceOptions) -> BalanceFindings {
    match balance_until(games, options, CancelCheck::NEVER, &|_| {}) {
        Ok(findings) => findings,
        Err(error) => unreachable!("only a canceled measurement fails: {error}"),
    }
}

/// Measures the balance of all variants, until the work is canceled. `on_games` is called with the number of
/// games of each measured variant.
///
/// # Errors
///
/// Returns an error if the work was canceled.
pub fn balance_until(
    games: &Games,
    options: &BalanceOptions,
    cancel: CancelCheck<'_>,
    on_games: &(dyn Fn(u64) + Sync),
) -> Result<BalanceFindings, CorpusError> {
    let mut variants = each_variant(games, options, |number, own| {
        let n_games = own.len() as u64;
        let found = variant_until(games, number, own, options, cancel)?;
        on_games(n_games);
        Ok(found)
    })?;
    // Variants without a name are distinguished by their rules.
    let place = |found: &VariantFindings| {
        let variant = &found.variant;
        (std::cmp::Reverse(found.tally.games), variant.name.clone(), variant.rules.clone(), variant.rules_id)
    };
    variants.sort_by_cached_key(place);
    adjust_p_values(&mut variants);
    let hierarchy = pool_advantages(&mut variants);
    let rejected = RejectedFindings::default();
    let mut total = GameTally::default();
    variants.iter().for_each(|variant| total.add_all(&variant.tally));
    let other_starts = OtherStarts::of(games.rows.iter().map(|game| game.start));
    Ok(BalanceFindings { variants, total, other_starts, hierarchy, rejected })
}

/// Measures each variant, largest first, with the requested number of threads.
fn each_variant(
    games: &Games,
    options: &BalanceOptions,
    measure: impl Fn(u32, Vec<u32>) -> Result<VariantFindings, CorpusError> + Sync,
) -> Result<Vec<VariantFindings>, CorpusError> {
    // The games of each variant as indices, because copies would take much memory.
    let mut n_rows = vec![0; games.variants.len()];
    games.rows.iter().for_each(|game| n_rows[game.variant as usize] += 1);
    let mut rows: Vec<Vec<u32>> = n_rows.into_iter().map(Vec::with_capacity).collect();
    for (at, game) in (0..).zip(&games.rows) {
        rows[game.variant as usize].push(at);
    }
    let mut work: Vec<(u32, Vec<u32>)> = (0u32..).zip(rows).filter(|(_, own)| !own.is_empty()).collect();
    work.sort_by_key(|(number, own)| (std::cmp::Reverse(own.len()), *number));
    let measure = |(number, own): (u32, Vec<u32>)| measure(number, own);
    // A few variants have most of the games, so each is a separate job that an idle thread can steal.
    match rayon::ThreadPoolBuilder::new().num_threads(options.threads.get()).build() {
        Ok(pool) => pool.install(|| work.into_par_iter().with_max_len(1).map(measure).collect()),
        Err(_) => work.into_iter().map(measure).collect(),
    }
}

/// Measures the balance of one variant, until the work is canceled; `own` has the indices of its games.
fn variant_until(
    games: &Games,
    number: u32,
    own: Vec<u32>,
    options: &BalanceOptions,
    cancel: CancelCheck<'_>,
) -> Result<VariantFindings, CorpusError> {
    let all = own.iter().map(|row| &games.rows[*row as usize]);
    let other_starts = OtherStarts::of(all.clone().map(|game| game.start));
    // In an order of their own, so that figures do not depend on that of the corpus.
    let (counted, _) = in_stable_order(all.filter(|game| !game.has_other_start()));
    let counted: Vec<GameFacts> = counted.into_iter().copied().collect();
    drop(own);
    let shared = SharedPlayers::of(counted.iter().map(GameFacts::pair));
    let all = 0..counted.len() as u32;
    let tally = GameTally::among(&counted, &shared, all).with_draw_effect(&counted, &shared);
    cancel.check()?;
    // The variant with most of the games takes longest, so both halves of its figures are measured at once.
    let (between_equals, others) = rayon::join(
        || between_equals_until(&counted, &shared, options, cancel),
        || {
            let sensitivity = sensitivity(&counted, &tally, &shared);
            let captures = BySide::from_fn(|side| captures(&counted, side, &shared));
            (sensitivity, lengths(&counted, &shared), captures)
        },
    );
    let (sensitivity, lengths, captures) = others;
    let BetweenEquals { adjusted, expected, fairness, even_arrangements, trend, by_band, by_era, by_first } =
        between_equals?;
    Ok(VariantFindings {
        variant: games.variants[number as usize].clone(),
        number,
        other_starts,
        endings: GameTally::ending_rates(&counted, &shared),
        balance: tally.balance(),
        score: tally.score(),
        over_players: tally.defenders_proportion().map(|rate| rate.proportion),
        p: tally.balance_p(),
        p_holm: None,
        p_fdr: None,
        n_tested: 0,
        equals_holm: None,
        equals_fdr: None,
        trend_fdr: None,
        fairness,
        even_arrangements,
        partially_pooled: None,
        trend,
        by_band,
        by_era,
        by_first,
        adjusted,
        expected,
        sensitivity,
        lengths,
        captures,
        copies: counted.iter().map(|game| u64::from(game.copies)).sum(),
        tally,
    })
}

/// The figures of a variant that depend on the strengths of the players.
struct BetweenEquals {
    adjusted: Result<AdjustedAdvantage, NotEstimable>,
    expected: Option<ExpectedScores>,
    fairness: Option<Fairness>,
    even_arrangements: Option<EvenArrangements>,
    trend: Result<AdvantageTrend, NotEstimable>,
    by_band: Result<Vec<GameGroup>, NotEstimable>,
    by_era: Result<Vec<GameGroup>, NotEstimable>,
    by_first: Vec<GameGroup>,
}

/// Measures the figures that depend on player strengths, until the work is canceled.
fn between_equals_until(
    counted: &[GameFacts],
    shared: &SharedPlayers,
    options: &BalanceOptions,
    cancel: CancelCheck<'_>,
) -> Result<BetweenEquals, CorpusError> {
    let found = adjusted(counted);
    cancel.check()?;
    let overall = found.as_ref().map_err(|missing| *missing);
    let by_band = overall.and_then(|overall| by_band((counted, shared), overall, options.bands));
    cancel.check()?;
    let trend = overall.and_then(trend);
    cancel.check()?;
    let by_era = by_era((counted, shared), options.eras, overall.ok());
    cancel.check()?;
    let fairness = overall.ok().map(|overall| fairness(&overall.adjusted));
    let even_arrangements =
        overall.ok().and_then(|overall| even_arrangements(counted, &overall.adjusted, shared));
    let by_first = by_first_mover((counted, shared), overall.ok());
    let (adjusted, expected) = match found {
        Ok(found) => (Ok(found.adjusted.clone()), Some(ExpectedScores::new(found))),
        Err(missing) => (Err(missing), None),
    };
    Ok(BetweenEquals { adjusted, expected, fairness, even_arrangements, trend, by_band, by_era, by_first })
}

/// Returns the number of captures by a side in finished games.
fn captures(games: &[GameFacts], side: Side, shared: &SharedPlayers) -> Option<Summary> {
    let captures = |game: &GameFacts| u32::from(game.captures[side]);
    let ended = in_order_of(games, |game| (game.result != GameResult::Unfinished).then(|| captures(game)));
    let numbers = ended.into_iter().map(|at| (at, f64::from(captures(&games[at as usize]))));
    Summary::of_games(numbers.collect(), shared)
}

/// Adjusts the p-values for the comparison of all variants with a percentage: those of each test are adjusted
/// separately, because they answer different questions.
fn adjust_p_values(variants: &mut [VariantFindings]) {
    let is_tested = |variant: &VariantFindings| variant.tally.decided() >= SMALL_SAMPLE;
    let n_tested = variants.iter().filter(|variant| is_tested(variant)).count();
    variants.iter_mut().for_each(|variant| variant.n_tested = if is_tested(variant) { n_tested } else { 0 });
    adjust(
        variants,
        |variant| variant.p.filter(|_| is_tested(variant)),
        |variant, holm, fdr| {
            (variant.p_holm, variant.p_fdr) = (Some(holm), Some(fdr));
        },
    );
    adjust(
        variants,
        |variant| variant.equals_p().filter(|_| is_tested(variant)),
        |variant, holm, fdr| {
            (variant.equals_holm, variant.equals_fdr) = (Some(holm), Some(fdr));
        },
    );
    adjust(
        variants,
        |variant| variant.trend.as_ref().ok().map(|trend| trend.p),
        |variant, _, fdr| {
            variant.trend_fdr = Some(fdr);
        },
    );
}

/// Adjusts the p-values of one test; `keep` gets each variant that has one, with the values by Holm and for the false
/// discovery rate.
fn adjust(
    variants: &mut [VariantFindings],
    p: impl Fn(&VariantFindings) -> Option<f64>,
    keep: impl Fn(&mut VariantFindings, f64, f64),
) {
    let (mut tested, mut values) = (Vec::new(), Vec::new());
    for variant in variants {
        if let Some(p) = p(variant) {
            tested.push(variant);
            values.push(p);
        }
    }
    for (variant, (holm, fdr)) in
        tested.into_iter().zip(holm(&values).into_iter().zip(benjamini_hochberg(&values)))
    {
        keep(variant, holm, fdr);
    }
}

impl VariantFindings {
    /// Returns the p-value of the plain results, adjusted for the false discovery rate, and the number of variants for which it is.
    pub fn adjusted_p(&self) -> Option<(f64, usize)> {
        Some((self.p_fdr?, self.n_tested))
    }

    /// Returns the two-sided p-value of the advantage between equals.
    pub fn equals_p(&self) -> Option<f64> {
        Some(self.adjusted.as_ref().ok()?.advantage.p())
    }

    /// Returns the side that is favored by the plain results, with a false discovery rate of 5 % over all variants.
    pub fn favored(&self) -> Option<Side> {
        self.p_fdr.filter(|p| *p < 0.05)?;
        Some(if self.tally.defenders > self.tally.attackers { Side::Defenders } else { Side::Attackers })
    }

    /// Returns the side that is favored between equals, with a false discovery rate of 5 % over all variants.
    pub fn favored_between_equals(&self) -> Option<Side> {
        self.equals_fdr.filter(|p| *p < 0.05)?;
        let advantage = self.adjusted.as_ref().ok()?.advantage;
        Some(if advantage.value < 0.0 { Side::Defenders } else { Side::Attackers })
    }

    /// Returns the trend of the advantage with strength if it is significant, with a false discovery rate of 5 % over all
    /// variants.
    pub fn significant_trend(&self) -> Option<&AdvantageTrend> {
        self.trend_fdr.filter(|p| *p < 0.05)?;
        self.trend.as_ref().ok()
    }
}

/// Estimates the common distribution of the advantages of all variants, and sets the partially pooled advantage of each.
fn pool_advantages(variants: &mut [VariantFindings]) -> Result<CommonAdvantage, NotEstimable> {
    let advantage = |variant: &VariantFindings| variant.adjusted.as_ref().ok().map(|found| found.advantage);
    let measured: Vec<(Advantage, &str)> = variants
        .iter()
        .filter_map(|variant| Some((advantage(variant)?, variant.variant.rules.as_str())))
        .collect();
    let (common, partially_pooled) = pool(&measured)?;
    let with_advantage = variants.iter_mut().filter(|variant| advantage(variant).is_some());
    for (variant, value) in with_advantage.zip(partially_pooled) {
        variant.partially_pooled = Some(value);
    }
    Ok(common)
}
