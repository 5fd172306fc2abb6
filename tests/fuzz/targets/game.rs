//! Games by bytes: the first ones choose the rules, the others the moves, legal and illegal.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tafl_rules::{RuleSet, catalog};
use tafl_tests::check::{Bytes, play_with_mirror};
use tafl_tests::random::{Rng, random_rules};

fn known() -> &'static [RuleSet] {
    static KNOWN: OnceLock<Vec<RuleSet>> = OnceLock::new();
    KNOWN.get_or_init(|| catalog::all().map(|variant| variant.rules()).collect())
}

fuzz_target!(|data: &[u8]| {
    let [high, low, choices @ ..] = data else { return };
    let number = usize::from(u16::from_be_bytes([*high, *low]));
    let rules = match known().get(number) {
        Some(rules) => rules.clone(),
        None => random_rules(&mut Rng::new(number as u64)),
    };
    play_with_mirror(&rules, choices.len(), &mut Bytes(choices));
});
