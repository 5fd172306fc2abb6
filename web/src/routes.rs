//! What a route is: the router, the description in OpenAPI, and the names of the metrics are made from a table of them.

use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::api_error::ApiError;
use super::param::Param;
use super::request::{ApiRequest, Document, Pieces};

/// An address of the API.
pub struct Route {
    /// Its name in metrics and in OpenAPI.
    pub name: &'static str,
    /// How it is asked.
    pub method: Method,
    /// The path, with `{id}` for a part that is left open.
    pub path: &'static str,
    /// What it answers, in a sentence.
    pub summary: &'static str,
    /// The parameters that it knows, in groups.
    pub params: &'static [&'static [Param]],
    /// What the work costs.
    pub work: Work,
    /// The types that the answer may have, the usual one first.
    pub types: &'static [&'static str],
    /// The schema of the answer in JSON.
    pub schema: SchemaOf,
    /// Makes the answer.
    pub handler: fn(&Arc<ApiRequest>) -> Result<Reply, ApiError>,
}

/// Adds a type to the schemas of the description, and returns a reference to it.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A JSON object whose members have no schema.
pub type JsonObject = serde_json::Map<String, Value>;

/// The routes of all subjects.
pub type RouteTable = &'static [&'static [Route]];

/// Adds a type to the schemas of the description, and returns a reference to it.
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// How an address is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Without a body.
    Get,
    /// With a body.
    Post,
}

/// What the work for a request costs: how long it may take, and in which queue it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Work {
    /// Milliseconds.
    Quick,
    /// It may go through all games, or through a large body.
    Query,
    /// The engine searches.
    Engine,
}

/// A long answer in the making: called once the headers are sent.
pub type Writer = Box<dyn FnOnce(&Pieces) -> Result<(), ApiError> + Send>;

/// An answer.
pub enum Reply {
    /// JSON.
    Json(Value),
    /// Another document.
    Document(Document),
    /// A long answer that is made piece by piece: its type, and what makes it. A problem on the way becomes an event
    /// `problem`, or a last line with the type `problem`.
    Stream(&'static str, Writer),
}

/// The type of server-sent events.
pub const EVENTS: &str = "text/event-stream";
/// The type of lines of JSON.
pub const LINES: &str = "application/x-ndjson";
/// The type of JSON.
pub const JSON: &str = "application/json";
/// The type of comma-separated values.
pub const CSV: &str = "text/csv; charset=utf-8";

impl From<Value> for Reply {
    fn from(value: Value) -> Reply {
        Reply::Json(value)
    }
}

impl Reply {
    /// Returns an answer as JSON.
    ///
    /// # Panics
    ///
    /// Panics if the answer can't be written as JSON, such as a map whose keys are not strings.
    pub fn json(answer: &impl Serialize) -> Reply {
        Reply::Json(serde_json::to_value(answer).expect("an answer can be written as JSON"))
    }
}

impl From<Document> for Reply {
    fn from(document: Document) -> Reply {
        Reply::Document(document)
    }
}

impl Route {
    /// Returns the parameters.
    pub fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().flat_map(|group| group.iter())
    }
}
