//! The web server of Taflbase: an HTTP interface over one corpus, and the pages that use it.
//!
//! An endpoint is a request with a path: its fields are the parameters, and its answer becomes the JSON. The router, the
//! OpenAPI description, and the names of the metrics are made from the list of endpoints. Each request runs on a blocking
//! thread; only the server itself knows HTTP. [`serve`] starts it.

mod access_pages;
mod api;
mod api_error;
mod app_state;
mod assets;
mod auth;
mod bundle;
mod concurrency;
mod config;
mod corpus_stats;
mod error_bodies;
mod first_content;
mod handler;
mod limits;
mod log;
mod media_type;
mod metrics;
mod openapi;
mod origins;
mod param;
mod rate_limit;
mod redaction;
mod report_cache;
mod request;
mod response;
mod routes;
mod script_module;
mod server;
mod site;
mod snapshot;
mod start;
mod store;
mod write_timeout;

pub use config::ServeConfig;
pub use log::LogTarget;
pub use start::{ServerStart, serve};
