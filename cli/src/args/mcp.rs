//! Arguments of `tafl mcp`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `tafl mcp`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A client of the Model Context Protocol starts the program, and sends requests to
its standard input. The tools are validate, legal_moves, explain, evaluate,
render, and, with a corpus, search. They read no files but the corpus. The page
docs/mcp.md has the lines for the settings of clients.

Examples:
  tafl mcp
  tafl mcp games.corpus")]
pub(crate) struct McpArgs {
    /// The corpus that the tool `search` searches
    #[arg(value_name = "CORPUS")]
    pub(crate) corpus: Option<PathBuf>,
}
