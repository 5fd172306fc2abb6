//! The names of the files of a segment: two tables, and the files derived from them.

use std::path::Path;

/// The file of the table of games.
pub const GAMES_FILE: &str = "games.parquet";
/// The file of the table of plies.
pub const PLIES_FILE: &str = "plies.parquet";
/// The file of the move log. Its name is part of the format.
pub const MOVE_LOG_FILE: &str = "tape.bin";
/// The file of the table of frequent positions.
pub(crate) const OPENINGS_FILE: &str = "openings.bin";
/// The file with the checksums of the blocks of all other files.
pub(crate) const CHECKSUMS_FILE: &str = "checksums.bin";
/// The folder of the index.
pub(crate) const INDEX_FOLDER: &str = "index";

/// The folder of the segments in that of the corpus.
pub(crate) const SEGMENTS_FOLDER: &str = "segments";

/// Returns whether a path is that of a file or folder of a segment that can be rebuilt from the tables.
pub(crate) fn is_derived(path: &Path) -> bool {
    const DERIVED: [&str; 4] = [MOVE_LOG_FILE, OPENINGS_FILE, CHECKSUMS_FILE, INDEX_FOLDER];
    let names: Vec<_> = path.iter().collect();
    let is_in_segment = |names: &[&std::ffi::OsStr]| {
        names[0] == SEGMENTS_FOLDER && DERIVED.into_iter().any(|derived| names[2] == derived)
    };
    names.windows(3).any(is_in_segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_tables_of_a_segment_is_derived() {
        let derived = ["tape.bin", "openings.bin", "checksums.bin", "index", "index/keys.bin"];
        for file in derived {
            assert!(is_derived(Path::new(&format!("games.corpus/segments/000001-12/{file}"))), "{file}");
        }
        for file in ["segments/000001-12/games.parquet", "segments/000001-12/plies.parquet", "manifest.json"]
        {
            assert!(!is_derived(&Path::new("games.corpus").join(file)), "{file}");
        }
    }
}
