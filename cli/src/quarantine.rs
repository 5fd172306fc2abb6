//! The quarantine: verbatim copies of bad records, with their findings.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tafl_parser::{Cut, Format};
use taflbase::records::Input;

use crate::output::{Names, Output, unpacked_name};
use crate::target::Originals;

/// A folder of bad records. Each input with bad records has a file of them in its own notation, verbatim, and a file
/// `<name>.findings.jsonl`.
pub(crate) struct Quarantine<'a> {
    folder: PathBuf,
    originals: Originals<'a>,
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

impl<'a> Quarantine<'a> {
    /// Returns an empty quarantine for the records of inputs. The folder is created when it is needed.
    pub(crate) fn new(folder: &Path, inputs: &'a [Input]) -> Quarantine<'a> {
        Quarantine {
            folder: folder.to_owned(),
            originals: Originals::new(inputs),
            names: Names::default(),
            current: None,
            n_records: 0,
        }
    }

    /// Returns the number of written records.
    pub(crate) fn len(&self) -> u64 {
        self.n_records
    }

    /// Writes a record of the input with this number. The records of an input must be consecutive.
    ///
    /// # Errors
    ///
    /// Returns an error if the files cannot be written, or if one of them would replace an input.
    pub(crate) fn add(&mut self, nth: usize, format: Format, bad: &BadRecord) -> anyhow::Result<()> {
        const MESSAGE: &str = "the quarantine cannot be written";
        if self.current.as_ref().is_none_or(|files| files.input != nth) {
            self.finish()?;
            let (name, findings) = self.free_names(&unpacked_name(self.originals.input(nth).relative()));
            let (path, findings) = (self.folder.join(name), self.folder.join(findings));
            self.originals.protect(&path)?;
            self.originals.protect(&findings)?;
            let records = Output::create(&path).context(MESSAGE)?;
            let findings = Output::create(&findings).context(MESSAGE)?;
            self.current = Some(Files { input: nth, records, findings });
        }
        let Some(files) = &mut self.current else { return Ok(()) };
        files.records.write_all(bad.text.as_bytes()).context(MESSAGE)?;
        files.records.write_all(separator(format)).context(MESSAGE)?;
        files.findings.write_all(bad.findings.as_bytes()).context(MESSAGE)?;
        self.n_records += 1;
        Ok(())
    }

    /// Returns unused names for the records of an input and for their findings. An input may have the name of another's
    /// findings.
    fn free_names(&mut self, wanted: &Path) -> (PathBuf, PathBuf) {
        loop {
            let name = self.names.free(wanted.to_owned());
            let mut findings = name.clone().into_os_string();
            findings.push(".findings.jsonl");
            let findings = PathBuf::from(findings);
            if self.names.take(findings.clone()) {
                return (name, findings);
            }
        }
    }

    /// Completes the files of the last input.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be completed.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        let Some(files) = self.current.take() else { return Ok(()) };
        let finished = files.records.finish().and_then(|()| files.findings.finish());
        finished.context("the quarantine cannot be written")
    }
}

/// Returns the separator of records of a format.
const fn separator(format: Format) -> &'static [u8] {
    match format.cut() {
        Cut::Lines | Cut::JsonValues | Cut::TableRows => b"\n",
        Cut::EngineSession => b"\nucinewgame\n",
        Cut::TagBlocks
        | Cut::BlankLines
        | Cut::Whole
        | Cut::MoveText
        | Cut::GameTrees
        | Cut::BoardLines
        | Cut::Transcript => b"\n\n",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn inputs_of_the_same_name_get_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let bad = BadRecord { text: "d1-d9".into(), findings: "{}\n".into() };
        let inputs = [Input::Named("a/games.csv.gz".into()), Input::Named("b/games.csv".into())];
        let mut quarantine = Quarantine::new(folder.path(), &inputs);
        for nth in 0..inputs.len() {
            quarantine.add(nth, Format::MoveList, &bad).unwrap();
            quarantine.add(nth, Format::MoveList, &bad).unwrap();
        }
        quarantine.finish().unwrap();
        for name in ["games.csv", "games-2.csv"] {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "d1-d9\nd1-d9\n");
            let findings = folder.path().join(format!("{name}.findings.jsonl"));
            assert_eq!(fs::read_to_string(findings).unwrap(), "{}\n{}\n");
        }
        assert_eq!(quarantine.len(), 4);
    }

    #[test]
    fn records_do_not_take_the_place_of_findings() {
        let bad = |text: &str| BadRecord { text: text.into(), findings: format!("{{\"{text}\":1}}\n") };
        for names in [["a.csv", "a.csv.findings.jsonl"], ["a.csv.findings.jsonl", "a.csv"]] {
            let folder = tempfile::tempdir().unwrap();
            let inputs = names.map(|name| Input::Named(name.into()));
            let mut quarantine = Quarantine::new(folder.path(), &inputs);
            quarantine.add(0, Format::MoveList, &bad("d1-d9")).unwrap();
            quarantine.add(1, Format::MoveList, &bad("d1-d8")).unwrap();
            quarantine.finish().unwrap();
            let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
            let mut texts: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
            texts.sort();
            assert_eq!(texts, ["d1-d8\n", "d1-d9\n", "{\"d1-d8\":1}\n", "{\"d1-d9\":1}\n"], "{names:?}");
        }
    }

    #[test]
    fn what_is_read_is_not_replaced_by_its_bad_records() {
        let folder = tempfile::tempdir().unwrap();
        let bad = BadRecord { text: "d1-d9".into(), findings: "{}\n".into() };
        for (read, bad_one) in [("games.csv", "other/games.csv"), ("more.csv.findings.jsonl", "more.csv")] {
            let path = folder.path().join(read);
            fs::write(&path, "d2-c2\nd1-d9\n").unwrap();
            let inputs = [Input::Named(path.clone()), Input::Named(bad_one.into())];
            let mut quarantine = Quarantine::new(folder.path(), &inputs);
            let error = quarantine.add(1, Format::MoveList, &bad).unwrap_err().to_string();
            assert!(error.contains("is an input and would be overwritten"), "{error}");
            drop(quarantine);
            assert_eq!(fs::read_to_string(&path).unwrap(), "d2-c2\nd1-d9\n");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            fs::remove_file(&path).unwrap();
        }
    }
}
