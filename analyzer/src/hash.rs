//! Hashes of bytes and mixed numbers, the same on every machine.

/// What SplitMix64 adds from step to step.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the FNV-1a hash of bytes: a short name for them, enough to notice that a file is damaged.
///
/// See <https://en.wikipedia.org/wiki/Fowler-Noll-Vo_hash_function>.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns what SplitMix64 gives out in a state; the next state is greater by [`STEP`].
///
/// See <https://prng.di.unimi.it/splitmix64.c>.
pub(crate) const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_authors() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(split_mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split_mix(STEP), 0x6e78_9e6a_a1b9_65f4);
    }
}
