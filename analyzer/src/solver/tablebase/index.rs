//! Indexes of positions with a king and given numbers of attackers and defenders. Mirror images
//! share an index.

use tafl_rules::{Cell, Piece, Role, RuleSet, Side, Symmetry, rules_symmetries};

/// The maximum number of pieces, including the king. Also used as the capacity for the men of each
/// side.
pub(super) const MAX_PIECES: usize = 12;

/// The cells of the pieces: the king, the attackers, and the defenders' men.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceCells {
    pub(super) king: Cell,
    attackers: [Cell; MAX_PIECES],
    defenders: [Cell; MAX_PIECES],
    n: PieceCounts,
}

/// The numbers of attackers and of defenders other than the king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceCounts {
    /// The number of attackers.
    pub attackers: u8,
    /// The number of defenders other than the king.
    pub defenders: u8,
}

impl PieceCounts {
    /// Returns the number of all pieces including the king; 255 if there are more.
    pub const fn pieces(self) -> u8 {
        self.attackers.saturating_add(self.defenders).saturating_add(1)
    }
}

impl PieceCells {
    /// Creates the pieces on cells, or returns `None` if there are too many.
    pub(super) fn of(
        king: Cell,
        attackers: impl IntoIterator<Item = Cell>,
        defenders: impl IntoIterator<Item = Cell>,
    ) -> Option<PieceCells> {
        let none = [Cell::new(0); MAX_PIECES];
        let mut pieces = PieceCells {
            king,
            attackers: none,
            defenders: none,
            n: PieceCounts { attackers: 0, defenders: 0 },
        };
        for cell in attackers {
            *pieces.attackers.get_mut(usize::from(pieces.n.attackers))? = cell;
            pieces.n.attackers += 1;
        }
        for cell in defenders {
            *pieces.defenders.get_mut(usize::from(pieces.n.defenders))? = cell;
            pieces.n.defenders += 1;
        }
        Some(pieces)
    }

    pub(super) fn attackers(&self) -> &[Cell] {
        &self.attackers[..usize::from(self.n.attackers)]
    }

    pub(super) fn defenders(&self) -> &[Cell] {
        &self.defenders[..usize::from(self.n.defenders)]
    }

    pub(super) fn counts(&self) -> PieceCounts {
        self.n
    }

    /// Returns the pieces with their cells.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Cell, Piece)> {
        let soldier = |side: Side| move |cell: &Cell| (*cell, Piece::new(side, Role::Soldier));
        let king = (self.king, Piece::new(Side::Defenders, Role::King));
        let attackers = self.attackers().iter().map(soldier(Side::Attackers));
        attackers.chain(self.defenders().iter().map(soldier(Side::Defenders))).chain([king])
    }
}

/// The indexing of positions.
#[derive(Debug, Clone)]
pub(super) struct PositionIndex {
    symmetries: Vec<Symmetry>,
    /// The cells on which men can be.
    men: Vec<Cell>,
    /// The index of each cell of the board among the cells for men.
    number_of: Vec<Option<u16>>,
    /// A representative of each class of cells on which the king can be. A class contains the
    /// images of a cell under the symmetries.
    kings: Vec<Cell>,
    /// The class of each cell of the board, with the symmetries that map the cell to the
    /// representative.
    classes: Vec<Option<(usize, Vec<usize>)>>,
    /// Binomial coefficients `choose[n][k]`, saturating.
    choose: Vec<[u64; MAX_PIECES + 1]>,
}

