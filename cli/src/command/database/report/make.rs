//! From arguments to reports.

use std::path::PathBuf;

use anyhow::bail;
use tafl_corpus::Corpus;
use tafl_reports::document::content::{self, Mores, games_hash};
use tafl_reports::document::{Provenance, Report};
use tafl_reports::measure::{BalanceOptions, CompareOptions, Games, balance, compare};
use tafl_reports::measure::{crosstable, evals, health, players};

use super::design::designed;
use super::more::{all_boards, mores};
use super::source::{Source, of_variant};
use crate::args::database::report::{CompareArgs, GamesArgs, ReportCommand};
use crate::command::database::clock::now;
use crate::{Exit, Io};

/// A report, and how the command ends.
pub(crate) struct Made {
    pub(crate) report: Report,
    /// That there were no games is a finding, that a file could not be read is an error.
    pub(crate) exit: Exit,
}

/// Where the games come from, and how much is to be said of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope<'c> {
    /// The sources that the command names; everything.
    Named,
    /// A corpus that is open, whatever the command names. A balance of many variants is a ranking without their pages.
    Open(&'c Corpus),
}

/// Makes a report.
///
/// # Errors
///
/// Fails when the games cannot be read, a query is wrong, or a variant is not known.
pub(crate) fn make(command: &ReportCommand, io: &mut Io<'_>) -> anyhow::Result<Made> {
    make_of(command, Scope::Named, io)
}

/// Makes a report of games that may be open already.
///
/// # Errors
///
/// As [`make`].
pub(crate) fn make_of(command: &ReportCommand, scope: Scope<'_>, io: &mut Io<'_>) -> anyhow::Result<Made> {
    let mut provenance = Provenance::of(env!("CARGO_PKG_VERSION"));
    provenance.command = command.words();
    let opened =
        |args: &GamesArgs, provenance: &mut Provenance, io: &mut Io<'_>| opened(args, scope, provenance, io);
    match command {
        ReportCommand::Balance(args) => {
            if args.design.selfplay {
                return designed(args, provenance, io);
            }
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let options = BalanceOptions::default();
            provenance.add("seed", "seed of the bootstrap", options.draws.seed.to_string());
            let findings = balance(&games, &options);
            if let (Scope::Open(_), [_, _, ..]) = (scope, findings.variants.as_slice()) {
                let report = content::balance_report(&findings, &Mores::new(), provenance);
                return Ok(made(ranking_only(report), &source, &games));
            }
            let mores = mores(&source.corpus, &games, &findings, io)?;
            Ok(made(content::balance_report(&findings, &mores, provenance), &source, &games))
        }
        ReportCommand::Openings(args) => {
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let found = all_boards(&source.corpus, &games)?;
            Ok(made(content::openings_report(&found, provenance), &source, &games))
        }
        ReportCommand::Accuracy(args) => {
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let mut found = Vec::new();
            for (number, variant) in (0_u32..).zip(&games.variants) {
                found.push((variant.clone(), evals(&source.corpus, &games, number)?));
            }
            Ok(made(content::accuracy_report(&found, provenance), &source, &games))
        }
        ReportCommand::Lengths(args) => {
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let findings = balance(&games, &BalanceOptions::default());
            Ok(made(content::lengths_report(&findings, provenance), &source, &games))
        }
        ReportCommand::Players(args) => {
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let table = players(&games);
            Ok(made(content::players_report(&table, (args.limit, args.least), provenance), &source, &games))
        }
        ReportCommand::Crosstable(args) => {
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let table = crosstable(&games, args.limit);
            Ok(made(content::crosstable_report(&table, provenance), &source, &games))
        }
        ReportCommand::Health(args) => {
            let (source, games) = opened(&args.games, &mut provenance, io)?;
            let year = args.year.unwrap_or_else(this_year);
            if args.year.is_none() {
                // Counted again next year, the report is to say the same.
                provenance.command.push(format!("--year={year}"));
            }
            let found = health(&source.corpus, &games, year)?;
            Ok(made(content::health_report(&found, provenance), &source, &games))
        }
        ReportCommand::Compare(args) => compared(args, scope, provenance, io),
    }
}

