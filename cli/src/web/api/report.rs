//! Reports about the corpus.

mod shelf;

use std::path::PathBuf;
use std::sync::Arc;

use taflbase::database::{
    BalanceReportRequest, CompareReportRequest, CorpusRequest, CorpusSnapshot, CrosstableReportRequest,
    HealthReportRequest, PlayersReportRequest, ReportFormat, ReportGames, ReportRequest,
};
use taflbase::{Error, ErrorKind, Job};

use shelf::{Shelf, Written};
use tafl_web::{
    ApiError, ApiRequest, CSV, Document, ErrorCode, JSON, JsonObject, Method, Param, ParamKind, Reply, Route,
    Work, schema_of,
};

/// The kinds of reports.
const KINDS: &[&str] =
    &["balance", "openings", "lengths", "players", "crosstable", "health", "compare", "accuracy"];
/// Those that play every game again, or have a page for each variant: they want one variant.
const OF_ONE_VARIANT: &[&str] = &["openings", "lengths", "accuracy"];
const HTML: &str = "text/html; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const FORMATS: &[(&str, ReportFormat)] = &[
    ("html", ReportFormat::Html),
    ("json", ReportFormat::Json),
    ("csv", ReportFormat::Csv),
    ("md", ReportFormat::Md),
];

/// A longer document is not sent.
const MOST_BYTES: usize = 16 << 20;

/// What a page of a report may do: show itself, and nothing else. Its style and its pictures stand in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'self'; sandbox allow-same-origin";

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[Route {
    name: "report",
    method: Method::Get,
    path: "/api/report",
    summary: "A report about the corpus. `balance` without a variant is the ranking alone; `openings`, `lengths` and \
              `accuracy` want a variant, `compare` wants two.",
    params: &[&[
        Param { name: "kind", kind: ParamKind::Choice(KINDS), words: "Which report." },
        Param { name: "variant", kind: ParamKind::Text, words: "Only games of this variant." },
        Param { name: "variant2", kind: ParamKind::Text, words: "The other variant, for `compare`." },
        Param { name: "where", kind: ParamKind::Text, words: "Only games that this question finds." },
        Param {
            name: "format",
            kind: ParamKind::Choice(&["html", "json", "csv", "md"]),
            words: "How it is written.",
        },
    ]],
    work: Work::Query,
    types: &[HTML, JSON, CSV, MARKDOWN],
    schema: schema_of::<JsonObject>,
    handler: report,
}];

/// Reports that were made before.
static SHELF: Shelf = Shelf::new();

fn report(api_request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let kinds: Vec<(&str, &str)> = KINDS.iter().map(|kind| (*kind, *kind)).collect();
    let kind = api_request.params.choice("kind", &kinds)?;
    let format = api_request.params.choice("format", FORMATS)?;
    let request = report_request(api_request, kind)?;
    let manifest = &api_request.snapshot.corpus.manifest().checksum;
    let key = format!("{manifest}\n{format:?}\n{}", serde_json::to_string(&request).unwrap_or_default());
    let written = match SHELF.get(&key) {
        Some(written) => written,
        None => {
            let written = Arc::new(make(api_request, request, format)?);
            SHELF.put(key, &written);
            written
        }
    };
    let document = Document::new(format.media_type(), written.bytes.clone());
    Ok(Reply::Document(match format {
        ReportFormat::Html => document.header("content-security-policy", POLICY),
        ReportFormat::Md | ReportFormat::Csv | ReportFormat::Json | ReportFormat::Parquet => document,
    }))
}

/// Returns the request for a report. Its source is only a name: a client doesn't learn where the corpus lies.
fn report_request(api_request: &ApiRequest, kind: &str) -> Result<ReportRequest, ApiError> {
    let params = &api_request.params;
    params.query("where")?;
    let (variant, other) = (params.text("variant"), params.text("variant2"));
    if kind == "compare" && (variant.is_none() || other.is_none()) {
        let missing = if variant.is_none() { "variant" } else { "variant2" };
        return Err(ApiError::parameter(missing, "`compare` wants `variant` and `variant2`"));
    }
    if kind != "compare" && other.is_some() {
        return Err(ApiError::parameter("variant2", "only `compare` takes a second variant"));
    }
    if OF_ONE_VARIANT.contains(&kind) && variant.is_none() {
        return Err(ApiError::parameter("variant", format!("`{kind}` wants a variant"))
            .help("reports about all variants are too long for a page; `tafl report` makes them"));
    }
    let folder = api_request.snapshot.corpus.path().file_name();
    let sources = vec![folder.map_or_else(|| "corpus".into(), PathBuf::from)];
    let text = |text: Option<&str>| text.map(ToOwned::to_owned);
    let query = text(params.text("where"));
    if kind == "compare" {
        let variant = [variant, other].into_iter().flatten().map(ToOwned::to_owned).collect();
        let query = query.into_iter().collect();
        let default = CompareReportRequest::default();
        return Ok(ReportRequest::Compare(CompareReportRequest { sources, variant, query, ..default }));
    }
    let games = ReportGames { sources, variant: text(variant), query };
    Ok(match kind {
        "balance" => ReportRequest::Balance(BalanceReportRequest { games, ..Default::default() }),
        "openings" => ReportRequest::Openings(games),
        "lengths" => ReportRequest::Lengths(games),
        "players" => ReportRequest::Players(PlayersReportRequest { games, ..Default::default() }),
        "crosstable" => ReportRequest::Crosstable(CrosstableReportRequest { games, ..Default::default() }),
        "health" => ReportRequest::Health(HealthReportRequest { games, ..Default::default() }),
        "accuracy" => ReportRequest::Accuracy(games),
        other => return Err(ApiError::parameter("kind", format!("there is no report `{other}`"))),
    })
}

fn make(api_request: &ApiRequest, request: ReportRequest, format: ReportFormat) -> Result<Written, ApiError> {
    let corpus = Arc::new(CorpusSnapshot::of(api_request.snapshot.corpus.clone(), None));
    let job = Job::default();
    let made = request
        .run_on(&corpus, &api_request.snapshot.app, &job)
        .map_err(|error| problem(api_request, error))?;
    let bytes =
        format.write(&made.report, &|_| String::new()).map_err(|error| problem(api_request, error))?;
    if bytes.len() > MOST_BYTES {
        let message = format!("the report has {} MiB", bytes.len() >> 20);
        return Err(ApiError::new(ErrorCode::TooLarge, message)
            .help("name one variant, or make it with `tafl report`"));
    }
    Ok(Written { bytes })
}

/// Returns the problem of a report that could not be made. The parameters here have other names.
fn problem(api_request: &ApiRequest, error: Error) -> ApiError {
    let is_second = |name: &str| error.message.contains(&format!("`{name}`"));
    let parameter = match error.parameter {
        Some("variant") if api_request.params.text("variant2").is_some_and(is_second) => "variant2",
        Some("variant") => "variant",
        Some("query") => "where",
        _ => "kind",
    };
    match error.kind {
        ErrorKind::CorpusDamaged | ErrorKind::TimedOut => ApiError::from(error),
        _ => ApiError::from(error).of(parameter),
    }
}
