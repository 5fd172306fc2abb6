//! The commands: each a function from arguments and streams to an exit.

pub(crate) mod bench;
pub(crate) mod compact;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod eval;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod infer;
pub(crate) mod info;
pub(crate) mod man;
#[path = "command/move.rs"]
pub(crate) mod move_;
pub(crate) mod perft;
pub(crate) mod remove;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod sql;
pub(crate) mod validate;
pub(crate) mod verify;
