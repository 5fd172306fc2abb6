//! The numbers of the evaluation: data, not code.

use tafl_rules::{BySide, Piece, Role, RuleSet, Side};

/// What each term of the evaluation is worth, in hundredths of an attackers' man, for the side it is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// What a man of each side is worth.
    pub man: BySide<i32>,
    /// What a piece with another role adds to that.
    pub specialist: i32,
    /// What it is worth to the owner of a king that he stands so near to a goal.
    pub king: KingWeights,
    /// The right to move.
    pub tempo: i32,
}

/// What the standing of a king is worth to his side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KingWeights {
    /// Open lines to goals, with the enemy to move: none, one, two, three or more.
    pub lines: [i32; 4],
    /// Cells from which he would have an open line: none, one, ... seven or more.
    pub ways: [i32; 8],
    /// Each cell that he can move to, up to [`KingWeights::MOST_MOVES`].
    pub mobility: i32,
    /// Each step that the nearest goal is away from him on an empty board.
    pub step: i32,
    /// Each enemy on a neighbor of his.
    pub enemy_beside: i32,
    /// Each enemy two steps away.
    pub enemy_near: i32,
    /// Each friend on a neighbor of his.
    pub friend_beside: i32,
    /// Each cell on which one more enemy would capture him.
    pub danger: i32,
    /// No way to a goal through cells without enemies, even if his own men stepped aside.
    pub cordoned: i32,
}

impl KingWeights {
    /// More cells than this to move to are not better.
    pub const MOST_MOVES: u32 = 12;
}

impl Weights {
    /// Returns weights for rules that nobody has tuned any for.
    ///
    /// Men of the smaller side are worth more, by the square root of the ratio of numbers at the start: that ratio alone
    /// would let a defender be sold for two attackers in games where both sides need each man as a guard.
    pub fn of_rules(rules: &RuleSet) -> Weights {
        let men = |side: Side| {
            let men =
                rules.start.pieces().filter(|(_, piece)| piece.side == side && piece.role != Role::King);
            men.count().max(1) as f64
        };
        let ratio = (men(Side::Attackers) / men(Side::Defenders)).sqrt();
        let hundred = |factor: f64| (100.0 * factor.clamp(0.5, 2.5)).round() as i32;
        Weights {
            man: BySide { attackers: 100, defenders: hundred(ratio) },
            specialist: 60,
            king: KingWeights {
                lines: [0, 150, 1200, 1500],
                ways: [0, 30, 50, 65, 75, 80, 85, 90],
                mobility: 5,
                step: -6,
                enemy_beside: -35,
                enemy_near: -8,
                friend_beside: 4,
                danger: -40,
                cordoned: -220,
            },
            tempo: 15,
        }
    }

    /// Returns what a piece is worth that is no royal king.
    pub fn of_piece(&self, piece: Piece) -> i32 {
        let extra = match piece.role {
            Role::Soldier => 0,
            Role::Commander | Role::Knight | Role::King | Role::Mercenary | Role::Guard => self.specialist,
        };
        self.man[piece.side] + extra
    }
}
