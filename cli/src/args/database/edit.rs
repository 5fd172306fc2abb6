//! Arguments of the commands that edit stored games.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use taflbase::database::{PlayerMergeRequest, PlayerSplitRequest, TagRequest};

use crate::args::rules::TextFormat;

/// Arguments of `tafl tag`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Tags are words of your own, such as \"to study\". Queries find them with tag:,
exports have them as tags of the record, and a better copy of the game keeps
them. Exit code 1: no game matches the query.

Examples:
  tafl tag games.corpus --game 0a1b2c3d4e5f6071 --add 'to study'
  tafl tag games.corpus --query 'shieldwall' --add shieldwall
  tafl tag games.corpus --query 'tag:\"to study\"' --remove 'to study'")]
#[command(group = clap::ArgGroup::new("which").required(true).args(["query", "game"]))]
pub(crate) struct TagArgs {
    /// The change.
    #[command(flatten)]
    pub(crate) request: TagRequest,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl player`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Stored games and later imports show the name of the player. Records keep the
name that they have, so a merge can be undone.

Examples:
  tafl player merge games.corpus 'Sven Svensson' sven77 'S. Svensson'
  tafl player split games.corpus 'S. Svensson'
  tafl player aliases games.corpus")]
pub(crate) struct PlayerArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: PlayerCommand,
}

/// The subcommands about names of players.
#[derive(Debug, Subcommand)]
pub(crate) enum PlayerCommand {
    /// Merge names of a player: record that they are aliases of one name
    Merge(PlayerMergeArgs),
    /// Undo a merge
    Split(PlayerSplitArgs),
    /// List the aliases of players
    Aliases(PlayerAliasesArgs),
}

/// Arguments of `tafl player merge`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl player merge games.corpus 'Sven Svensson' sven77 'S. Svensson'")]
pub(crate) struct PlayerMergeArgs {
    /// The names.
    #[command(flatten)]
    pub(crate) request: PlayerMergeRequest,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl player split`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl player split games.corpus 'S. Svensson'")]
pub(crate) struct PlayerSplitArgs {
    /// The names.
    #[command(flatten)]
    pub(crate) request: PlayerSplitRequest,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl player aliases`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl player aliases games.corpus --format json")]
pub(crate) struct PlayerAliasesArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// The format of the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
