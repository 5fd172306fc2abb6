//! The built-in networks.

use std::sync::{Arc, OnceLock};

use tafl_rules::RuleSet;

use super::Network;

/// The network files. Each names the rules for which it was trained.
const FILES: &[&[u8]] = &[];

/// Returns the built-in networks in the order of their files.
///
/// # Panics
///
/// Never panics: a test reads every file.
pub fn builtin_networks() -> &'static [Arc<Network>] {
    static ALL: OnceLock<Vec<Arc<Network>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let read = |bytes: &&[u8]| Arc::new(Network::from_bytes(bytes).expect("a test reads every file"));
        FILES.iter().map(read).collect()
    })
}

/// Returns the built-in network for rules, or `None`.
pub fn builtin_network(rules: &RuleSet) -> Option<Arc<Network>> {
    let text = rules.to_string();
    builtin_networks().iter().find(|net| net.provenance.rules.contains(&text)).cloned()
}
