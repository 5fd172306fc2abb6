//! Arguments that name rules, and of the commands about rules.

use clap::{Args, Subcommand, ValueEnum};
use taflbase::{PerftRequest, RulesDiffRequest, RulesExplainRequest, RulesListRequest, RulesShowRequest};

pub(crate) use taflbase::RulesRequest as VariantArgs;

/// How to write an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextFormat {
    /// For people
    Text,
    /// JSON
    Json,
}

/// Arguments of `tafl rules`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl rules list
  tafl rules show copenhagen11
  tafl rules diff copenhagen11 fetlar11")]
pub(crate) struct RulesArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: RulesCommand,
}

/// What to do with rules.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the variants that the program knows
    List(RulesListArgs),
    /// Write the rules string of a variant
    Show(RulesShowArgs),
    /// Write a rules sheet in plain words
    Explain(RulesExplainArgs),
    /// Say in plain words what differs between two variants
    Diff(RulesDiffArgs),
}

/// Arguments of `tafl rules list`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules list brandubh")]
pub(crate) struct RulesListArgs {
    /// Which variants.
    #[command(flatten)]
    pub(crate) request: RulesListRequest,
    /// How to write the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules show`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules show copenhagen11")]
pub(crate) struct RulesShowArgs {
    /// Which variant.
    #[command(flatten)]
    pub(crate) request: RulesShowRequest,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules explain`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules explain brandubh7")]
pub(crate) struct RulesExplainArgs {
    /// Which variant.
    #[command(flatten)]
    pub(crate) request: RulesExplainRequest,
    /// How to write the sheet
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules diff`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules diff copenhagen11 fetlar11")]
pub(crate) struct RulesDiffArgs {
    /// Which variants.
    #[command(flatten)]
    pub(crate) request: RulesDiffRequest,
    /// How to write the differences
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl perft`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl perft brandubh7 4
  tafl perft copenhagen11 2 --divide")]
pub(crate) struct PerftArgs {
    /// What to count.
    #[command(flatten)]
    pub(crate) request: PerftRequest,
    /// How to write the counts
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
