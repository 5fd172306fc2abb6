//! The files of the table of evaluations, one for each run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::checked_file::FileChecksums;
use crate::error::{CorpusError, Result};
use crate::manifest::{EVALS_FOLDER, EVALS_VERSION, Manifest, is_unnamed_evals};
use crate::parquet::TableFile;

/// The file of a run, of a corpus that was opened when the file was there.
#[derive(Debug, Clone)]
pub(crate) struct EvalFile {
    path: PathBuf,
    /// `None` in a corpus of version 1.
    checksums: Option<FileChecksums>,
    /// The open file; `None` if it could not be opened, which is an error only when it is read.
    table: Option<TableFile>,
}

impl EvalFile {
    /// Opens the files of all runs, in the order in which they were written. Files of other versions are skipped.
    ///
    /// # Errors
    ///
    /// Fails if the folder of a corpus of version 1 cannot be read.
    pub(crate) fn all(corpus: &Path, manifest: &Manifest) -> Result<Vec<EvalFile>> {
        let folder = corpus.join(EVALS_FOLDER);
        let open = |name: &str, checksums: Option<FileChecksums>| {
            let path = folder.join(name);
            let table = TableFile::open_with(path.clone(), checksums.as_ref()).ok();
            EvalFile { path, checksums, table }
        };
        if manifest.evals.is_empty() {
            return Ok(unnamed(corpus)?.iter().map(|name| open(name, None)).collect());
        }
        let infix = format!("{EVALS_VERSION}-");
        let is_known = |name: &str| {
            name.rsplit_once(&infix).is_some_and(|(before, _)| before.is_empty() || before.ends_with('-'))
        };
        let files = manifest.evals.iter().filter_map(|file| Some((file.path.rsplit('/').next()?, file)));
        let known = files.filter(|(name, _)| is_known(name));
        Ok(known.map(|(name, file)| open(name, Some(file.checksums()))).collect())
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the table.
    ///
    /// # Errors
    ///
    /// Fails if the file is missing or damaged.
    pub(crate) fn table(&self) -> Result<TableFile> {
        match &self.table {
            Some(table) => Ok(table.clone()),
            None => TableFile::open_with(self.path.clone(), self.checksums.as_ref()),
        }
    }
}

/// Returns the names of the evaluation files in a corpus whose manifest lists none, oldest first.
pub(crate) fn unnamed(corpus: &Path) -> Result<Vec<String>> {
    let folder = corpus.join(EVALS_FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CorpusError::io(&folder)(error)),
    };
    let mut dated = Vec::new();
    for entry in entries {
        let entry = entry.map_err(CorpusError::io(&folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_unnamed_evals(&name) {
            let changed = entry.metadata().and_then(|data| data.modified()).ok();
            dated.push((changed, name));
        }
    }
    dated.sort();
    Ok(dated.into_iter().map(|(_, name)| name).collect())
}
