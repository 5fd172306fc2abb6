//! Starts of training games: handicaps and random moves.
//!
//! Under many rules one side of equal players nearly always wins, and such games teach little. The
//! stronger side therefore starts with fewer men, and the handicap follows the results: after a win
//! of a side, its handicap grows, and after a loss, it shrinks.

use tafl_rules::{AnyRulebook, Cell, Piece, Rng, Role, Rulebook, Setup, Side, with_rulebook};

/// The handicap of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Handicap {
    /// The percentage of men that the defenders lack at the start; if negative, the attackers.
    percent: i32,
}

impl Handicap {
    /// The largest handicap before it is varied, in percent of the men. Games with fewer men have
    /// little in common with the variant.
    const MAX: i32 = 45;
    /// The change after a game that was won, in percent of the men.
    const STEP: i32 = 6;
    /// Each handicap is varied by the sum of three random numbers below this, less about its mean, in
    /// percent of the men: each variant is played with several handicaps.
    const SPREAD: i32 = 8;

    /// Adapts the handicap to the result of a game in half points of the attackers.
    pub(super) fn update(&mut self, half_points: u8) {
        let change = (1 - i32::from(half_points)) * Handicap::STEP;
        self.percent = (self.percent + change).clamp(-Handicap::MAX, Handicap::MAX);
    }

    /// Returns a start with this handicap: the start of the rules without some men of one side, and
    /// after up to three moves of random men of either side.
    pub(super) fn start(self, book: &AnyRulebook, rng: &mut Rng) -> Setup {
        let spread = Handicap::SPREAD as usize;
        let jitter =
            (rng.below(spread) + rng.below(spread) + rng.below(spread)) as i32 - 3 * Handicap::SPREAD / 2;
        let percent = self.percent + jitter;
        let mut setup = book.rules().start.clone();
        let side = if percent > 0 { Side::Defenders } else { Side::Attackers };
        let mut men = men_of(&setup, side);
        rng.shuffle(&mut men);
        let n_removed = (men.len() * percent.unsigned_abs() as usize + rng.below(100)) / 100;
        men.iter().take(n_removed.min(men.len().saturating_sub(1))).for_each(|cell| setup.put(*cell, None));
        for _ in 0..rng.below(4) {
            with_rulebook!(book, book => shift(book, &mut setup, rng));
        }
        setup
    }
}

fn men_of(setup: &Setup, side: Side) -> Vec<Cell> {
    let is_man =
        |(cell, piece): (Cell, Piece)| (piece.side == side && piece.role != Role::King).then_some(cell);
    setup.pieces().filter_map(is_man).collect()
}

/// Moves a random man to a random cell that it can reach.
fn shift<const N: usize>(book: &Rulebook<N>, setup: &mut Setup, rng: &mut Rng) {
    let side = Side::ALL[rng.below(2)];
    let Some(from) = rng.pick(&men_of(setup, side)).copied() else { return };
    let Some(piece) = setup.piece(from) else { return };
    let pos = book.position(setup, side);
    let targets: Vec<Cell> = book.reach(&pos, from, piece).iter().collect();
    if let Some(to) = rng.pick(&targets) {
        setup.put(from, None);
        setup.put(*to, Some(piece));
    }
}
