//! What outlives a request.

/// Open corpora, compiled rules, engines, and bounded caches, shared by all requests of a program.
///
/// # Examples
///
/// ```
/// let app = taflbase::App::new();
/// # let _ = app;
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct App {}

impl App {
    /// Creates an application with empty caches.
    pub fn new() -> App {
        App::default()
    }
}
