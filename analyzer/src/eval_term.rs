//! The terms of the evaluation.

macro_rules! terms {
    ($($(#[doc = $doc:literal])+ $term:ident $name:literal;)+) => {
        /// A term of the evaluation. Every term counts for a side, so that games with two kings
        /// need no special code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum EvalTerm {
            $($(#[doc = $doc])+ $term,)+
        }

        impl EvalTerm {
            /// All terms, in the order of [`Features`] and [`Weights`](crate::eval::Weights).
            pub const ALL: &[EvalTerm] = &[$(EvalTerm::$term,)+];

            /// Returns the name of the term in texts with weights.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(EvalTerm::$term => $name,)+
                }
            }
        }
    };
}

terms! {
    /// The attackers' men in excess of the start.
    ManAttackers "man_attackers";
    /// The defenders' men in excess of the start.
    ManDefenders "man_defenders";
    /// The men with roles other than soldier in excess of the start. They also count as men.
    Specialist "specialist";
    /// The right to move.
    Tempo "tempo";
    /// The king has one open line to a goal.
    Line1 "line1";
    /// The king has two open lines to goals.
    Line2 "line2";
    /// The king has three or more open lines to goals.
    Line3 "line3";
    /// The king can move to one cell with an open line to a goal.
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
    /// The cells to which the king can move, up to [`EvalTerm::MAX_MOVES`].
    KingMobility "king_mobility";
    /// The distance of the king from the nearest goal on an empty board, in steps.
    KingStep "king_step";
    /// The enemies next to the king.
    EnemyBeside "enemy_beside";
    /// The enemies two steps away from the king.
    EnemyNear "enemy_near";
    /// The friends next to the king.
    FriendBeside "friend_beside";
    /// The cells on which one more enemy would capture the king.
    KingDanger "king_danger";
    /// The king is cordoned: no way to a goal leads through cells without enemies, even if his own
    /// men stepped aside.
    Cordoned "cordoned";
    /// The king needs three moves over open lines to reach a goal.
    Moves3 "moves3";
    /// The king needs four such moves.
    Moves4 "moves4";
    /// The cells that the king can reach in two moves, in percent of the board.
    Roam "roam";
    /// The edge cells to which the king can move, up to three.
    EdgeSeen "edge_seen";
    /// The king is on the edge.
    OnEdge "on_edge";
    /// The king's room contains up to a quarter of the goals. The room is what steps through cells
    /// without enemies reach, ignoring his own men.
    Goals1 "goals1";
    /// The king's room contains up to half of the goals.
    Goals2 "goals2";
    /// The king's room contains up to three quarters of the goals.
    Goals3 "goals3";
    /// The king's room contains more than three quarters of the goals.
    Goals4 "goals4";
    /// The size of the king's room, in percent of the board.
    Room "room";
    /// The edge cells in the king's room, in percent of the edge.
    EdgeRoom "edge_room";
    /// The king's men on the edge.
    FriendEdge0 "friend_edge0";
    /// The king's men one cell from the edge.
    FriendEdge1 "friend_edge1";
    /// The king's men two cells from the edge.
    FriendEdge2 "friend_edge2";
    /// The king's men three cells from the edge.
    FriendEdge3 "friend_edge3";
    /// The king's enemies on the edge.
    EnemyEdge0 "enemy_edge0";
    /// The king's enemies one cell from the edge.
    EnemyEdge1 "enemy_edge1";
    /// The king's enemies two cells from the edge.
    EnemyEdge2 "enemy_edge2";
    /// The king's enemies three cells from the edge.
    EnemyEdge3 "enemy_edge3";
    /// The enemies one step from a goal, if there are few goals.
    Guard1 "guard1";
    /// The enemies two steps from a goal, if there are few goals.
    Guard2 "guard2";
    /// The enemies three steps from a goal, if there are few goals.
    Guard3 "guard3";
    /// The enemies four steps from a goal, if there are few goals.
    Guard4 "guard4";
    /// The king's enemies with another enemy diagonally adjacent: the links of a cordon.
    EnemyLinks "enemy_links";
    /// The king's enemies with another enemy adjacent.
    EnemyPairs "enemy_pairs";
    /// The king's men with another man diagonally adjacent.
    FriendLinks "friend_links";
    /// The king's men with another man or the king adjacent.
    FriendPairs "friend_pairs";
    /// The king's enemies without an adjacent free cell.
    EnemyStuck "enemy_stuck";
    /// The king's men without an adjacent free cell.
    FriendStuck "friend_stuck";
    /// The cells on which the king's enemies would capture a man.
    FriendHanging "friend_hanging";
    /// The cells on which the king's side would capture a man.
    EnemyHanging "enemy_hanging";
    /// The king's men outside of all rings: connected to the edge through cells without enemies.
    FriendOutside "friend_outside";
    /// The cells to which the king's men can move, in percent of the board.
    FriendMobility "friend_mobility";
    /// The cells to which the king's enemies can move, in percent of the board.
    EnemyMobility "enemy_mobility";
}

/// The number of terms.
pub(crate) const N_TERMS: usize = EvalTerm::ALL.len();

/// The features of a position: the count of each term, relative to the attackers, in the order of [`EvalTerm::ALL`].
pub(crate) type Features = [i32; N_TERMS];

impl EvalTerm {
    /// The maximum counted mobility of a king. Larger numbers are no better.
    pub const MAX_MOVES: u32 = 12;

    /// The terms of open lines to goals, indexed by their number minus one.
    pub(crate) const LINES: [EvalTerm; 3] = [EvalTerm::Line1, EvalTerm::Line2, EvalTerm::Line3];

    /// The terms of cells with open lines, indexed by their number minus one.
    pub(crate) const WAYS: [EvalTerm; 7] = [
        EvalTerm::Way1,
        EvalTerm::Way2,
        EvalTerm::Way3,
        EvalTerm::Way4,
        EvalTerm::Way5,
        EvalTerm::Way6,
        EvalTerm::Way7,
    ];

    /// The terms of the number of moves to a goal, from three on.
    pub(crate) const MOVES: [EvalTerm; 2] = [EvalTerm::Moves3, EvalTerm::Moves4];

    /// The terms of the quarters of the goals in the king's room.
    pub(crate) const GOALS: [EvalTerm; 4] =
        [EvalTerm::Goals1, EvalTerm::Goals2, EvalTerm::Goals3, EvalTerm::Goals4];

    /// The terms of the king's men by their distance from the edge.
    pub(crate) const FRIENDS: [EvalTerm; 4] =
        [EvalTerm::FriendEdge0, EvalTerm::FriendEdge1, EvalTerm::FriendEdge2, EvalTerm::FriendEdge3];

    /// The terms of the king's enemies by their distance from the edge.
    pub(crate) const ENEMIES: [EvalTerm; 4] =
        [EvalTerm::EnemyEdge0, EvalTerm::EnemyEdge1, EvalTerm::EnemyEdge2, EvalTerm::EnemyEdge3];

    /// The terms of enemies near goals, indexed by their distance minus one.
    pub(crate) const GUARDS: [EvalTerm; 4] =
        [EvalTerm::Guard1, EvalTerm::Guard2, EvalTerm::Guard3, EvalTerm::Guard4];

    /// The terms of the men's mobility, which take some time to count.
    pub(crate) const MOBILITY: [EvalTerm; 2] = [EvalTerm::FriendMobility, EvalTerm::EnemyMobility];

    /// Returns the index of the term.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}
