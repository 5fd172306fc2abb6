//! Rules, positions, games, and records.

use std::cell::RefCell;
use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use tafl_parser::{Format, ReplayOptions, Replayer, RuleChoice, detect};
use tafl_rules::{Rng, RuleSet, catalog};

use crate::check::{
    Bytes, check_position_record, check_reading, check_record, check_replay, check_rules_string,
    check_writing, play_with_mirror,
};
use crate::random::random_rules;

/// Returns the format that a final byte forces. Texts never end with these bytes, so every text is a plain input.
fn forced(last: u8) -> Option<Format> {
    let nth = match last {
        0xf0..=0xff => last - 0xf0,
        0xe0..=0xef => last - 0xe0 + 16,
        _ => return None,
    };
    Format::ALL.get(usize::from(nth)).copied()
}

/// Splits an input into its bytes and the format that a final byte forces.
fn split(data: &[u8]) -> (&[u8], Option<Format>) {
    match data {
        [text @ .., last] if forced(*last).is_some() => (text, forced(*last)),
        text => (text, None),
    }
}

/// Returns an input as text, with its forced or detected format.
fn text(data: &[u8]) -> (String, Format) {
    let (bytes, format) = split(data);
    let format = format.or_else(|| detect(bytes, None).first().copied()).unwrap_or(Format::MoveList);
    (String::from_utf8_lossy(bytes).into_owned(), format)
}

/// Rules strings: valid ones survive writing and reading, and can be played.
pub(super) fn rules_string(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        check_rules_string(text, &mut Rng::new(data.len() as u64));
    }
}

/// Position records for every board: valid ones survive writing and reading.
pub(super) fn position(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        check_position_record(text);
    }
}

/// Games from bytes: the first ones choose the rules, the others legal and illegal moves.
pub(super) fn game(data: &[u8]) {
    static KNOWN: OnceLock<Vec<RuleSet>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| catalog::all().map(|variant| variant.rules()).collect());
    let [high, low, choices @ ..] = data else { return };
    let number = usize::from(u16::from_be_bytes([*high, *low]));
    let rules = match known.get(number) {
        Some(rules) => rules.clone(),
        None => random_rules(&mut Rng::new(number as u64)),
    };
    play_with_mirror(&rules, choices.len(), &mut Bytes(choices));
}

/// The size to which an input is repeated: more than a reader needs to detect the notation.
const LONG: usize = 20 << 10;

/// Streams of records: compressed or not, in any notation, read in large and in small batches.
pub(super) fn records(data: &[u8]) {
    let (bytes, format) = split(data);
    check_reading("-", bytes, format);
    // Long streams arrive in pieces; short ones arrive at once.
    if bytes.len() % 8 == 1 {
        let long = bytes.repeat(LONG / bytes.len() + 1);
        check_reading("-", &long, format);
    }
    if bytes.len() % 8 == 2 {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(bytes).expect("bytes in memory can be written");
        let packed = packer.finish().expect("bytes in memory can be written");
        check_reading("-", &packed, format);
        check_reading("-", &packed[..packed.len() - packed.len() / 3], format);
    }
}

/// The number of inputs that share the replayers: creating them is slower than replaying, and their state must not
/// change the results.
const SHARED: u32 = 5000;

fn replayers() -> [Replayer; 2] {
    let hint = catalog::find("copenhagen").map(RuleChoice::named);
    let hinted = ReplayOptions { hint, count_moves: true, ..ReplayOptions::default() };
    [Replayer::new(ReplayOptions::default()), Replayer::new(hinted)]
}

thread_local! {
    static REPLAYERS: RefCell<(u32, [Replayer; 2])> = RefCell::new((0, replayers()));
}

/// Replay of arbitrary records, with and without a hint: every ply of a replay is legal, whatever was written.
pub(super) fn replay(data: &[u8]) {
    let (text, format) = text(data);
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
}

/// Records parsed from any notation, written in every other one, and parsed again.
pub(super) fn writers(data: &[u8]) {
    let (text, format) = text(data);
    check_writing(&check_record(format, &text).value);
}
