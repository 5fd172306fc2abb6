//! Replay of arbitrary records, with and without a hint: every ply of a replay is legal, whatever was written.
#![no_main]

mod input;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use tafl_parser::replay::Choice;
use tafl_parser::{ReplayOptions, Replayer};
use tafl_rules::catalog;
use tafl_tests::check::{check_record, check_replay};

/// How many inputs share the replayers: making them is slower than replaying, and what they keep must not count.
const SHARED: u32 = 5000;

fn replayers() -> [Replayer; 2] {
    let hint = catalog::find("copenhagen").map(Choice::named);
    let hinted = ReplayOptions { hint, count_moves: true, ..ReplayOptions::default() };
    [Replayer::new(ReplayOptions::default()), Replayer::new(hinted)]
}

thread_local! {
    static REPLAYERS: RefCell<(u32, [Replayer; 2])> = RefCell::new((0, replayers()));
}

fuzz_target!(|data: &[u8]| {
    let (text, format) = input::text(data);
    let record = check_record(format, &text).value;
    REPLAYERS.with_borrow_mut(|(used, shared)| {
        *used += 1;
        if *used > SHARED {
            (*used, *shared) = (0, replayers());
        }
        for replayer in shared {
            check_replay(replayer, &record, &text);
        }
    });
});
