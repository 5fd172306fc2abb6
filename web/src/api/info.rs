//! The description of the server: its corpus, variants, limits, notations, and codes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use taflbase::parser::{Code as FindingCode, Format};
use taflbase::rules::{
    Reason,
    catalog::{self, NamedRules},
};

use crate::api_error::ApiError;
use crate::corpus_stats::{CorpusStats, RulesStats};
use crate::limits::LimitsAnswer;
use crate::openapi::API_VERSION;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Work};

/// The description of the server.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Info {
    /// Always `taflbase`.
    program: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The version of the API.
    api: u32,
    /// Whether requests may add games, tags, and studies.
    may_write: bool,
    /// The corpus.
    corpus: ServedCorpusInfo,
    /// The rules of the games of the corpus, most frequent first.
    variants: Vec<PlayedRules>,
    /// The limits of requests.
    limits: LimitsAnswer,
    /// The notations.
    formats: Vec<FormatInfo>,
    /// The codes of findings.
    findings: Vec<FindingInfo>,
    /// The reasons for which games end.
    reasons: Vec<&'static str>,
}

/// The corpus.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CorpusInfo")]
struct ServedCorpusInfo {
    /// The name of its folder.
    name: Option<String>,
    /// The number of games.
    games: u64,
    /// The number of plies.
    plies: u64,
    /// The number of positions.
    positions: u64,
    /// The number of changes of the corpus.
    generation: u64,
    /// The checksum of its state.
    manifest: String,
    /// Whether the corpus has evaluations of games.
    has_evals: bool,
}

/// The rules of some games of the corpus.
#[derive(Debug, Serialize, JsonSchema)]
struct PlayedRules {
    /// The name in the catalog, if they have one.
    name: Option<String>,
    /// The rules string of one of the games.
    rules: String,
    /// The board: `11x11`.
    shape: String,
    /// The number of games.
    games: u64,
}

/// A notation.
#[derive(Debug, Serialize, JsonSchema)]
struct FormatInfo {
    /// The stable name.
    name: &'static str,
    /// Whether `tafl` can write it.
    writable: bool,
    /// A description of its origin.
    words: &'static str,
    /// The extension of its files.
    extension: &'static str,
}

/// A code of findings.
#[derive(Debug, Serialize, JsonSchema)]
struct FindingInfo {
    /// The stable code: `L001`.
    code: &'static str,
    /// The stable name: `illegal-move`.
    name: &'static str,
    /// `error`, `warning`, or `note`.
    severity: &'static str,
    /// The explanation.
    words: &'static str,
    /// The advice, in a sentence.
    help: &'static str,
}

/// A variant that has a name.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VariantInfo {
    /// The stable name.
    name: &'static str,
    /// The title.
    title: &'static str,
    /// Other names.
    aliases: &'static [&'static str],
    /// The board: `11x11`.
    shape: String,
    /// The number of its games in the corpus.
    games: u64,
    /// The side that moves first.
    first: &'static str,
}

/// The description of the server.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct InfoParams {
    /// Leave out the codes of findings, which are most of the answer
    #[serde(default)]
    brief: bool,
}

/// The variants that have a name.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct VariantsParams {}

/// The description of the API.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OpenApiParams {}

impl Endpoint for InfoParams {
    const NAME: &'static str = "info";
    const PATH: &'static str = "/api/info";
    const SUMMARY: &'static str =
        "The description of the server: its corpus, variants, limits, notations, and codes of findings.";
    const WORK: Work = Work::Quick;
    type Answer = Info;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        info(request, self.brief).map(|info| Reply::json(&info))
    }
}

impl Endpoint for VariantsParams {
    const NAME: &'static str = "variants";
    const PATH: &'static str = "/api/variants";
    const SUMMARY: &'static str =
        "The variants that have a name, with the number of their games in the corpus.";
    const WORK: Work = Work::Quick;
    type Answer = Vec<VariantInfo>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let stats = request.snapshot.stats()?;
        Ok(Reply::json(&catalog::all().map(|named| variant_info(named, stats)).collect::<Vec<_>>()))
    }
}

impl Endpoint for OpenApiParams {
    const NAME: &'static str = "openapi";
    const PATH: &'static str = "/api/openapi.json";
    const SUMMARY: &'static str = "This description.";
    const WORK: Work = Work::Quick;
    type Answer = serde_json::Map<String, Value>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::Json((*request.description).clone()))
    }
}

fn info(request: &ApiRequest, is_brief: bool) -> Result<Info, ApiError> {
    let corpus = request.snapshot.corpus.corpus();
    let stats = request.snapshot.stats()?;
    let manifest = corpus.manifest();
    let path = corpus.path().canonicalize().unwrap_or_else(|_| corpus.path().to_owned());
    let played = |rules: &RulesStats| PlayedRules {
        name: rules.name.clone(),
        rules: rules.rules.clone(),
        shape: rules.shape.clone(),
        games: rules.games,
    };
    Ok(Info {
        program: "taflbase",
        version: env!("CARGO_PKG_VERSION"),
        api: API_VERSION,
        may_write: request.site.may_write(),
        corpus: ServedCorpusInfo {
            name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
            games: stats.games,
            plies: stats.plies,
            positions: stats.plies + stats.games,
            generation: manifest.generation,
            manifest: manifest.checksum.clone(),
            has_evals: corpus.has_evals(),
        },
        variants: stats.rules.iter().map(played).collect(),
        limits: request.limits.answer(),
        formats: Format::ALL.into_iter().map(format_info).collect(),
        findings: FindingCode::all().filter(|_| !is_brief).map(finding_info).collect(),
        reasons: Reason::ALL.into_iter().map(Reason::as_str).collect(),
    })
}

fn format_info(format: Format) -> FormatInfo {
    FormatInfo {
        name: format.name(),
        writable: format.is_writable(),
        words: format.description(),
        extension: format.extension(),
    }
}

fn finding_info(code: FindingCode) -> FindingInfo {
    FindingInfo {
        code: code.as_str(),
        name: code.name(),
        severity: code.severity().as_str(),
        words: code.explain(),
        help: code.help(),
    }
}

fn variant_info(named: &'static NamedRules, stats: &CorpusStats) -> VariantInfo {
    let rules = named.rules();
    VariantInfo {
        name: named.name,
        title: named.title,
        aliases: named.aliases,
        shape: rules.shape().to_string(),
        games: stats.games_of(named.name),
        first: rules.first_mover.as_str(),
    }
}
