//! Standings: one crosstable for each group of a tournament.

use std::collections::HashMap;

use tafl_corpus::{Corpus, Result};

use super::crosstable::{Crosstable, CrosstableOptions, crosstable};
use super::games::{GameFacts, Games};
use super::tags::column_texts;
use super::win_length::WinMeter;

/// The rule that divides the games of a tournament into groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TournamentGroups {
    /// All games are one group.
    #[default]
    One,
    /// The tag `event`.
    Event,
    /// The tags `event` and `round`: rounds of different events are different groups.
    Round,
    /// Players who met, directly or through others.
    Met,
}

/// The crosstable of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupTable {
    /// The name of the group; empty if all games are one group, or the games have no such tag.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The table.
    pub table: Crosstable,
}

/// Returns the crosstables of all groups, by name; groups of players who met are numbered, the largest one first.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn standings(
    corpus: &Corpus,
    games: &Games,
    groups: TournamentGroups,
    options: &CrosstableOptions,
    meter: &mut dyn WinMeter,
) -> Result<Vec<GroupTable>> {
    let names = match groups {
        TournamentGroups::One => vec![String::new(); games.rows.len()],
        TournamentGroups::Event => tagged(corpus, games, "event")?,
        TournamentGroups::Round => {
            rounds(column_texts(corpus, games, "event")?, column_texts(corpus, games, "round")?)
        }
        TournamentGroups::Met => met(games),
    };
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut own: Vec<(&str, Vec<_>)> = Vec::new();
    for (row, name) in games.rows.iter().zip(&names) {
        let at = *numbers.entry(name).or_insert_with(|| {
            own.push((name, Vec::new()));
            own.len() - 1
        });
        own[at].1.push(*row);
    }
    own.sort_by_key(|(name, _)| natural(name));
    let mut found = Vec::with_capacity(own.len());
    for (name, rows) in own {
        let part = Games { rows, ..games.filtered(|_| false) };
        let table = crosstable(&part, options, meter)?;
        if !table.lines.is_empty() {
            found.push(GroupTable { name: name.to_owned(), games: part.rows.len() as u64, table });
        }
    }
    Ok(found)
}

/// Returns the texts of a column, such as `event`; empty for games without one.
fn tagged(corpus: &Corpus, games: &Games, column: &str) -> Result<Vec<String>> {
    Ok(column_texts(corpus, games, column)?.into_iter().map(Option::unwrap_or_default).collect())
}

/// Returns the name of the round of each game, with its event; empty if no game has a round.
fn rounds(events: Vec<Option<String>>, rounds: Vec<Option<String>>) -> Vec<String> {
    if rounds.iter().all(Option::is_none) {
        return vec![String::new(); rounds.len()];
    }
    let name = |(event, round): (Option<String>, Option<String>)| {
        let round = round.map(|round| {
            let is_number = !round.is_empty() && round.chars().all(|sign| sign.is_ascii_digit());
            if is_number { format!("round {round}") } else { round }
        });
        match (event, round) {
            (Some(event), Some(round)) => format!("{event}, {round}"),
            (Some(event), None) => format!("{event}, without a round"),
            (None, Some(round)) => round,
            (None, None) => String::new(),
        }
    };
    events.into_iter().zip(rounds).map(name).collect()
}

/// Returns the order of a name in which numbers are compared by value: `round 2` comes before `round 10`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = vec![(String::new(), 0_u64)];
    let mut in_number = false;
    for sign in name.chars() {
        let last = parts.last_mut().expect("there is a first part");
        match sign.to_digit(10) {
            Some(digit) => {
                last.1 = last.1.saturating_mul(10).saturating_add(u64::from(digit));
                in_number = true;
            }
            None if in_number => {
                parts.push((sign.to_string(), 0));
                in_number = false;
            }
            None => last.0.push(sign),
        }
    }
    parts
}

/// Returns the number of the connected component of each game's players, the one with the most games first. A game
/// that does not name two players has no group.
fn met(games: &Games) -> Vec<String> {
    let mut parents: HashMap<u32, u32> = HashMap::new();
    for [one, other] in games.rows.iter().filter_map(GameFacts::pair) {
        let (one, other) = (root(&mut parents, one), root(&mut parents, other));
        parents.insert(one.max(other), one.min(other));
    }
    let mut roots = |game: &GameFacts| Some(root(&mut parents, game.pair()?[0]));
    let of_games: Vec<Option<u32>> = games.rows.iter().map(&mut roots).collect();
    let mut sizes: HashMap<u32, u64> = HashMap::new();
    of_games.iter().flatten().for_each(|root| *sizes.entry(*root).or_default() += 1);
    let mut order: Vec<(u32, u64)> = sizes.into_iter().collect();
    order.sort_by_key(|(root, n)| (std::cmp::Reverse(*n), *root));
    let numbers: HashMap<u32, String> =
        (1..).zip(order).map(|(number, (root, _)): (u32, _)| (root, number.to_string())).collect();
    let name = |root: &Option<u32>| root.and_then(|root| numbers.get(&root).cloned());
    of_games.iter().map(|root| name(root).unwrap_or_default()).collect()
}

/// Returns the representative of a player's component.
fn root(parents: &mut HashMap<u32, u32>, player: u32) -> u32 {
    let mut at = player;
    loop {
        let parent = *parents.entry(at).or_insert(at);
        if parent == at {
            break;
        }
        at = parent;
    }
    // Paths are shortened, so that long chains of players stay fast.
    parents.insert(player, at);
    at
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult::{Attackers, Defenders};

    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = vec!["round 10", "round 2", "final", "", "round 2b"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["", "final", "round 2", "round 2b", "round 10"]);
    }

    #[test]
    fn rounds_of_different_events_are_different_groups() {
        let texts = |texts: [Option<&str>; 5]| texts.map(|text| text.map(str::to_owned)).to_vec();
        let events = texts([Some("Cup"), Some("Open"), Some("Cup"), None, None]);
        let of = rounds(events.clone(), texts([Some("1"), Some("1"), None, Some("final"), None]));
        assert_eq!(of, ["Cup, round 1", "Open, round 1", "Cup, without a round", "final", ""]);
        assert_eq!(rounds(events, texts([None; 5])), [""; 5]);
    }

    #[test]
    fn players_who_met_are_a_group() {
        let rows = vec![
            game(Some([5, 6]), Attackers, 1),
            game(Some([1, 2]), Attackers, 2),
            game(Some([3, 4]), Defenders, 3),
            game(Some([2, 3]), Defenders, 4),
            game(None, Attackers, 5),
        ];
        assert_eq!(met(&Games { rows, ..Games::default() }), ["2", "1", "1", "1", ""]);
    }
}
