//! The built-in network.

use std::sync::{Arc, OnceLock};

use super::Network;

/// The file of the network, if the program has one.
const FILE: Option<&[u8]> = None;

/// Returns the built-in network, or `None` if there is none.
///
/// # Panics
///
/// Never panics: a test reads the file.
pub fn builtin_network() -> Option<Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    let read = |bytes| Arc::new(Network::from_bytes(bytes).expect("a test reads the file"));
    NETWORK.get_or_init(|| FILE.map(read)).clone()
}
