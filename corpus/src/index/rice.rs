//! Rice codes: a quotient as zeros and a one, then the low bits of the number. They are short for numbers near a mean.

/// A writer of bits into bytes, the low bits first.
pub(super) struct BitWriter<'o> {
    out: &'o mut Vec<u8>,
    word: u64,
    used: u32,
}

impl<'o> BitWriter<'o> {
    /// Returns a writer that appends to `out`.
    pub(super) fn new(out: &'o mut Vec<u8>) -> BitWriter<'o> {
        BitWriter { out, word: 0, used: 0 }
    }

    /// Appends a number as a Rice code with `rice_bits` low bits, at most 55.
    pub(super) fn rice(&mut self, number: u64, rice_bits: u32) {
        self.zeros(number >> rice_bits);
        self.put(1 | (number & ((1 << rice_bits) - 1)) << 1, rice_bits + 1);
    }

    /// Appends the low bits of a number; at most 56.
    fn put(&mut self, value: u64, n: u32) {
        self.word |= value << self.used;
        self.used += n;
        while self.used >= 8 {
            self.out.push(self.word as u8);
            self.word >>= 8;
            self.used -= 8;
        }
    }

    fn zeros(&mut self, mut n: u64) {
        while n > 0 {
            let some = n.min(32);
            self.put(0, some as u32);
            n -= some;
        }
    }

    /// Writes the last bits. The rest of the last byte is zeros.
    pub(super) fn finish(self) {
        if self.used > 0 {
            self.out.push(self.word as u8);
        }
    }
}

/// A reader of the bits of a [`BitWriter`].
pub(super) struct BitReader<'b> {
    bytes: &'b [u8],
    /// The number of the next bit.
    at: usize,
}

impl<'b> BitReader<'b> {
    /// Returns a reader from the first bit on.
    pub(super) fn new(bytes: &'b [u8]) -> BitReader<'b> {
        BitReader { bytes, at: 0 }
    }

    /// Returns the next bits, at least 57 of them, with zeros after the end.
    #[inline]
    fn window(&self) -> u64 {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let word = match rest.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        word >> (self.at % 8)
    }

    /// Reads a Rice code; `None` after the end.
    pub(super) fn rice(&mut self, rice_bits: u32) -> Option<u64> {
        let mut quotient = 0u64;
        let mut zeros = self.window().trailing_zeros();
        while zeros >= 56 {
            if self.at >= 8 * self.bytes.len() {
                return None;
            }
            quotient += 56;
            self.at += 56;
            zeros = self.window().trailing_zeros();
        }
        quotient += u64::from(zeros);
        self.at += zeros as usize + 1;
        let remainder = self.window() & ((1 << rice_bits) - 1);
        self.at += rice_bits as usize;
        quotient.checked_mul(1 << rice_bits).and_then(|high| high.checked_add(remainder))
    }

    /// Reads `n` Rice codes, and passes each number to `take`, until that returns `None`.
    ///
    /// Lists of tokens are long and most codes short, so all codes that fit are taken from the same window: this is
    /// three times as fast as one window for each part of a code.
    pub(super) fn each_rice(
        &mut self,
        n: u32,
        rice_bits: u32,
        mut take: impl FnMut(u64) -> Option<()>,
    ) -> Option<()> {
        /// The number of bits that a window has at least.
        const WINDOW: u32 = 57;
        let mask = (1 << rice_bits) - 1;
        let mut left = n;
        while left > 0 {
            let (mut window, mut used) = (self.window(), 0);
            while left > 0 {
                let quotient = window.trailing_zeros();
                let len = quotient + 1 + rice_bits;
                if used + len > WINDOW {
                    break;
                }
                let rest = window >> quotient >> 1;
                take(u64::from(quotient) << rice_bits | (rest & mask))?;
                window = rest >> rice_bits;
                used += len;
                left -= 1;
            }
            self.at += used as usize;
            if left > 0 && used == 0 {
                take(self.rice(rice_bits)?)?;
                left -= 1;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut rng = Rng::new(1);
        for rice_bits in [0, 1, 5, 20] {
            let numbers: Vec<u64> =
                (0..300).map(|_| rng.next_u64() >> (63 - rng.below(rice_bits as usize + 9))).collect();
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            numbers.iter().for_each(|number| writer.rice(*number, rice_bits));
            writer.finish();
            let mut reader = BitReader::new(&bytes);
            let mut read = Vec::new();
            let mut keep = |number: u64| {
                read.push(number);
                Some(())
            };
            let (some, rest) = (100, numbers.len() as u32 - 100);
            assert_eq!(reader.each_rice(some, rice_bits, &mut keep), Some(()));
            assert_eq!(reader.each_rice(rest, rice_bits, &mut keep), Some(()));
            assert_eq!(read, numbers, "{rice_bits}");
            assert_eq!(reader.each_rice(1, rice_bits, |_| Some(())), None, "the bits end");
            assert_eq!(BitReader::new(&bytes).each_rice(some, rice_bits, |_| None), None);
        }
    }
}
