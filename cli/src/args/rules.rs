//! Arguments that name rules, and of the commands about rules.

use clap::{Args, Subcommand, ValueEnum};
use taflbase::engine::RulingRequest;
use taflbase::{PerftRequest, RulesDiffRequest, RulesExplainRequest, RulesListRequest, RulesShowRequest};

/// The format of an answer.
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
  tafl rules diff copenhagen11 fetlar11
  tafl rules ruling legal --variant copenhagen11 --move d1-d4")]
pub(crate) struct RulesArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: RulesCommand,
}

/// The subcommands about rules.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the known variants
    List(RulesListArgs),
    /// Print the rules string of a variant
    Show(RulesShowArgs),
    /// Print a rules sheet in plain language
    Explain(RulesExplainArgs),
    /// Print the differences between two variants in plain language
    Diff(RulesDiffArgs),
    /// Decide a claim about a position, with the rule and the evidence
    Ruling(RulingArgs),
}

/// Arguments of `tafl rules list`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules list brandubh")]
pub(crate) struct RulesListArgs {
    /// The variants.
    #[command(flatten)]
    pub(crate) request: RulesListRequest,
    /// The format of the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules show`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules show copenhagen11")]
pub(crate) struct RulesShowArgs {
    /// The variant.
    #[command(flatten)]
    pub(crate) request: RulesShowRequest,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules explain`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules explain brandubh7")]
pub(crate) struct RulesExplainArgs {
    /// The variant.
    #[command(flatten)]
    pub(crate) request: RulesExplainRequest,
    /// The format of the sheet
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules diff`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl rules diff copenhagen11 fetlar11")]
pub(crate) struct RulesDiffArgs {
    /// The variants.
    #[command(flatten)]
    pub(crate) request: RulesDiffRequest,
    /// The format of the differences
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl rules ruling`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
If the moves that led to the position are given with --moves, the last one
decides. Otherwise, a claim is true if it follows from a legal last move.
Exit code 0: yes; 1: no, or undecided.

Examples:
  tafl rules ruling legal --variant copenhagen11 --move d1-d4
  tafl rules ruling king-captured --variant brandubh7 --side defenders \\
    --position /7/7/7/tKt4/7/7/3T3/
  tafl rules ruling forced-win --variant brandubh7 --side defenders \\
    --position /7/t5t/7/3K3/3T3/1t5/7/")]
#[command(mut_arg("variant", |variant| variant.required(true)))]
pub(crate) struct RulingArgs {
    /// The claim.
    #[command(flatten)]
    pub(crate) request: RulingRequest,
    /// The format of the ruling
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
    /// The count.
    #[command(flatten)]
    pub(crate) request: PerftRequest,
    /// The format of the counts
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
