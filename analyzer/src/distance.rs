//! Distances on an empty board, in steps.

use std::collections::VecDeque;

use tafl_rules::{Cell, Shape};

/// Returns each cell's distance to the nearest cell that meets a condition; the number of cells if no cell meets it.
pub(crate) fn distances_to(shape: Shape, is_goal: impl Fn(Cell) -> bool) -> Vec<i32> {
    let far = shape.n_cells() as i32;
    let mut steps: Vec<i32> = shape.cells().map(|cell| if is_goal(cell) { 0 } else { far }).collect();
    let mut queue: VecDeque<Cell> = shape.cells().filter(|cell| is_goal(*cell)).collect();
    while let Some(cell) = queue.pop_front() {
        for near in shape.neighbors(cell) {
            if steps[near.index()] == far {
                steps[near.index()] = steps[cell.index()] + 1;
                queue.push_back(near);
            }
        }
    }
    steps
}

/// Returns each cell's distance to the nearest of some cells; the number of cells if there are none.
pub(crate) fn distances_to_cells(shape: Shape, cells: &[Cell]) -> Vec<i32> {
    distances_to(shape, |cell| cells.contains(&cell))
}
