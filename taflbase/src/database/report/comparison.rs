//! Comparisons of two selections of games.

use std::sync::Arc;

use tafl_reports::{CompareOptions, Games, Provenance, compare_selections, games_hash};
use tafl_rules::catalog;

use super::ReportAnswer;
use super::load::{load_games, no_source, query_reasons};
use super::request::CompareReportRequest;
use super::variant_games::of_variant;
use crate::database::CorpusSnapshot;
use crate::{Error, Job, Result};

/// One of the two selections of a comparison.
struct ComparedSelection {
    name: String,
    games: Games,
    hash: String,
}

impl ComparedSelection {
    /// Returns the ID of the rules of all games; `None` without games, or for games by different rules.
    fn rules_id(&self) -> Option<i64> {
        let mut ids = self.games.rows.iter().map(|game| self.games.variants[game.variant as usize].rules_id);
        let first = ids.next()?;
        ids.all(|id| id == first).then_some(first)
    }
}

/// Returns the titles of variants of the catalog. Names outside the catalog stay as they are, as do all names if two variants
/// have the same title.
fn titles(variants: &[String]) -> Vec<String> {
    let title =
        |name: &String| catalog::find(name).map_or_else(|| name.clone(), |known| known.title.to_owned());
    let titles: Vec<String> = variants.iter().map(title).collect();
    if let [first, second] = titles.as_slice()
        && first == second
    {
        return variants.to_vec();
    }
    titles
}

/// Creates the report that compares two selections of games.
///
/// # Errors
///
/// Fails if the request doesn't name two selections, a variant is unknown, a file is damaged, or the job is stopped.
pub(super) fn comparison(
    request: &CompareReportRequest,
    corpora: &[Arc<CorpusSnapshot>],
    mut provenance: Provenance,
    job: &Job,
) -> Result<ReportAnswer> {
    let CompareReportRequest { sources, variant, query, min_difference } = request;
    let given = [("sources", sources.len()), ("variant", variant.len()), ("query", query.len())];
    if let Some((name, _)) = given.into_iter().find(|(_, n)| *n > 2) {
        let message =
            "too many selections; give at most two sources, and --variant and --query at most twice each";
        return Err(Error::parameter(name, message));
    }
    if sources.len() < 2 && variant.len() < 2 && query.len() < 2 {
        let message = "nothing to compare; give two sources, --variant twice, or --query twice";
        return Err(Error::parameter("variant", message));
    }
    if !(0.0..=100.0).contains(min_difference) {
        return Err(Error::parameter("min_difference", "--min-difference must be from 0 to 100 points"));
    }
    let pick = |list: &[String], at: usize| list.get(at).or_else(|| list.first()).cloned();
    let (mut selections, mut notes) = (Vec::new(), Vec::new());
    for at in 0..2 {
        let corpus = corpora.get(at).or_else(|| corpora.first()).ok_or_else(no_source)?;
        let mut games = load_games(corpus, pick(query, at).as_deref(), job)?;
        if let Some(name) = pick(variant, at) {
            games = of_variant(&games, &name)?;
        }
        if games.rows.is_empty() {
            notes.push(format!("the {} selection has no games", ["first", "second"][at]));
            notes.extend(query_reasons(corpus, pick(query, at).as_deref())?);
        }
        // What both have in common is not in the name.
        let mut name = Vec::new();
        name.extend(sources.get(at).filter(|_| sources.len() == 2).map(|path| path.display().to_string()));
        name.extend(pick(&titles(variant), at).filter(|_| variant.len() == 2));
        name.extend(pick(query, at).filter(|_| query.len() == 2));
        let word = ["first", "second"][at];
        let count = games.rows.len().to_string();
        provenance.add(&format!("{word}_games"), &format!("games of the {word}"), count);
        let hash = games_hash(&games);
        provenance.add(&format!("{word}_games_hash"), &format!("hash of the games of the {word}"), &hash);
        selections.push(ComparedSelection { name: name.join(", "), games, hash });
        job.check()?;
    }
    let [first, second] = selections.as_slice() else { return Err(no_source()) };
    if first.hash == second.hash && !first.games.rows.is_empty() {
        let parameter = match (query.len(), variant.len()) {
            (2, _) => "query",
            (_, 2) => "variant",
            (_, _) => "sources",
        };
        let message = "both selections have the same games, so there is nothing to compare";
        return Err(Error::parameter(parameter, message));
    }
    let options = CompareOptions { min_difference: min_difference / 100.0, ..CompareOptions::default() };
    let mut found = compare_selections(&first.games.rows, &second.games.rows, &options);
    found.is_of_same_rules =
        variant.len() == 2 && first.rules_id().is_some_and(|id| second.rules_id() == Some(id));
    let report = tafl_reports::compare_report(&found, [&first.name, &second.name], provenance);
    let games = first.games.rows.len().min(second.games.rows.len()) as u64;
    Ok(ReportAnswer { report, games, notes })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn more_than_two_selections_are_an_error() {
        let parameter = |request: CompareReportRequest| {
            let compared = comparison(&request, &[], Provenance::of("0.0.0"), &Job::default());
            compared.unwrap_err().parameter.unwrap()
        };
        let sources = ["a", "b", "c"].map(PathBuf::from).to_vec();
        let query = ["a", "b", "c"].map(String::from).to_vec();
        let default = CompareReportRequest::default;
        assert_eq!(parameter(CompareReportRequest { sources, ..default() }), "sources");
        assert_eq!(parameter(CompareReportRequest { query, ..default() }), "query");
    }
}
