//! When to give up: long work asks again and again whether anybody still wants it.

use crate::error::{CorpusError, Result};

/// When to give up a search.
#[derive(Clone, Copy)]
pub struct Stop<'a>(Option<&'a (dyn Fn() -> bool + Sync)>);

impl<'a> Stop<'a> {
    /// Never: the work goes on to its end.
    pub const NEVER: Stop<'static> = Stop(None);

    /// Returns a stop for when a function says so. It is asked often and should be quick.
    pub fn when(is_over: &'a (dyn Fn() -> bool + Sync)) -> Stop<'a> {
        Stop(Some(is_over))
    }

    /// Returns whether it is time to give up.
    pub fn is_now(self) -> bool {
        self.0.is_some_and(|is_over| is_over())
    }

    /// Goes on, or does not.
    ///
    /// # Errors
    ///
    /// Returns [`CorpusError::Stopped`] when it is time to give up.
    pub fn check(self) -> Result<()> {
        if self.is_now() { Err(CorpusError::Stopped) } else { Ok(()) }
    }
}
