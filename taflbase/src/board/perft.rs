//! Counts of sequences of legal moves.

use std::collections::BTreeMap;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use tafl_rules::{Leaves, Side};

use super::SideName;
use crate::{App, Error, ErrorKind, Job, Request, Result};

/// Count the sequences of legal moves
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, PerftRequest, Request};
///
/// let request = PerftRequest { variant: "brandubh7".into(), depth: 2, ..PerftRequest::default() };
/// assert_eq!(request.run(&App::new(), &Job::default())?.nodes, 960);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PerftRequest {
    /// The name of a variant, a rules string, or a file with one
    pub variant: String,
    /// The depth, in plies
    pub depth: u8,
    /// Change one rule of the variant, such as sw=w; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    pub rule: Vec<String>,
    /// Start from this position: a position record, rank 1 first, or a FEN, top
    /// rank first
    #[cfg_attr(feature = "clap", arg(long, value_name = "RECORD"))]
    pub position: Option<String>,
    /// The side that moves first in the position [default: as in the variant]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIDE"))]
    pub side: Option<SideName>,
    /// Count for each first move
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub divide: bool,
    /// Play the last ply too, instead of counting its moves
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub played: bool,
}

/// Counts of sequences of legal moves.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PerftAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move.
    pub side: &'static str,
    /// The number of plies of each sequence.
    pub depth: u8,
    /// Whether the last ply was `played` or its moves only `counted`.
    pub leaves: &'static str,
    /// The number of sequences.
    pub nodes: u64,
    /// The time, in seconds.
    pub seconds: f64,
    /// The number of sequences that begin with each move, if requested.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_map")]
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    pub moves: Option<Vec<(String, u64)>>,
}

/// Serializes counts as an object, in the order in which the moves are generated.
fn as_map<S: Serializer>(counts: &Option<Vec<(String, u64)>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().flatten().map(|(mv, count)| (mv, count)))
}

impl Request for PerftRequest {
    type Answer = PerftAnswer;

    fn run(self, app: &App, job: &Job) -> Result<PerftAnswer> {
        let rules = app.compiled(&self.variant, &self.rule)?;
        let setup = rules.variant.setup(self.position.as_deref()).map_err(|error| error.of("position"))?;
        let rules = rules.with_pieces_of(&setup)?;
        let side = rules.variant.side(self.side.map(Side::from), self.position.as_deref());
        let leaves = if self.played { Leaves::Played } else { Leaves::Bulk };
        job.check()?;
        let begin = Instant::now();
        let depth = u32::from(self.depth);
        let (nodes, moves) = if depth < 2 && !self.divide || depth == 0 {
            (rules.book.perft(&setup, side, depth, leaves), Vec::new())
        } else {
            let counts = rules.book.divide_until(&setup, side, depth, leaves, &|| job.is_over());
            let Some(counts) = counts else {
                job.check()?;
                return Err(Error::new(ErrorKind::Canceled, "canceled"));
            };
            let name = |mv: tafl_rules::Move| mv.display(rules.book.shape()).to_string();
            (
                counts.iter().map(|(_, nodes)| nodes).sum(),
                counts.into_iter().map(|(mv, nodes)| (name(mv), nodes)).collect(),
            )
        };
        Ok(PerftAnswer {
            variant: rules.variant.catalog_name(),
            rules: rules.variant.rules.to_string(),
            position: setup.to_string(),
            side: side.as_str(),
            depth: self.depth,
            leaves: if self.played { "played" } else { "counted" },
            nodes,
            seconds: begin.elapsed().as_secs_f64(),
            moves: self.divide.then_some(moves),
        })
    }
}
