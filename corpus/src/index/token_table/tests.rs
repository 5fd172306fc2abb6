//! Token tables have exactly the blocks that were added.

use std::collections::BTreeMap;

use tafl_rules::Rng;
use tantivy::directory::FileSlice;

use super::{ListForm, TokenTable, TokenTableBuilder};
use crate::index::IndexError;
use crate::index::block_order::BlockOrder;

/// Two shapes with their numbers of blocks.
const BLOCKS: [(u32, u32); 2] = [(14, 700), (23, 130)];

/// The tokens: in all blocks, in none but one, in runs, and at random with different frequencies.
const CODES: [u32; 7] = [3, 0x1_0000, 0x1_0005, 0x7_0001, 0x7_0002, 0x7_0003, 0xa_0070];

/// The places of tokens, by shape and code.
type PlacesOfTokens = BTreeMap<(u32, u32), Vec<u32>>;

fn has(rng: &mut Rng, code: u32, block: u32) -> bool {
    match CODES.iter().position(|known| *known == code) {
        Some(0) => true,
        Some(1) => block == 100,
        Some(2) => block / 50 % 2 == 1,
        Some(3) => rng.below(2) == 0,
        Some(4) => rng.below(30) == 0,
        Some(5) => rng.below(30) > 0,
        _ => rng.below(8) == 0,
    }
}

/// Returns the bytes of a table, and the places of each token in each shape.
fn table(seed: u64) -> (Vec<u8>, PlacesOfTokens) {
    let (mut rng, mut builder) = (Rng::new(seed), TokenTableBuilder::default());
    let mut wanted = PlacesOfTokens::new();
    let mut firsts = BLOCKS.map(|_| 0);
    firsts[1] = BLOCKS[0].1.next_multiple_of(64);
    // The blocks of both shapes alternate until one has no more.
    for block in 0..BLOCKS[0].1 {
        for ((shape, n_blocks), first) in BLOCKS.iter().zip(firsts).filter(|((_, n), _)| block < *n) {
            let tokens = builder.of_shape(*shape);
            tokens.begin_block();
            for code in CODES {
                if has(&mut rng, code, block) {
                    tokens.add(code);
                    tokens.add(code);
                    wanted.entry((*shape, code)).or_default().push(first + block);
                }
            }
            assert!(block < *n_blocks);
        }
    }
    (builder.finish(), wanted)
}

fn open(bytes: &[u8]) -> Result<TokenTable, IndexError> {
    TokenTable::open(FileSlice::from(bytes.to_vec()), &BlockOrder::of_counts(&BLOCKS))
}

#[test]
fn a_table_has_exactly_the_blocks_of_each_token() {
    let (bytes, wanted) = table(1);
    let table = open(&bytes).unwrap();
    let len = BlockOrder::of_counts(&BLOCKS).len();
    let mut forms = Vec::new();
    for ((shape, code), places) in &wanted {
        let token = u64::from(*shape) << 32 | u64::from(*code);
        assert_eq!(table.places(token, len).unwrap().iter().collect::<Vec<u32>>(), *places, "{code:x}");
        let frequency = table.frequency(token);
        assert_eq!(frequency.n_blocks as usize, places.len());
        assert!(BLOCKS.contains(&(*shape, frequency.n_possible)));
        forms.extend(table.lists(token).map(|(_, entry)| entry.form));
    }
    assert!(ListForm::ALL.iter().all(|form| forms.contains(form)), "{forms:?}");
    for code in CODES {
        let of_both = BLOCKS.iter().filter_map(|(shape, _)| wanted.get(&(*shape, code)));
        let places: Vec<u32> = of_both.flatten().copied().collect();
        assert_eq!(table.places(code.into(), len).unwrap().iter().collect::<Vec<u32>>(), places);
        assert_eq!(table.frequency(code.into()).n_blocks as usize, places.len());
    }
    assert!(table.places(4, len).unwrap().is_empty());
    assert!(table.places(15 << 32 | 3, len).unwrap().is_empty());
}

#[test]
fn every_changed_byte_is_an_error() {
    let (sound, _) = table(2);
    let len = BlockOrder::of_counts(&BLOCKS).len();
    let read = |bytes: &[u8]| -> Result<(), IndexError> {
        let table = open(bytes)?;
        CODES.iter().try_for_each(|code| table.places((*code).into(), len).map(|_| ()))
    };
    assert!(read(&sound).is_ok());
    for at in 0..sound.len() {
        let mut changed = sound.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(read(&changed).is_err(), "byte {at}");
        assert!(read(&sound[..at]).is_err(), "the first {at} bytes");
    }
}

#[test]
fn other_versions_and_other_move_logs_are_rejected() {
    let (sound, _) = table(3);
    let mut newer = sound.clone();
    newer[8] += 1;
    assert!(matches!(open(&newer), Err(IndexError::Schema)));
    for other in [&BLOCKS[..1], &[(14, 701), (23, 130)], &[(14, 700), (23, 130), (9, 1)]] {
        let opened = TokenTable::open(FileSlice::from(sound.clone()), &BlockOrder::of_counts(other));
        assert!(matches!(opened, Err(IndexError::OtherMoveLog)));
    }
}
