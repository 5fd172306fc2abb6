//! The web server of Taflbase: an HTTP interface over one corpus, and the pages that use it.
//!
//! A table of [`Route`]s says what can be asked: the router, the description in OpenAPI, and the names of the metrics are
//! made from it. The handler of a route is an ordinary function from an [`ApiRequest`] to a [`Reply`], which runs on a
//! thread of its own; only the server itself knows HTTP. [`serve`] starts it.

mod access_log;
pub mod api;
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
mod params;
mod request;
mod routes;
mod server;
mod snapshot;
mod start;
mod store;
mod write_timeout;

pub use api_error::{ApiError, ErrorCode};
pub use config::ServeConfig;
pub use corpus_stats::{CorpusStats, RulesStats};
pub use limits::Limits;
pub use param::{Param, ParamKind};
pub use params::{POSITION_PARAMS, Params, RULES_PARAMS};
pub use request::{ApiRequest, Document, Gone, Pieces};
pub use routes::{
    CSV, EVENTS, JSON, JsonObject, LINES, Method, Reply, Route, RouteTable, SchemaOf, Work, Writer, schema_of,
};
pub use snapshot::Snapshot;
pub use start::{Started, serve};
