//! Cancellation: long operations check regularly whether to stop.

use crate::error::{CorpusError, Result};

/// A check that tells a long operation to stop, such as a deadline or a token.
#[derive(Clone, Copy)]
pub struct CancelCheck<'a>(Option<&'a (dyn Fn() -> bool + Sync)>);

impl<'a> CancelCheck<'a> {
    /// Never cancels.
    pub const NEVER: CancelCheck<'static> = CancelCheck(None);

    /// Returns a check that calls a function, which returns whether to stop. It is called often and must be fast.
    pub fn new(is_canceled: &'a (dyn Fn() -> bool + Sync)) -> CancelCheck<'a> {
        CancelCheck(Some(is_canceled))
    }

    /// Returns whether the operation should stop.
    pub fn is_canceled(self) -> bool {
        self.0.is_some_and(|is_canceled| is_canceled())
    }

    /// Returns an error if the operation should stop.
    ///
    /// # Errors
    ///
    /// Returns [`CorpusError::Canceled`] if the operation should stop.
    pub fn check(self) -> Result<()> {
        if self.is_canceled() { Err(CorpusError::Canceled) } else { Ok(()) }
    }
}
