//! Counts of the contents of a corpus.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cancel::CancelCheck;
use crate::error::{CorpusError, Result};
use crate::folder::Corpus;
use crate::id::RulesId;
use crate::manifest::EVALS_FOLDER;
use crate::segment_files::{
    CHECKSUMS_FILE, GAMES_FILE, INDEX_FOLDER, MOVE_LOG_FILE, OPENINGS_FILE, PLIES_FILE,
};

/// The contents of a corpus, in numbers. The order of the fields is that of the JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CorpusInfo {
    /// The version of the corpus.
    pub version: u32,
    /// The version of position keys.
    pub key_version: u32,
    /// The version of move logs.
    pub tape_version: u32,
    /// The version of the index.
    pub index_version: u32,
    /// The number of changes of the corpus.
    pub generation: u64,
    /// A checksum of the games and the places of their records, whatever their order in the corpus.
    pub hash: String,
    /// Games, without those that were removed.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Their positions: one more than plies for each game.
    pub positions: u64,
    /// Games that were removed, or that better copies replaced, and that are still on the disk.
    pub removed: u64,
    /// Records that could not be stored. Those with the same notation and text count once.
    pub rejected: u64,
    /// Copies that are noted with stored games.
    pub copies: u64,
    /// The number of segments.
    pub segments: usize,
    /// Bytes of each part: tables, move log, index, frequent positions, and the files beside segments.
    pub bytes: BTreeMap<&'static str, u64>,
    /// Games and plies of each variant; the empty name means rules without a name.
    pub variants: BTreeMap<String, VariantGames>,
}

/// Games and plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct VariantGames {
    /// Games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
}

impl CorpusInfo {
    /// Returns the size of all parts.
    pub fn n_bytes(&self) -> u64 {
        self.bytes.values().copied().fold(0, u64::saturating_add)
    }
}

/// A name of a variant, and its number of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VariantNameCount {
    /// The name; empty for rules without a name.
    pub variant: String,
    /// The number of games with this name.
    pub games: u64,
}

impl Corpus {
    /// Returns the names of variants for each set of rules, most frequent first.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn names_by_rules(&self) -> Result<HashMap<RulesId, Vec<VariantNameCount>>> {
        let mut counts: HashMap<(i64, String), u64> = HashMap::new();
        for segment in self.segments() {
            let table = segment.games_table();
            let frame = table.read_columns(&["variant", "rules_id"])?;
            let mut count = || {
                let (names, rules) = (frame.column("variant")?.str()?, frame.column("rules_id")?.i64()?);
                for (row, (name, rules)) in (0..).zip(names.iter().zip(rules.iter())) {
                    if let (Some(rules), false) = (rules, segment.is_removed(row)) {
                        *counts.entry((rules, name.unwrap_or_default().to_owned())).or_default() += 1;
                    }
                }
                Ok(())
            };
            count().map_err(|error| CorpusError::table(table.path(), error))?;
        }
        let mut all: HashMap<RulesId, Vec<VariantNameCount>> = HashMap::new();
        for ((rules, variant), games) in counts {
            all.entry(RulesId::from_i64(rules)).or_default().push(VariantNameCount { variant, games });
        }
        for names in all.values_mut() {
            names.sort_by(|one, other| (other.games, &one.variant).cmp(&(one.games, &other.variant)));
        }
        Ok(all)
    }

    /// Counts the contents of the corpus.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged, or that the work was canceled.
    pub fn info(&self, cancel: CancelCheck<'_>) -> Result<CorpusInfo> {
        let manifest = self.manifest();
        let mut variants: BTreeMap<String, VariantGames> = BTreeMap::new();
        let mut copies = self.late_copies()?.values().map(|notes| notes.len() as u64).sum();
        let (mut games, mut plies) = (0, 0);
        for segment in self.segments() {
            cancel.check()?;
            for (row, game) in (0..).zip(segment.games_without_text()?) {
                if segment.is_removed(row) {
                    continue;
                }
                let counts = variants.entry(game.variant.unwrap_or_default()).or_default();
                (games, plies) = (games + 1, plies + u64::from(game.plies));
                (counts.games, counts.plies) = (counts.games + 1, counts.plies + u64::from(game.plies));
                copies += game.copies.len() as u64;
            }
        }
        let mut bytes = BTreeMap::new();
        for (_, file) in manifest.files() {
            let sum: &mut u64 = bytes.entry(part(&file.path)).or_default();
            *sum = sum.saturating_add(file.size);
        }
        Ok(CorpusInfo {
            version: manifest.taflbase_corpus,
            key_version: manifest.key_version,
            tape_version: manifest.tape_version,
            index_version: manifest.index_version,
            generation: manifest.generation,
            hash: self.content_hash()?,
            games,
            plies,
            positions: plies + games,
            removed: manifest.segments.iter().map(|segment| u64::from(segment.n_removed())).sum(),
            rejected: manifest.rejected.iter().map(|side| side.lines).fold(0, u64::saturating_add),
            copies,
            segments: manifest.segments.len(),
            bytes,
            variants,
        })
    }
}

/// Returns the part that a file belongs to.
fn part(path: &str) -> &'static str {
    match path.split('/').next().unwrap_or(path) {
        GAMES_FILE => "games",
        PLIES_FILE => "plies",
        MOVE_LOG_FILE => "tape",
        INDEX_FOLDER => "index",
        OPENINGS_FILE => "openings",
        CHECKSUMS_FILE => "checksums",
        EVALS_FOLDER => "evals",
        "rejected" => "rejected",
        _ => "copies",
    }
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn every_file_belongs_to_a_part_of_its_own() {
        let files =
            ["games.parquet", "plies.parquet", "tape.bin", "index/a.term", "openings.bin", "checksums.bin"];
        assert_eq!(files.map(part), ["games", "plies", "tape", "index", "openings", "checksums"]);
        let beside = ["evals/000001-1-a.parquet", "rejected/000001.jsonl", "copies/000001.jsonl"];
        assert_eq!(beside.map(part), ["evals", "rejected", "copies"]);
    }
}
