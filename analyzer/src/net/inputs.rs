//! The inputs of a network: descriptions of pieces and of rules.
//!
//! An input is a row of the network's table. Rows describe a piece by its distances from edge, goals, center, and
//! kings, by its zone, and by what the rules make of these, never by a board: every rule set, known or new, square or
//! hexagonal, selects from the same rows. The images of a cell under the symmetries of the board select the same rows,
//! so that mirrored positions have the same score.

use tafl_rules::{
    Arming, Berserk, CaptureMode, Cell, Directions, Encirclement, Goal, Jump, Piece, Role, RuleSet, Shape,
    Side, Zone, ZoneKind,
};

use crate::distance::{distances_to, distances_to_cells};
use crate::facts::FEW_GOALS;

/// The number of kinds of pieces that inputs distinguish: men, kings, and specialists of each side.
const KINDS: usize = 6;
/// The number of layouts of goals: few, many, or on a hexagonal board.
const LAYOUTS: usize = 3;
/// The number of distances of a piece from the edge; the last one stands for that many or more, as in all classes of
/// distances.
const EDGE: usize = 6;
/// The number of distances of a piece from the nearest goal.
const GOAL: usize = 9;
/// The number of classes of zones, see [`zones`].
const ZONES: usize = 6;
/// The number of classes of board sizes.
const SIZES: usize = 6;
/// The number of cells of an eighth of a board of 19x19 cells or less.
const EIGHTH: usize = 55;
/// The number of offsets from a king up to symmetry: 36 on square boards, the distances 1 to 12 on hexagonal ones.
const OFFSETS: usize = 48;
/// The number of pairs of offsets from -4 to 4, positive away from the center.
const OUTWARD: usize = 45;
/// The number of distances of a king from the edge.
const KING_EDGE: usize = 4;
/// The number of distances of a piece from the goals nearest to a king.
const NEAR: usize = 11;
/// The number of distances of a king from his nearest goal.
const KING_GOAL: usize = 4;
/// The number of inputs reserved for the rules themselves.
const RULES: usize = 96;

// The first input of each group: its number is the end of the group before it.
const AT_ZONE: usize = KINDS * LAYOUTS * EDGE * GOAL;
const AT_EIGHTH: usize = AT_ZONE + KINDS * ZONES * 2;
const AT_OFFSET: usize = AT_EIGHTH + KINDS * SIZES * EIGHTH;
const AT_OUTWARD: usize = AT_OFFSET + KINDS * 2 * OFFSETS;
const AT_NEAR: usize = AT_OUTWARD + KINDS * 2 * KING_EDGE * OUTWARD;
const AT_RULES: usize = AT_NEAR + KINDS * 2 * KING_GOAL * NEAR;

/// The number of inputs.
pub(crate) const N_INPUTS: usize = AT_RULES + RULES;

/// The inputs of one rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NetworkInputs {
    shape: Shape,
    size: usize,
    /// The layout of the goals of each side's king.
    layouts: [usize; 2],
    goals: [Vec<Cell>; 2],
    from_edge: Vec<i32>,
    /// The distance of each cell from the goals of each side's king.
    from_goals: [Vec<i32>; 2],
    zones: Vec<[usize; 2]>,
    eighths: Vec<usize>,
    rules: Vec<u16>,
}

/// The offset of a cell from a king along an axis.
#[derive(Debug, Clone, Copy)]
struct AxisOffset {
    /// The absolute value.
    distance: usize,
    /// The value away from the center, from 0 for -4 or less to 8 for +4 or more. If the king is in the middle of the axis,
    /// the absolute value counts.
    outward: usize,
}

impl NetworkInputs {
    /// Returns the inputs for rules.
    pub(crate) fn of(rules: &RuleSet) -> NetworkInputs {
        let shape = rules.shape();
        let goals = Side::ALL.map(|side| rules.goal_cells(side));
        let layout = |goals: &Vec<Cell>| match (shape.is_hex(), goals.len() <= FEW_GOALS as usize) {
            (true, _) => 2,
            (false, true) => 0,
            (false, false) => 1,
        };
        let mut inputs = NetworkInputs {
            shape,
            size: size_class(shape),
            layouts: [layout(&goals[0]), layout(&goals[1])],
            from_edge: distances_to(shape, |cell| shape.is_edge(cell)),
            from_goals: [distances_to_cells(shape, &goals[0]), distances_to_cells(shape, &goals[1])],
            goals,
            zones: shape.cells().map(|cell| zones(rules, cell)).collect(),
            eighths: shape.cells().map(|cell| eighth(shape, cell)).collect(),
            rules: Vec::new(),
        };
        inputs.rules = inputs.of_rules(rules);
        inputs
    }

    /// Returns the active inputs that describe the rules.
    pub(crate) fn rules(&self) -> &[u16] {
        &self.rules
    }

