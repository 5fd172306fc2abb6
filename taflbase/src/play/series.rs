//! Series of games that can be interrupted: their settings, and the games that have been played.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::series_difference::difference;
use crate::escape::escape;
use crate::{Error, Result};

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

/// The part of a file before its games.
#[derive(Debug, Deserialize)]
struct SeriesHead {
    version: u32,
    asked: Value,
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
    pub fn read(name: &str, content: &[u8], settings: &impl Serialize) -> Result<GameSeries<T>> {
        let name = escape(name);
        let wrong = |why: &str| Error::parameter("resume", format!("{name} can't be resumed: {why}"));
        let new_file = "use a new file with --resume";
        let Ok(head) = serde_json::from_slice::<SeriesHead>(content) else {
            let is_series = content.starts_with(b"{\"version\"");
            let why = if is_series { "it is damaged" } else { "it is not a file of --resume" };
            return Err(wrong(why).with_help(new_file));
        };
        if head.version != VERSION {
            return Err(wrong("it was written by another version of this program").with_help(new_file));
        }
        if let Some(difference) = difference(&head.asked, &GameSeries::<T>::new(settings).asked) {
            return Err(wrong(&difference.why).with_help(difference.help));
        }
        serde_json::from_slice(content).map_err(|_| wrong("its games are damaged").with_help(new_file))
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
