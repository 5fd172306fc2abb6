//! Rules strings: what reads is the same when it is written and read again, and can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tafl_tests::check::check_rules_string;
use tafl_tests::random::Rng;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        check_rules_string(text, &mut Rng::new(data.len() as u64));
    }
});
