//! When to give up: long work asks again and again whether anybody still wants it.

use crate::error::{CorpusError, Result};

/// When to give up a search.
#[derive(Clone, Copy)]
pub struct CancelCheck<'a>(Option<&'a (dyn Fn() -> bool + Sync)>);

impl<'a> CancelCheck<'a> {
    /// Never: the work goes on to its end.
    pub const NEVER: CancelCheck<'static> = CancelCheck(None);

    /// Returns a stop for when a function says so. It is asked often and should be quick.
    pub fn new(is_canceled: &'a (dyn Fn() -> bool + Sync)) -> CancelCheck<'a> {
        CancelCheck(Some(is_canceled))
    }

    /// Returns whether it is time to give up.
    pub fn is_canceled(self) -> bool {
        self.0.is_some_and(|is_canceled| is_canceled())
    }

    /// Goes on, or does not.
    ///
    /// # Errors
    ///
    /// Returns [`CorpusError::Canceled`] when it is time to give up.
    pub fn check(self) -> Result<()> {
        if self.is_canceled() { Err(CorpusError::Canceled) } else { Ok(()) }
    }
}
