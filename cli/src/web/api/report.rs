//! Reports about the corpus.

mod shelf;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;

use crate::args::database::DatabaseCommand;
use crate::args::database::report::{ReportCommand, ReportFormat};
use crate::args::{Cli, Command};
use crate::command::database::report::make::{Made, Scope, make_of};
use crate::command::database::report::source::NoVariant;
use crate::command::database::report::write::written;
use crate::io::Io;
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

fn report(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let kinds: Vec<(&str, &str)> = KINDS.iter().map(|kind| (*kind, *kind)).collect();
    let kind = request.params.choice("kind", &kinds)?;
    let format = request.params.choice("format", FORMATS)?;
    let command = command(request, kind)?;
    let manifest = &request.snapshot.corpus.manifest().checksum;
    let key = format!("{manifest}\n{format:?}\n{}", command.words().join("\n"));
    let written = match SHELF.get(&key) {
        Some(written) => written,
        None => {
            let written = Arc::new(make(request, &command, format)?);
            SHELF.put(key, &written);
            written
        }
    };
    let document = Document::new(content_type(format), written.bytes.clone());
    Ok(Reply::Document(match format {
        ReportFormat::Html => document.header("content-security-policy", POLICY),
        ReportFormat::Md | ReportFormat::Csv | ReportFormat::Json | ReportFormat::Parquet => document,
    }))
}

fn content_type(format: ReportFormat) -> &'static str {
    match format {
        ReportFormat::Html => HTML,
        ReportFormat::Md => MARKDOWN,
        ReportFormat::Csv => CSV,
        ReportFormat::Json => JSON,
        ReportFormat::Parquet => "application/octet-stream",
    }
}

/// Returns the command of `tafl report` that makes the same report. Its source is only a name: nobody on the other side
/// learns where the corpus lies.
fn command(request: &ApiRequest, kind: &str) -> Result<ReportCommand, ApiError> {
    let params = &request.params;
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
    let folder = request.snapshot.corpus.path().file_name();
    let name = folder.map_or_else(|| "corpus".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut words = vec!["tafl".to_owned(), "report".to_owned(), kind.to_owned(), "corpus".to_owned()];
    words.extend([variant, other].into_iter().flatten().map(|name| format!("--variant={name}")));
    words.extend(params.text("where").map(|query| format!("--query={query}")));
    let parsed = Cli::try_parse_from(words).map(|cli| cli.command);
    let Ok(Command::Database(DatabaseCommand::Report(args))) = parsed else {
        return Err(ApiError::new(ErrorCode::Internal, "the report has no command"));
    };
    let mut command =
        args.command.ok_or_else(|| ApiError::new(ErrorCode::Internal, "the report has no command"))?;
    *command.sources_mut() = vec![PathBuf::from(name)];
    Ok(command)
}

fn make(request: &ApiRequest, command: &ReportCommand, format: ReportFormat) -> Result<Written, ApiError> {
    let mut said = Vec::new();
    let mut io = Io::new(io::empty(), io::sink(), &mut said);
    let made = make_of(command, Scope::Open(&request.snapshot.corpus), &mut io);
    drop(io);
    let Made { report, .. } = made.map_err(|error| problem(request, error, &said))?;
    let bytes =
        written(&report, format, &|_| String::new()).map_err(|error| problem(request, error, &said))?;
    if bytes.len() > MOST_BYTES {
        let message = format!("the report has {} MiB", bytes.len() >> 20);
        return Err(ApiError::new(ErrorCode::TooLarge, message)
            .help("name one variant, or make it with `tafl report`"));
    }
    Ok(Written { bytes })
}

/// Returns the problem of a report that could not be made.
fn problem(request: &ApiRequest, error: anyhow::Error, said: &[u8]) -> ApiError {
    match error.downcast::<tafl_corpus::CorpusError>() {
        Ok(error) => ApiError::from(error),
        Err(error) => match error.downcast_ref::<NoVariant>() {
            Some(unknown) => {
                let names_it = |param: &&str| request.params.text(param) == Some(unknown.name.as_str());
                let param = ["variant", "variant2"].into_iter().find(names_it).unwrap_or("variant");
                let problem = ApiError::new(ErrorCode::UnknownVariant, unknown.to_string()).of(param);
                match unknown.similar.is_empty() {
                    true => problem.help("/api/variants lists the variants"),
                    false => problem.help(format!("did you mean {}?", unknown.similar.join(" or "))),
                }
            }
            None => {
                let problem = ApiError::parameter("kind", format!("{error:#}"));
                match String::from_utf8_lossy(said).trim() {
                    "" => problem,
                    said => problem.help(said.to_owned()),
                }
            }
        },
    }
}
