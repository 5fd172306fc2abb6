//! Arguments of the commands about corpora. They are left out of a build without the database.

pub(crate) mod corpus;
pub(crate) mod explore;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod search;

use clap::Subcommand;

use corpus::{CompactArgs, ExportArgs, ImportArgs, InfoArgs, RemoveArgs, SqlArgs, VerifyArgs};
use explore::ExploreArgs;
use report::ReportArgs;
use rows::{MergeArgs, RowsArgs};
use search::SearchArgs;

/// The commands about corpora.
#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Take games into a corpus
    Import(ImportArgs),
    /// Turn records into the rows of a corpus, a line each
    Rows(RowsArgs),
    /// Join corpora that were made apart
    Merge(MergeArgs),
    /// Say what a corpus has, in numbers
    Info(InfoArgs),
    /// Check a corpus for damage
    Verify(VerifyArgs),
    /// Write a corpus again: fewer files, without removed games
    Compact(CompactArgs),
    /// Write games of a corpus as records
    Export(ExportArgs),
    /// Take games out of a corpus
    Remove(RemoveArgs),
    /// Say where in a corpus something is so
    Search(SearchArgs),
    /// Say what was played from a position, and how it ended
    Explore(ExploreArgs),
    /// Ask the tables of a corpus in SQL
    Sql(SqlArgs),
    /// Say in a document who wins, how surely, and why
    Report(ReportArgs),
}