impl PositionIndex {
    pub(super) fn new(rules: &RuleSet) -> PositionIndex {
        let shape = rules.shape();
        let symmetries = rules_symmetries(rules);
        let may_stop = |piece: Piece, cell: Cell| {
            rules.zones.values().all(|zone| !zone.contains(cell) || zone.stop.contains(piece))
        };
        let soldiers = Side::ALL.map(|side| Piece::new(side, Role::Soldier));
        let is_for_men = |cell: &Cell| soldiers.iter().any(|piece| may_stop(*piece, *cell));
        let men: Vec<Cell> = shape.cells().filter(is_for_men).collect();
        let goals = rules.goal_cells(Side::Defenders);
        let king = Piece::new(Side::Defenders, Role::King);
        let starts: Vec<Cell> =
            rules.start.pieces().filter(|(_, piece)| *piece == king).map(|(cell, _)| cell).collect();
        let is_for_kings =
            |cell: &Cell| !goals.contains(cell) && (may_stop(king, *cell) || starts.contains(cell));
        let (mut kings, mut classes) = (Vec::new(), vec![None; shape.n_cells()]);
        for cell in shape.cells().filter(is_for_kings) {
            let least = symmetries.iter().map(|symmetry| symmetry.image(cell)).min().unwrap_or(cell);
            let class = kings.iter().position(|king| *king == least).unwrap_or_else(|| {
                kings.push(least);
                kings.len() - 1
            });
            let to_representative =
                (0..symmetries.len()).filter(|at| symmetries[*at].image(cell) == least).collect();
            classes[cell.index()] = Some((class, to_representative));
        }
        let mut number_of = vec![None; shape.n_cells()];
        for (number, cell) in (0..).zip(&men) {
            number_of[cell.index()] = Some(number);
        }
        PositionIndex { choose: binomials(men.len()), symmetries, men, number_of, kings, classes }
    }

    /// Returns the number of indexes for given numbers of pieces, saturating.
    pub(super) fn size(&self, counts: PieceCounts) -> u64 {
        let (a, d) = (usize::from(counts.attackers), usize::from(counts.defenders));
        let free = self.men.len().saturating_sub(a);
        let of_men = self.choose[self.men.len()][a].saturating_mul(self.choose[free][d]);
        of_men.saturating_mul(self.kings.len() as u64)
    }

    /// Returns the index of a position: the minimum over its mirror images. `None` if a piece is on
    /// a cell that it cannot move to.
    #[inline]
    pub(super) fn number(&self, pieces: &PieceCells) -> Option<u64> {
        let (class, symmetries) = self.classes[pieces.king.index()].as_ref()?;
        let mut least = u64::MAX;
        for symmetry in symmetries {
            let number = self.number_as(pieces, *class, &self.symmetries[*symmetry])?;
            least = least.min(number);
        }
        Some(least)
    }

    fn number_as(&self, pieces: &PieceCells, class: usize, symmetry: &Symmetry) -> Option<u64> {
        let mut attackers = [0u16; MAX_PIECES];
        let mut defenders = [0u16; MAX_PIECES];
        let attackers = self.numbers(pieces.attackers(), symmetry, &mut attackers)?;
        let defenders = self.numbers(pieces.defenders(), symmetry, &mut defenders)?;
        let free = self.men.len() - attackers.len();
        let of_attackers = self.rank(attackers.iter().copied());
        // The defenders' men are indexed on the cells not occupied by attackers.
        let left = defenders
            .iter()
            .map(|number| number - attackers.iter().filter(|other| *other < number).count() as u16);
        let of_defenders = self.rank(left);
        let (all_a, all_d) =
            (self.choose[self.men.len()][attackers.len()], self.choose[free][defenders.len()]);
        Some((class as u64 * all_a + of_attackers) * all_d + of_defenders)
    }

