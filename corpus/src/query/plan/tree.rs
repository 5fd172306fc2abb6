//! Questions as trees of two kinds: what one moment shows, and what takes a whole game.

use super::test::Check;
use crate::query::number::Comparison;

/// What holds at the moments of a game.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// What each moment shows by itself; the number of its set of plies.
    Local(usize, Local),
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Then(Box<Node>, Box<Node>, Option<u32>),
    Before(Box<Node>, Box<Node>, Option<u32>),
    Ever(Box<Node>),
    Never(Box<Node>),
    Count(Box<Node>, Comparison, u32),
    First(Box<Node>),
    Last(Box<Node>),
}

/// What one moment shows.
#[derive(Debug, Clone)]
pub(super) enum Local {
    Constant(bool),
    /// The number of a condition on the game.
    Game(usize),
    Check(Check),
    All(Vec<Local>),
    Any(Vec<Local>),
    Not(Box<Local>),
}

impl Local {
    /// Returns how long a test takes, roughly: cheap ones go first.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Local::Constant(_) | Local::Game(_) => 0,
            Local::Check(check) => check.cost(),
            Local::All(parts) | Local::Any(parts) => 1 + parts.iter().map(Local::cost).max().unwrap_or(0),
            Local::Not(part) => part.cost(),
        }
    }

    /// Returns whether this can hold at all in a game of which so much is true.
    pub(super) fn bounds(&self, truth: &[bool]) -> Bounds {
        match self {
            Local::Constant(holds) => Bounds::known(*holds),
            Local::Game(number) => Bounds::known(truth[*number]),
            Local::Check(_) => Bounds { can_hold: true, can_fail: true },
            Local::All(parts) => Bounds::all(parts.iter().map(|part| part.bounds(truth))),
            Local::Any(parts) => {
                Bounds::all(parts.iter().map(|part| part.bounds(truth).inverted())).inverted()
            }
            Local::Not(part) => part.bounds(truth).inverted(),
        }
    }
}

impl Node {
    /// Returns whether this can hold at any moment, or fail, in a game of which so much is true.
    pub(super) fn bounds(&self, truth: &[bool]) -> Bounds {
        match self {
            Node::Local(_, local) => local.bounds(truth),
            Node::All(parts) => Bounds::all(parts.iter().map(|part| part.bounds(truth))),
            Node::Any(parts) => {
                Bounds::all(parts.iter().map(|part| part.bounds(truth).inverted())).inverted()
            }
            Node::Not(part) => part.bounds(truth).inverted(),
            Node::Then(first, last, _) | Node::Before(first, last, _) => {
                let can_hold = first.bounds(truth).can_hold && last.bounds(truth).can_hold;
                Bounds { can_hold, can_fail: true }
            }
            Node::Ever(part) => part.bounds(truth),
            Node::Never(part) => part.bounds(truth).inverted(),
            Node::Count(part, comparison, number) => {
                let never = !part.bounds(truth).can_hold;
                let of_none = comparison.holds(0, *number);
                Bounds { can_hold: !never || of_none, can_fail: !never || !of_none }
            }
            Node::First(part) | Node::Last(part) => {
                Bounds { can_hold: part.bounds(truth).can_hold, can_fail: true }
            }
        }
    }

    /// Calls `visit` for everything that single moments show.
    pub(super) fn each_local<'n>(&'n self, visit: &mut dyn FnMut(usize, &'n Local)) {
        match self {
            Node::Local(number, local) => visit(*number, local),
            Node::All(parts) | Node::Any(parts) => parts.iter().for_each(|part| part.each_local(visit)),
            Node::Not(part)
            | Node::Ever(part)
            | Node::Never(part)
            | Node::Count(part, ..)
            | Node::First(part)
            | Node::Last(part) => part.each_local(visit),
            Node::Then(first, last, _) | Node::Before(first, last, _) => {
                first.each_local(visit);
                last.each_local(visit);
            }
        }
    }
}

/// What is possible for a part of a question in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// It may hold at some moment.
    pub(super) can_hold: bool,
    /// It may fail at some moment.
    pub(super) can_fail: bool,
}

impl Bounds {
    fn known(holds: bool) -> Bounds {
        Bounds { can_hold: holds, can_fail: !holds }
    }

    fn inverted(self) -> Bounds {
        Bounds { can_hold: self.can_fail, can_fail: self.can_hold }
    }

    fn all(parts: impl Iterator<Item = Bounds>) -> Bounds {
        parts.fold(Bounds::known(true), |all, part| Bounds {
            can_hold: all.can_hold && part.can_hold,
            can_fail: all.can_fail || part.can_fail,
        })
    }
}
