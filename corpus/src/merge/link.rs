//! Linking the files of a segment into another corpus.

use std::fs;
use std::path::Path;

use crate::error::{CorpusError, Result};
use crate::file::{make_folder, sync_file, sync_folder};
use crate::manifest::SegmentEntry;
use crate::segment::{NewSegmentFolder, Segment};

/// Links the files of a segment into a corpus, under another number; files that cannot be linked are copied. They
/// never change. The segment belongs to the corpus when a manifest names it.
///
/// # Errors
///
/// Fails if a file cannot be brought or is not as it was written.
pub(super) fn take(corpus: &Path, segment: &Segment, number: u64) -> Result<SegmentEntry> {
    let new = NewSegmentFolder::create(corpus, number)?;
    let aside = new.path();
    let mut folders = Vec::new();
    for file in &segment.entry().files {
        let (from, to) = (segment.folder().join(&file.path), aside.join(&file.path));
        let folder = to.parent().unwrap_or(aside).to_owned();
        if folder != aside && !folders.contains(&folder) {
            make_folder(&folder)?;
            folders.push(folder);
        }
        if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).map_err(CorpusError::io(&from))?;
            sync_file(&to)?;
            file.check(aside)?;
        }
    }
    folders.iter().try_for_each(|folder| sync_folder(folder))?;
    let entry = segment.entry();
    // The part of the name after the number is made of the content.
    let content = entry.name.split_once('-').map_or("", |(_, content)| content);
    let name = new.publish(content)?;
    Ok(SegmentEntry { number, name, ..entry.clone() })
}