    /// Returns the images of cells as indexes among the cells for men, in ascending order.
    #[inline]
    fn numbers<'n>(
        &self,
        cells: &[Cell],
        symmetry: &Symmetry,
        numbers: &'n mut [u16; MAX_PIECES],
    ) -> Option<&'n [u16]> {
        let numbers = &mut numbers[..cells.len()];
        for (number, cell) in numbers.iter_mut().zip(cells) {
            *number = self.number_of[symmetry.map[cell.index()].index()]?;
        }
        numbers.sort_unstable();
        Some(numbers)
    }

    #[inline]
    fn rank(&self, rising: impl Iterator<Item = u16>) -> u64 {
        rising.enumerate().map(|(at, number)| self.choose[usize::from(number)][at + 1]).sum()
    }

    /// Returns the pieces of an index; `None` if it is not valid or does not belong to the
    /// canonical mirror image.
    pub(super) fn pieces(&self, number: u64, counts: PieceCounts) -> Option<PieceCells> {
        let (a, d) = (usize::from(counts.attackers), usize::from(counts.defenders));
        let free = self.men.len() - a;
        let (all_a, all_d) = (self.choose[self.men.len()][a], self.choose[free][d]);
        let (rest, of_defenders) = (number / all_d, number % all_d);
        let (class, of_attackers) = (rest / all_a, rest % all_a);
        let mut attackers = [0u16; MAX_PIECES];
        self.unrank(of_attackers, self.men.len(), &mut attackers[..a]);
        let mut left = [0u16; MAX_PIECES];
        self.unrank(of_defenders, free, &mut left[..d]);
        for number in &mut left[..d] {
            for attacker in &attackers[..a] {
                *number += u16::from(*attacker <= *number);
            }
        }
        let cell = |number: &u16| self.men[usize::from(*number)];
        let king = self.kings[class as usize];
        let pieces = PieceCells::of(king, attackers[..a].iter().map(cell), left[..d].iter().map(cell))?;
        let is_free = !pieces.attackers().contains(&king) && !pieces.defenders().contains(&king);
        (is_free && self.number(&pieces) == Some(number)).then_some(pieces)
    }

    /// Writes the combination with a rank, in ascending order.
    fn unrank(&self, mut rank: u64, below: usize, numbers: &mut [u16]) {
        let mut most = below;
        for at in (0..numbers.len()).rev() {
            while self.choose[most - 1][at + 1] > rank {
                most -= 1;
            }
            most -= 1;
            numbers[at] = most as u16;
            rank -= self.choose[most][at + 1];
        }
    }
}

fn binomials(n: usize) -> Vec<[u64; MAX_PIECES + 1]> {
    let mut rows = vec![[0_u64; MAX_PIECES + 1]; n + 1];
    rows[0][0] = 1;
    for row in 1..=n {
        rows[row][0] = 1;
        for k in 1..=MAX_PIECES {
            rows[row][k] = rows[row - 1][k - 1].saturating_add(rows[row - 1][k]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use tafl_rules::catalog;

    #[test]
    fn indexes_and_positions_correspond() {
        for (name, counts) in [
            ("brandubh7", PieceCounts { attackers: 2, defenders: 1 }),
            ("hexentafl4", PieceCounts { attackers: 1, defenders: 2 }),
            // More cells than a byte can number.
            ("old-tyr-1-17x17", PieceCounts { attackers: 1, defenders: 0 }),
        ] {
            let index = PositionIndex::new(&catalog::find(name).unwrap().rules());
            let size = index.size(counts);
            let mut used = 0;
            for number in 0..size {
                let Some(pieces) = index.pieces(number, counts) else { continue };
                used += 1;
                assert_eq!(index.number(&pieces), Some(number));
                for symmetry in &index.symmetries {
                    let turned =
                        |cells: &[Cell]| cells.iter().map(|cell| symmetry.image(*cell)).collect::<Vec<_>>();
                    let image = PieceCells::of(
                        symmetry.image(pieces.king),
                        turned(pieces.attackers()),
                        turned(pieces.defenders()),
                    );
                    assert_eq!(index.number(&image.unwrap()), Some(number), "{name} {pieces:?}");
                }
            }
            assert!(used * 3 > size && used < size, "{name}: {used} of {size}");
        }
    }

    #[test]
    fn sizes_saturate() {
        let index = PositionIndex::new(&catalog::find("old-tyr-1-17x17").unwrap().rules());
        assert_eq!(index.size(PieceCounts { attackers: 6, defenders: 5 }), u64::MAX);
    }
}
