//! An index that is open for reading.

use std::ops::ControlFlow;
use std::path::Path;

use tafl_rules::CanonicalKey;
use tantivy::directory::FileSlice;
use tantivy::{Directory, Index, SegmentReader, TantivyError};

use super::block_order::BlockOrder;
use super::directory::CheckedDirectory;
use super::key_table::{KEYS_FILE, KeyTable};
use super::schema::IndexFields;
use super::token_table::{TOKENS_FILE, TokenFrequency, TokenTable};
use super::{IndexError, NumberSet, guarded};
use crate::checked_folder::CheckedFolder;
use crate::move_log::MoveLog;

/// The index of a segment, open for reading.
pub struct SegmentIndex {
    pub(super) fields: IndexFields,
    pub(super) reader: SegmentReader,
    keys: KeyTable,
    tokens: TokenTable,
    /// The order of the blocks in the token table.
    pub(super) order: BlockOrder,
    n_blocks: u32,
    n_games: u32,
}

impl SegmentIndex {
    /// Opens the index of a move log in a folder, without checksums. Nothing is written, and no thread is started.
    ///
    /// # Errors
    ///
    /// Fails if there is no index, if it has another version, or belongs to another move log.
    pub fn open(folder: &Path, move_log: &MoveLog) -> Result<SegmentIndex, IndexError> {
        SegmentIndex::open_in(CheckedFolder::unchecked(folder), move_log)
    }

    /// Opens the index of a move log. Its files are checked when they are read.
    ///
    /// # Errors
    ///
    /// As [`SegmentIndex::open`], and if a part that is read now is not as it was written.
    pub(crate) fn open_in(files: CheckedFolder, move_log: &MoveLog) -> Result<SegmentIndex, IndexError> {
        guarded(|| SegmentIndex::open_sound(CheckedDirectory(files), move_log))
    }

    fn open_sound(directory: CheckedDirectory, move_log: &MoveLog) -> Result<SegmentIndex, IndexError> {
        let index = Index::open(directory.clone())?;
        let fields = IndexFields::new();
        if index.schema() != fields.schema {
            return Err(IndexError::Schema);
        }
        let segments = index.searchable_segments()?;
        let [segment] = &segments[..] else { return Err(IndexError::OtherMoveLog) };
        let reader = SegmentReader::open(segment)?;
        let (n_blocks, n_games) = (move_log.n_blocks(), move_log.n_games());
        if reader.max_doc() != n_games {
            return Err(IndexError::OtherMoveLog);
        }
        let keys = KeyTable::open(open_file(&directory, KEYS_FILE)?, n_blocks)?;
        let order = BlockOrder::of(move_log)?;
        let tokens = TokenTable::open(open_file(&directory, TOKENS_FILE)?, &order)?;
        Ok(SegmentIndex { fields, reader, keys, tokens, order, n_blocks, n_games })
    }

    /// Returns the number of games.
    pub fn n_games(&self) -> u32 {
        self.n_games
    }

    /// Returns the number of blocks.
    pub fn n_blocks(&self) -> u32 {
        self.n_blocks
    }

    /// Returns the blocks that may have a position with one of these keys, in rising order; all that have one are among
    /// them.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn blocks_with_keys(&self, keys: &[CanonicalKey]) -> Result<Vec<u32>, IndexError> {
        self.first_blocks_with_keys(keys, usize::MAX).map(|(blocks, _)| blocks)
    }

    /// Returns the first of the [`SegmentIndex::blocks_with_keys`], at most `most` for each key, and whether these are
    /// all.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn first_blocks_with_keys(
        &self,
        keys: &[CanonicalKey],
        most: usize,
    ) -> Result<(Vec<u32>, bool), IndexError> {
        // Up to this block, all are known.
        let (mut found, mut end) = (Vec::new(), u32::MAX);
        for key in keys {
            let first = found.len();
            self.keys.blocks(*key, |block| {
                if found.len() - first == most {
                    end = end.min(block);
                    return ControlFlow::Break(());
                }
                found.push(block);
                ControlFlow::Continue(())
            })?;
        }
        if keys.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        found.truncate(found.partition_point(|block| *block < end));
        Ok((found, end == u32::MAX))
    }

    /// Returns the places of the blocks with a token, by its number.
    pub(super) fn places_with_token(&self, code: u64) -> Result<NumberSet, IndexError> {
        self.tokens.places(code, self.order.len())
    }

    /// Returns the number of blocks with a token, by its number.
    pub(super) fn token_frequency(&self, code: u64) -> TokenFrequency {
        self.tokens.frequency(code)
    }
}

/// Opens a file beside those of tantivy.
fn open_file(directory: &CheckedDirectory, name: &str) -> Result<FileSlice, IndexError> {
    Ok(directory.open_read(Path::new(name)).map_err(TantivyError::from)?)
}
