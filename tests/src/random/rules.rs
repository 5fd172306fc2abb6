//! Random rule sets.

use tafl_rules::{
    Arming, Berserk, BySide, CaptureMode, Cell, ChainRules, Directions, Encirclement, Goal, Jump,
    KingCapture, NoMoves, Piece, PieceSet, Rearrangement, RepetitionEffect, RepetitionRule, RepetitionScope,
    Rng, Role, RuleSet, Shape, Shieldwall, Side, ZoneKind,
};

use super::Draw;
use super::starts::random_start;

/// Returns rules with any options of rules strings, most of them with default values.
pub fn random_rules(rng: &mut Rng) -> RuleSet {
    let shape = random_shape(rng);
    let start = random_start(rng, shape);
    let mut rules = RuleSet::with_defaults(start);
    zones(rng, &mut rules);
    movement(rng, &mut rules);
    captures(rng, &mut rules);
    ends(rng, &mut rules);
    before_play(rng, &mut rules);
    // A side has at most one king whose capture loses.
    for side in Side::ALL {
        let king = Piece::new(side, Role::King);
        if rules.start.count(king) > 1 {
            rules.royal = rules.royal.without(PieceSet::of(king));
        }
    }
    rules
}

fn random_shape(rng: &mut Rng) -> Shape {
    let square = |side| Shape::Square { side };
    let hex = |side| Shape::Hex { side };
    let large = square(10 + rng.below(12) as u8);
    let wide = hex(5 + rng.below(4) as u8);
    rng.weighted(&[
        (14, square(5)),
        (8, square(6)),
        (24, square(7)),
        (6, square(8)),
        (14, square(9)),
        (8, square(11)),
        (4, large),
        (8, hex(3)),
        (10, hex(4)),
        (4, wide),
    ])
}

fn any_pieces(rng: &mut Rng) -> PieceSet {
    let king = PieceSet::of(Piece::new(Side::Defenders, Role::King));
    match rng.below(10) {
        0 | 1 => PieceSet::ALL,
        2 | 3 => PieceSet::EMPTY,
        4 => king,
        5 => PieceSet::ATTACKERS,
        6 => PieceSet::DEFENDERS,
        7 => PieceSet::ALL.without(PieceSet::KINGS),
        _ => Piece::all().filter(|_| rng.percent(60)).collect(),
    }
}