    /// Calls `on_input` with the inputs of a piece that do not depend on kings.
    pub(crate) fn of_piece(&self, piece: Piece, cell: Cell, on_input: &mut impl FnMut(usize)) {
        let (kind, at) = (kind(piece), cell.index());
        // The defenders' goals matter most; games in which the attackers have a king with goals have both.
        let king = Side::Defenders.index();
        let place = (kind * LAYOUTS + self.layouts[king]) * EDGE + capped(self.from_edge[at], EDGE);
        on_input(place * GOAL + capped(self.from_goals[king][at], GOAL));
        on_input(AT_ZONE + (kind * ZONES + self.zones[at][0]) * 2 + self.zones[at][1]);
        on_input(AT_EIGHTH + (kind * SIZES + self.size) * EIGHTH + self.eighths[at]);
    }

    /// Returns the distances of all cells relative to a side's king.
    pub(crate) fn king_relation(&self, side: Side, king: Cell) -> KingRelation {
        let goals = &self.goals[side.index()];
        let from_king = distances_to(self.shape, |cell| cell == king);
        let nearest = goals.iter().map(|goal| from_king[goal.index()]).min();
        let near: Vec<Cell> =
            goals.iter().copied().filter(|goal| Some(from_king[goal.index()]) == nearest).collect();
        KingRelation {
            side,
            king,
            from_near_goals: distances_to_cells(self.shape, &near),
            king_goal: match nearest.unwrap_or(i32::MAX) {
                0..=2 => 0,
                3..=4 => 1,
                5..=7 => 2,
                _ => 3,
            },
            from_king,
        }
    }

    /// Calls `on_input` with the inputs of a piece that depend on a king.
    pub(crate) fn of_piece_and_king(
        &self,
        piece: Piece,
        cell: Cell,
        relation: &KingRelation,
        on_input: &mut impl FnMut(usize),
    ) {
        let of_king = kind(piece) * 2 + relation.side.index();
        let steps = relation.from_king[cell.index()];
        let king_edge = capped(self.from_edge[relation.king.index()], KING_EDGE);
        if self.shape.is_hex() {
            on_input(AT_OFFSET + of_king * OFFSETS + 36 + capped(steps, OFFSETS - 36));
        } else {
            let (file, rank) = self.offset(relation.king, cell);
            let distances = pair(file.distance.min(7), rank.distance.min(7));
            on_input(AT_OFFSET + of_king * OFFSETS + distances);
            let outward = pair(file.outward, rank.outward);
            on_input(AT_OUTWARD + (of_king * KING_EDGE + king_edge) * OUTWARD + outward);
        }
        let near = capped(relation.from_near_goals[cell.index()], NEAR);
        on_input(AT_NEAR + (of_king * KING_GOAL + relation.king_goal) * NEAR + near);
    }

    /// Returns the offset of a cell from a king by file and by rank.
    fn offset(&self, king: Cell, cell: Cell) -> (AxisOffset, AxisOffset) {
        let middle = self.shape.n_ranks() - 1;
        let along = |king: i16, cell: i16| {
            let (offset, outward) = (cell - king, (2 * king - middle).signum());
            let signed = if outward == 0 { offset.abs() } else { offset * outward };
            AxisOffset {
                distance: offset.unsigned_abs() as usize,
                outward: (signed.clamp(-4, 4) + 4) as usize,
            }
        };
        let (king, cell) = (self.shape.coord(king), self.shape.coord(cell));
        (along(king.file, cell.file), along(king.rank, cell.rank))
    }

    /// Returns the one-hot inputs of the rules: one for each question, such as the first mover.
    fn of_rules(&self, rules: &RuleSet) -> Vec<u16> {
        let count = |side: Side| rules.start.pieces().filter(|(_, piece)| piece.side == side).count().max(1);
        let king = Piece::new(Side::Defenders, Role::King);
        let limit = |max: Option<u8>| max.map_or(2, |max| usize::from(max > 1));
        let [attackers_man, defenders_man] = Side::ALL.map(|side| Piece::new(side, Role::Soldier));
        let (man, king_moves) = (rules.movement[defenders_man], rules.movement[king]);
        let zones = &rules.zones;
        let is_hostile = |zone: &Zone, piece: Piece| usize::from(zone.hostile.contains(piece));
        let ratio = 4 * count(Side::Attackers) / count(Side::Defenders);
        let answers: [(usize, usize); 25] = [
            (self.layouts[1], LAYOUTS),
            (usize::from(!self.goals[0].is_empty()), 2),
            (self.size, SIZES),
            (mode(rules.king_capture.elsewhere), 6),
            (mode(rules.king_capture.on_throne), 6),
            (mode(rules.king_capture.on_edge), 6),
            (arming(rules.king_arming), 4),
            (usize::from(rules.shieldwall.is_some()), 2),
            (usize::from(rules.exit_fort), 2),
            (encirclement(rules.encirclement), 3),
            (berserk(rules.berserk), 3),
            (limit(king_moves.max), 3),
            (limit(man.max), 3),
            (usize::from(man.jump != Jump::None || king_moves.directions == Directions::Queen), 2),
            (rules.first_mover.index(), 2),
            (is_hostile(&zones.throne, attackers_man), 2),
            (is_hostile(&zones.throne, defenders_man), 2),
            (is_hostile(&zones.corners, attackers_man), 2),
            (is_hostile(&zones.corners, defenders_man), 2),
            (usize::from(rules.edge_hostile.contains(defenders_man)), 2),
            (usize::from(zones.throne.is_empty()), 2),
            (usize::from(zones.camps.is_empty()), 2),
            (usize::from(rules.forced_capture), 2),
            (ratio.clamp(3, 11) - 3, 9),
            (usize::from(matches!(rules.goals.defenders, Goal::Cells(_))), 2),
        ];
        let mut first = AT_RULES;
        let inputs = answers.iter().map(|(answer, n_answers)| {
            let input = first + answer;
            first += n_answers;
            input as u16
        });
        let inputs = inputs.collect();
        debug_assert!(first <= N_INPUTS, "{} inputs describe rules", first - AT_RULES);
        inputs
    }
}

