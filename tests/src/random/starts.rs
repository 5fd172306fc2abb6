//! Random arrangements of pieces.

use tafl_rules::{Cell, Piece, Rng, Role, Setup, Shape, Side};

use super::Draw;

/// Returns a board with many possible captures and endings.
pub(super) fn random_start(rng: &mut Rng, shape: Shape) -> Setup {
    let mut setup = Setup::empty(shape);
    let arrangement =
        rng.weighted(&[(50, Arrangement::Anywhere), (20, Arrangement::Siege), (30, Arrangement::AtEdge)]);
    kings(rng, &mut setup, arrangement);
    match arrangement {
        Arrangement::Anywhere => {}
        Arrangement::Siege => siege(rng, &mut setup),
        Arrangement::AtEdge => edge_rows(rng, &mut setup),
    }
    let n_cells = shape.n_cells();
    let (n_attackers, n_defenders) = (rng.below(n_cells / 5 + 2), rng.below(n_cells / 8 + 2));
    scatter(rng, &mut setup, Side::Attackers, n_attackers);
    scatter(rng, &mut setup, Side::Defenders, n_defenders);
    for side in Side::ALL {
        if setup.pieces().all(|(_, piece)| piece.side != side) {
            let cell = free_cell(rng, &setup).unwrap_or(Cell::new(rng.below(n_cells)));
            setup.put(cell, Some(Piece::new(side, Role::Soldier)));
        }
    }
    if rng.percent(40) {
        promote(rng, &mut setup);
    }
    setup
}

/// The arrangement of the pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    Anywhere,
    /// A ring of attackers around some defenders.
    Siege,
    /// Rows on the edge, with pieces in front.
    AtEdge,
}

fn free_cell(rng: &mut Rng, setup: &Setup) -> Option<Cell> {
    let free: Vec<Cell> = setup.shape().cells().filter(|cell| setup.piece(*cell).is_none()).collect();
    (!free.is_empty()).then(|| rng.one_of(&free))
}

fn scatter(rng: &mut Rng, setup: &mut Setup, side: Side, n: usize) {
    for _ in 0..n {
        let Some(cell) = free_cell(rng, setup) else { return };
        let is_corner = setup.shape().corners().contains(&cell);
        if !is_corner || rng.percent(20) {
            setup.put(cell, Some(Piece::new(side, Role::Soldier)));
        }
    }
}

fn kings(rng: &mut Rng, setup: &mut Setup, arrangement: Arrangement) {
    let shape = setup.shape();
    let king = Piece::new(Side::Defenders, Role::King);
    let on_edge: Vec<Cell> = shape.cells().filter(|cell| shape.is_edge(*cell)).collect();
    match (rng.below(100), arrangement) {
        (0..8, _) => {}
        (8..60, Arrangement::AtEdge) => setup.put(rng.one_of(&on_edge), Some(king)),
        (8..50, _) => {
            let center = shape.center().unwrap_or(Cell::new(shape.n_cells() / 2));
            setup.put(center, Some(king));
        }
        _ => {
            if let Some(cell) = free_cell(rng, setup) {
                setup.put(cell, Some(king));
            }
        }
    }
    let others = [(10, Side::Attackers), (4, Side::Defenders)];
    for (percent, side) in others {
        if rng.percent(percent)
            && let Some(cell) = free_cell(rng, setup)
        {
            setup.put(cell, Some(Piece::new(side, Role::King)));
        }
    }
}

/// Puts attackers around a region of defenders, sometimes with a gap.
fn siege(rng: &mut Rng, setup: &mut Setup) {
    let shape = setup.shape();
    let from = setup.pieces().next().map(|(cell, _)| cell);
    let Some(from) = from.or_else(|| free_cell(rng, setup)) else { return };
    let mut inside = vec![from];
    for _ in 0..rng.below(8) {
        let next: Vec<Cell> =
            shape.neighbors(rng.one_of(&inside)).filter(|cell| !shape.is_edge(*cell)).collect();
        if !next.is_empty() {
            inside.push(rng.one_of(&next));
        }
    }
    for cell in &inside {
        if setup.piece(*cell).is_none() && rng.percent(40) {
            setup.put(*cell, Some(Piece::new(Side::Defenders, Role::Soldier)));
        }
    }
    for cell in inside.iter().flat_map(|cell| shape.neighbors(*cell)) {
        if setup.piece(cell).is_none() && !inside.contains(&cell) && rng.percent(90) {
            setup.put(cell, Some(Piece::new(Side::Attackers, Role::Soldier)));
        }
    }
}

/// Puts rows of one side on the edge, with pieces of either side in front of them.
fn edge_rows(rng: &mut Rng, setup: &mut Setup) {
    let shape = setup.shape();
    let on_edge: Vec<Cell> = shape.cells().filter(|cell| shape.is_edge(*cell)).collect();
    for _ in 0..1 + rng.below(3) {
        let side = rng.one_of(&Side::ALL);
        let fronted_by = if rng.percent(70) { side.other() } else { side };
        let mut cell = rng.one_of(&on_edge);
        for _ in 0..1 + rng.below(5) {
            if setup.piece(cell).is_none() && rng.percent(90) {
                setup.put(cell, Some(Piece::new(side, Role::Soldier)));
            }
            let around: Vec<Cell> = shape.neighbors(cell).collect();
            for front in around.iter().filter(|cell| !shape.is_edge(**cell)) {
                if setup.piece(*front).is_none() && rng.percent(75) {
                    setup.put(*front, Some(Piece::new(fronted_by, Role::Soldier)));
                }
            }
            let along: Vec<Cell> = around.into_iter().filter(|cell| shape.is_edge(*cell)).collect();
            cell = rng.one_of(&along);
        }
    }
}

/// Replaces some men by other kinds of pieces.
fn promote(rng: &mut Rng, setup: &mut Setup) {
    let roles = [Role::Commander, Role::Knight, Role::Mercenary, Role::Guard];
    let allowed: Vec<Role> = roles.into_iter().filter(|_| rng.percent(50)).collect();
    let soldiers: Vec<(Cell, Piece)> =
        setup.pieces().filter(|(_, piece)| piece.role == Role::Soldier).collect();
    for (cell, piece) in soldiers {
        if !allowed.is_empty() && rng.percent(25) {
            setup.put(cell, Some(Piece::new(piece.side, rng.one_of(&allowed))));
        }
    }
}
