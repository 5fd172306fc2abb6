//! Series of games that can be interrupted: their settings, and the games that have been played.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, ErrorKind};

/// The version of the files.
const VERSION: u32 = 1;

/// The games of a series that have been played, with everything that they depend on.
#[derive(Debug, Serialize, Deserialize)]
pub struct GameSeries<T> {
    version: u32,
    asked: Value,
    /// The games, in the order of their numbers.
    pub played: Vec<T>,
}

/// The reason why a series can't be continued from a file.
#[derive(Debug, thiserror::Error)]
pub enum GameSeriesError {
    /// The file holds something else.
    #[error("{name} can't be resumed: {error}")]
    Broken {
        /// The file.
        name: String,
        /// The problem.
        error: serde_json::Error,
    },
    /// The file is of another version of the program.
    #[error("{name} was written by another version of this program; use a new file")]
    Version {
        /// The file.
        name: String,
    },
    /// The file belongs to games with other settings.
    #[error(
        "{name} was written with other settings: `{key}` is {found} there, but {wanted} now; use a new file"
    )]
    Other {
        /// The file.
        name: String,
        /// The differences.
        key: String,
        /// The value in the file.
        found: String,
        /// The value of the request.
        wanted: String,
    },
}

impl From<GameSeriesError> for Error {
    fn from(error: GameSeriesError) -> Error {
        Error::new(ErrorKind::BadParameter, error.to_string())
    }
}

impl<T: Serialize + DeserializeOwned> GameSeries<T> {
    /// Creates a series without games. `settings` is everything that its games depend on.
    pub fn new(settings: &impl Serialize) -> GameSeries<T> {
        let asked = serde_json::to_value(settings).expect("settings have only texts, numbers, and lists");
        GameSeries { version: VERSION, asked, played: Vec::new() }
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    ///
    /// Fails if the content is damaged or belongs to games with other settings.
    pub fn read(
        name: &str,
        content: &[u8],
        settings: &impl Serialize,
    ) -> Result<GameSeries<T>, GameSeriesError> {
        let name = name.to_owned();
        let series: GameSeries<T> = match serde_json::from_slice(content) {
            Ok(series) => series,
            Err(error) => return Err(GameSeriesError::Broken { name, error }),
        };
        if series.version != VERSION {
            return Err(GameSeriesError::Version { name });
        }
        match difference(&series.asked, &GameSeries::<T>::new(settings).asked) {
            Some((key, found, wanted)) => Err(GameSeriesError::Other { name, key, found, wanted }),
            None => Ok(series),
        }
    }

    /// Returns the content of a file from which the series can be continued.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = serde_json::to_vec(self).expect("games have only texts, numbers, and lists");
        content.push(b'\n');
        content
    }

    /// Returns the first games.
    pub fn first(&self, n: u64) -> &[T] {
        &self.played[..self.played.len().min(usize::try_from(n).unwrap_or(usize::MAX))]
    }
}

/// Returns the first key in which two settings differ, with both values.
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
