//! The text format of parameters and weights.

/// The reason why a text does not set parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A part of the text does not have the form `name=value`.
    #[error("expected name=value, found {0:?}")]
    NoValue(String),
    /// The name is unknown.
    #[error("unknown name {0:?}")]
    UnknownName(String),
    /// The value is not an integer.
    #[error("invalid value {value:?} of {name}; expected an integer")]
    NotANumber {
        /// The name.
        name: String,
        /// The value as written.
        value: String,
    },
    /// The value is out of range.
    #[error("invalid value {value} of {name}; expected {min} to {max}")]
    OutOfRange {
        /// The name.
        name: String,
        /// The value.
        value: i32,
        /// The minimum.
        min: i32,
        /// The maximum.
        max: i32,
    },
}

/// Parses `name=value` pairs, separated by commas or white space, and passes each to `set`. A `#`
/// starts a comment that extends to the end of the line.
///
/// # Errors
///
/// Returns the first error in the text, or the first error returned by `set`.
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
