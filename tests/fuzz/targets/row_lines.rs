//! The target `row_lines` of `tests/src/targets`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tafl_tests::targets::run("row_lines", data));
