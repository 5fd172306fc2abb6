//! Numbers in binary files: little endian with four or eight bytes, and varints (LEB128), which have 7 bits a byte, the low
//! ones first; all bytes but the last have the high bit.

/// Returns the number in the four bytes at a place.
///
/// # Panics
///
/// Panics if there are fewer bytes.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Returns the number in the eight bytes at a place.
///
/// # Panics
///
/// Panics if there are fewer bytes.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Appends a number as a varint.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a varint from the beginning of bytes; `None` if it has no end or too many bits.
pub(crate) fn take_varint(rest: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, others) = rest.split_first()?;
        *rest = others;
        number |= u64::from(byte & 127).checked_shl(shift)?;
        if byte & 128 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_read_as_they_were_written() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| put_varint(&mut bytes, *number));
        assert_eq!(&bytes[..5], [0, 1, 127, 128, 1]);
        let mut rest = &bytes[..];
        assert_eq!(numbers.map(|_| take_varint(&mut rest)), numbers.map(Some));
        assert_eq!((rest.len(), take_varint(&mut rest)), (0, None));
        assert_eq!(take_varint(&mut &[255; 12][..]), None, "it has too many bits");
    }
}
