//! Records that were read in any notation, written in every other one and read again.
#![no_main]

mod input;

use libfuzzer_sys::fuzz_target;
use tafl_tests::check::{check_record, check_writing};

fuzz_target!(|data: &[u8]| {
    let (text, format) = input::text(data);
    check_writing(&check_record(format, &text).value);
});
