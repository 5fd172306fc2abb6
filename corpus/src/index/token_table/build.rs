//! Building of token tables.

use xxhash_rust::xxh3::xxh3_64;

use super::{HEADER, ListForm, MAGIC, VERSION, rice_bits};
use crate::binary::put_varint;
use crate::index::head_checksum;
use crate::index::rice::BitWriter;

/// A builder of a token table.
#[derive(Debug, Default)]
pub(in crate::index) struct TokenTableBuilder {
    shapes: Vec<ShapeTokens>,
}

/// The tokens of the blocks of a shape.
#[derive(Debug)]
pub(in crate::index) struct ShapeTokens {
    shape: u32,
    n_blocks: u32,
    /// The number in `tokens` of each code, plus one, in pages that are allocated for their first code.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    /// Codes, with a bit for each block; the last words may be missing.
    tokens: Vec<(u32, Vec<u64>)>,
}

/// The number of codes of a page.
const PAGE: usize = 256;

impl TokenTableBuilder {
    /// Returns the tokens of the blocks of a shape.
    pub(in crate::index) fn of_shape(&mut self, shape: u32) -> &mut ShapeTokens {
        let at = self.shapes.iter().position(|known| known.shape == shape).unwrap_or_else(|| {
            self.shapes.push(ShapeTokens { shape, n_blocks: 0, pages: Vec::new(), tokens: Vec::new() });
            self.shapes.len() - 1
        });
        &mut self.shapes[at]
    }

    /// Returns the bytes of the file.
    pub(in crate::index) fn finish(mut self) -> Vec<u8> {
        self.shapes.sort_by_key(|shape| shape.shape);
        let (mut head, mut directory, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        head.extend(MAGIC);
        [VERSION, self.shapes.len() as u32, 0, 0].iter().for_each(|n| head.extend(n.to_le_bytes()));
        for shape in &mut self.shapes {
            let n_tokens = shape.tokens.len() as u32;
            [shape.shape, shape.n_blocks, n_tokens].iter().for_each(|n| head.extend(n.to_le_bytes()));
            shape.tokens.sort_by_key(|(code, _)| *code);
            let mut before = 0;
            for (code, bits) in &shape.tokens {
                let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
                let (form, list) = packed(bits, count, shape.n_blocks);
                let len = if list.is_empty() { 0 } else { list.len() + 4 };
                put_varint(&mut directory, u64::from(code - before));
                put_varint(&mut directory, u64::from(count));
                put_varint(&mut directory, (len as u64) << 2 | form as u64);
                if !list.is_empty() {
                    lists.extend((xxh3_64(&list) as u32).to_le_bytes());
                    lists.extend(list);
                }
                before = *code;
            }
        }
        head[16..20].copy_from_slice(&(directory.len() as u32).to_le_bytes());
        head.extend(directory);
        let sum = head_checksum(&head, HEADER);
        head[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
        head.extend(lists);
        head
    }
}

impl ShapeTokens {
    /// Begins a block, to which the tokens of its positions are added.
    pub(in crate::index) fn begin_block(&mut self) {
        self.n_blocks += 1;
    }

    /// Adds a token to the block that was begun last.
    #[inline]
    pub(in crate::index) fn add(&mut self, code: u32) {
        let (page, at) = (code as usize / PAGE, code as usize % PAGE);
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        let slot = &mut self.pages[page].get_or_insert_with(|| Box::new([0; PAGE]))[at];
        if *slot == 0 {
            self.tokens.push((code, Vec::new()));
            *slot = self.tokens.len() as u32;
        }
        let bits = &mut self.tokens[*slot as usize - 1].1;
        let block = self.n_blocks as usize - 1;
        if bits.len() <= block / 64 {
            bits.resize(block / 64 + 1, 0);
        }
        bits[block / 64] |= 1 << (block % 64);
    }
}

/// Returns the form of a list, and its bytes. Bits are read many times as fast, so Rice codes must be a third shorter:
/// that costs 0.4 bytes per position of ten million, and spares 40 of 100 codes.
fn packed(bits: &[u64], count: u32, n_blocks: u32) -> (ListForm, Vec<u8>) {
    let is_frequent = count > n_blocks / 2;
    let (form, n) =
        if is_frequent { (ListForm::Lacking, n_blocks - count) } else { (ListForm::Having, count) };
    let rice_bits = rice_bits(n, n_blocks);
    let mut list = Vec::new();
    let mut writer = BitWriter::new(&mut list);
    let mut next = 0;
    for at in 0..n_blocks.div_ceil(64) {
        let word = bits.get(at as usize).copied().unwrap_or(0);
        let mut left = if is_frequent { !word } else { word };
        while left != 0 {
            let block = 64 * at + left.trailing_zeros();
            left &= left - 1;
            if block >= n_blocks {
                break;
            }
            writer.rice(u64::from(block - next), rice_bits);
            next = block + 1;
        }
    }
    writer.finish();
    let n_bytes = n_blocks.div_ceil(8) as usize;
    if list.len() <= n_bytes * 2 / 3 {
        return (form, list);
    }
    let bytes = bits.iter().flat_map(|word| word.to_le_bytes()).chain(std::iter::repeat(0));
    (ListForm::Bits, bytes.take(n_bytes).collect())
}
