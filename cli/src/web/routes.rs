//! The table of routes: what drives the router, the description in OpenAPI, and the names of the metrics.

use std::sync::Arc;

use serde_json::Value;

use super::api;
use super::call::{Call, Document, Pieces};
use super::problem::Problem;

/// An address of the API.
pub(crate) struct Route {
    /// Its name in metrics and in OpenAPI.
    pub(crate) name: &'static str,
    /// How it is asked.
    pub(crate) method: Method,
    /// The path, with `{id}` for a part that is left open.
    pub(crate) path: &'static str,
    /// What it answers, in a sentence.
    pub(crate) summary: &'static str,
    /// The parameters that it knows, in groups.
    pub(crate) params: &'static [&'static [Param]],
    /// What the work costs.
    pub(crate) work: Work,
    /// The types that the answer may have, the usual one first.
    pub(crate) types: &'static [&'static str],
    /// Makes the answer.
    pub(crate) answer: fn(&Arc<Call>) -> Result<Reply, Problem>,
}

/// How an address is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Without a body.
    Get,
    /// With a body.
    Post,
}

/// What the work for a request costs: how long it may take, and in which queue it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Milliseconds.
    Quick,
    /// It may go through all games, or through a large body.
    Query,
    /// The engine searches.
    Engine,
}

/// A parameter of a route.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    /// The name.
    pub(crate) name: &'static str,
    /// What its values are.
    pub(crate) kind: ParamKind,
    /// What it says, in a sentence.
    pub(crate) words: &'static str,
}

/// What the values of a parameter are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ParamKind {
    /// Any text.
    Text,
    /// A whole number from the least to the most; the third is the default.
    Number(u64, u64, u64),
    /// A whole number from the least to the most; the default hangs on other parameters, and the words say it.
    Between(u64, u64),
    /// A number of seconds, which may have a fraction.
    Seconds,
    /// One of some words; the first is the default.
    Choice(&'static [&'static str]),
    /// 1 or 0; 0 is the default.
    Flag,
}

/// A long answer in the making: called once the headers are sent.
pub(crate) type Writer = Box<dyn FnOnce(&Pieces) -> Result<(), Problem> + Send>;

/// An answer.
pub(crate) enum Reply {
    /// JSON.
    Json(Value),
    /// Another document.
    Document(Document),
    /// A long answer that is made piece by piece: its type, and what makes it. A problem on the way becomes an event
    /// `problem`, or a last line with the type `problem`.
    Stream(&'static str, Writer),
}

/// The type of server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";
/// The type of lines of JSON.
pub(crate) const LINES: &str = "application/x-ndjson";
/// The type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The type of comma-separated values.
pub(crate) const CSV: &str = "text/csv; charset=utf-8";

impl From<Value> for Reply {
    fn from(value: Value) -> Reply {
        Reply::Json(value)
    }
}

impl From<Document> for Reply {
    fn from(document: Document) -> Reply {
        Reply::Document(document)
    }
}

impl Route {
    /// Returns the parameters.
    pub(crate) fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().flat_map(|group| group.iter())
    }
}

/// Returns all routes of the API, by subject.
pub(crate) fn all() -> impl Iterator<Item = &'static Route> {
    api::ROUTES.iter().flat_map(|routes| routes.iter())
}
