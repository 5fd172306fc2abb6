//! The trees of plans: tests of single positions, and nodes that need a whole game.

use super::test::CompiledTest;
use crate::query::number::Comparison;

/// A node of a plan, which holds at a set of positions of a game.
#[derive(Debug, Clone)]
pub(super) enum PlanNode {
    /// A test of single positions, with the number of its set of plies.
    Local(usize, LocalTest),
    All(Vec<PlanNode>),
    Any(Vec<PlanNode>),
    Not(Box<PlanNode>),
    Then(Box<PlanNode>, Box<PlanNode>, Option<u32>),
    Before(Box<PlanNode>, Box<PlanNode>, Option<u32>),
    Ever(Box<PlanNode>),
    Never(Box<PlanNode>),
    Count(Box<PlanNode>, Comparison, u32),
    First(Box<PlanNode>),
    Last(Box<PlanNode>),
}

/// A test of a single position.
#[derive(Debug, Clone)]
pub(super) enum LocalTest {
    Constant(bool),
    /// The number of a condition on the game.
    Game(usize),
    Test(CompiledTest),
    All(Vec<LocalTest>),
    Any(Vec<LocalTest>),
    Not(Box<LocalTest>),
}

impl LocalTest {
    /// Returns the relative cost of a test; cheap tests run first.
    pub(super) fn cost(&self) -> u32 {
        match self {
            LocalTest::Constant(_) | LocalTest::Game(_) => 0,
            LocalTest::Test(check) => check.cost(),
            LocalTest::All(parts) | LocalTest::Any(parts) => {
                1 + parts.iter().map(LocalTest::cost).max().unwrap_or(0)
            }
            LocalTest::Not(part) => part.cost(),
        }
    }

    /// Returns whether the test can hold or fail in a game with this truth of its conditions.
    pub(super) fn bounds(&self, truth: &[bool]) -> Bounds {
        match self {
            LocalTest::Constant(holds) => Bounds::known(*holds),
            LocalTest::Game(number) => Bounds::known(truth[*number]),
            LocalTest::Test(_) => Bounds { can_hold: true, can_fail: true },
            LocalTest::All(parts) => Bounds::all(parts.iter().map(|part| part.bounds(truth))),
            LocalTest::Any(parts) => {
                Bounds::all(parts.iter().map(|part| part.bounds(truth).inverted())).inverted()
            }
            LocalTest::Not(part) => part.bounds(truth).inverted(),
        }
    }
}

impl PlanNode {
    /// Returns whether the node can hold or fail at any position of a game with this truth of its conditions.
    pub(super) fn bounds(&self, truth: &[bool]) -> Bounds {
        match self {
            PlanNode::Local(_, local) => local.bounds(truth),
            PlanNode::All(parts) => Bounds::all(parts.iter().map(|part| part.bounds(truth))),
            PlanNode::Any(parts) => {
                Bounds::all(parts.iter().map(|part| part.bounds(truth).inverted())).inverted()
            }
            PlanNode::Not(part) => part.bounds(truth).inverted(),
            PlanNode::Then(first, last, _) | PlanNode::Before(first, last, _) => {
                let can_hold = first.bounds(truth).can_hold && last.bounds(truth).can_hold;
                Bounds { can_hold, can_fail: true }
            }
            PlanNode::Ever(part) => part.bounds(truth),
            PlanNode::Never(part) => part.bounds(truth).inverted(),
            PlanNode::Count(part, comparison, number) => {
                let never = !part.bounds(truth).can_hold;
                let of_none = comparison.holds(0, *number);
                Bounds { can_hold: !never || of_none, can_fail: !never || !of_none }
            }
            PlanNode::First(part) | PlanNode::Last(part) => {
                Bounds { can_hold: part.bounds(truth).can_hold, can_fail: true }
            }
        }
    }

    /// Calls `visit` for every test of single positions.
    pub(super) fn each_local<'n>(&'n self, visit: &mut dyn FnMut(usize, &'n LocalTest)) {
        match self {
            PlanNode::Local(number, local) => visit(*number, local),
            PlanNode::All(parts) | PlanNode::Any(parts) => {
                parts.iter().for_each(|part| part.each_local(visit))
            }
            PlanNode::Not(part)
            | PlanNode::Ever(part)
            | PlanNode::Never(part)
            | PlanNode::Count(part, ..)
            | PlanNode::First(part)
            | PlanNode::Last(part) => part.each_local(visit),
            PlanNode::Then(first, last, _) | PlanNode::Before(first, last, _) => {
                first.each_local(visit);
                last.each_local(visit);
            }
        }
    }
}

/// Whether a part of a query can hold or fail in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// It may hold at some position.
    pub(super) can_hold: bool,
    /// It may fail at some position.
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
