//! Games in the order of a small number, such as their length.

use super::games::GameFacts;

/// Returns the indices of the games that have a number, in ascending order of it, and games with the same number in their own order.
pub(super) fn in_order_of(games: &[GameFacts], number: impl Fn(&GameFacts) -> Option<u32>) -> Vec<u32> {
    let numbers = || (0..).zip(games).filter_map(|(at, game)| Some((number(game)?, at)));
    let (n, max) = numbers().fold((0, 0), |(n, max), (number, _)| (n + 1, number.max(max)));
    if max as usize > 8 * n + 1024 {
        let mut sorted: Vec<(u32, u32)> = numbers().collect();
        sorted.sort_unstable();
        return sorted.into_iter().map(|(_, at)| at).collect();
    }
    // Lengths and captures are small, so counting is several times as fast as sorting.
    let mut places = vec![0_u32; max as usize + 1];
    numbers().for_each(|(number, _)| places[number as usize] += 1);
    let mut end = 0;
    for place in &mut places {
        (*place, end) = (end, end + *place);
    }
    let mut order = vec![0; n];
    for (number, at) in numbers() {
        let place = &mut places[number as usize];
        order[*place as usize] = at;
        *place += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn small_and_large_numbers_are_in_ascending_order() {
        let all: Vec<GameFacts> = (0..300_u32)
            .map(|at| GameFacts { plies: at * 7919 % 31, ..game(None, GameResult::Draw, at) })
            .collect();
        for factor in [1, 1_000_000] {
            let order = in_order_of(&all, |game| (game.plies != 3).then_some(game.plies * factor));
            let key = |at: &u32| (all[*at as usize].plies, *at);
            assert!(order.is_sorted_by_key(key), "{order:?}");
            assert_eq!(order.len(), all.iter().filter(|game| game.plies != 3).count());
        }
        assert!(in_order_of(&[], |_| None).is_empty());
    }
}
