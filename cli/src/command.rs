//! The commands: each a function from arguments and streams to an exit.

pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod eval;
pub(crate) mod man;
#[path = "command/move.rs"]
pub(crate) mod move_;
pub(crate) mod perft;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod show;
pub(crate) mod validate;
