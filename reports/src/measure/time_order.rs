//! The order of games in time, and an order that does not depend on that of the corpus.

use super::games::GameFacts;

/// How the order of games in time is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeOrder {
    /// All games have a date.
    Date,
    /// All games have a number, which sites assign in the order in which games begin.
    Number,
    /// Some games have no date, and some no number, so the order is not known.
    Unknown,
}

impl TimeOrder {
    /// Returns how the order of some games is known.
    pub fn of<'g>(games: impl Iterator<Item = &'g GameFacts> + Clone) -> TimeOrder {
        if games.clone().all(|game| game.date.is_some()) {
            TimeOrder::Date
        } else if games.clone().all(|game| game.number.is_some()) {
            TimeOrder::Number
        } else {
            TimeOrder::Unknown
        }
    }
}

/// The numbers of games whose time is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UntimedGames {
    /// All games whose order matters.
    pub games: u64,
    /// Those without a date.
    pub without_date: u64,
    /// Those without a number.
    pub without_number: u64,
}

impl UntimedGames {
    /// Counts games.
    pub(super) fn of<'g>(games: impl Iterator<Item = &'g GameFacts>) -> UntimedGames {
        games.fold(UntimedGames::default(), |counts, game| UntimedGames {
            games: counts.games + 1,
            without_date: counts.without_date + u64::from(game.date.is_none()),
            without_number: counts.without_number + u64::from(game.number.is_none()),
        })
    }
}

/// Returns games in the order of time, if it is known. Games of the same time, or of unknown order, are sorted by their
/// contents, so the result does not depend on the order before.
pub(super) fn in_stable_order<'g>(
    games: impl Iterator<Item = &'g GameFacts> + Clone,
) -> (Vec<&'g GameFacts>, TimeOrder) {
    let order = TimeOrder::of(games.clone());
    let key = |game: &GameFacts| {
        let (date, number) = match order {
            TimeOrder::Date => (game.date, game.number),
            TimeOrder::Number => (None, game.number),
            TimeOrder::Unknown => (None, None),
        };
        (date, number, game.line)
    };
    // The ID is last: of games with the same moves, players, and date, it depends on their places.
    let rest = |game: &GameFacts| {
        let players = (game.players.attackers, game.players.defenders);
        (players, game.result as u8, game.reason.map(|reason| reason as u8), game.id)
    };
    let compare =
        |one: &GameFacts, two: &GameFacts| key(one).cmp(&key(two)).then_with(|| rest(one).cmp(&rest(two)));
    if games.clone().is_sorted_by(|one, two| compare(one, two).is_le()) {
        return (games.collect(), order);
    }
    // Keys are stored beside the references, because following a reference is slow.
    let mut all: Vec<_> = games.map(|game| (key(game), game)).collect();
    all.sort_unstable_by(|(one, game), (two, other)| one.cmp(two).then_with(|| rest(game).cmp(&rest(other))));
    (all.into_iter().map(|(_, game)| game).collect(), order)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tafl_corpus::GameResult;

    use super::*;
    use crate::measure::games::GameDate;
    use crate::measure::tests::game;

    #[test]
    fn games_are_sorted_by_date_or_else_by_number() {
        let made = |id: u32, date: Option<&str>, number: u64| GameFacts {
            date: date.and_then(GameDate::of),
            number: NonZeroU64::new(number),
            ..game(Some([1, 2]), GameResult::Draw, id)
        };
        let ids = |games: &[GameFacts]| {
            let (sorted, order) = in_stable_order(games.iter());
            (sorted.into_iter().map(|game| game.id).collect::<Vec<i64>>(), order)
        };
        let dated = [made(1, Some("2020"), 7), made(2, Some("2019-05-02"), 9), made(3, Some("2019-05"), 0)];
        assert_eq!(ids(&dated), (vec![3, 2, 1], TimeOrder::Date));
        let numbered = [made(1, Some("2020"), 7), made(2, None, 9), made(3, None, 2)];
        assert_eq!(ids(&numbered), (vec![3, 1, 2], TimeOrder::Number));
        let unknown = [made(4, None, 7), made(2, Some("2020"), 0), made(3, None, 2)];
        assert_eq!(ids(&unknown), (vec![2, 3, 4], TimeOrder::Unknown));
        let untimed = UntimedGames::of(unknown.iter());
        assert_eq!((untimed.games, untimed.without_date, untimed.without_number), (3, 2, 1));
        assert_eq!(ids(&[]), (vec![], TimeOrder::Date));
    }
}
