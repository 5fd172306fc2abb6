//! The file of the move log of a segment.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::checked_file::CheckedFile;
use crate::checked_folder::{CheckedFolder, file_error};
use crate::error::{CorpusError, FileFault, Result};
use crate::move_log::MoveLog;
use crate::segment_files::MOVE_LOG_FILE;

/// The file of a move log, which is open from the beginning, so that it can be read after its removal. The log in it is read
/// on first use.
#[derive(Debug, Clone)]
pub(super) struct MoveLogFile {
    path: PathBuf,
    /// The number of games that it must have.
    n_games: u32,
    /// The file, or the reason why it cannot be read.
    file: std::result::Result<Arc<CheckedFile>, FileFault>,
    move_log: Arc<OnceLock<MoveLog>>,
}

impl MoveLogFile {
    /// Opens the file of a segment with a number of games. A missing or damaged file is an error of
    /// [`MoveLogFile::get`].
    ///
    /// # Errors
    ///
    /// Fails if the file system does.
    pub(super) fn open(files: &CheckedFolder, n_games: u32) -> Result<MoveLogFile> {
        let path = files.path().join(MOVE_LOG_FILE);
        let file = match files.open(MOVE_LOG_FILE).map_err(|error| file_error(&path, error)) {
            Ok(file) => Ok(Arc::new(file)),
            Err(CorpusError::Damaged { fault, .. }) => Err(fault),
            Err(error) => return Err(error),
        };
        Ok(MoveLogFile { path, n_games, file, move_log: Arc::default() })
    }

    /// Returns the move log.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of a newer version.
    pub(super) fn get(&self) -> Result<&MoveLog> {
        if let Some(move_log) = self.move_log.get() {
            return Ok(move_log);
        }
        let file = self.file.clone().map_err(|fault| self.damaged(fault))?;
        let move_log = MoveLog::open_file(file).map_err(|error| self.damaged(error))?;
        if move_log.n_games() != self.n_games {
            return Err(self.damaged(FileFault::Differs("the number of games differs")));
        }
        Ok(self.move_log.get_or_init(|| move_log))
    }

    /// Returns whether there was no file.
    pub(super) fn is_missing(&self) -> bool {
        self.file.as_ref().is_err_and(|fault| *fault == FileFault::Missing)
    }

    /// Returns the error for a fault of the file.
    pub(super) fn damaged(&self, fault: impl Into<FileFault>) -> CorpusError {
        CorpusError::damaged(&self.path, fault)
    }
}