/// Returns the year of the clock.
fn this_year() -> i16 {
    now().get(..4).and_then(|year| year.parse().ok()).unwrap_or(i16::MAX)
}

/// Returns a report without the pages of the variants.
fn ranking_only(mut report: Report) -> Report {
    report.sections.truncate(1);
    report.summary.push("This is the ranking alone: name one variant for its page.".to_owned());
    report
}

fn made(report: Report, source: &Source, games: &Games) -> Made {
    let exit = if games.rows.is_empty() { Exit::Findings } else { Exit::Ok };
    Made { report, exit: exit.and(source.exit) }
}

/// Reads games and says in the provenance which they are.
fn opened(
    args: &GamesArgs,
    scope: Scope<'_>,
    provenance: &mut Provenance,
    io: &mut Io<'_>,
) -> anyhow::Result<(Source, Games)> {
    let source = source(&args.sources, scope, io)?;
    let games = source.chosen(args)?;
    about(&games, provenance);
    if let Some(query) = &args.query {
        provenance.add("query", "query", query);
    }
    Ok((source, games))
}

fn source(paths: &[PathBuf], scope: Scope<'_>, io: &mut Io<'_>) -> anyhow::Result<Source> {
    match scope {
        Scope::Named => Source::open(paths, io),
        Scope::Open(corpus) => Ok(Source::of(corpus.clone())),
    }
}

fn about(games: &Games, provenance: &mut Provenance) {
    provenance.add("games", "games looked at", games.rows.len().to_string());
    provenance.add("games_hash", "hash of these games", games_hash(games));
    let mut used: Vec<u32> = games.rows.iter().map(|game| game.variant).collect();
    used.sort_unstable();
    used.dedup();
    if let [only] = used.as_slice() {
        let variant = &games.variants[*only as usize];
        provenance.add("rules", "rules", &variant.rules);
        provenance.add("rules_hash", "number of the rules", format!("{:016x}", variant.rules_id));
    }
}

fn compared(
    args: &CompareArgs,
    scope: Scope<'_>,
    mut provenance: Provenance,
    io: &mut Io<'_>,
) -> anyhow::Result<Made> {
    if args.variant.len() > 2 || args.query.len() > 2 {
        bail!("two selections are compared: --variant and --query are given twice at most");
    }
    if args.sources.len() < 2 && args.variant.len() < 2 && args.query.len() < 2 {
        bail!("give two sources, --variant twice, or --query twice: else there is nothing to compare");
    }
    if !(0.0..=100.0).contains(&args.matters) {
        bail!("--matters is 0 to 100 points");
    }
    let pick = |list: &[String], at: usize| list.get(at).or_else(|| list.first()).cloned();
    let (mut selections, mut exit) = (Vec::new(), Exit::Ok);
    for at in 0..2 {
        let path = args.sources.get(at).unwrap_or(&args.sources[0]);
        let source = source(std::slice::from_ref(path), scope, io)?;
        exit = exit.and(source.exit);
        let mut games = source.games(pick(&args.query, at).as_deref())?;
        if let Some(name) = pick(&args.variant, at) {
            games = of_variant(games, &name)?;
        }
        // What both have in common is not in the name.
        let mut name = Vec::new();
        if args.sources.len() == 2 {
            name.push(path.display().to_string());
        }
        name.extend(pick(&args.variant, at).filter(|_| args.variant.len() == 2));
        name.extend(pick(&args.query, at).filter(|_| args.query.len() == 2));
        let word = ["first", "second"][at];
        provenance.add(
            &format!("{word}_games"),
            &format!("games of the {word}"),
            games.rows.len().to_string(),
        );
        provenance.add(
            &format!("{word}_games_hash"),
            &format!("hash of the games of the {word}"),
            games_hash(&games),
        );
        selections.push((name.join(", "), games));
    }
    let [(one, first), (other, second)] = selections.as_slice() else { bail!("there are two selections") };
    let options = CompareOptions { matters: args.matters / 100.0, ..CompareOptions::default() };
    let found = compare(&first.rows, &second.rows, &options);
    let report = content::compare_report(&found, [one, other], provenance);
    if first.rows.is_empty() || second.rows.is_empty() {
        exit = exit.and(Exit::Findings);
    }
    Ok(Made { report, exit })
}
