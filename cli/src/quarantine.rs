//! Bad records, written aside as they are, with what was found beside them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tafl_parser::{Cut, Format};

use crate::input::Input;
use crate::output::{Names, Output, unpacked_name};

/// A folder that takes the bad records: for each input a file of them in its own notation, verbatim, and beside it
/// `<name>.findings.jsonl`. Nothing is made for an input without bad records.
pub(crate) struct Quarantine {
    folder: PathBuf,
    names: Names,
    current: Option<Files>,
    n_records: u64,
}

struct Files {
    input: usize,
    records: Output,
    findings: Output,
}

/// A bad record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadRecord {
    /// The text, verbatim.
    pub(crate) text: String,
    /// A line of JSON for each finding.
    pub(crate) findings: String,
}

impl Quarantine {
    /// Returns an empty quarantine; the folder is made when it is needed.
    pub(crate) fn new(folder: &Path) -> Quarantine {
        Quarantine { folder: folder.to_owned(), names: Names::default(), current: None, n_records: 0 }
    }

    /// Returns how many records were written.
    pub(crate) fn len(&self) -> u64 {
        self.n_records
    }

    /// Writes a record of an input. Inputs come one after another.
    ///
    /// # Errors
    ///
    /// Fails when the files cannot be written.
    pub(crate) fn add(
        &mut self,
        (nth, input): (usize, &Input),
        format: Format,
        bad: &BadRecord,
    ) -> io::Result<()> {
        if self.current.as_ref().is_none_or(|files| files.input != nth) {
            self.finish()?;
            let path = self.folder.join(self.names.free(unpacked_name(input.relative())));
            let mut findings = path.clone().into_os_string();
            findings.push(".findings.jsonl");
            let (records, findings) = (Output::create(&path)?, Output::create(Path::new(&findings))?);
            self.current = Some(Files { input: nth, records, findings });
        }
        let Some(files) = &mut self.current else { return Ok(()) };
        files.records.write_all(bad.text.as_bytes())?;
        files.records.write_all(separator(format))?;
        files.findings.write_all(bad.findings.as_bytes())?;
        self.n_records += 1;
        Ok(())
    }

    /// Puts the files of the last input into their places.
    ///
    /// # Errors
    ///
    /// Fails when they cannot be written to the end.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let Some(files) = self.current.take() else { return Ok(()) };
        files.records.finish()?;
        files.findings.finish()
    }
}

/// Returns what stands between two records of a format.
const fn separator(format: Format) -> &'static [u8] {
    match format.cut() {
        Cut::Lines | Cut::JsonValues => b"\n",
        Cut::TagBlocks | Cut::BlankLines | Cut::Whole => b"\n\n",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn inputs_of_the_same_name_get_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut quarantine = Quarantine::new(folder.path());
        let bad = BadRecord { text: "d1-d9".into(), findings: "{}\n".into() };
        let inputs = [Input::Named("a/games.csv.gz".into()), Input::Named("b/games.csv".into())];
        for (nth, input) in inputs.iter().enumerate() {
            quarantine.add((nth, input), Format::MoveList, &bad).unwrap();
            quarantine.add((nth, input), Format::MoveList, &bad).unwrap();
        }
        quarantine.finish().unwrap();
        for name in ["games.csv", "games-2.csv"] {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "d1-d9\nd1-d9\n");
            let findings = folder.path().join(format!("{name}.findings.jsonl"));
            assert_eq!(fs::read_to_string(findings).unwrap(), "{}\n{}\n");
        }
        assert_eq!(quarantine.len(), 4);
    }
}