/// The distances of all cells relative to a king.
#[derive(Debug, Clone)]
pub(crate) struct KingRelation {
    side: Side,
    king: Cell,
    from_king: Vec<i32>,
    /// The distance of each cell from the goals that are nearest to the king.
    from_near_goals: Vec<i32>,
    king_goal: usize,
}

fn kind(piece: Piece) -> usize {
    let by_role = match piece.role {
        Role::Soldier => 0,
        Role::King => 2,
        Role::Commander | Role::Knight | Role::Mercenary | Role::Guard => 4,
    };
    by_role + piece.side.index()
}

fn capped(distance: i32, end: usize) -> usize {
    (distance.max(0) as usize).min(end - 1)
}

/// Returns the number of an unordered pair: 0 for (0, 0), 1 for (1, 0), 2 for (1, 1), and so on.
fn pair(one: usize, other: usize) -> usize {
    let (most, least) = (one.max(other), one.min(other));
    most * (most + 1) / 2 + least
}

fn size_class(shape: Shape) -> usize {
    match shape {
        Shape::Hex { .. } => 5,
        Shape::Square { side: ..=7 } => 0,
        Shape::Square { side: 8 | 9 } => 1,
        Shape::Square { side: 10 | 11 } => 2,
        Shape::Square { side: 12 | 13 } => 3,
        Shape::Square { .. } => 4,
    }
}

/// Returns the number of a cell in the eighth of the board that all eighths are mirrored to; on hexagonal boards, its
/// distance from the center and from the nearest axis through it.
fn eighth(shape: Shape, cell: Cell) -> usize {
    let coord = shape.coord(cell);
    let middle = shape.n_ranks() - 1;
    let (file, rank) = (2 * coord.file - middle, 2 * coord.rank - middle);
    if !shape.is_hex() {
        return pair((file.unsigned_abs() / 2) as usize, (rank.unsigned_abs() / 2) as usize).min(EIGHTH - 1);
    }
    let mut sizes = [file.unsigned_abs() / 2, rank.unsigned_abs() / 2, (file - rank).unsigned_abs() / 2];
    sizes.sort_unstable();
    pair(usize::from(sizes[2]), usize::from(sizes[0]))
}

/// Returns the class of a cell's zone (0 for none, 5 for a goal outside of all zones), and whether the cell is hostile to
/// attackers' men (0 or 1).
fn zones(rules: &RuleSet, cell: Cell) -> [usize; 2] {
    let zone = match rules.zones.kind_at(cell) {
        None => 0,
        Some(ZoneKind::Throne) => 1,
        Some(ZoneKind::Corner) => 2,
        Some(ZoneKind::Camp) => 3,
        Some(ZoneKind::Fort) => 4,
    };
    let is_goal = rules.goal_cells(Side::Defenders).contains(&cell);
    let hostile = rules.zones.iter().any(|(_, zone)| {
        zone.contains(cell) && zone.hostile.contains(Piece::new(Side::Attackers, Role::Soldier))
    });
    [if zone == 0 && is_goal { 5 } else { zone }, usize::from(hostile)]
}

fn mode(mode: CaptureMode) -> usize {
    match mode {
        CaptureMode::Custodian => 0,
        CaptureMode::All => 1,
        CaptureMode::Confine => 2,
        CaptureMode::Alternate3 => 3,
        CaptureMode::Any3 => 4,
        CaptureMode::Never => 5,
    }
}

fn arming(arming: Arming) -> usize {
    match arming {
        Arming::Armed => 0,
        Arming::Anvil => 1,
        Arming::Hammer => 2,
        Arming::Unarmed => 3,
    }
}

fn encirclement(encirclement: Encirclement) -> usize {
    match encirclement {
        Encirclement::None => 0,
        Encirclement::Plain => 1,
        Encirclement::Secure => 2,
    }
}

fn berserk(berserk: Berserk) -> usize {
    match berserk {
        Berserk::None => 0,
        Berserk::Capture => 1,
        Berserk::AnyMove => 2,
    }
}
