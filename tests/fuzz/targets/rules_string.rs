//! The target `rules_string` of `tests/src/targets`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tafl_tests::targets::run("rules_string", data));
