//! Writing to a corpus: new files are written beside the old ones, and replacing the manifest commits them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{CorpusError, Result};
use crate::file::{FileEntry, make_folder, sync_folder, write_synced};
use crate::lock::{LOCK_FILE, WriterLock};
use crate::manifest::{
    EVALS_FOLDER, INDEX_VERSION, MANIFEST_FILE, Manifest, ObsoletePath, SegmentEntry, SideFile,
    is_unnamed_evals,
};
use crate::move_log::MOVE_LOG_VERSION;
use crate::player_alias::PlayerAlias;
use crate::segment_files::SEGMENTS_FOLDER;

/// The number of generations for which obsolete files are kept for readers that have an older corpus open.
const KEPT_GENERATIONS: u64 = 2;

/// The folders of a corpus that hold only files that the manifest names.
const FOLDERS: [&str; 3] = [SEGMENTS_FOLDER, "rejected", "copies"];

/// A writer of a corpus, which holds its lock. Dropped without [`CorpusWriter::commit`], it changes nothing.
#[derive(Debug)]
pub(crate) struct CorpusWriter {
    path: PathBuf,
    manifest: Manifest,
    /// The manifest on the disk.
    old: Manifest,
    _lock: WriterLock,
}

impl CorpusWriter {
    /// Begins to write to an existing corpus.
    ///
    /// # Errors
    ///
    /// Fails if there is no corpus, or another program is writing to it.
    pub(crate) fn open(path: &Path, note: &str) -> Result<CorpusWriter> {
        Manifest::read(path)?;
        CorpusWriter::begin(path, note)
    }

    /// Begins to write to a corpus, which is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if something else has the name or another program writes into the corpus.
    pub(crate) fn open_or_create(path: &Path, note: &str) -> Result<CorpusWriter> {
        match Manifest::read(path) {
            Ok(_) => return CorpusWriter::begin(path, note),
            Err(CorpusError::NotFound { .. }) => {
                make_folder(path)?;
                // The name of the folder must be on the disk before its files.
                let above = path.parent().filter(|above| !above.as_os_str().is_empty());
                sync_folder(above.unwrap_or(Path::new(".")))?;
            }
            // A program that was killed while it created the corpus leaves only names that a corpus may have.
            Err(CorpusError::NotACorpus { .. }) if is_begun(path) => {}
            Err(CorpusError::NotACorpus { path }) => return Err(CorpusError::Occupied { path }),
            Err(error) => return Err(error),
        }
        let lock = WriterLock::take(path, note)?;
        if !path.join(MANIFEST_FILE).exists() {
            Manifest::default().write(path)?;
        }
        drop(lock);
        CorpusWriter::begin(path, note)
    }

    fn begin(path: &Path, note: &str) -> Result<CorpusWriter> {
        let lock = WriterLock::take(path, note)?;
        // Read it again: another writer may have committed in the meantime.
        let manifest = Manifest::read(path)?;
        for folder in FOLDERS {
            make_folder(&path.join(folder))?;
        }
        let mut writer = CorpusWriter { path: path.to_owned(), old: manifest.clone(), manifest, _lock: lock };
        writer.sweep()?;
        Ok(writer)
    }

    /// Returns the folder of the corpus.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the manifest with the pending changes.
    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns a new number for a segment or a file.
    pub(crate) fn number(&mut self) -> u64 {
        self.manifest.next += 1;
        self.manifest.next - 1
    }

    /// Adds a segment after all others.
    pub(crate) fn add(&mut self, segment: SegmentEntry) {
        self.manifest.tape_version = MOVE_LOG_VERSION;
        self.manifest.segments.push(segment);
    }

    /// Replaces consecutive segments by one.
    pub(crate) fn replace(&mut self, first: usize, count: usize, new: Option<SegmentEntry>) {
        self.manifest.tape_version = MOVE_LOG_VERSION;
        let old: Vec<SegmentEntry> = self.manifest.segments.splice(first..first + count, new).collect();
        for segment in old {
            self.retire(format!("{SEGMENTS_FOLDER}/{}", segment.name));
        }
    }

    /// Sets the version of the index, once all segments have an index of this program.
    pub(crate) fn set_index_version(&mut self) {
        self.manifest.index_version = INDEX_VERSION;
    }

    /// Marks games of a segment as removed.
    pub(crate) fn remove(&mut self, number: u64, rows: impl IntoIterator<Item = u32>) {
        if let Some(segment) = self.manifest.segments.iter_mut().find(|segment| segment.number == number) {
            segment.remove(rows);
        }
    }

