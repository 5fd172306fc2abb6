//! Requests for reports: which one, about which games, and what decides its figures.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::{
    CrosstableReportRequest, DesignReportRequest, MapReportRequest, PlanReportRequest, PlayerReportRequest,
    SelfplayOptions,
};

/// Write a report with its figures, plots, and their origin
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Subcommand))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReportRequest {
    /// Results of the sides with intervals and reasons: of all variants with a ranking, or of one
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Shares have 95 % intervals; below 30 games there is no percentage.
docs/reports.md and docs/statistics.md explain each figure.

With --selfplay no games are read: the engine plays the rules of --variant
against itself, at several strengths, and with each change of --vary
from the same openings.

Examples:
  tafl report balance games.corpus -o balance.html
  tafl report balance games.corpus --variant copenhagen11 --query 'year >= 2015'
  tafl report balance games/brandubh.csv --format json
  tafl report balance games.corpus --variant brandubh7 --sheet -o brandubh.html
  tafl report balance --selfplay --variant hexentafl4 --games 60 --control 0")
    )]
    Balance(BalanceReportRequest),
    /// A comparison of two variants, two queries, or two corpora
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
The two selections differ in the argument that is given twice: the source,
--variant, or --query. An argument that is given once applies to both.

Examples:
  tafl report compare games.corpus --variant copenhagen11 --variant fetlar11
  tafl report compare games.corpus --query 'year < 2015' --query 'year >= 2015'
  tafl report compare one.corpus other.corpus --variant brandubh7")
    )]
    Compare(CompareReportRequest),
    /// First moves and openings, with their results
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Example:
  tafl report openings games.corpus --variant brandubh7")
    )]
    Openings(ReportGames),
    /// The lengths of games, by winner and reason
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Example:
  tafl report lengths games.corpus --variant brandubh7")
    )]
    Lengths(ReportGames),
    /// The frequency of errors, and the drama of games; needs `tafl annotate`
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Examples:
  tafl annotate games.corpus --nodes 2000 --format jsonl > annotated.jsonl
  tafl report accuracy games.corpus --variant brandubh7")
    )]
    Accuracy(ReportGames),
    /// Players: results by side, and strength
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Example:
  tafl report players games.corpus --variant copenhagen11 --limit 50")
    )]
    Players(PlayersReportRequest),
    /// A player: results, openings, departures from known lines, and errors
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Strengths are estimated from all selected games, so do not select the games of
the player only. Accuracy and errors need the evaluations of `tafl annotate`.

Examples:
  tafl report player games.corpus --name Blue
  tafl report player games.corpus --name Blue --against Red")
    )]
    Player(PlayerReportRequest),
    /// The results of all players against each other, with tie-breaks
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Ties are broken in the order of --tie-breaks: direct encounter,
Sonneborn-Berger, Buchholz, wins, and the shortest win. For the last one,
which is the third tie-break of the World Tafl Federation, the solver finishes
games that were cut short; docs/reports.md explains it.

Examples:
  tafl report crosstable games.corpus --query 'event:\"world championship\"'
  tafl report crosstable games.corpus \\
    --tie-breaks direct,sonneborn-berger,shortest-win
  tafl report crosstable games.corpus --groups round")
    )]
    Crosstable(CrosstableReportRequest),
    /// A plan: the number of games, by how many players, that a question about the balance needs
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Without a source, the players and the draws are as in recorded games of
Copenhagen; with a corpus and --variant, as in its games. --strength-sd,
--side-skill-sd, and --draws replace these values.

Examples:
  tafl report plan --detect 5
  tafl report plan --detect 3 --players 20,40,80 --draws 10")
    )]
    Plan(PlanReportRequest),
    /// A search for rules that meet a target, such as an even score, by games of the engine
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Common changes of the rules, or those of --vary, are tried by successive
halving: every round doubles the number of games, and keeps the half that is
nearer to the target. The best are measured again in new games.

Examples:
  tafl report design --variant hexentafl4 --score 50 --within 10 --nodes 30 \\
    --games 30
  tafl report design --variant hexentafl4 --vary esc=e --vary ka=n --nodes 30 \\
    --games 30")
    )]
    Design(DesignReportRequest),
    /// Maps of variants: which ones are alike, by rules and by behavior
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Trees and planes show distances; docs/reports.md describes both. The support of
groups is the percentage of 200 repetitions that have them.

Examples:
  tafl report map games.corpus -o map.html
  tafl report map games.corpus --like brandubh7 --min-games 3")
    )]
    Map(MapReportRequest),
    /// Data quality: rejected records, duplicates, missing or impossible data
    #[cfg_attr(
        feature = "clap",
        command(after_long_help = "\
Example:
  tafl report health games.corpus -o health.html")
    )]
    Health(HealthReportRequest),
}

/// The games of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct ReportGames {
    /// A corpus, or files and folders of records
    #[cfg_attr(feature = "clap", arg(value_name = "SOURCE"))]
    #[serde(serialize_with = "paths")]
    pub sources: Vec<PathBuf>,
    /// Only games of this variant, or of these rules: a name or a rules string
    #[cfg_attr(feature = "clap", arg(long, alias = "rules", value_name = "VARIANT"))]
    #[serde(alias = "rules", skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Only games that match this query, or have a position that matches it (docs/query.md)
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUERY"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
}

/// A report of the balance of variants.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct BalanceReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// Only one page, for print, about the variant with the most games
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "selfplay"))]
    pub sheet: bool,
    /// Only the ranking, without the sections of variants, if there are several
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["selfplay", "sheet"]))]
    pub ranking: bool,
    /// Rules that the engine plays instead.
    #[serde(flatten, skip_serializing_if = "SelfplayOptions::is_off")]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub selfplay_options: SelfplayOptions,
}

