//! The target `conversation` of `tests/fuzz/conversation.rs`.
#![no_main]

#[path = "../conversation.rs"]
mod conversation;

libfuzzer_sys::fuzz_target!(|data: &[u8]| conversation::run_session(data));
