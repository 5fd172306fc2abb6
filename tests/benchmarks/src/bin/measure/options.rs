//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::{Parser, ValueEnum};
use tafl_parser::RuleChoice;
use tafl_rules::catalog;
use taflbase::records::ReplayConfig;

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Reading records
    Parse,
    /// Reading and replaying records, on one thread and on several
    Replay,
    /// Counting sequences of moves
    Perft,
    /// Making and searching a corpus of random games
    Corpus,
    /// Repair of known faults
    Repair,
    /// Inference of hidden rules
    Infer,
}

/// The format of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// A table
    Text,
    /// JSON
    Json,
}

/// Measures parts of Taflbase.
#[derive(Debug, Parser)]
pub(crate) struct Options {
    /// What to measure
    pub(crate) part: Part,
    /// Measure on this file instead of random games
    #[arg(long, value_name = "PATH")]
    pub(crate) input: Vec<PathBuf>,
    /// The rules of all records
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// The number of threads [default: the number of cores]
    #[arg(long, short = 'j', value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The number of rounds
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    /// Parse and replay: the size of the records of random games, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) size: u32,
    /// Corpus: the number of positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000))]
    pub(crate) positions: u64,
    /// Corpus: the folder of the corpus, which is kept; an existing one is only searched [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Corpus: join segments as `tafl compact` does before the search
    #[arg(long)]
    pub(crate) compact: bool,
    /// Corpus: also search with files that are not in memory; needs root, and slows down the whole machine
    #[arg(long)]
    pub(crate) drop_caches: bool,
    /// Repair: the number of faults of each kind in games of each variant
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) faults: u32,
    /// Corpus and repair: the seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Repair: write the records that were not repaired to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) misses: Option<PathBuf>,
    /// The format of the figures
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    pub(crate) format: OutputFormat,
}

impl Options {
    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(cores)
    }

    /// Returns how records are replayed.
    pub(crate) fn replay_config(&self) -> anyhow::Result<Arc<ReplayConfig>> {
        let Some(name) = &self.variant else { return Ok(Arc::default()) };
        let named = catalog::find(name).with_context(|| format!("unknown variant `{name}`"))?;
        let (rules, variant) = (Some(RuleChoice::named(named)), Some(named.name));
        Ok(Arc::new(ReplayConfig { rules, variant, ..ReplayConfig::default() }))
    }

    /// Shows on standard error what is being measured.
    pub(crate) fn progress(&self, what: &str) {
        eprintln!("   {what}");
    }
}

/// Returns the number of cores.
pub(crate) fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Returns the profile of this build.
pub(crate) fn profile() -> &'static str {
    if cfg!(debug_assertions) { "dev" } else { "release" }
}
