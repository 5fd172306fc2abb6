//! Tablebases of positions with few pieces.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use quick_cache::sync::Cache;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{PieceCounts, Tablebases};
use tafl_rules::{RuleSet, counted};

use crate::escape::escape;
use crate::{App, Bounded, Error, ErrorKind, Job, Progress, Result, RulesRequest, StreamRequest};

/// The number of folders of tablebases that stay in memory.
const MAX_FOLDERS: usize = 4;

/// The maximum number of pieces of a tablebase, the king included.
pub type MaxTablePieces = Bounded<2, 8, 4>;

/// Build tablebases for positions with few pieces
///
/// # Examples
///
/// ```no_run
/// use taflbase::engine::BuildTablesRequest;
/// use taflbase::{App, Job, RulesRequest, StreamRequest};
///
/// let rules = RulesRequest::of("brandubh7");
/// let request = BuildTablesRequest { rules, ..BuildTablesRequest::default() };
/// request.run(&App::new(), &Job::default(), &mut |table| {
///     println!("{}: {} wins", table.entry.pieces, table.entry.wins);
///     Ok(())
/// })?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BuildTablesRequest {
    /// The rules.
    #[serde(flatten)]
    pub rules: RulesRequest,
    /// The maximum number of pieces, the king included
    #[serde(default)]
    pub pieces: MaxTablePieces,
}

/// A tablebase that was built.
#[derive(Debug)]
pub struct BuiltTable {
    /// The content.
    pub entry: TableEntry,
    /// The name of its file.
    pub file_name: String,
    /// The content of its file.
    pub bytes: Vec<u8>,
}

/// A tablebase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableEntry {
    /// The pieces: `king, 2 attackers, 1 man`.
    pub pieces: String,
    /// The number of attackers.
    pub attackers: u8,
    /// The number of defenders besides the king.
    pub defenders: u8,
    /// The number of positions in which the side to move wins; mirror images count once.
    pub wins: u64,
    /// The number of positions in which the side to move loses.
    pub losses: u64,
    /// The number of positions in which neither side can force a win.
    pub open: u64,
    /// The number of plies of the longest win or loss.
    pub furthest: u8,
    /// The number of bytes in memory.
    pub bytes: u64,
}

/// The tablebases that were built.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TablesSummary {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The tablebases, in the order in which they were built.
    pub tables: Vec<TableEntry>,
    /// The time, in seconds.
    pub seconds: f64,
}

impl StreamRequest for BuildTablesRequest {
    type Item = BuiltTable;
    type Summary = TablesSummary;

    /// Builds the tablebases one after another, and passes on each as soon as it is built.
    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(BuiltTable) -> Result<()> + Send),
    ) -> Result<TablesSummary> {
        let started = Instant::now();
        let rules = self.rules.require(app)?;
        let rule_set = &rules.variant.rules;
        let unsupported = |error: &dyn ToString| Error::new(ErrorKind::BadRules, error.to_string());
        let mut tables = Tablebases::new(rule_set).map_err(|error| unsupported(&error))?;
        let mut entries = Vec::new();
        let plan = Tablebases::plan(rule_set, self.pieces.get() as u8);
        for counts in plan {
            job.check()?;
            let name = pieces_text(counts);
            let detail = format!("{name}: {}", counted(tables.bytes(counts), "byte", "bytes"));
            let done = entries.len() as u64;
            job.report(&Progress { done, unit: "tables", proportion: None, detail: &detail });
            if let Err(error) = tables.add_until(counts, &|| job.is_over()) {
                job.check()?;
                return Err(unsupported(&format!("{name}: {error}")));
            }
            let entry = entry(&tables, counts);
            entries.push(entry.clone());
            if let Some((file_name, bytes)) = tables.file(counts) {
                take(BuiltTable { entry, file_name, bytes })?;
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        Ok(TablesSummary {
            variant: rules.variant.catalog_name(),
            rules: rule_set.to_string(),
            tables: entries,
            seconds,
        })
    }
}

fn entry(tables: &Tablebases, counts: PieceCounts) -> TableEntry {
    let stats = tables.stats(counts).unwrap_or_default();
    TableEntry {
        pieces: pieces_text(counts),
        attackers: counts.attackers,
        defenders: counts.defenders,
        wins: stats.wins,
        losses: stats.losses,
        open: stats.open,
        furthest: stats.furthest,
        bytes: tables.bytes(counts),
    }
}

/// Returns the pieces of a tablebase: `king, 2 attackers, 1 man`.
fn pieces_text(counts: PieceCounts) -> String {
    let men = match counts.defenders {
        0 => String::new(),
        n => format!(", {}", counted(n.into(), "man", "men")),
    };
    format!("king, {}{men}", counted(counts.attackers.into(), "attacker", "attackers"))
}

/// Tablebases by their folder, its time of change, and the rules.
#[derive(Debug)]
pub(crate) struct TablebaseCache(Cache<(PathBuf, Option<SystemTime>, String), Arc<Tablebases>>);

impl Default for TablebaseCache {
    fn default() -> TablebaseCache {
        TablebaseCache(Cache::new(MAX_FOLDERS))
    }
}

impl TablebaseCache {
    /// Returns the tablebases of a folder for some rules.
    pub(super) fn get(&self, rules: &RuleSet, folder: &Path) -> Result<Arc<Tablebases>> {
        let changed = std::fs::metadata(folder).and_then(|data| data.modified()).ok();
        let key = (folder.to_owned(), changed, rules.to_string());
        self.0.get_or_insert_with(&key, || {
            let tables = Tablebases::load(rules, folder)
                .map_err(|error| Error::new(ErrorKind::Io, escape(&error.to_string())).of("tables"))?;
            Ok(Arc::new(tables))
        })
    }
}
