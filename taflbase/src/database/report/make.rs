//! From requests to reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tafl_reports::{
    BalanceFindings, BalanceOptions, CompareOptions, DetailsByVariant, Games, Provenance, RejectedFindings,
    Report, balance_sheet, balance_until, compare_selections, eval_findings, games_hash, health,
    player_table,
};
use tafl_rules::catalog;

use super::command_line::command_line_args;
use super::crosstable::crosstable_report;
use super::design::report_of_search;
use super::load::load_games;
use super::map::variant_map_report;
use super::one_player::player_report;
use super::pages::{boards_of_variants, variant_pages};
use super::plan::planned;
use super::request::{CompareReportRequest, ReportGames, ReportRequest};
use super::selfplay::selfplay_report;
use super::variant_games::{of_variant, variant_label};
use crate::clock::this_year;
use crate::database::error::under;
use crate::database::{CorpusRequest, CorpusSnapshot};
use crate::{App, Error, Job, Progress, Result};

/// The scope of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportScope {
    /// Everything.
    #[default]
    Whole,
    /// Without the pages of variants, if a balance report is about several: for a reader who waits.
    Ranking,
}

/// A report.
#[derive(Debug, Clone)]
pub struct ReportAnswer {
    /// The report.
    pub report: Report,
    /// The number of games that it is about; of a comparison, the smaller of both.
    pub games: u64,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

impl CorpusRequest for ReportRequest {
    type Answer = ReportAnswer;

    /// Creates the report for a waiting reader. The sources of the request are only its names of the corpus.
    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<ReportAnswer> {
        self.make(std::slice::from_ref(corpus), ReportScope::Ranking, app, job)
    }
}

impl ReportRequest {
    /// Creates the report about open corpora: one per source, or one for all. If the engine plays,
    /// there are none, or one with games between people.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a variant is unknown, a file is damaged, or the job is stopped.
    pub fn make(
        self,
        corpora: &[Arc<CorpusSnapshot>],
        scope: ReportScope,
        app: &App,
        job: &Job,
    ) -> Result<ReportAnswer> {
        let request = self.with_year(this_year());
        let mut provenance = Provenance::of(env!("CARGO_PKG_VERSION"));
        provenance.command = command_line_args("report", &request);
        if let ReportRequest::Balance(request) = &request {
            request.selfplay_options.check_is_used()?;
        }
        if let ReportRequest::Balance(request) = &request
            && request.selfplay_options.selfplay
        {
            return selfplay_report(request, corpora.first(), provenance, (app, job));
        }
        if let ReportRequest::Design(request) = &request {
            return report_of_search(request, provenance, app, job);
        }
        if let ReportRequest::Plan(request) = &request {
            return planned(request, corpora, provenance, job);
        }
        if let ReportRequest::Compare(request) = &request {
            return comparison(request, corpora, provenance, job);
        }
        let (Some(corpus), Some(games)) = (corpora.first(), request.games()) else { return Err(no_source()) };
        let chosen = chosen_games(corpus, games, &mut provenance, job)?;
        let answer = |report| ReportAnswer { report, games: chosen.rows.len() as u64, notes: Vec::new() };
        let mut made = match &request {
            ReportRequest::Balance(request) => {
                balance_report(corpus, &chosen, (provenance, scope, request.sheet), job)?
            }
            ReportRequest::Openings(_) => {
                let found = boards_of_variants(corpus.corpus(), &chosen, job)?;
                answer(tafl_reports::openings_report(&found, provenance))
            }
            ReportRequest::Accuracy(_) => {
                let mut found = Vec::new();
                for (number, variant) in (0_u32..).zip(&chosen.variants) {
                    job.check()?;
                    found.push((variant.clone(), eval_findings(corpus.corpus(), &chosen, number)?));
                }
                answer(tafl_reports::accuracy_report(&found, provenance))
            }
            ReportRequest::Lengths(_) => {
                let findings = measured(&chosen, &BalanceOptions::default(), job)?;
                answer(tafl_reports::lengths_report(&findings, provenance))
            }
            ReportRequest::Players(request) => {
                let table = player_table(&chosen);
                answer(tafl_reports::players_report(&table, request.limit, request.min_games, provenance))
            }
            ReportRequest::Player(request) => answer(player_report(corpus, &chosen, request, provenance)?),
            ReportRequest::Crosstable(request) => {
                answer(crosstable_report(corpus, &chosen, request, provenance)?)
            }
            ReportRequest::Map(request) => {
                answer(variant_map_report(corpus, &chosen, request, (provenance, job))?)
            }
            ReportRequest::Health(request) => {
                let year = request.year.unwrap_or_else(this_year);
                let variant = games.variant.as_deref();
                let label = variant.map(|name| variant_label(&chosen, name)).transpose()?;
                let found = health(corpus.corpus(), &chosen, label.as_deref(), year)?;
                let report = tafl_reports::health_report(&found, provenance);
                let note = "the query applies only to stored games; rejected records are counted without it";
                let notes = games.query.iter().map(|_| note.to_owned()).collect();
                ReportAnswer { notes, ..answer(report) }
            }
            ReportRequest::Compare(_) | ReportRequest::Design(_) | ReportRequest::Plan(_) => {
                return Err(no_source());
            }
        };
        let is_selection = games.query.is_some() || games.variant.is_some();
        if chosen.rows.is_empty() && is_selection {
            made.report.summary.insert(0, NOTHING_SELECTED.to_owned());
        }
        Ok(made)
    }

