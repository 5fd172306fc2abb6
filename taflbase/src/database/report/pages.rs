//! The parts of a page besides the balance: boards, sources, evaluations.

use tafl_corpus::Corpus;
use tafl_reports::stats::SMALL_SAMPLE;
use tafl_reports::{
    BalanceFindings, BoardFindings, BoardOptions, DetailsByVariant, ExpectedScores, Games, PlayedVariant,
    VariantDetails, board_findings, branching, disagreement, eval_findings, expected_scores,
    published_balances,
};

use crate::database::error::under;
use crate::{Job, Progress, Result};

/// With more games than this, pages of many variants have no boards: playing them again would take most of the time.
const MANY: usize = 200_000;

/// Measures the parts of a page besides the balance, and returns them with notes for the reader.
///
/// # Errors
///
/// Fails when a file of the corpus is missing or damaged.
pub(super) fn variant_pages(
    corpus: &Corpus,
    games: &Games,
    findings: &BalanceFindings,
    job: &Job,
) -> Result<(DetailsByVariant, Vec<String>)> {
    let mut details = DetailsByVariant::new();
    let is_one = findings.variants.len() == 1;
    if !is_one && games.rows.len() > MANY {
        let note = "too many games for boards on the pages of variants; select one with --variant";
        return Ok((details, vec![note.to_owned()]));
    }
    let branching = branching(corpus, games)?;
    let published = published_balances();
    for variant in findings.variants.iter().filter(|variant| variant.tally.ended() >= SMALL_SAMPLE) {
        let own: Vec<_> = published
            .iter()
            .filter(|published| variant.variant.name.as_deref() == Some(published.variant.as_str()))
            .cloned()
            .collect();
        let sources =
            if own.is_empty() { None } else { Some(disagreement(corpus, games, variant.number, &own)?) };
        let own_details = VariantDetails {
            boards: boards_until(corpus, games, variant.number, variant.expected.as_ref(), job)?,
            branching: branching.get(&variant.number).cloned(),
            sources,
            evals: eval_findings(corpus, games, variant.number)?.ok(),
        };
        details.insert(variant.number, own_details);
        let done = details.len() as u64;
        let proportion = Some(done as f64 / findings.variants.len() as f64);
        job.report(&Progress { done, unit: "variants", proportion, detail: "boards" });
        job.check()?;
    }
    Ok((details, Vec::new()))
}

fn boards_until(
    corpus: &Corpus,
    games: &Games,
    variant: u32,
    expected: Option<&ExpectedScores>,
    job: &Job,
) -> Result<Option<BoardFindings>> {
    let options = BoardOptions { expected, ..BoardOptions::default() };
    under(job, |stop| board_findings(corpus, games, variant, &options, stop))
}

/// Returns the boards of every variant, the one with the most games first.
///
/// # Errors
///
/// Fails when a file of the corpus is missing or damaged.
pub(super) fn boards_of_variants(
    corpus: &Corpus,
    games: &Games,
    job: &Job,
) -> Result<Vec<(PlayedVariant, BoardFindings)>> {
    let mut found = Vec::new();
    for (number, variant) in (0_u32..).zip(&games.variants) {
        let expected = expected_scores(games, number).ok();
        if let Some(own) = boards_until(corpus, games, number, expected.as_ref(), job)? {
            found.push((variant.clone(), own));
        }
        let done = u64::from(number) + 1;
        let proportion = Some(done as f64 / games.variants.len() as f64);
        job.report(&Progress { done, unit: "variants", proportion, detail: "boards" });
    }
    found.sort_by_key(|(variant, own)| (std::cmp::Reverse(own.games), variant.label()));
    Ok(found)
}
