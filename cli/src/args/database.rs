//! Arguments of the commands about corpora. They are left out of a build without the database.

pub(crate) mod corpus;
pub(crate) mod edit;
pub(crate) mod explore;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod search;

use clap::Subcommand;

use corpus::{CompactArgs, ExportArgs, ImportArgs, InfoArgs, RemoveArgs, SqlArgs, VerifyArgs, ViewsArgs};
use edit::{PlayerArgs, TagArgs};
use explore::ExploreArgs;
use report::ReportArgs;
use rows::{MergeArgs, RowsArgs};
use search::SearchArgs;

/// The commands about corpora.
#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Import games into a corpus
    Import(ImportArgs),
    /// Convert records to rows of a corpus, as JSON lines
    Rows(RowsArgs),
    /// Merge corpora into one
    Merge(MergeArgs),
    /// Print the size and the content of a corpus
    Info(InfoArgs),
    /// Check a corpus for damage
    Verify(VerifyArgs),
    /// Rewrite a corpus in fewer files, without removed games
    Compact(CompactArgs),
    /// Export games of a corpus as records
    Export(ExportArgs),
    /// Remove games from a corpus
    Remove(RemoveArgs),
    /// Add tags to games of a corpus, or remove them
    Tag(TagArgs),
    /// Merge names of a player, or undo it
    Player(PlayerArgs),
    /// Search a corpus for games or positions
    Search(SearchArgs),
    /// Show the moves played from a position, and the results
    Explore(ExploreArgs),
    /// Query the tables of a corpus in SQL
    Sql(SqlArgs),
    /// Write SQL with views of a corpus for DuckDB
    Views(ViewsArgs),
    /// Write a report: balance, openings, players, and more
    Report(ReportArgs),
}
