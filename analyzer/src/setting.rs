//! Numbers by name: how parameters and weights are read from text.

/// Why a text does not set numbers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A part of the text is not of the form `name=value`.
    #[error("{0:?} is not of the form name=value")]
    NoValue(String),
    /// Nothing has that name.
    #[error("there is no number by the name of {0:?}")]
    UnknownName(String),
    /// The value is not a whole number.
    #[error("{name} is set to {value:?}, which is not a whole number")]
    NotANumber {
        /// What was to be set.
        name: String,
        /// What was written.
        value: String,
    },
    /// The value lies outside of what is sensible.
    #[error("{name} is set to {value}, but must lie between {least} and {most}")]
    OutOfRange {
        /// What was to be set.
        name: String,
        /// What was written.
        value: i32,
        /// The least that it may be.
        least: i32,
        /// The most that it may be.
        most: i32,
    },
}

/// Reads `name=value` pairs, separated by commas or white space, and hands each to `set`. What follows a `#` in a line is
/// a remark.
///
/// # Errors
///
/// Returns what is wrong with the first pair that is not one, or that `set` refuses.
pub(crate) fn read_pairs(
    text: &str,
    mut set: impl FnMut(&str, i32) -> Result<(), SettingError>,
) -> Result<(), SettingError> {
    let is_gap = |letter: char| letter == ',' || letter.is_whitespace();
    let pairs = text.lines().flat_map(|line| line.split('#').next().unwrap_or("").split(is_gap));
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(|| SettingError::NoValue(pair.to_owned()))?;
        let number = value
            .parse()
            .map_err(|_| SettingError::NotANumber { name: name.to_owned(), value: value.to_owned() })?;
        set(name, number)?;
    }
    Ok(())
}
