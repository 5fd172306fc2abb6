//! Streams of records: packed or not, in any notation, read in large batches and in small ones.
#![no_main]

mod input;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use tafl_tests::check::check_reading;

/// The size up to which an input is repeated: more than a reader looks at to find out the notation.
const LONG: usize = 20 << 10;

fuzz_target!(|data: &[u8]| {
    let (bytes, format) = input::split(data);
    check_reading("-", bytes, format);
    // Long streams are cut while they are read; short ones are there at once.
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
});
