//! The blocks of files that are kept in memory: of all files together, up to a number of bytes. Blocks that were not read
//! recently are evicted first (the CLOCK algorithm).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use ownedbytes::OwnedBytes;

/// The bytes that a program keeps: everything but the tables of 5 x 10^7 positions. An evicted block is read and
/// checked again in about 20 us.
const KEPT_BYTES: usize = 1 << 30;

/// The cache of all files of the program.
pub(crate) static BLOCK_CACHE: BlockCache = BlockCache::new(KEPT_BYTES);

/// A cache of blocks of a limited size.
#[derive(Debug)]
pub(crate) struct BlockCache {
    limit: usize,
    queue: Mutex<BlockQueue>,
}

/// The kept blocks in the order in which they are considered for eviction.
#[derive(Debug)]
struct BlockQueue {
    blocks: VecDeque<QueuedBlock>,
    bytes: usize,
}

#[derive(Debug)]
struct QueuedBlock {
    file: Weak<FileBlocks>,
    number: usize,
    len: usize,
}

/// The kept blocks of a file.
#[derive(Debug)]
pub(crate) struct FileBlocks {
    cache: &'static BlockCache,
    slots: Box<[Slot]>,
}

#[derive(Debug, Default)]
struct Slot {
    bytes: RwLock<Option<OwnedBytes>>,
    /// Whether it was read since it was last considered for eviction.
    is_used: AtomicBool,
}

impl BlockCache {
    /// Returns an empty cache for a number of bytes.
    pub(crate) const fn new(limit: usize) -> BlockCache {
        BlockCache { limit, queue: Mutex::new(BlockQueue { blocks: VecDeque::new(), bytes: 0 }) }
    }

    /// Adds a block, and evicts others if there are too many bytes.
    fn add(&self, block: QueuedBlock) {
        // Files that were closed in the meantime are dropped after the lock, because that takes it again.
        let mut files = Vec::new();
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.bytes += block.len;
        queue.blocks.push_back(block);
        // Every block has a second chance, so two rounds suffice.
        for _ in 0..2 * queue.blocks.len() {
            if queue.bytes <= self.limit {
                break;
            }
            let Some(block) = queue.blocks.pop_front() else { break };
            let Some(file) = block.file.upgrade() else {
                // The file is being closed: it removes only its blocks that are in the queue.
                queue.bytes -= block.len;
                continue;
            };
            let slot = &file.slots[block.number];
            if slot.is_used.swap(false, Ordering::Relaxed) {
                queue.blocks.push_back(block);
            } else {
                *slot.bytes.write().unwrap_or_else(PoisonError::into_inner) = None;
                queue.bytes -= block.len;
            }
            files.push(file);
        }
        drop(queue);
        drop(files);
    }
}

impl FileBlocks {
    /// Returns the blocks of a file with `n_blocks` blocks, none of which is kept yet.
    pub(crate) fn new(n_blocks: usize, cache: &'static BlockCache) -> Arc<FileBlocks> {
        Arc::new(FileBlocks { cache, slots: (0..n_blocks).map(|_| Slot::default()).collect() })
    }

    /// Returns a block, if it is kept.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<OwnedBytes> {
        let slot = &self.slots[number];
        let bytes = slot.bytes.read().unwrap_or_else(PoisonError::into_inner).clone();
        if bytes.is_some() && !slot.is_used.load(Ordering::Relaxed) {
            slot.is_used.store(true, Ordering::Relaxed);
        }
        bytes
    }

    /// Keeps a block, and returns it.
    pub(crate) fn keep(self: &Arc<FileBlocks>, number: usize, bytes: Vec<u8>) -> OwnedBytes {
        let (len, bytes) = (bytes.len(), OwnedBytes::new(bytes));
        {
            let mut kept = self.slots[number].bytes.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = &*kept {
                return known.clone();
            }
            *kept = Some(bytes.clone());
        }
        self.cache.add(QueuedBlock { file: Arc::downgrade(self), number, len });
        bytes
    }
}

impl Drop for FileBlocks {
    fn drop(&mut self) {
        let mut queue = self.cache.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = 0;
        queue.blocks.retain(|block| {
            let is_own = std::ptr::eq(block.file.as_ptr(), self);
            bytes += if is_own { block.len } else { 0 };
            !is_own
        });
        queue.bytes -= bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a cache that lives as long as the tests.
    fn cache(limit: usize) -> &'static BlockCache {
        Box::leak(Box::new(BlockCache::new(limit)))
    }

    fn n_kept(cache: &BlockCache) -> (usize, usize) {
        let queue = cache.queue.lock().unwrap();
        (queue.blocks.len(), queue.bytes)
    }

    #[test]
    fn blocks_that_are_not_read_are_evicted_first() {
        let cache = cache(30);
        let (one, other) = (FileBlocks::new(9, cache), FileBlocks::new(9, cache));
        for number in 0..2 {
            assert_eq!(*one.keep(number, vec![number as u8; 10]), vec![number as u8; 10]);
        }
        other.keep(0, vec![7; 10]);
        assert_eq!(n_kept(cache), (3, 30));
        assert!(one.get(0).is_some(), "it is used now");
        other.keep(1, vec![8; 10]);
        assert_eq!(n_kept(cache), (3, 30));
        assert!(one.get(0).is_some() && one.get(1).is_none(), "the block that was not read is evicted");
        assert_eq!(*other.get(0).unwrap(), [7; 10]);
        // An evicted block stays readable where it is in use.
        let held = other.get(1).unwrap();
        (2..9).for_each(|number| drop(other.keep(number, vec![9; 10])));
        assert_eq!(*held, [8; 10]);
        assert_eq!(n_kept(cache), (3, 30));
    }

    #[test]
    fn blocks_of_closed_files_count_no_more() {
        let cache = cache(1000);
        let (one, other) = (FileBlocks::new(2, cache), FileBlocks::new(1, cache));
        one.keep(0, vec![1; 10]);
        other.keep(0, vec![2; 20]);
        one.keep(1, vec![3; 30]);
        drop(one);
        assert_eq!(n_kept(cache), (1, 20));
        assert!(other.get(0).is_some());
    }

    #[test]
    fn the_bytes_of_a_block_of_a_file_that_is_being_closed_are_subtracted() {
        let cache = cache(30);
        cache.add(QueuedBlock { file: Weak::new(), number: 0, len: 20 });
        let file = FileBlocks::new(1, cache);
        file.keep(0, vec![1; 20]);
        assert_eq!(n_kept(cache), (1, 20));
    }

    #[test]
    fn threads_share_a_small_cache() {
        let cache = cache(50);
        let files = [FileBlocks::new(20, cache), FileBlocks::new(20, cache)];
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let files = &files;
                scope.spawn(move || {
                    for nth in 0..2000usize {
                        let (file, number) = (&files[nth % 2], (nth * 7 + seed) % 20);
                        let expected = vec![(nth % 2 * 100 + number) as u8; 10];
                        let found = file.get(number).unwrap_or_else(|| file.keep(number, expected.clone()));
                        assert_eq!(*found, expected);
                    }
                });
            }
        });
        let (_, bytes) = n_kept(cache);
        assert!(bytes <= 50, "{bytes}");
    }
}
