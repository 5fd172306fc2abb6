//! Arguments of `tafl explore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use taflbase::PositionRequest;
use taflbase::database::{FilterRequest, MinGames, TreeDepth};

/// The format of the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExploreFormat {
    /// For people
    Text,
    /// JSON
    Json,
    /// A table of the moves as an Arrow stream; without --tree
    Arrow,
    /// An OpenTafl record with variations; only with --tree
    #[value(name = "opentafl", aliases = ["otg", "otn"])]
    OpenTafl,
    /// A picture of the tree, or of heat maps; only with --tree or --heat-maps
    Svg,
}

/// Arguments of `tafl explore`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every game that reaches the position counts, by any order of moves and in any
orientation of the board. Moves that lead to the same position by symmetry are
one line. A game that reaches the position repeatedly counts once, and once for
each of its moves there. Games are counted by their rules: if several variants
have the same rules, the answer lists their names.

Proportions refer to games with a known end. Their 95 % intervals (Wilson) treat
the games as independent. If few players played most of them, the true intervals
are wider: see `tafl report balance`, which allows for shared players.

A tree also counts by position: a position that is reached by two move orders
appears twice, each time with all its games.

Heat maps count, in all games that began from the start of the variant, where
pieces are captured, where the king is and goes, and where moves start.
Symmetric cells are averaged, except with --as-it-stands.

--variant is required; `tafl info` lists the rules of a corpus.

Exit code: 0 games found, 1 no games found, 2 error.

Examples:
  tafl explore games.corpus --variant copenhagen11
  tafl explore games.corpus --variant brandubh7 --moves 'd2-c2 e4-e1'
  tafl explore games.corpus --variant brandubh7 --query 'year>=2015'
  tafl explore games.corpus --variant brandubh7 --tree 4 --min-games 10 \\
    --format opentafl -o openings.otg
  tafl explore games.corpus --variant brandubh7 --heat-maps \\
    --format svg -o heat-maps.svg")]
#[command(mut_arg("side", |side| side.requires("position")))]
#[command(mut_arg("moves", |moves| moves.allow_hyphen_values(true)))]
pub(crate) struct ExploreArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// The position.
    #[command(flatten)]
    pub(crate) position: PositionRequest,
    /// The games.
    #[command(flatten)]
    pub(crate) filter: FilterRequest,
    /// Write the tree of the moves played, to this depth in plies
    #[arg(long, value_name = "DEPTH")]
    pub(crate) tree: Option<TreeDepth>,
    /// The minimum number of games of a move in the tree
    // `requires` has no effect beside an option that conflicts with the required one.
    #[arg(long, value_name = "N", default_value_t, requires = "tree", conflicts_with = "limit")]
    pub(crate) min_games: MinGames,
    /// Show heat maps of the games instead of moves
    #[arg(long, conflicts_with_all = ["tree", "min_games", "position", "side", "moves", "limit"])]
    pub(crate) heat_maps: bool,
    /// Read names of openings from this table, besides those of the project
    #[arg(long, value_name = "FILE")]
    pub(crate) opening_names: Option<PathBuf>,
    /// The maximum number of moves to show [default: 20; as JSON, all of them]
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "tree")]
    pub(crate) limit: Option<u32>,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ExploreFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short = 'o', value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
}