/// A report of the difference between two selections of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CompareReportRequest {
    /// One or two corpora, or files of records
    #[cfg_attr(feature = "clap", arg(value_name = "SOURCE", required = true, num_args = 1..=2))]
    #[serde(default, serialize_with = "paths")]
    pub sources: Vec<PathBuf>,
    /// Only games of this variant, or of these rules: a name or a rules string; twice
    /// for two selections
    #[cfg_attr(feature = "clap", arg(long, value_name = "VARIANT"))]
    #[serde(default)]
    pub variant: Vec<String>,
    /// Only games that match this query; twice for two selections
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUERY"))]
    #[serde(default)]
    pub query: Vec<String>,
    /// The smallest relevant difference in score, in percentage points
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, alias = "matters", value_name = "POINTS", default_value_t = default_min_difference()))]
    #[serde(default = "default_min_difference", alias = "matters")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub min_difference: f64,
}

/// A report of the results of players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PlayersReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The maximum number of players to list
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_players()))]
    #[serde(default = "default_players")]
    pub limit: usize,
    /// Exclude players with fewer than N finished games
    #[cfg_attr(feature = "clap", arg(long, alias = "least", value_name = "N", default_value_t = default_min_games()))]
    #[serde(default = "default_min_games", alias = "least")]
    pub min_games: u64,
}

/// A report of the problems of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct HealthReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The latest possible year of a game [default: this year]
    #[cfg_attr(feature = "clap", arg(long, value_name = "YEAR"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// Name files without their folders
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub file_names: bool,
}

fn default_min_difference() -> f64 {
    5.0
}

fn default_players() -> usize {
    100
}

fn default_min_games() -> u64 {
    10
}

impl Default for CompareReportRequest {
    fn default() -> Self {
        let (sources, variant, query) = <(Vec<PathBuf>, Vec<String>, Vec<String>)>::default();
        CompareReportRequest { sources, variant, query, min_difference: default_min_difference() }
    }
}

impl Default for PlayersReportRequest {
    fn default() -> Self {
        let (limit, min_games) = (default_players(), default_min_games());
        PlayersReportRequest { games: ReportGames::default(), limit, min_games }
    }
}

impl ReportRequest {
    /// Returns the corpora, or files and folders of records, that the report is about; if the engine plays, those with games
    /// between people.
    pub fn sources(&self) -> &[PathBuf] {
        match self {
            ReportRequest::Compare(request) => &request.sources,
            ReportRequest::Balance(request) if request.selfplay_options.selfplay => {
                &request.selfplay_options.human
            }
            ReportRequest::Balance(request) => &request.games.sources,
            ReportRequest::Players(request) => &request.games.sources,
            ReportRequest::Player(request) => &request.games.sources,
            ReportRequest::Crosstable(request) => &request.games.sources,
            ReportRequest::Map(request) => &request.games.sources,
            ReportRequest::Health(request) => &request.games.sources,
            ReportRequest::Plan(request) => &request.games.sources,
            ReportRequest::Design(_) => &[],
            ReportRequest::Openings(games)
            | ReportRequest::Lengths(games)
            | ReportRequest::Accuracy(games) => &games.sources,
        }
    }

    /// Returns whether the report needs no games: the engine plays, or it is a plan for assumed conditions.
    pub fn is_without_games(&self) -> bool {
        match self {
            ReportRequest::Balance(request) => {
                request.selfplay_options.selfplay && request.selfplay_options.human.is_empty()
            }
            ReportRequest::Plan(request) => request.games.sources.is_empty(),
            ReportRequest::Design(_) => true,
            ReportRequest::Compare(_)
            | ReportRequest::Openings(_)
            | ReportRequest::Lengths(_)
            | ReportRequest::Accuracy(_)
            | ReportRequest::Players(_)
            | ReportRequest::Player(_)
            | ReportRequest::Crosstable(_)
            | ReportRequest::Map(_)
            | ReportRequest::Health(_) => false,
        }
    }

    /// Returns the same request about other sources.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<PathBuf>) -> ReportRequest {
        match &mut self {
            ReportRequest::Compare(request) => request.sources = sources,
            ReportRequest::Balance(request) if request.selfplay_options.selfplay => {
                request.selfplay_options.human = sources
            }
            ReportRequest::Balance(request) => request.games.sources = sources,
            ReportRequest::Players(request) => request.games.sources = sources,
            ReportRequest::Player(request) => request.games.sources = sources,
            ReportRequest::Crosstable(request) => request.games.sources = sources,
            ReportRequest::Map(request) => request.games.sources = sources,
            ReportRequest::Health(request) => request.games.sources = sources,
            ReportRequest::Plan(request) => request.games.sources = sources,
            // It has none.
            ReportRequest::Design(_) => {}
            ReportRequest::Openings(games)
            | ReportRequest::Lengths(games)
            | ReportRequest::Accuracy(games) => {
                games.sources = sources;
            }
        }
        self
    }

    /// Returns the request with every figure-deciding default that depends on the day written out.
    #[must_use]
    pub(super) fn with_year(mut self, this_year: i16) -> ReportRequest {
        if let ReportRequest::Health(request) = &mut self {
            // A report that is verified next year must have the same figures.
            request.year = request.year.or(Some(this_year));
        }
        self
    }
}

/// Serializes paths as people read them, also those that are not UTF-8.
pub(super) fn paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.display().to_string()))
}
