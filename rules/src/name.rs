//! Enums whose values have names in files and interfaces.

/// The error for a text that is not the name of a value.
///
/// # Examples
///
/// ```
/// use tafl_rules::Side;
///
/// let error = "white".parse::<Side>().unwrap_err();
/// assert_eq!(error.to_string(), "expected `attackers` or `defenders`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct UnknownName {
    expected: &'static str,
}

impl UnknownName {
    /// Returns the error with a phrase for the names that are known.
    pub const fn new(expected: &'static str) -> UnknownName {
        UnknownName { expected }
    }
}

/// Implements `Display` and `FromStr` for an enum with `ALL` and `as_str`.
macro_rules! impl_names {
    ($type:ty, $expected:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = crate::name::UnknownName;

            fn from_str(name: &str) -> Result<$type, Self::Err> {
                let found = <$type>::ALL.into_iter().find(|value| value.as_str() == name);
                found.ok_or(crate::name::UnknownName::new($expected))
            }
        }
    };
}

pub(crate) use impl_names;
