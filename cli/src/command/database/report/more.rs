//! What a page says besides the balance: boards, sources, evaluations.

use tafl_corpus::Corpus;
use tafl_reports::document::FEW;
use tafl_reports::document::content::{More, Mores};
use tafl_reports::measure::boards::{BoardFindings, BoardOptions, boards};
use tafl_reports::measure::published::known;
use tafl_reports::measure::sources::disagreement;
use tafl_reports::measure::{BalanceFindings, Games, Variant, branching, evals};

use crate::Io;

/// With more games than this, pages of many variants have no boards: playing them again would take most of the time.
const MANY: usize = 200_000;

/// Measures what a page says besides the balance.
///
/// # Errors
///
/// Fails when a file of the corpus is missing or damaged.
pub(crate) fn mores(
    corpus: &Corpus,
    games: &Games,
    findings: &BalanceFindings,
    io: &mut Io<'_>,
) -> anyhow::Result<Mores> {
    let mut mores = Mores::new();
    let is_one = findings.variants.len() == 1;
    if !is_one && games.rows.len() > MANY {
        io.notice("so many games: the pages have no boards; name one --variant to see them");
        return Ok(mores);
    }
    let branching = branching(corpus, games)?;
    let published = known();
    for variant in findings.variants.iter().filter(|variant| variant.tally.ended() >= FEW) {
        let own: Vec<_> = published
            .iter()
            .filter(|published| variant.variant.name.as_deref() == Some(published.variant.as_str()))
            .cloned()
            .collect();
        let sources =
            if own.is_empty() { None } else { Some(disagreement(corpus, games, variant.number, &own)?) };
        let more = More {
            boards: boards(corpus, games, variant.number, &BoardOptions::default())?,
            branching: branching.get(&variant.number).cloned(),
            sources,
            evals: evals(corpus, games, variant.number)?.ok(),
        };
        mores.insert(variant.number, more);
        io.progress(&format!("boards of {} variants", mores.len()));
    }
    Ok(mores)
}

/// Returns the boards of every variant, the one with the most games first.
///
/// # Errors
///
/// Fails when a file of the corpus is missing or damaged.
pub(crate) fn all_boards(corpus: &Corpus, games: &Games) -> anyhow::Result<Vec<(Variant, BoardFindings)>> {
    let mut found = Vec::new();
    for (number, variant) in (0_u32..).zip(&games.variants) {
        if let Some(own) = boards(corpus, games, number, &BoardOptions::default())? {
            found.push((variant.clone(), own));
        }
    }
    found.sort_by_key(|(variant, own)| (std::cmp::Reverse(own.games), variant.label()));
    Ok(found)
}
