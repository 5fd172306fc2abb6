//! The lines of a tree: the place of each node, and the order of the variations.

use std::collections::HashMap;

use crate::record::{LineBranch, MoveLine, MoveLineId, MovePlace, Record, Variations, WrittenMove};

/// A place in a tree while it is read.
#[derive(Debug, Clone, Copy)]
struct TreePlace {
    line: MoveLineId,
    /// The number of moves of the line up to the current node.
    after: u32,
    /// The number of subtrees of the current node.
    subtrees: u32,
}

/// Adds the moves of a tree to the lines of a record.
pub(super) struct LineBuilder<'r> {
    pub(super) record: &'r mut Record,
    here: TreePlace,
    stack: Vec<TreePlace>,
    /// The number of variations that replace a move of a line.
    siblings: HashMap<(MoveLineId, u32), u32>,
    /// For each line and each of its moves, whether the second player of a turn makes it.
    seconds: Vec<Vec<bool>>,
}

impl<'r> LineBuilder<'r> {
    pub(super) fn new(record: &'r mut Record) -> LineBuilder<'r> {
        let here = TreePlace { line: MoveLineId::MAIN, after: 0, subtrees: 0 };
        LineBuilder { record, here, stack: Vec::new(), siblings: HashMap::new(), seconds: vec![Vec::new()] }
    }

    /// Returns the current line.
    pub(super) fn line(&self) -> MoveLineId {
        self.here.line
    }

    /// Returns the current place.
    pub(super) fn place(&self) -> MovePlace {
        MovePlace { line: self.here.line, after: self.here.after }
    }

    /// Returns whether the current line is the game as played.
    pub(super) fn is_main(&self) -> bool {
        self.here.line == MoveLineId::MAIN
    }

    /// Begins a subtree: the first one of a node continues its line, the others are variations.
    pub(super) fn open(&mut self) {
        let before = self.here;
        self.stack.push(TreePlace { subtrees: before.subtrees + 1, ..before });
        self.here.subtrees = 0;
        if before.subtrees > 0 {
            let number = self
                .siblings
                .entry((before.line, before.after))
                .and_modify(|number| *number += 1)
                .or_insert(1);
            let branch = LineBranch { parent: before.line, at: before.after, number: *number };
            let opens_with_second = self.is_second(before.line, before.after);
            let line = self.record.variations.open(Some(branch), opens_with_second);
            self.here = TreePlace { line, after: 0, subtrees: 0 };
            self.seconds.push(Vec::new());
        }
    }

    /// Ends a subtree.
    pub(super) fn close(&mut self) {
        if let Some(before) = self.stack.pop() {
            self.here = before;
        }
    }

    /// Continues the current line at its end, after a misplaced node.
    pub(super) fn go_to_end(&mut self) {
        let n_moves = self.record.line(self.here.line).moves.len() as u32;
        self.here = TreePlace { after: n_moves, subtrees: 0, ..self.here };
    }

    /// Appends a move to the current line.
    pub(super) fn push(&mut self, mv: WrittenMove) {
        let line = self.here.line;
        let opens_with_second = self.record.line(line).opens_with_second;
        let seconds = &mut self.seconds[line.index()];
        seconds.push(seconds.last().map_or(opens_with_second, |last| last ^ !mv.chained));
        self.record.push_to(line, mv);
        self.here.after = seconds.len() as u32;
    }

    /// Takes back a move if it is the last one of the current line.
    pub(super) fn take_back(&mut self, mv: &WrittenMove) {
        let line = self.here.line;
        if self.record.pop_from(line, |last| last == mv) {
            let seconds = &mut self.seconds[line.index()];
            seconds.pop();
            self.here.after = seconds.len() as u32;
        }
    }

    fn is_second(&self, line: MoveLineId, at: u32) -> bool {
        is_second(self.record.line(line), &self.seconds[line.index()], at)
    }
}

/// Returns whether the second player of a turn makes the move at an index of a line with these [`second_players`], or is
/// to move after the last one.
pub(crate) fn is_second(line: MoveLine<'_>, seconds: &[bool], at: u32) -> bool {
    let next = || seconds.last().map_or(line.opens_with_second, |last| !last);
    seconds.get(at as usize).copied().unwrap_or_else(next)
}

/// For each line of a record and each of its moves, returns whether the second player of a turn makes it, as
/// [`Record::is_second`], but in linear time.
pub(crate) fn second_players(record: &Record) -> Vec<Vec<bool>> {
    let seconds_of = |line: MoveLine<'_>| {
        let mut is_second = line.opens_with_second;
        let moves = line.moves.iter().enumerate();
        let seconds = moves.map(|(nth, mv)| {
            is_second ^= nth > 0 && !mv.chained;
            is_second
        });
        seconds.collect()
    };
    record.lines().map(seconds_of).collect()
}

/// Returns the lines of a record in depth-first order: each variation where it branches off, followed
/// by its own variations.
pub(crate) fn reading_order(record: &Record) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); record.n_lines()];
    for (index, line) in record.lines().enumerate() {
        if let Some(branch) = line.branch.filter(|branch| branch.parent.index() < record.n_lines()) {
            children[branch.parent.index()].push(index);
        }
    }
    let place = |index: &usize| {
        record.line(MoveLineId(*index as u32)).branch.map(|branch| (branch.at, branch.number))
    };
    let mut order = Vec::with_capacity(record.n_lines());
    let mut stack = vec![0];
    while let Some(index) = stack.pop() {
        order.push(index);
        let own = &mut children[index];
        own.sort_by_key(place);
        stack.extend(own.drain(..).rev());
    }
    order
}

/// Puts the lines of a record into a new order, in which each variation follows the line that it branches from.
pub(super) fn reorder(record: &mut Record, order: &[usize]) {
    let mut new_index = vec![0; record.n_lines()];
    for (new, old) in order.iter().enumerate() {
        new_index[*old] = new as u32;
    }
    let moved = |line: MoveLineId| MoveLineId(new_index[line.index()]);
    let variations = order.iter().filter_map(|line| line.checked_sub(1));
    let mut variations: Variations = record.variations.selected(variations);
    variations.for_each_branch(|branch| branch.parent = moved(branch.parent));
    record.variations = variations;
    record.comments.places_mut().for_each(|place| place.line = moved(place.line));
    record.clocks.iter_mut().for_each(|clock| clock.place.line = moved(clock.place.line));
}

/// Returns the order of lines with written indices, or `None` if they are incomplete or contradict the tree.
pub(super) fn written_order(record: &Record, indices: &HashMap<MoveLineId, usize>) -> Option<Vec<usize>> {
    let mut order = vec![usize::MAX; record.n_lines()];
    *order.first_mut()? = 0;
    let mut new_index = vec![0; record.n_lines()];
    for (old, index) in new_index.iter_mut().enumerate().skip(1) {
        let new = *indices.get(&MoveLineId(old as u32))?;
        if new == 0 || *order.get(new)? != usize::MAX {
            return None;
        }
        order[new] = old;
        *index = new;
    }
    let follows = |(old, line): (usize, MoveLine<'_>)| {
        line.branch.is_none_or(|branch| new_index[branch.parent.index()] < new_index[old])
    };
    record.lines().enumerate().all(follows).then_some(order)
}
