//! The built-in network.

use std::sync::{Arc, OnceLock};

use super::Network;

/// The file of the network. `docs/training.md` describes the training data and the options.
const FILE: &[u8] = include_bytes!("../../data/network.bin");

/// Returns the built-in network.
///
/// # Panics
///
/// Never panics: a test reads the file.
pub fn builtin_network() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    NETWORK.get_or_init(|| Arc::new(Network::from_bytes(FILE).expect("a test reads the file"))).clone()
}
