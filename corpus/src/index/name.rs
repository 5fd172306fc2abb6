//! The names of the files of an index. Tantivy's names are random; these are made of their content, so that
//! the same games give the same bytes.

use std::fs;
use std::io;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// The files in which tantivy lists its files.
const LISTS: [&str; 2] = ["meta.json", ".managed.json"];

/// Renames the files of an index by their content. The index must not be open.
///
/// # Errors
///
/// Fails if a file cannot be read, renamed or written.
pub(crate) fn by_content(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some((stem, ending)) = name.split_once('.').filter(|(stem, _)| stem.len() == 32) {
            files.push((ending.to_owned(), stem.to_owned()));
        }
    }
    files.sort();
    let Some((_, old)) = files.first().cloned() else { return Ok(()) };
    let mut hash = Xxh3::new();
    for (ending, stem) in &files {
        hash.update(ending.as_bytes());
        hash.update(&fs::read(folder.join(format!("{stem}.{ending}")))?);
    }
    let new = format!("{:032x}", hash.digest128());
    for (ending, stem) in files.iter().filter(|(_, stem)| *stem == old) {
        fs::rename(folder.join(format!("{stem}.{ending}")), folder.join(format!("{new}.{ending}")))?;
    }
    for name in LISTS {
        let path = folder.join(name);
        let text = fs::read_to_string(&path)?;
        let text = text.replace(&old, &new).replace(&hyphened(&old), &hyphened(&new));
        // The list is a set in random order.
        let names: Result<Vec<String>, _> = serde_json::from_str(&text);
        let text = match names {
            Ok(mut names) => {
                names.sort();
                serde_json::to_string(&names)?
            }
            Err(_) => text,
        };
        // Only its owner may read tantivy's file; a new one is readable for everyone who may read the others.
        fs::remove_file(&path)?;
        fs::write(&path, text)?;
    }
    Ok(())
}

/// Returns 32 digits as a UUID is written.
fn hyphened(digits: &str) -> String {
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    parts.join("-")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::index::fixture::Fixture;

    #[test]
    fn who_may_read_one_file_of_an_index_may_read_all() {
        let folder = tempfile::tempdir().unwrap();
        Fixture::new(1, 3).build(folder.path());
        by_content(folder.path()).unwrap();
        let entries = fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| !entry.file_name().to_string_lossy().ends_with(".lock"));
        let modes: Vec<_> = files
            .map(|entry| (entry.metadata().unwrap().permissions().mode() & 0o777, entry.file_name()))
            .collect();
        assert!(modes.len() > 3 && modes.iter().all(|(mode, _)| *mode == modes[0].0), "{modes:?}");
    }
}
