//! The number of threads of a request.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of threads that a request may use: by default one per core.
///
/// Answers don't depend on it, unless a search is limited by time.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use taflbase::Threads;
///
/// assert_eq!(Threads::ONE.get(), NonZeroUsize::MIN);
/// assert!(Threads::default().get() >= NonZeroUsize::MIN);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Threads {
    /// Use N threads [default: one per core]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short = 'j', value_name = "N", value_parser = crate::positive::<NonZeroUsize>))]
    pub threads: Option<NonZeroUsize>,
}

impl Threads {
    /// One thread.
    pub const ONE: Threads = Threads { threads: Some(NonZeroUsize::MIN) };

    /// Returns the number of threads.
    pub fn get(self) -> NonZeroUsize {
        self.threads.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}
