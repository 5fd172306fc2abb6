//! The networks that come with the program.

use std::sync::{Arc, OnceLock};

use tafl_rules::RuleSet;

use super::Network;

/// The files, each made for the rules that it names.
const FILES: &[&[u8]] = &[];

/// Returns the networks that come with the program, in the order of their files.
///
/// # Panics
///
/// Never: a test reads every file.
pub fn all() -> &'static [Arc<Network>] {
    static ALL: OnceLock<Vec<Arc<Network>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let read = |bytes: &&[u8]| Arc::new(Network::from_bytes(bytes).expect("a test reads every file"));
        FILES.iter().map(read).collect()
    })
}

/// Returns the network that was made for rules, if there is one.
pub fn of_rules(rules: &RuleSet) -> Option<Arc<Network>> {
    let text = rules.to_string();
    all().iter().find(|net| net.provenance.rules.contains(&text)).cloned()
}
