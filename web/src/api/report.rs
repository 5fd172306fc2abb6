//! Reports about the corpus.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use taflbase::database::{
    BalanceReportRequest, CompareReportRequest, CorpusRequest, CrosstableReportRequest, GroupsName,
    HealthReportRequest, MapReportRequest, PlayerReportRequest, PlayersReportRequest, ReportFormat,
    ReportGames, ReportRequest, TieBreakName,
};
use taflbase::escape::escape;
use taflbase::reports::ReportDocument;
use taflbase::{Error, ErrorKind};

use crate::api_error::{ApiError, ErrorCode};
use crate::media_type::{CSV, HTML, JSON, MARKDOWN};
use crate::request::{ApiRequest, Document};
use crate::routes::{Endpoint, Reply, Work};

/// The maximum number of bytes of a document.
const MAX_BYTES: usize = 16 << 20;

/// The content security policy of a report's page, which contains its style and its pictures and loads nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'self'; sandbox allow-same-origin";

/// A report about the corpus.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ReportParams {
    /// The kind of report.
    #[serde(default)]
    kind: ReportKind,
    /// Select games of this variant.
    variant: Option<String>,
    /// The other variant, for `compare`.
    variant2: Option<String>,
    /// Select games that match this query.
    #[serde(alias = "where")]
    query: Option<String>,
    /// The player, for `player`.
    name: Option<String>,
    /// The opponent for whom to prepare, for `player`.
    against: Option<String>,
    /// A tie-break of `crosstable`: `direct`, `sonneborn-berger`, `buchholz`, `wins`, or `shortest-win`; may be repeated.
    #[serde(default)]
    tie_breaks: Vec<String>,
    /// The groups of the tournament, for `crosstable`.
    #[serde(default)]
    groups: GroupsName,
    /// The variant whose most similar ones are described, for `map`.
    like: Option<String>,
    /// The maximum number of players of `crosstable` and `players`, or of variants of `map`.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u16>,
    /// The format of the document.
    #[serde(default)]
    format: PageFormat,
}

/// The kind of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ReportKind {
    #[default]
    Balance,
    Openings,
    Lengths,
    Players,
    Player,
    Crosstable,
    Map,
    Health,
    Compare,
    Accuracy,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PageFormat {
    #[default]
    Html,
    Json,
    Csv,
    Md,
}

impl Endpoint for ReportParams {
    const NAME: &'static str = "report";
    const PATH: &'static str = "/api/report";
    const SUMMARY: &'static str = "A report about the corpus. `balance` without a variant is only the ranking. `openings`, \
                                   `lengths`, and `accuracy` need a variant, and `compare` needs two. `player` needs a \
                                   name.";
    const WORK: Work = Work::Report;
    const TYPES: &'static [&'static str] = &[JSON, HTML, CSV, MARKDOWN];
    type Answer = ReportDocument<'static>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let format = self.format();
        let report = self.report(request)?;
        let key = format!("{format:?}\n{}", serde_json::to_string(&report).unwrap_or_default());
        let bytes = request.snapshot.reports.get_or_make(&key, || self.make(request, report))?;
        let document = Document::new(format.media_type(), (*bytes).clone());
        Ok(Reply::Document(match self.format {
            PageFormat::Html => document.header("content-security-policy", POLICY),
            PageFormat::Json | PageFormat::Csv | PageFormat::Md => document,
        }))
    }
}

impl ReportKind {
    /// Returns whether a report about all variants would take too long or be too large for a page.
    fn needs_variant(self) -> bool {
        matches!(self, ReportKind::Openings | ReportKind::Lengths | ReportKind::Accuracy)
    }
}

impl ReportParams {
    fn format(&self) -> ReportFormat {
        match self.format {
            PageFormat::Html => ReportFormat::Html,
            PageFormat::Json => ReportFormat::Json,
            PageFormat::Csv => ReportFormat::Csv,
            PageFormat::Md => ReportFormat::Md,
        }
    }

