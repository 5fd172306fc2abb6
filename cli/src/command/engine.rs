//! `tafl engine`: the engine for other programs.

use tafl_analyzer::SearchOptions;
use tafl_rules::{AnyRulebook, catalog};

use crate::args::play::{EngineArgs, ProtocolArg};
use crate::dialogue::hold;
use crate::dialogue::htp::Htp;
use crate::dialogue::otep::Otep;
use crate::dialogue::seat::Seat;
use crate::dialogue::uci::Uci;
use crate::exit::Said;
use crate::variant::variant_of;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails when there are no such rules, or answers cannot be written.
pub(crate) fn run(args: &EngineArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let rules = match variant_of(&args.variant, io).map_err(Said)? {
        Some(variant) => variant.rules,
        None => catalog::find(usual(args.protocol)).expect("the usual variants are in the catalog").rules(),
    };
    let book = AnyRulebook::compile(&rules)?;
    let options = SearchOptions {
        mebibytes: args.hash as usize,
        threads: args.search_threads.get() as u16,
        ..SearchOptions::default()
    };
    let seat = Seat::new(book, options);
    match args.protocol {
        ProtocolArg::Uci => hold(&mut Uci::new(seat), io)?,
        ProtocolArg::Otep => hold(&mut Otep::new(seat, args.time.get()), io)?,
        ProtocolArg::Htp => hold(&mut Htp::new(seat, args.time.get()), io)?,
    }
    Ok(Exit::Ok)
}

/// Returns the variant that programs mean who speak a protocol and name none.
const fn usual(protocol: ProtocolArg) -> &'static str {
    match protocol {
        ProtocolArg::Uci | ProtocolArg::Otep => "copenhagen11",
        ProtocolArg::Htp => "copenhagen11-hnefatafl-org",
    }
}
