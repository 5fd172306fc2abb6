//! The raw numbers: a JSON file with the findings, time, and machine of each section.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::figure::SectionFindings;
use crate::machine::Machine;

/// The version of the file.
const VERSION: u64 = 1;

/// The result of a section.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) before: Machine,
    pub(crate) found: SectionFindings,
    pub(crate) took: Duration,
}

/// All that was found so far.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    sections: Map<String, Value>,
}

impl Store {
    /// Reads the file, if there is one.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be read, or is of another version.
    pub(crate) fn open(path: &Path) -> Result<Store, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let mut sections = Map::new();
        if path.exists() {
            let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
            let mut value: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
            if value["version"] != json!(VERSION) {
                return Err(failed(&format!(
                    "version {}, and this program writes {VERSION}",
                    value["version"]
                )));
            }
            if let Value::Object(old) = value["sections"].take() {
                sections = old;
            }
        }
        Ok(Store { path: path.to_owned(), sections })
    }

    /// Replaces the findings of a section.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub(crate) fn put(&mut self, name: &str, outcome: &Outcome) -> Result<(), String> {
        let mut section = outcome.found.json();
        section["machine"] = outcome.before.json();
        section["seconds"] = json!(outcome.took.as_secs_f64().round());
        self.sections.insert(name.to_owned(), section);
        let value = json!({ "format": "taflbase-benchmarks", "version": VERSION, "sections": self.sections });
        fs::write(&self.path, format!("{value:#}\n"))
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Returns the findings of a section.
    pub(crate) fn section(&self, name: &str) -> Option<&Value> {
        self.sections.get(name)
    }

    /// Returns a figure of any section.
    pub(crate) fn figure(&self, id: &str) -> Option<&Value> {
        let mut figures =
            self.sections.values().filter_map(|section| section["figures"].as_array()).flatten();
        figures.find(|figure| figure["id"] == id)
    }
}
