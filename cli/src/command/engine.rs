//! `tafl engine`: the engine in a protocol for other programs.

use tafl_rules::{AnyRulebook, catalog};

use crate::args::play::{EngineArgs, ProtocolArg};
use crate::engine_protocol::htp::Htp;
use crate::engine_protocol::otep::Otep;
use crate::engine_protocol::run_protocol;
use crate::engine_protocol::session::EngineSession;
use crate::engine_protocol::uci::Uci;
use crate::exit::Reported;
use crate::variant::variant_of;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or answers cannot be written.
pub(crate) fn run(args: &EngineArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let rules = match variant_of(&args.settings.rules, io).map_err(Reported)? {
        Some(variant) => variant.rules,
        None => catalog::find(default_variant(args.protocol))
            .expect("the default variants are in the catalog")
            .rules(),
    };
    let book = AnyRulebook::compile(&rules)?;
    let settings = &args.settings;
    let session = EngineSession::new(book, settings.resources.options());
    match args.protocol {
        ProtocolArg::Uci => run_protocol(&mut Uci::new(session), io)?,
        ProtocolArg::Otep => run_protocol(&mut Otep::new(session, settings.time.get()), io)?,
        ProtocolArg::Htp => run_protocol(&mut Htp::new(session, settings.time.get()), io)?,
    }
    Ok(Exit::Ok)
}

/// Returns the default variant of a protocol.
const fn default_variant(protocol: ProtocolArg) -> &'static str {
    match protocol {
        ProtocolArg::Uci | ProtocolArg::Otep => "copenhagen11",
        ProtocolArg::Htp => "copenhagen11-hnefatafl-org",
    }
}
