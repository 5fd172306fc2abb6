//! From requests to reports.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tafl_reports::{
    BalanceFindings, BalanceOptions, DetailsByVariant, Games, Provenance, RejectedFindings, Report,
    balance_sheet, balance_until, eval_findings, games_hash, health, player_table,
};

use super::command_line::command_line_args;
use super::comparison::comparison;
use super::crosstable::crosstable_report;
use super::design::report_of_search;
use super::load::{load_games, no_source, query_reasons};
use super::map::variant_map_report;
use super::one_player::player_report;
use super::pages::{boards_of_variants, variant_pages};
use super::plan::planned;
use super::request::{HealthReportRequest, ReportGames, ReportRequest};
use super::selfplay::selfplay_report;
use super::variant_games::{of_variant, variant_label};
use crate::clock::this_year;
use crate::database::error::under;
use crate::database::{CorpusRequest, CorpusSnapshot};
use crate::{App, Job, Progress, Result};

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

    /// Creates the report. The sources of the request are only its names of the corpus.
    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<ReportAnswer> {
        self.make(std::slice::from_ref(corpus), app, job)
    }
}

impl ReportRequest {
    /// Creates the report about open corpora: one per source, or one for all. If the engine plays,
    /// there are none, or one with games between people.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a variant is unknown, a file is damaged, or the job is stopped.
    pub fn make(self, corpora: &[Arc<CorpusSnapshot>], app: &App, job: &Job) -> Result<ReportAnswer> {
        let request = self.with_year(this_year());
        let mut provenance = Provenance::of(env!("CARGO_PKG_VERSION"));
        provenance.command = command_line_args("report", &request);
        if let ReportRequest::Balance(request) = &request {
            request.selfplay_options.check_is_used()?;
        }
        if let ReportRequest::Balance(request) = &request
            && request.selfplay_options.selfplay
        {
            return selfplay_report(request, corpora.first(), provenance, app, job);
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
        let mut made = report_on_games(&request, corpus, &chosen, provenance, job)?;
        let is_selection = games.query.is_some() || games.variant.is_some();
        if chosen.rows.is_empty() && is_selection {
            made.report.summary.insert(0, NOTHING_SELECTED.to_owned());
            made.notes.extend(query_reasons(corpus, games.query.as_deref())?);
            if made.notes.is_empty() {
                made.notes.push("no game matches this selection".to_owned());
            }
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

/// Creates a report about chosen games of a corpus.
fn report_on_games(
    request: &ReportRequest,
    corpus: &CorpusSnapshot,
    chosen: &Games,
    provenance: Provenance,
    job: &Job,
) -> Result<ReportAnswer> {
    let answer = |report| ReportAnswer { report, games: chosen.rows.len() as u64, notes: Vec::new() };
    Ok(match request {
        ReportRequest::Balance(request) if request.sheet => sheet_report(corpus, chosen, provenance, job)?,
        ReportRequest::Balance(request) => balance_report(corpus, chosen, request.ranking, provenance, job)?,
        ReportRequest::Openings(_) => {
            let found = boards_of_variants(corpus.corpus(), chosen, job)?;
            answer(tafl_reports::openings_report(&found, chosen, provenance))
        }
        ReportRequest::Accuracy(_) => {
            let mut found = Vec::new();
            for (number, variant) in (0_u32..).zip(&chosen.variants) {
                job.check()?;
                found.push((variant.clone(), eval_findings(corpus.corpus(), chosen, number)?));
            }
            answer(tafl_reports::accuracy_report(&found, provenance))
        }
        ReportRequest::Lengths(_) => {
            let findings = measured(chosen, &BalanceOptions::default(), job)?;
            answer(tafl_reports::lengths_report(&findings, provenance))
        }
        ReportRequest::Players(request) => {
            let table = player_table(chosen);
            answer(tafl_reports::players_report(&table, request.limit, request.min_games, provenance))
        }
        ReportRequest::Player(request) => {
            let rated = games_of_query(corpus, &request.games, chosen, job)?;
            answer(player_report(corpus, chosen, &rated, request, provenance)?)
        }
        ReportRequest::Crosstable(request) => answer(crosstable_report(corpus, chosen, request, provenance)?),
        ReportRequest::Map(request) => answer(variant_map_report(corpus, chosen, request, provenance, job)?),
        ReportRequest::Health(request) => health_report(corpus, chosen, request, provenance)?,
        ReportRequest::Compare(_) | ReportRequest::Design(_) | ReportRequest::Plan(_) => {
            return Err(no_source());
        }
    })
}

fn health_report(
    corpus: &CorpusSnapshot,
    chosen: &Games,
    request: &HealthReportRequest,
    provenance: Provenance,
) -> Result<ReportAnswer> {
    let year = request.year.unwrap_or_else(this_year);
    let variant = request.games.variant.as_deref();
    let label = variant.map(|name| variant_label(chosen, name)).transpose()?;
    let mut found = health(corpus.corpus(), chosen, label.as_deref(), year)?;
    if request.file_names {
        found.keep_file_names();
    }
    let report = tafl_reports::health_report(&found, provenance);
    let note = "the query applies only to stored games; rejected records are counted without it";
    let notes = request.games.query.iter().map(|_| note.to_owned()).collect();
    Ok(ReportAnswer { report, games: chosen.rows.len() as u64, notes })
}

/// The first sentence of reports without games.
const NOTHING_SELECTED: &str = "No game matches this selection. Check the query and the name of the variant; `tafl info` lists the \
                                variants of a corpus.";

/// Returns the balance of all variants, with the records that the corpus rejected.
fn balance_findings(corpus: &CorpusSnapshot, games: &Games, job: &Job) -> Result<BalanceFindings> {
    let mut findings = measured(games, &BalanceOptions::default(), job)?;
    findings.rejected = RejectedFindings::of(&corpus.corpus().rejected()?);
    if let [only] = findings.variants.as_slice() {
        findings.rejected = findings.rejected.restricted_to(&only.variant.label());
    }
    Ok(findings)
}

/// Creates the page of the variant with the most games; a report without pages if there are no games.
fn sheet_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    provenance: Provenance,
    job: &Job,
) -> Result<ReportAnswer> {
    let mut findings = balance_findings(corpus, games, job)?;
    findings.variants.truncate(1);
    let (pages, notes) = variant_pages(corpus.corpus(), games, &findings, job)?;
    let sheet = balance_sheet(&findings, &pages, provenance.clone());
    let report = sheet.unwrap_or_else(|| tafl_reports::balance_report(&findings, &pages, provenance));
    Ok(ReportAnswer { report, games: games.rows.len() as u64, notes })
}

fn balance_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    ranking: bool,
    provenance: Provenance,
    job: &Job,
) -> Result<ReportAnswer> {
    let findings = balance_findings(corpus, games, job)?;
    let is_ranking = ranking && findings.variants.len() > 1;
    let (pages, notes) = if is_ranking {
        (DetailsByVariant::new(), Vec::new())
    } else {
        variant_pages(corpus.corpus(), games, &findings, job)?
    };
    let mut report = tafl_reports::balance_report(&findings, &pages, provenance);
    if is_ranking {
        report.sections.truncate(1);
        report
            .summary
            .push("This page shows only the ranking; select a variant to see its section.".to_owned());
    }
    Ok(ReportAnswer { report, games: games.rows.len() as u64, notes })
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

/// Returns the games of the query of a report, of all variants; `chosen` are those of the variant.
fn games_of_query<'g>(
    corpus: &CorpusSnapshot,
    request: &ReportGames,
    chosen: &'g Games,
    job: &Job,
) -> Result<Cow<'g, Games>> {
    Ok(match request.variant {
        Some(_) => Cow::Owned(load_games(corpus, request.query.as_deref(), job)?),
        None => Cow::Borrowed(chosen),
    })
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
        games = of_variant(&games, name)?;
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
