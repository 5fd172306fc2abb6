//! The records of an evaluation log: a length and a checksum, then the content, which begins with its kind.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::annotate::evaluation::hash;

/// The kind of a record with a context.
pub(super) const CONTEXT: u8 = b'C';
/// The kind of a record with an evaluation.
pub(super) const EVALUATION: u8 = b'E';
/// The kind of a record in the place of damaged ones.
const GAP: u8 = b'X';
/// The maximum length of a record. Rules strings have some hundred bytes, an evaluation with 500
/// lines about 80,000.
const MAX_RECORD: u32 = 1 << 20;
/// The number of bytes of length and checksum.
pub(super) const HEADER: u64 = 12;
/// The number of bytes that are read at once to find the next record after damage.
const SEARCH_BLOCK: usize = 1 << 16;

/// Returns a record as it is written.
pub(super) fn record(body: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(HEADER as usize + body.len());
    record.extend_from_slice(&(body.len() as u32).to_le_bytes());
    record.extend_from_slice(&hash(body).to_le_bytes());
    record.extend_from_slice(body);
    record
}

/// Reads the next record; `None` at the end of the file or if the record is incomplete or damaged.
pub(super) fn next_record(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEADER as usize];
    if !fill(reader, &mut head)? {
        return Ok(None);
    }
    let (length, checksum) = head.split_at(4);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes are four bytes"));
    let checksum = u64::from_le_bytes(checksum.try_into().expect("eight bytes are eight bytes"));
    if length > MAX_RECORD {
        return Ok(None);
    }
    let mut body = vec![0; length as usize];
    let is_whole = fill(reader, &mut body)? && hash(&body) == checksum;
    Ok(is_whole.then_some(body))
}

/// Fills the buffer and returns whether there were enough bytes.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the offset of the first intact record after `bad`, where a record is incomplete or damaged.
pub(super) fn next_intact_record(file: &File, bad: u64, size: u64) -> io::Result<Option<u64>> {
    let mut block = vec![0; SEARCH_BLOCK];
    let mut from = bad + 1;
    while from + HEADER < size {
        let (mut reader, wanted) = (file, block.len().min((size - from) as usize));
        reader.seek(SeekFrom::Start(from))?;
        if !fill(&mut reader, &mut block[..wanted])? {
            return Ok(None);
        }
        // The length and the kind rule out nearly all other places before a checksum is computed.
        for (at, start) in block[..wanted].windows(HEADER as usize + 1).enumerate() {
            let length = u32::from_le_bytes(*start.first_chunk().expect("a header has a length"));
            let (kind, at) = (start[HEADER as usize], from + at as u64);
            let is_possible = matches!(kind, CONTEXT | EVALUATION | GAP)
                && (1..=MAX_RECORD).contains(&length)
                && at + HEADER + u64::from(length) <= size;
            if is_possible {
                reader.seek(SeekFrom::Start(at))?;
                if next_record(&mut reader)?.is_some() {
                    return Ok(Some(at));
                }
            }
        }
        from += (wanted - HEADER as usize) as u64;
    }
    Ok(None)
}