fn some_cells(rng: &mut Rng, shape: Shape, n: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    while cells.len() < n {
        let cell = Cell::new(rng.below(shape.n_cells()));
        cells.push(cell);
        // Zones of several cells are usually connected.
        if rng.percent(60) {
            cells.extend(shape.neighbors(cell).filter(|_| rng.percent(40)));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

fn zones(rng: &mut Rng, rules: &mut RuleSet) {
    let shape = rules.shape();
    rules.zones.throne.cells = match rng.below(20) {
        0..4 => Vec::new(),
        4..7 => {
            let n = 1 + rng.below(3);
            some_cells(rng, shape, n)
        }
        _ => rules.zones.throne.cells.clone(),
    };
    rules.zones.corners.cells = match rng.below(20) {
        0..4 => Vec::new(),
        4 | 5 => {
            let n = 1 + rng.below(6);
            some_cells(rng, shape, n)
        }
        _ => rules.zones.corners.cells.clone(),
    };
    if rng.percent(25) {
        let n = 1 + rng.below(shape.n_cells() / 6);
        rules.zones.camps.cells = some_cells(rng, shape, n);
        rules.camps_apart = rng.percent(40);
        if rng.percent(40) {
            let spared = rules.zones.camps.cells.iter().copied().filter(|_| rng.percent(40));
            rules.camps_spared = spared.collect();
        }
    }
    if rng.percent(15) {
        let n = 1 + rng.below(shape.n_cells() / 8);
        rules.zones.forts.cells = some_cells(rng, shape, n);
    }
    for kind in ZoneKind::ALL {
        let zone = &mut rules.zones[kind];
        for set in [&mut zone.hostile, &mut zone.pass, &mut zone.stop, &mut zone.reenter] {
            if rng.percent(30) {
                *set = any_pieces(rng);
            }
        }
    }
    if rng.percent(30) {
        rules.throne_hostile_occupied = any_pieces(rng);
    }
    if rng.percent(8) {
        rules.edge_hostile = any_pieces(rng);
    }
}

fn movement(rng: &mut Rng, rules: &mut RuleSet) {
    let hex = rules.shape().is_hex();
    for role in Role::ALL {
        let jumps = [Jump::None, Jump::Restricted, Jump::Plain, Jump::Capturing];
        let new_jump = (role != Role::Soldier && rng.percent(25)).then(|| rng.one_of(&jumps));
        for side in Side::ALL {
            let movement = &mut rules.movement[Piece::new(side, role)];
            movement.jump = new_jump.unwrap_or(movement.jump);
            if rng.percent(12) {
                movement.max = Some(1 + rng.below(3) as u8);
            }
            if !hex && rng.percent(8) {
                movement.directions = Directions::Queen;
            }
        }
    }
    if rng.percent(15) {
        rules.jumped = Role::ALL.into_iter().filter(|_| rng.percent(50)).collect();
        rules.jump_own = rng.percent(40);
    }
    if rng.percent(20) {
        rules.first_mover = Side::Defenders;
    }
}

fn captures(rng: &mut Rng, rules: &mut RuleSet) {
    let hex = rules.shape().is_hex();
    let king = |side| PieceSet::of(Piece::new(side, Role::King));
    rules.royal = rng.weighted(&[
        (70, king(Side::Defenders)),
        (22, PieceSet::KINGS),
        (4, king(Side::Attackers)),
        (4, PieceSet::EMPTY),
    ]);
    rules.king_arming = rng.weighted(&[
        (70, Arming::Armed),
        (10, Arming::Anvil),
        (10, Arming::Hammer),
        (10, Arming::Unarmed),
    ]);
    let known =
        [KingCapture::STRONG, KingCapture::STRONG_AT_THRONE, KingCapture::CONFINED, KingCapture::WEAK];
    rules.king_capture = if rng.percent(60) { rng.one_of(&known) } else { random_king_capture(rng, hex) };
    if rng.percent(20) {
        let commanders: Vec<Piece> = PieceSet::COMMANDERS.iter().filter(|_| rng.percent(50)).collect();
        rules.piercing = commanders.into_iter().collect();
    }
    rules.hex_corner_capture = hex && rng.percent(50);
    rules.linnaean = rng.percent(25);
    if !hex && rng.percent(40) {
        rules.shieldwall = Some(Shieldwall {
            corner_closes: rng.percent(60),
            flank_move: rng.percent(60),
            both_ways: rng.percent(60),
        });
    }
    rules.berserk = rng.weighted(&[(75, Berserk::None), (17, Berserk::Capture), (8, Berserk::AnyMove)]);
    if rules.berserk != Berserk::None {
        rules.chain = ChainRules { may_decline: rng.percent(30), after_jumps: rng.percent(30) };
    }
    if rng.percent(12) {
        let can_be = |piece: &Piece| piece.role != Role::King && piece.role != Role::Guard;
        rules.dux = any_pieces(rng).iter().filter(can_be).collect();
    }
}

fn random_king_capture(rng: &mut Rng, hex: bool) -> KingCapture {
    let modes = [
        CaptureMode::Custodian,
        CaptureMode::All,
        CaptureMode::Confine,
        CaptureMode::Never,
        CaptureMode::Alternate3,
        CaptureMode::Any3,
    ];
    let modes = if hex { &modes[..] } else { &modes[..4] };
    KingCapture {
        on_throne: rng.one_of(modes),
        next_to_throne: rng.one_of(modes),
        on_edge: rng.one_of(modes),
        elsewhere: rng.one_of(modes),
    }
}

fn ends(rng: &mut Rng, rules: &mut RuleSet) {
    let shape = rules.shape();
    let n_goals = 1 + rng.below(5);
    let cells = Goal::Cells(some_cells(rng, shape, n_goals));
    let goals = [(50, Goal::Corners), (25, Goal::Edge), (15, Goal::None), (10, cells)];
    rules.goals = BySide {
        attackers: if rng.percent(85) { Goal::None } else { rng.weighted(&goals) },
        defenders: rng.weighted(&goals),
    };
    rules.exit_fort = rng.percent(45);
    rules.encirclement =
        rng.weighted(&[(55, Encirclement::Plain), (25, Encirclement::Secure), (20, Encirclement::None)]);
    rules.no_moves = rng.weighted(&[(70, NoMoves::Lose), (20, NoMoves::Draw), (10, NoMoves::Ignore)]);
    rules.repetition =
        (0..rng.weighted(&[(15, 0), (60, 1), (20, 2), (5, 3)])).map(|_| repetition(rng)).collect();
    rules.ply_limit = rng.percent(8).then(|| 1 + rng.below(60) as u32);
    rules.captureless_limit = rng.percent(8).then(|| 1 + rng.below(20) as u32);
}

fn before_play(rng: &mut Rng, rules: &mut RuleSet) {
    let shape = rules.shape();
    rules.forced_capture = rng.percent(15);
    rules.swap = rng.percent(10).then(|| rng.below(4) as u32);
    if rng.percent(10) {
        rules.rearrangement = BySide::from_fn(|_| {
            let n_cells = 1 + rng.below(6);
            let cells = Rearrangement::Cells(some_cells(rng, shape, n_cells));
            let steps = 1 + rng.below(3) as u8;
            match (rng.below(5), shape.center()) {
                (0, Some(_)) => Rearrangement::Near(steps),
                (1, Some(_)) => Rearrangement::Far(steps),
                (2, _) => Rearrangement::Anywhere,
                (3, _) => Rearrangement::None,
                _ => cells,
            }
        });
    }
}

fn repetition(rng: &mut Rng) -> RepetitionRule {
    if rng.percent(15) {
        return RepetitionRule::DefenderKo;
    }
    RepetitionRule::Counted {
        scope: rng.weighted(&[
            (50, RepetitionScope::Position),
            (20, RepetitionScope::Sequence),
            (30, RepetitionScope::DefenderConfiguration),
        ]),
        count: 2 + rng.below(3) as u8,
        effect: rng.one_of(&[
            RepetitionEffect::Draw,
            RepetitionEffect::MoverLoses,
            RepetitionEffect::MoverWins,
            RepetitionEffect::DefendersLose,
            RepetitionEffect::Claim,
        ]),
    }
}