    /// Writes a file of rejected records.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn add_rejected(&mut self, lines: &[impl Serialize]) -> Result<()> {
        let side = self.write_side("rejected", lines)?;
        self.manifest.rejected.extend(side);
        Ok(())
    }

    /// Writes a file of copies.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn add_copies(&mut self, lines: &[impl Serialize]) -> Result<()> {
        let side = self.write_side("copies", lines)?;
        self.manifest.copies.extend(side);
        Ok(())
    }

    /// Writes a file of copies, and retires all others.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn replace_copies(&mut self, lines: &[impl Serialize]) -> Result<()> {
        self.drop_copies();
        self.add_copies(lines)
    }

    /// Adds a file of evaluations after the others. A file whose name has the same ending is retired.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn add_evals(&mut self, ending: &str, bytes: &[u8]) -> Result<()> {
        let path = format!("{EVALS_FOLDER}/{:06}-{ending}", self.number());
        write_synced(&self.path.join(&path), bytes)?;
        sync_folder(&self.path.join(EVALS_FOLDER))?;
        let (old, kept) =
            std::mem::take(&mut self.manifest.evals).into_iter().partition(|file: &FileEntry| {
                file.path.strip_suffix(ending).is_some_and(|before| before.ends_with(['-', '/']))
            });
        self.manifest.evals = kept;
        let old: Vec<FileEntry> = old;
        old.into_iter().for_each(|file| self.retire(file.path));
        self.manifest.evals.push(FileEntry::of(&self.path, &path)?);
        Ok(())
    }

    /// Adds an existing file of evaluations to the manifest.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub(crate) fn adopt_evals(&mut self, path: &str) -> Result<()> {
        self.manifest.evals.push(FileEntry::of(&self.path, path)?);
        Ok(())
    }

    /// Replaces the player aliases.
    pub(crate) fn set_aliases(&mut self, aliases: Vec<PlayerAlias>) {
        self.manifest.aliases = aliases;
    }

    /// Retires all files of rejected records.
    pub(crate) fn drop_rejected(&mut self) {
        for side in std::mem::take(&mut self.manifest.rejected) {
            self.retire(side.file.path);
        }
    }

    /// Retires all files of copies.
    pub(crate) fn drop_copies(&mut self) {
        for side in std::mem::take(&mut self.manifest.copies) {
            self.retire(side.file.path);
        }
    }

    fn retire(&mut self, path: String) {
        let since = self.manifest.generation + 1;
        self.manifest.obsolete.push(ObsoletePath { path, since });
    }

    fn write_side(&mut self, folder: &str, lines: &[impl Serialize]) -> Result<Option<SideFile>> {
        if lines.is_empty() {
            return Ok(None);
        }
        let mut text = String::new();
        for line in lines {
            text.push_str(&serde_json::to_string(line).expect("lines have only texts and numbers"));
            text.push('\n');
        }
        let path = format!("{folder}/{:06}.jsonl", self.number());
        write_synced(&self.path.join(&path), text.as_bytes())?;
        sync_folder(&self.path.join(folder))?;
        let file = FileEntry::of(&self.path, &path)?;
        Ok(Some(SideFile { lines: lines.len() as u64, file }))
    }

    /// Commits all changes. It writes nothing if nothing changed.
    ///
    /// # Errors
    ///
    /// Fails if the manifest cannot be replaced; the corpus is as it was then.
    pub(crate) fn commit(&mut self) -> Result<()> {
        let numbered = Manifest { next: self.old.next, ..self.manifest.clone() };
        if numbered == self.old {
            return Ok(());
        }
        self.manifest.generation += 1;
        self.manifest.write(&self.path)?;
        self.old = self.manifest.clone();
        Ok(())
    }

    /// Removes files of killed writers, and files that have been obsolete for long enough.
    fn sweep(&mut self) -> Result<()> {
        let generation = self.manifest.generation;
        let is_kept = |gone: &ObsoletePath| gone.since.saturating_add(KEPT_GENERATIONS) > generation;
        self.manifest.obsolete.retain(is_kept);
        // Files dropped from this list are removed now, or else by the next writer, because nothing names them.
        self.old.obsolete.clone_from(&self.manifest.obsolete);
        let segments =
            self.manifest.segments.iter().map(|segment| format!("{SEGMENTS_FOLDER}/{}", segment.name));
        let sides =
            self.manifest.rejected.iter().chain(&self.manifest.copies).map(|side| side.file.path.clone());
        let evals = self.manifest.evals.iter().map(|file| file.path.clone());
        let waiting = self.manifest.obsolete.iter().map(|gone| gone.path.clone());
        let kept: HashSet<String> = segments.chain(sides).chain(evals).chain(waiting).collect();
        // If files are missing, an old manifest may have been restored: files that it does not name may be needed.
        let is_there =
            |(folder, file): (String, &FileEntry)| self.path.join(folder).join(&file.path).exists();
        if !self.manifest.files().all(is_there) {
            return Ok(());
        }
        let has_evals = self.path.join(EVALS_FOLDER).is_dir();
        for folder in FOLDERS.into_iter().chain(has_evals.then_some(EVALS_FOLDER)) {
            let at = self.path.join(folder);
            for entry in fs::read_dir(&at).map_err(CorpusError::io(&at))? {
                let entry = entry.map_err(CorpusError::io(&at))?;
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_foreign = folder == EVALS_FOLDER && !self.may_leave(&name);
                if is_foreign || kept.contains(&format!("{folder}/{name}")) {
                    continue;
                }
                let path = entry.path();
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.map_err(CorpusError::io(&path))?;
            }
        }
        Ok(())
    }

    /// Returns whether a file in the folder of evaluations is a table that the corpus does not need.
    fn may_leave(&self, name: &str) -> bool {
        // The folder also has the log of evaluations, and, in corpora of version 1, tables that the manifest does not
        // name.
        let is_needed = self.manifest.evals.is_empty() && is_unnamed_evals(name);
        (name.ends_with(".parquet") || name.ends_with(".new")) && !is_needed
    }
}

/// Returns whether a folder holds only names that a corpus without a manifest may have.
fn is_begun(path: &Path) -> bool {
    let is_ours = |name: &str| FOLDERS.contains(&name) || [LOCK_FILE, "manifest.new"].contains(&name);
    fs::read_dir(path).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_ours)))
    })
}
