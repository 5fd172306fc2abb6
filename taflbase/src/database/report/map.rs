//! Maps of variants: the request, and the report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{Games, MapOptions, Provenance, Report, VariantMap, map_report, variant_map};

use super::ReportGames;
use super::variant_games::variant_label;
use crate::database::CorpusSnapshot;
use crate::database::error::under;
use crate::escape::escape;
use crate::{Error, ErrorKind, Job, Result};

/// A map of variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MapReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The maximum number of variants: those with the most games
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_variants()))]
    #[serde(default = "default_variants")]
    pub limit: usize,
    /// The minimum number of games of a variant
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_games()))]
    #[serde(default = "default_games")]
    pub min_games: u64,
    /// Describe the variants that are most similar to this one
    #[cfg_attr(feature = "clap", arg(long, value_name = "VARIANT"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
}

fn default_variants() -> usize {
    MapOptions::default().max_variants
}

fn default_games() -> u64 {
    MapOptions::default().min_games
}

impl Default for MapReportRequest {
    fn default() -> MapReportRequest {
        MapReportRequest {
            games: ReportGames::default(),
            limit: default_variants(),
            min_games: default_games(),
            like: None,
        }
    }
}

/// The maximum number of variants, whose distances and trees grow with the square and the cube.
const MOST: usize = 200;

/// Creates the report.
pub(super) fn variant_map_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    request: &MapReportRequest,
    mut provenance: Provenance,
    job: &Job,
) -> Result<Report> {
    if !(2..=MOST).contains(&request.limit) {
        return Err(Error::parameter("limit", format!("--limit must be from 2 to {MOST}")));
    }
    let options =
        MapOptions { max_variants: request.limit, min_games: request.min_games, ..MapOptions::default() };
    provenance.add("seed", "seed", options.seed.to_string());
    provenance.add("repetitions", "repetitions", options.repetitions.to_string());
    let map = under(job, |stop| variant_map(corpus.corpus(), games, &options, stop))?;
    let like = match &request.like {
        Some(name) => {
            let label = variant_label(games, name).map_err(|error| error.of("like"))?;
            let number = games.variant(&label).ok_or_else(|| no_games(name))?;
            let place = |map: &VariantMap| map.variants.iter().position(|variant| *variant == number);
            map.as_ref().map(|map| place(map).ok_or_else(|| not_on_map(name))).transpose()?
        }
        None => None,
    };
    Ok(map_report(map.as_ref(), like, games, provenance))
}

/// Returns the error of a variant without games.
fn no_games(name: &str) -> Error {
    Error::new(ErrorKind::UnknownVariant, format!("no game is of the variant `{}`", escape(name)))
        .of("like")
        .with_help("see `tafl info` for the variants of the corpus")
}

/// Returns the error of a variant with too few games.
fn not_on_map(name: &str) -> Error {
    Error::new(ErrorKind::UnknownVariant, format!("the variant `{}` is not on the map", escape(name)))
        .of("like")
        .with_help("it has too few games; see --min-games and --limit")
}
