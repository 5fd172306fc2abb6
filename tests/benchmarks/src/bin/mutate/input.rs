//! The inputs from which mutated ones are made.

use std::fs;
use std::path::{Path, PathBuf};

use tafl_parser::{Format, detect};
use tafl_rules::Rng;
use tafl_tests::fnv::fnv1a;

/// The maximum size of a file. Small inputs are read quickly, and a mutation is more likely to hit a part that matters.
const LARGEST: usize = 2048;

/// A file.
#[derive(Debug)]
pub(crate) struct SeedInput {
    pub(crate) bytes: Vec<u8>,
    /// Its most likely notation.
    pub(crate) format: Option<Format>,
}

/// The files of some folders, in order of their paths.
#[derive(Debug)]
pub(crate) struct SeedInputs(Vec<SeedInput>);

impl SeedInputs {
    /// Reads the files of folders and of their subfolders.
    pub(crate) fn load(folders: &[PathBuf]) -> Result<SeedInputs, String> {
        let mut inputs = Vec::new();
        for folder in folders {
            let mut paths = Vec::new();
            list(folder, &mut paths).map_err(|error| format!("{}: {error}", folder.display()))?;
            paths.sort();
            for path in paths {
                let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                if !bytes.is_empty() && bytes.len() < LARGEST {
                    let name = path.file_name().and_then(|name| name.to_str());
                    let format = detect(&bytes, name).first().copied();
                    inputs.push(SeedInput { bytes, format });
                }
            }
        }
        if inputs.is_empty() { Err("the folders have no inputs".to_owned()) } else { Ok(SeedInputs(inputs)) }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns a checksum (FNV-1a) of all bytes: a run can be continued only with the same inputs.
    pub(crate) fn checksum(&self) -> u64 {
        fnv1a(self.0.iter().flat_map(|input| input.bytes.iter().copied()))
    }

    pub(crate) fn pick(&self, rng: &mut Rng) -> &SeedInput {
        &self.0[rng.below(self.0.len())]
    }
}

/// Adds the files of a folder and of its subfolders.
pub(crate) fn list(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, paths)?;
        } else if path.extension().is_none_or(|extension| extension != "expected" && extension != "md") {
            paths.push(path);
        }
    }
    Ok(())
}
