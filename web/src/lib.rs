//! The web server of Taflbase: an HTTP interface over one corpus, and the pages that use it.
//!
//! An [`Endpoint`] is a request with an address: its fields are the parameters, and its answer is the JSON. The router, the
//! description in OpenAPI, and the names of the metrics are made from the list of endpoints. Each runs on a thread of its own;
//! only the server itself knows HTTP. [`serve`] starts it.

mod access_log;
mod api;
mod api_error;
mod app_state;
mod assets;
mod auth;
mod concurrency;
mod config;
mod corpus_stats;
mod error_bodies;
mod limits;
mod metrics;
mod openapi;
mod param;
mod request;
mod routes;
mod server;
mod snapshot;
mod start;
mod store;
mod write_timeout;

pub use api::{Board, board};
pub use api_error::{ApiError, ErrorCode};
pub use config::ServeConfig;
pub use param::ParamLimit;
pub use request::{ApiRequest, Document, Gone, Pieces};
pub use routes::{EVENTS, Endpoint, JSON, Reply, RequestBody, Route, TEXT, Timed, Work, Writer};
pub use snapshot::Snapshot;
pub use start::{Started, serve};
