//! The tables against walks along the coordinates.

use super::*;
use crate::Rng;

/// Returns about one of every `n` cells.
fn random_cells(shape: Shape, n: usize, rng: &mut Rng) -> Bitboard<2> {
    shape.cells().filter(|_| rng.below(n) == 0).collect()
}

#[test]
fn slides_end_at_the_first_blocker_or_at_the_edge() {
    for shape in [Shape::Square { side: 7 }, Shape::Square { side: 11 }, Shape::Hex { side: 5 }] {
        let topology: Topology<2> = Topology::new(shape);
        for from in shape.cells() {
            for blocker in shape.cells().filter(|cell| *cell != from) {
                let mut slow = Bitboard::EMPTY;
                for step in shape.axes().iter().flat_map(|step| [*step, step.back()]) {
                    let mut coord = shape.coord(from).plus(step);
                    while let Some(cell) = shape.cell(coord) {
                        slow.insert(cell);
                        if cell == blocker {
                            break;
                        }
                        coord = coord.plus(step);
                    }
                }
                assert_eq!(topology.slide(from, Bitboard::of(blocker)), slow, "{shape}");
                for to in shape.cells() {
                    assert_eq!(
                        topology.reaches(from, to, Bitboard::of(blocker)),
                        slow.contains(to),
                        "{shape}"
                    );
                }
            }
        }
    }
}

#[test]
fn slides_of_a_set_are_the_union_of_slides() {
    let mut rng = Rng::new(7);
    for shape in [Shape::Square { side: 5 }, Shape::Square { side: 11 }, Shape::Hex { side: 5 }] {
        let topology: Topology<2> = Topology::new(shape);
        for density in [2, 4, 16] {
            for _ in 0..200 {
                let mut some = |n| random_cells(shape, n, &mut rng);
                let (cells, blockers) = (some(9), some(density));
                let slow =
                    cells.iter().fold(Bitboard::EMPTY, |all, cell| all | topology.slide(cell, blockers));
                let free = topology.all.without(blockers);
                assert_eq!(topology.slide_all(cells, free), slow, "{shape}");
                let each_way = topology.slide_each_way(cells, free);
                assert_eq!(each_way.is_some(), matches!(shape, Shape::Square { .. }));
                let all = each_way.map(|all| all.into_iter().fold(Bitboard::EMPTY, |all, one| all | one));
                assert_eq!(all.unwrap_or(slow), slow, "{shape}");
            }
        }
    }
}

#[test]
fn flanks_and_middles_have_their_neighbors_on_one_line() {
    let mut rng = Rng::new(13);
    for shape in [Shape::Square { side: 5 }, Shape::Square { side: 11 }, Shape::Hex { side: 5 }] {
        let topology: Topology<2> = Topology::new(shape);
        for _ in 0..200 {
            let mut some = |n| random_cells(shape, n, &mut rng);
            let (one, other) = (some(3), some(4));
            let (mut flanks, mut middles) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for cell in shape.cells() {
                for step in shape.axes().iter().flat_map(|step| [*step, step.back()]) {
                    let near = shape.coord(cell).plus(step);
                    let at = |coord| shape.cell(coord);
                    let (near, far, back) =
                        (at(near), at(near.plus(step)), at(shape.coord(cell).plus(step.back())));
                    let has =
                        |set: Bitboard<2>, cell: Option<Cell>| cell.is_some_and(|cell| set.contains(cell));
                    if has(one, near) && has(other, far) {
                        flanks.insert(cell);
                    }
                    if has(one, near) && has(other, back) {
                        middles.insert(cell);
                    }
                }
            }
            assert_eq!(topology.flanks(one, other), flanks, "{shape}");
            assert_eq!(topology.between(one, other), middles, "{shape}");
        }
    }
}

#[test]
fn a_flood_is_a_repeated_spread() {
    let mut rng = Rng::new(11);
    for shape in [Shape::Square { side: 5 }, Shape::Square { side: 11 }, Shape::Hex { side: 5 }] {
        let topology: Topology<2> = Topology::new(shape);
        for density in [2, 3, 8] {
            for _ in 0..200 {
                let mut some = |n| random_cells(shape, n, &mut rng);
                let (seeds, open) = (some(30), topology.all.without(some(density)));
                let mut slow = seeds & open;
                for _ in shape.cells() {
                    slow |= topology.spread(slow) & open;
                }
                assert_eq!(topology.flood(seeds, open), slow, "{shape}");
            }
        }
    }
}

#[test]
fn diagonal_neighbors_are_two_steps_away() {
    let shape = Shape::Square { side: 11 };
    let topology: Topology<2> = Topology::new(shape);
    for cell in shape.cells() {
        let coord = shape.coord(cell);
        let steps = shape.diagonals().iter().flat_map(|step| [*step, step.back()]);
        let slow: Bitboard<2> = steps.filter_map(|step| shape.cell(coord.plus(step))).collect();
        assert_eq!(topology.spread_diagonally(Bitboard::of(cell)), slow);
    }
}

#[test]
fn spread_is_the_union_of_neighbors() {
    for shape in [Shape::Square { side: 5 }, Shape::Square { side: 11 }, Shape::Hex { side: 3 }] {
        let topology: Topology<2> = Topology::new(shape);
        for cell in shape.cells() {
            assert_eq!(topology.spread(Bitboard::of(cell)), topology.neighbors(cell));
        }
    }
}
