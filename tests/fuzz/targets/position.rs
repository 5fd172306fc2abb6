//! Position records for every board: what reads is the same when it is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tafl_tests::check::check_position_record;

fuzz_target!(|text: &str| check_position_record(text));
