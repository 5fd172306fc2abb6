//! The target `records` of `tests/src/targets`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tafl_tests::targets::run("records", data));
