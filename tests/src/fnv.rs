//! The hash FNV-1a, for checksums of files and of results.

/// The hash of no bytes.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns the hash of bytes.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    fnv1a_from(BASIS, bytes)
}

/// Returns the hash of bytes that follow others, given the hash of those.
pub fn fnv1a_from(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_specification() {
        assert_eq!(fnv1a(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a_from(fnv1a(*b"foo"), *b"bar"), fnv1a(*b"foobar"));
    }
}
