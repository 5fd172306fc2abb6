//! The folder of a segment that is being written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{CorpusError, Result};
use crate::file::{make_folder, sync_folder};
use crate::segment_files::SEGMENTS_FOLDER;

/// The folder of a segment that is being written. It has a name that no manifest lists until it is complete.
pub(crate) struct NewSegmentFolder {
    segments: PathBuf,
    aside: PathBuf,
    number: u64,
}

impl NewSegmentFolder {
    /// Creates the folder for a segment with a new number. What a killed writer left there is removed.
    ///
    /// # Errors
    ///
    /// Fails if the file system does.
    pub(crate) fn create(corpus: &Path, number: u64) -> Result<NewSegmentFolder> {
        let segments = corpus.join(SEGMENTS_FOLDER);
        let aside = segments.join(format!(".new-{number}"));
        remove_folder(&aside)?;
        make_folder(&aside)?;
        Ok(NewSegmentFolder { segments, aside, number })
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &Path {
        &self.aside
    }

    /// Gives the complete folder its name, and returns it: the number and a checksum of the content. All files must be
    /// synced.
    ///
    /// # Errors
    ///
    /// Fails if the file system does.
    pub(crate) fn publish(self, checksum: &str) -> Result<String> {
        sync_folder(&self.aside)?;
        let name = format!("{:06}-{checksum}", self.number);
        let place = self.segments.join(&name);
        // The number is new, so no manifest lists a segment of this name; a writer that was killed before it committed has left
        // it. The next writer removes such folders, but not if a file of the corpus is missing.
        remove_folder(&place)?;
        fs::rename(&self.aside, &place).map_err(CorpusError::io(&place))?;
        sync_folder(&self.segments)?;
        Ok(name)
    }
}

fn remove_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(CorpusError::io(folder))?;
    }
    Ok(())
}
