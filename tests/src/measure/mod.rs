//! Measurements of quality: the proportion of known faults that repair fixes, and of rule options that inference recovers.
//!
//! `tests/benchmarks` prints them with their times; the tests of the workspace check that they stay meaningful.

pub mod inference;
pub mod recovery;
pub mod repair;
pub mod repair_stats;

/// Returns at most `n` elements of a list, spread evenly.
fn spread<T>(list: Vec<T>, n: usize) -> Vec<T> {
    let length = list.len();
    if length <= n {
        return list;
    }
    let mut wanted = (0..n).map(|nth| nth * length / n).peekable();
    let taken = list.into_iter().enumerate().filter(|(at, _)| wanted.next_if_eq(at).is_some());
    taken.map(|(_, element)| element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_taken_from_the_whole_list() {
        assert_eq!(spread((0..29).collect(), 10), [0, 2, 5, 8, 11, 14, 17, 20, 23, 26]);
        assert_eq!(spread(vec![1, 2], 2), [1, 2]);
        assert_eq!(spread(vec![1, 2], 0), [0; 0]);
    }
}
