//! The terms of the evaluation by name, and what adds them up.

use tafl_rules::Side;

macro_rules! terms {
    ($($(#[doc = $doc:literal])+ $term:ident $word:literal;)+) => {
        /// What an evaluation adds up. Every term counts for a side, so that games with two kings need nothing else.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum EvalTerm {
            $($(#[doc = $doc])+ $term,)+
        }

        impl EvalTerm {
            /// All terms, in the order of [`Features`] and of [`Weights`](super::Weights).
            pub const ALL: &[EvalTerm] = &[$(EvalTerm::$term,)+];

            /// Returns the name by which texts set the weight of the term.
            pub const fn word(self) -> &'static str {
                match self {
                    $(EvalTerm::$term => $word,)+
                }
            }
        }
    };
}

terms! {
    /// Men of the attackers, more than at the start.
    ManAttackers "man_attackers";
    /// Men of the defenders, more than at the start.
    ManDefenders "man_defenders";
    /// Men with another role than a soldier's, more than at the start, besides what they count as men.
    Specialist "specialist";
    /// The right to move.
    Tempo "tempo";
    /// The king has one open line to a goal.
    Line1 "line1";
    /// The king has two open lines to goals.
    Line2 "line2";
    /// The king has three or more open lines to goals.
    Line3 "line3";
    /// The king can move to one cell from which he would have an open line.
    Way1 "way1";
    /// The king can move to two such cells.
    Way2 "way2";
    /// The king can move to three such cells.
    Way3 "way3";
    /// The king can move to four such cells.
    Way4 "way4";
    /// The king can move to five such cells.
    Way5 "way5";
    /// The king can move to six such cells.
    Way6 "way6";
    /// The king can move to seven such cells or more.
    Way7 "way7";
    /// Cells that the king can move to, up to [`EvalTerm::MOST_MOVES`].
    KingMobility "king_mobility";
    /// Steps that the nearest goal is away from the king on an empty board.
    KingStep "king_step";
    /// Enemies on neighbors of the king.
    EnemyBeside "enemy_beside";
    /// Enemies two steps away from the king.
    EnemyNear "enemy_near";
    /// Friends on neighbors of the king.
    FriendBeside "friend_beside";
    /// Cells on which one more enemy would capture the king.
    KingDanger "king_danger";
    /// No way to a goal through cells without enemies, even if the king's own men stepped aside.
    Cordoned "cordoned";
    /// The king needs three moves over open lines to a goal.
    Moves3 "moves3";
    /// The king needs four such moves.
    Moves4 "moves4";
    /// Cells that the king can reach in two moves, in percent of the board.
    Roam "roam";
    /// Cells of the edge that the king can move to, up to three.
    EdgeSeen "edge_seen";
    /// The king stands on the edge.
    OnEdge "on_edge";
    /// Steps lead the king to up to a quarter of the goals, through cells without enemies, his men aside.
    Goals1 "goals1";
    /// Such steps lead to up to a half of the goals.
    Goals2 "goals2";
    /// Such steps lead to up to three quarters of the goals.
    Goals3 "goals3";
    /// Such steps lead to more goals.
    Goals4 "goals4";
    /// Cells that such steps lead to, in percent of the board.
    Room "room";
    /// Cells of the edge that such steps lead to, in percent of the edge.
    EdgeRoom "edge_room";
    /// Men of the king on the edge.
    FriendEdge0 "friend_edge0";
    /// Men of the king one cell from the edge.
    FriendEdge1 "friend_edge1";
    /// Men of the king two cells from the edge.
    FriendEdge2 "friend_edge2";
    /// Men of the king three cells from the edge.
    FriendEdge3 "friend_edge3";
    /// Enemies of the king on the edge.
    EnemyEdge0 "enemy_edge0";
    /// Enemies of the king one cell from the edge.
    EnemyEdge1 "enemy_edge1";
    /// Enemies of the king two cells from the edge.
    EnemyEdge2 "enemy_edge2";
    /// Enemies of the king three cells from the edge.
    EnemyEdge3 "enemy_edge3";
    /// Enemies one step from a goal, where goals are few.
    Guard1 "guard1";
    /// Enemies two steps from a goal, where goals are few.
    Guard2 "guard2";
    /// Enemies three steps from a goal, where goals are few.
    Guard3 "guard3";
    /// Enemies four steps from a goal, where goals are few.
    Guard4 "guard4";
    /// Enemies of the king with another diagonally beside them: the links of a cordon.
    EnemyLinks "enemy_links";
    /// Enemies of the king with another beside them.
    EnemyPairs "enemy_pairs";
    /// Men of the king with another diagonally beside them.
    FriendLinks "friend_links";
    /// Men of the king with another, or himself, beside them.
    FriendPairs "friend_pairs";
    /// Enemies of the king without a free cell beside them.
    EnemyStuck "enemy_stuck";
    /// Men of the king without a free cell beside them.
    FriendStuck "friend_stuck";
    /// Cells on which the king's enemies would capture a man.
    FriendHanging "friend_hanging";
    /// Cells on which the king's side would capture a man.
    EnemyHanging "enemy_hanging";
    /// Men of the king on the far side of all enemies: in touch with the edge through cells without enemies.
    FriendOutside "friend_outside";
}

/// How many terms there are.
pub(crate) const N_TERMS: usize = EvalTerm::ALL.len();

/// How often each term counts in a position, relative to the attackers, in the order of [`EvalTerm::ALL`].
pub(crate) type Features = [i32; N_TERMS];

impl EvalTerm {
    /// More cells than this to move to are not better for a king.
    pub const MOST_MOVES: u32 = 12;

    /// Open lines to goals, by their number less one.
    pub(super) const LINES: [EvalTerm; 3] = [EvalTerm::Line1, EvalTerm::Line2, EvalTerm::Line3];

    /// Ways to open lines, by their number less one.
    pub(super) const WAYS: [EvalTerm; 7] = [
        EvalTerm::Way1,
        EvalTerm::Way2,
        EvalTerm::Way3,
        EvalTerm::Way4,
        EvalTerm::Way5,
        EvalTerm::Way6,
        EvalTerm::Way7,
    ];

    /// Steps over open lines to a goal, from three on.
    pub(super) const MOVES: [EvalTerm; 2] = [EvalTerm::Moves3, EvalTerm::Moves4];

    /// Quarters of the goals within steps.
    pub(super) const GOALS: [EvalTerm; 4] =
        [EvalTerm::Goals1, EvalTerm::Goals2, EvalTerm::Goals3, EvalTerm::Goals4];

    /// Men of the king by their distance from the edge.
    pub(super) const FRIENDS: [EvalTerm; 4] =
        [EvalTerm::FriendEdge0, EvalTerm::FriendEdge1, EvalTerm::FriendEdge2, EvalTerm::FriendEdge3];

    /// Enemies of the king by their distance from the edge.
    pub(super) const ENEMIES: [EvalTerm; 4] =
        [EvalTerm::EnemyEdge0, EvalTerm::EnemyEdge1, EvalTerm::EnemyEdge2, EvalTerm::EnemyEdge3];

    /// Enemies near goals, by their distance less one.
    pub(super) const GUARDS: [EvalTerm; 4] =
        [EvalTerm::Guard1, EvalTerm::Guard2, EvalTerm::Guard3, EvalTerm::Guard4];

    /// Returns the number of the term.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What becomes of the terms of a position. The same code counts them for [`Features`] and sums them up for a score.
pub(super) trait TermSink {
    /// Counts a term `count` times for a side.
    fn add(&mut self, side: Side, term: EvalTerm, count: i32);

    /// Counts the term of a ladder that stands for a number; numbers beyond its end count as the last, none as nothing.
    #[inline]
    fn add_step(&mut self, side: Side, ladder: &[EvalTerm], number: usize) {
        if number > 0 {
            self.add(side, ladder[number.min(ladder.len()) - 1], 1);
        }
    }
}

/// The sum of the terms times their weights, relative to the attackers.
pub(super) struct WeightedSum<'w> {
    pub(super) weights: &'w [i32; N_TERMS],
    pub(super) value: i32,
}

impl TermSink for WeightedSum<'_> {
    #[inline]
    fn add(&mut self, side: Side, term: EvalTerm, count: i32) {
        let value = self.weights[term.index()] * count;
        self.value += if side == Side::Attackers { value } else { -value };
    }
}

impl TermSink for Features {
    #[inline]
    fn add(&mut self, side: Side, term: EvalTerm, count: i32) {
        self[term.index()] += if side == Side::Attackers { count } else { -count };
    }
}