    /// Returns the games of a report about one selection.
    fn games(&self) -> Option<&ReportGames> {
        Some(match self {
            ReportRequest::Balance(request) => &request.games,
            ReportRequest::Players(request) => &request.games,
            ReportRequest::Player(request) => &request.games,
            ReportRequest::Crosstable(request) => &request.games,
            ReportRequest::Map(request) => &request.games,
            ReportRequest::Health(request) => &request.games,
            ReportRequest::Plan(request) => &request.games,
            ReportRequest::Openings(games)
            | ReportRequest::Lengths(games)
            | ReportRequest::Accuracy(games) => games,
            ReportRequest::Compare(_) | ReportRequest::Design(_) => return None,
        })
    }
}

/// The first sentence of reports without games.
const NOTHING_SELECTED: &str = "No game matches this selection. Check the query and the name of the variant; `tafl info` lists the \
                                variants of a corpus.";

fn no_source() -> Error {
    let message = "no source is given; name a corpus or files of records, as in `tafl report --help`";
    Error::parameter("sources", message)
}

fn balance_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    (provenance, scope, is_sheet): (Provenance, ReportScope, bool),
    job: &Job,
) -> Result<ReportAnswer> {
    let options = BalanceOptions::default();
    let mut findings = measured(games, &options, job)?;
    findings.rejected = RejectedFindings::of(&corpus.corpus().rejected()?);
    if let [only] = findings.variants.as_slice() {
        findings.rejected = findings.rejected.restricted_to(&only.variant.label());
    }
    let n_games = games.rows.len() as u64;
    if is_sheet && !findings.variants.is_empty() {
        findings.variants.truncate(1);
        let (pages, notes) = variant_pages(corpus.corpus(), games, &findings, job)?;
        let sheet = balance_sheet(&findings, &pages, provenance.clone());
        let report = sheet.unwrap_or_else(|| tafl_reports::balance_report(&findings, &pages, provenance));
        return Ok(ReportAnswer { report, games: n_games, notes });
    }
    if scope == ReportScope::Ranking && findings.variants.len() > 1 {
        let mut report = tafl_reports::balance_report(&findings, &DetailsByVariant::new(), provenance);
        report.sections.truncate(1);
        report
            .summary
            .push("This page shows only the ranking; select a variant to see its section.".to_owned());
        return Ok(ReportAnswer { report, games: n_games, notes: Vec::new() });
    }
    let (pages, notes) = variant_pages(corpus.corpus(), games, &findings, job)?;
    let report = tafl_reports::balance_report(&findings, &pages, provenance);
    Ok(ReportAnswer { report, games: n_games, notes })
}

/// Measures the balance of all variants; the job gets the number of games processed.
fn measured(games: &Games, options: &BalanceOptions, job: &Job) -> Result<BalanceFindings> {
    let (done, all) = (AtomicU64::new(0), games.rows.len().max(1) as f64);
    let on_games = |own| {
        let done = done.fetch_add(own, Ordering::Relaxed) + own;
        job.report(&Progress {
            done,
            unit: "games",
            proportion: Some(done as f64 / all),
            detail: "measured",
        });
    };
    under(job, |stop| balance_until(games, options, stop, &on_games))
}

/// Loads the games of a report, and adds to the provenance which they are.
pub(super) fn chosen_games(
    corpus: &CorpusSnapshot,
    request: &ReportGames,
    provenance: &mut Provenance,
    job: &Job,
) -> Result<Games> {
    let mut games = load_games(corpus, request.query.as_deref(), job)?;
    if let Some(name) = &request.variant {
        games = of_variant(games, name)?;
    }
    provenance.add("games", "games", games.rows.len().to_string());
    provenance.add("games_hash", "hash of the games", games_hash(&games));
    let mut used: Vec<u32> = games.rows.iter().map(|game| game.variant).collect();
    used.sort_unstable();
    used.dedup();
    if let [only] = used.as_slice() {
        let variant = &games.variants[*only as usize];
        provenance.add("rules", "rules", &variant.rules);
        provenance.add("rules_hash", "rules ID", format!("{:016x}", variant.rules_id));
    }
    if let Some(query) = &request.query {
        provenance.add("query", "query", query);
    }
    job.check()?;
    Ok(games)
}

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

fn comparison(
    request: &CompareReportRequest,
    corpora: &[Arc<CorpusSnapshot>],
    mut provenance: Provenance,
    job: &Job,
) -> Result<ReportAnswer> {
    let CompareReportRequest { sources, variant, query, min_difference } = request;
    if variant.len() > 2 || query.len() > 2 {
        let message = "a comparison has two selections: give --variant and --query at most twice each";
        return Err(Error::parameter("variant", message));
    }
    if sources.len() < 2 && variant.len() < 2 && query.len() < 2 {
        let message = "nothing to compare; give two sources, --variant twice, or --query twice";
        return Err(Error::parameter("variant", message));
    }
    if !(0.0..=100.0).contains(min_difference) {
        return Err(Error::parameter("min_difference", "--min-difference must be from 0 to 100 points"));
    }
    let pick = |list: &[String], at: usize| list.get(at).or_else(|| list.first()).cloned();
    let mut selections = Vec::new();
    for at in 0..2 {
        let corpus = corpora.get(at).or_else(|| corpora.first()).ok_or_else(no_source)?;
        let mut games = load_games(corpus, pick(query, at).as_deref(), job)?;
        if let Some(name) = pick(variant, at) {
            games = of_variant(games, &name)?;
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
    let empty =
        [("first", first), ("second", second)].into_iter().filter(|(_, own)| own.games.rows.is_empty());
    let notes = empty.map(|(word, _)| format!("the {word} selection has no games")).collect();
    Ok(ReportAnswer { report, games, notes })
}
