//! Files to go on from: what was asked for, and what has been played of it.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output;

/// The version of these files.
const VERSION: u32 = 1;

/// A file to go on from.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct State<T> {
    /// The version of the file.
    version: u32,
    /// What was asked for: everything that the games depend on.
    asked: Value,
    /// What has been played, in the order of the numbers.
    pub(crate) played: Vec<T>,
}

/// Why a file cannot be gone on from.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateError {
    /// The file cannot be read or written.
    #[error("{name}: {error}")]
    File {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{name} is no file to go on from: {error}")]
    Broken {
        /// The file.
        name: String,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The file is of another version of the program.
    #[error("{name} was written by another version of this program")]
    Version {
        /// The file.
        name: String,
    },
    /// The file belongs to games that something else was asked of.
    #[error("{name} belongs to other games: `{key}` is {found} there, and {wanted} now")]
    Other {
        /// The file.
        name: String,
        /// What differs.
        key: String,
        /// What the file says.
        found: String,
        /// What is asked for.
        wanted: String,
    },
}

impl<T: Serialize + DeserializeOwned> State<T> {
    /// Returns the state of a file, or a new one where there is no file.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read or belongs to something else.
    pub(crate) fn open(path: Option<&Path>, asked: Value) -> Result<State<T>, StateError> {
        let Some(path) = path.filter(|path| path.exists()) else {
            return Ok(State { version: VERSION, asked, played: Vec::new() });
        };
        let name = path.display().to_string();
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) => return Err(StateError::File { name, error }),
        };
        let state: State<T> = match serde_json::from_slice(&text) {
            Ok(state) => state,
            Err(error) => return Err(StateError::Broken { name, error }),
        };
        if state.version != VERSION {
            return Err(StateError::Version { name });
        }
        match difference(&state.asked, &asked) {
            Some((key, found, wanted)) => Err(StateError::Other { name, key, found, wanted }),
            None => Ok(state),
        }
    }

    /// Writes the state to its file, which is replaced only when the new one is complete.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub(crate) fn save(&self, path: &Path) -> Result<(), StateError> {
        let name = || path.display().to_string();
        let mut text =
            serde_json::to_vec(self).map_err(|error| StateError::Broken { name: name(), error })?;
        text.push(b'\n');
        output::write_whole(path, &text).map_err(|error| StateError::File { name: name(), error })
    }
}

/// Returns the first key in which two questions differ, with both values.
fn difference(found: &Value, wanted: &Value) -> Option<(String, String, String)> {
    let (Value::Object(found), Value::Object(wanted)) = (found, wanted) else {
        return (found != wanted).then(|| ("all".to_owned(), found.to_string(), wanted.to_string()));
    };
    let keys = found.keys().chain(wanted.keys());
    let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    keys.into_iter()
        .find(|key| found.get(*key) != wanted.get(*key))
        .map(|key| (key.clone(), text(found.get(key)), text(wanted.get(key))))
}
