//! The media types of answers and bodies.

/// Server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";
/// Lines of JSON.
pub(crate) const LINES: &str = "application/x-ndjson";
/// JSON.
pub(crate) const JSON: &str = "application/json";
/// Comma-separated values.
pub(crate) const CSV: &str = "text/csv; charset=utf-8";
/// Plain text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
/// Markdown.
pub(crate) const MARKDOWN: &str = "text/markdown; charset=utf-8";
/// The text format of Prometheus.
pub(crate) const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";
/// Pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// Style sheets.
pub(crate) const CSS: &str = "text/css; charset=utf-8";
/// Scripts.
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
/// Vector graphics.
pub(crate) const SVG: &str = "image/svg+xml";
/// Pixel graphics.
pub(crate) const PNG: &str = "image/png";
/// Animations.
pub(crate) const GIF: &str = "image/gif";
/// PDF.
pub(crate) const PDF: &str = "application/pdf";