    /// Returns the request for the report. Its source is only the name of the folder, so clients don't learn its path.
    fn report(&self, request: &ApiRequest) -> Result<ReportRequest, ApiError> {
        let (kind, variant, other) = (self.kind, &self.variant, &self.variant2);
        if kind == ReportKind::Compare && (variant.is_none() || other.is_none()) {
            let missing = if variant.is_none() { "variant" } else { "variant2" };
            return Err(ApiError::parameter(missing, "`compare` needs `variant` and `variant2`"));
        }
        if kind != ReportKind::Compare && other.is_some() {
            return Err(ApiError::parameter("variant2", "only `compare` takes `variant2`"));
        }
        if kind.needs_variant() && variant.is_none() {
            let name = serde_json::to_value(kind).unwrap_or_default();
            let message = format!("`{}` needs a variant", name.as_str().unwrap_or_default());
            return Err(ApiError::parameter("variant", message)
                .help("use `tafl report` for reports about all variants, which are too large for a page"));
        }
        if kind == ReportKind::Player && self.name.is_none() {
            return Err(ApiError::parameter("name", "`player` needs a name"));
        }
        let corpus = request.corpus_path();
        let folder = corpus.file_name();
        let sources = vec![folder.map_or_else(|| "corpus".into(), PathBuf::from)];
        let query = self.query.clone();
        let games = ReportGames { sources: sources.clone(), variant: variant.clone(), query: query.clone() };
        Ok(match kind {
            ReportKind::Balance => {
                ReportRequest::Balance(BalanceReportRequest { games, ranking: true, ..Default::default() })
            }
            ReportKind::Openings => ReportRequest::Openings(games),
            ReportKind::Lengths => ReportRequest::Lengths(games),
            ReportKind::Accuracy => ReportRequest::Accuracy(games),
            ReportKind::Players => {
                let default = PlayersReportRequest::default();
                let limit = self.limit(default.limit);
                ReportRequest::Players(PlayersReportRequest { games, limit, ..default })
            }
            ReportKind::Player => ReportRequest::Player(PlayerReportRequest {
                games,
                name: self.name.clone().unwrap_or_default(),
                against: self.against.clone(),
            }),
            ReportKind::Crosstable => ReportRequest::Crosstable(self.crosstable(games)?),
            ReportKind::Map => {
                let default = MapReportRequest::default();
                let (limit, like) = (self.limit(default.limit), self.like.clone());
                ReportRequest::Map(MapReportRequest { games, limit, like, ..default })
            }
            ReportKind::Health => {
                let file_names = request.site.redacts_folders;
                ReportRequest::Health(HealthReportRequest { games, file_names, ..Default::default() })
            }
            ReportKind::Compare => ReportRequest::Compare(CompareReportRequest {
                sources,
                variant: variant.iter().chain(other).cloned().collect(),
                query: query.into_iter().collect(),
                ..Default::default()
            }),
        })
    }

    fn limit(&self, default: usize) -> usize {
        self.limit.map_or(default, usize::from)
    }

    fn crosstable(&self, games: ReportGames) -> Result<CrosstableReportRequest, ApiError> {
        let default = CrosstableReportRequest::default();
        let tie_breaks = self.tie_breaks.iter().flat_map(|list| list.split(',')).map(|name| {
            let found = serde_json::from_value::<TieBreakName>(name.trim().into());
            found.map_err(|_| {
                let message = format!("unknown tie-break `{}`", escape(name.trim()));
                let help = "expected direct, sonneborn-berger, buchholz, wins, or shortest-win";
                ApiError::parameter("tie_breaks", message).help(help)
            })
        });
        let tie_breaks: Vec<TieBreakName> = tie_breaks.collect::<Result<_, _>>()?;
        Ok(CrosstableReportRequest {
            games,
            limit: self.limit.map(usize::from),
            tie_breaks: if tie_breaks.is_empty() { default.tie_breaks } else { tie_breaks },
            groups: self.groups,
            ..default
        })
    }

    /// Creates a report.
    fn make(&self, request: &ApiRequest, report: ReportRequest) -> Result<Vec<u8>, ApiError> {
        let (corpus, app) = (&request.snapshot.corpus, &request.snapshot.app);
        let made = report.run_on(corpus, app, &request.job);
        let bytes = made.and_then(|made| self.format().write(&made.report, &|_| String::new()));
        let bytes = bytes.map_err(|error| self.error(error))?;
        if bytes.len() > MAX_BYTES {
            let message = format!("the report is too large: {} MiB", bytes.len() >> 20);
            return Err(
                ApiError::new(ErrorCode::TooLarge, message).help("select a variant, or use `tafl report`")
            );
        }
        Ok(bytes)
    }

    /// Converts the error of a report, whose parameters have other names here.
    fn error(&self, error: Error) -> ApiError {
        let is_second = |name: &String| error.message.contains(&format!("`{name}`"));
        let parameter = match error.parameter.as_deref() {
            Some("variant") if self.variant2.as_ref().is_some_and(is_second) => "variant2",
            Some("variant") => "variant",
            Some("query") => "query",
            Some("name") => "name",
            Some("against") => "against",
            Some("like") => "like",
            Some("limit") => "limit",
            _ => "kind",
        };
        match error.kind {
            ErrorKind::CorpusDamaged | ErrorKind::TimedOut | ErrorKind::Canceled => ApiError::from(error),
            _ => ApiError::from(error).of(parameter),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use taflbase::Job;

    use super::*;
    use crate::limits::ServerLimits;
    use crate::site::Site;
    use crate::snapshot::snapshot_of_one_game;

    #[test]
    fn a_report_has_the_deadline_of_its_request() {
        let (_folder, snapshot) = snapshot_of_one_game();
        let answer = |job| {
            let params: ReportParams = serde_json::from_value(serde_json::json!({})).unwrap();
            let request = ApiRequest {
                snapshot: Arc::clone(&snapshot),
                host: String::new(),
                body: Vec::new(),
                job,
                limits: ServerLimits::of_cores(1),
                site: Arc::new(Site::default()),
                description: Arc::default(),
            };
            params.answer(&Arc::new(request)).map(drop).map_err(|error| error.code)
        };
        assert_eq!(answer(Job::default().with_timeout(Duration::ZERO)), Err(ErrorCode::TooSlow));
        assert_eq!(answer(Job::default()), Ok(()));
    }
}
