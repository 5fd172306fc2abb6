//! The games that a report is about.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;
use tafl_corpus::Corpus;
use tafl_reports::measure::{Chosen, Games, load};
use tafl_rules::catalog;

use crate::args::database::corpus::{ImportArgs, KeepArg};
use crate::args::database::report::GamesArgs;
use crate::args::rules::{TextFormat, VariantArgs};
use crate::features::is_corpus;
use crate::number::counted;
use crate::{Exit, Io, temporary};
use taflbase::database::parse_query;

/// A corpus to report on.
pub(crate) struct Source {
    pub(crate) corpus: Corpus,
    /// An error where something that was named could not be read; people have been told.
    pub(crate) exit: Exit,
    /// The folder that lasts as long as the source, where it was made for the report.
    _made: Option<Folder>,
}

/// A name that neither the catalog nor the games know.
#[derive(Debug, thiserror::Error)]
#[error("no variant is called `{name}`{}", if similar.is_empty() { String::new() } else { format!("; similar: {}", similar.join(", ")) })]
pub(crate) struct NoVariant {
    /// The name.
    pub(crate) name: String,
    /// Names that come near.
    pub(crate) similar: Vec<&'static str>,
}

/// A folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed lies among other files that nobody needs.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Source {
    /// Opens a corpus, or imports files of records into one that lasts as long as the source.
    ///
    /// # Errors
    ///
    /// Fails when a corpus is damaged, or no file can be read.
    pub(crate) fn open(paths: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<Source> {
        match paths {
            [] => bail!("name a corpus or files of records; `tafl report --help` has examples"),
            [one] if is_corpus(one) => Ok(Source::of(Corpus::open(one)?)),
            paths => Source::import(paths, io),
        }
    }

    /// Returns a corpus that is open as a source.
    pub(crate) fn of(corpus: Corpus) -> Source {
        Source { corpus, exit: Exit::Ok, _made: None }
    }

    fn import(paths: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<Source> {
        let made = Folder(temporary::folder("report")?);
        let folder = made.0.join("corpus");
        let args = ImportArgs {
            rows: Vec::new(),
            corpus: folder.clone(),
            paths: paths.to_vec(),
            notation: None,
            variant: VariantArgs { variant: None, rules: None },
            // The order of copies, and with it nothing else, would hang on the number of threads.
            threads: None,
            retry: false,
            keep: KeepArg::Better,
            commit_every: None,
            format: TextFormat::Text,
        };
        let mut said = Vec::new();
        let exit = {
            let mut inner = Io::new(io.take_stdin(), io::sink(), &mut said);
            crate::command::database::import::run(&args, &mut inner)?
        };
        if exit == Exit::Error {
            io.notice_always(String::from_utf8_lossy(&said).trim_end());
        }
        let Ok(corpus) = Corpus::open(&folder) else {
            bail!("no games could be read from the files that were named");
        };
        let rejected = corpus.info()?.rejected;
        if rejected > 0 {
            io.notice(&format!(
                "{} could not be used; `tafl validate` says why",
                counted(rejected, "record", "records")
            ));
        }
        // That a record was rejected is no fault of the report.
        let exit = if exit == Exit::Error { exit } else { Exit::Ok };
        Ok(Source { corpus, exit, _made: Some(made) })
    }

    /// Returns the games that a query finds, or all.
    ///
    /// # Errors
    ///
    /// Fails when the query is wrong, or a file of the corpus is damaged.
    pub(crate) fn games(&self, query: Option<&str>) -> anyhow::Result<Games> {
        let Some(text) = query else { return Ok(load(&self.corpus, Chosen::All)?) };
        let query = parse_query(text, "query")?;
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let found = self.corpus.select(&query, threads)?;
        Ok(load(&self.corpus, Chosen::These(&found))?)
    }

    /// Returns the games of a variant that a query finds.
    ///
    /// # Errors
    ///
    /// As [`Source::games`], and when nobody knows the variant.
    pub(crate) fn chosen(&self, args: &GamesArgs) -> anyhow::Result<Games> {
        let games = self.games(args.query.as_deref())?;
        match &args.variant {
            Some(name) => of_variant(games, name),
            None => Ok(games),
        }
    }
}

/// Returns the games of a variant: by its name in the catalog, or by the label that reports give to other rules.
///
/// # Errors
///
/// Fails when neither the catalog nor the games know the variant.
pub(crate) fn of_variant(games: Games, name: &str) -> anyhow::Result<Games> {
    let known = catalog::find(name);
    let number = known.and_then(|known| games.variant(known.name)).or_else(|| games.variant(name));
    if number.is_none() && known.is_none() {
        return Err(NoVariant { name: name.to_owned(), similar: catalog::similar(name) }.into());
    }
    Ok(games.filtered(|game| Some(game.variant) == number))
}
