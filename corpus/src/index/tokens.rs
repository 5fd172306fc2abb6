//! What is true somewhere in a block, collected position by position.

use crate::moment::Moment;

/// The tokens of a block while it is read: each once.
#[derive(Debug, Default)]
pub(super) struct BlockTokens {
    seen: Vec<u64>,
    list: Vec<u64>,
    found: Vec<u64>,
}

impl BlockTokens {
    /// Adds what is true in a position.
    pub(super) fn add(&mut self, moment: &Moment) {
        codes_of(moment, &mut self.found);
        for code in self.found.drain(..) {
            let local = (code & 0xffff_ffff) as usize;
            if self.seen.len() <= local / 64 {
                self.seen.resize(local / 64 + 1, 0);
            }
            if self.seen[local / 64] >> (local % 64) & 1 == 0 {
                self.seen[local / 64] |= 1 << (local % 64);
                self.list.push(code);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn drain(&mut self, mut take: impl FnMut(u64)) {
        for code in self.list.drain(..) {
            self.seen[(code & 0xffff_ffff) as usize / 64] = 0;
            take(code);
        }
    }
}

fn codes_of(moment: &Moment, out: &mut Vec<u64>) {
    let shape = (moment.shape().n_cells() as u64) << 32;
    for (cell, content) in moment.board().iter().enumerate() {
        out.push(shape | (cell as u64 * 16 + u64::from(content.code())));
    }
    let other = |kind: u64, value: u64| 8192 + kind * 512 + value;
    for event in moment.facts.events.iter() {
        out.push(other(0, event as u64));
    }
    for (side, king) in [(0, moment.facts.kings.attackers), (1, moment.facts.kings.defenders)] {
        if let Some(king) = king {
            out.push(other(1 + side, u64::from(king.distance)));
            out.push(other(3 + side, u64::from(king.lines)));
            out.push(other(5 + side, u64::from(king.in_danger)));
            out.push(other(7 + side, u64::from(king.cordoned)));
        }
    }
    if let Some(mv) = moment.last {
        out.push(shape | other(9, mv.from.index() as u64));
        out.push(shape | other(10, mv.to.index() as u64));
    }
    for kind in 0..13u64 {
        let content = crate::moment::Content::COUNT as u64;
        let _ = content;
        let _ = kind;
    }
}
