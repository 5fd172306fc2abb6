//! Tie-breaks of tables that were worked out by hand.

use tafl_corpus::GameResult::{self, Attackers, Defenders, Draw};
use tafl_rules::Reason;

use super::*;
use crate::measure::tests::{game, games};
use crate::measure::win_length::{NoSolver, WinLength};

/// Returns the games of pairs with the points of the first player.
fn played(results: &[(u32, u32, f64)]) -> Games {
    let game = |(at, (one, two, points)): (u32, &(u32, u32, f64))| {
        let result = match points {
            1.0 => Attackers,
            0.5 => Draw,
            _ => Defenders,
        };
        game(Some([*one, *two]), result, 100 + at)
    };
    games((0..).zip(results).map(game).collect())
}

fn table(games: &Games, tie_breaks: &[TieBreak]) -> Crosstable {
    let options = CrosstableOptions { max_players: None, tie_breaks: tie_breaks.to_vec() };
    crosstable(games, &options, &mut NoSolver).unwrap()
}

/// Returns the players with their places and the values of the last tie-break.
fn places(table: &Crosstable) -> Vec<(&str, u32, Option<f64>)> {
    let value = |line: &CrosstableLine| match line.tie_breaks.last() {
        Some(TieBreakValue::Points(points)) => Some(*points),
        _ => None,
    };
    table
        .lines
        .iter()
        .map(|line| (line.name.strip_prefix("player ").unwrap_or(&line.name), line.place, value(line)))
        .collect()
}

/// Four players, each against each other. Points: 1 has 2 (beat 2 and 4), 2 has 2 (beat 3 and 4),
/// 3 has 2 (beat 1 and 4), 4 has 0.
const CIRCLE: [(u32, u32, f64); 6] =
    [(1, 2, 1.0), (2, 3, 1.0), (3, 1, 1.0), (1, 4, 1.0), (4, 2, 0.0), (3, 4, 1.0)];

#[test]
fn a_circle_is_not_broken_by_direct_encounter() {
    // Each of 1, 2, and 3 has one point from the two games against the other two.
    let table = table(&played(&CIRCLE), &[TieBreak::Direct]);
    assert_eq!(
        places(&table),
        [("1", 1, Some(1.0)), ("2", 1, Some(1.0)), ("3", 1, Some(1.0)), ("4", 4, None)]
    );
}

#[test]
fn players_without_games_against_the_listed_ones_are_left_out() {
    // The most frequent players are 1, 2, and 3; all games of 3 are against others.
    let games = played(&[(1, 2, 1.0), (1, 2, 0.5), (3, 4, 1.0), (3, 5, 1.0), (1, 6, 1.0), (2, 7, 0.0)]);
    let options = CrosstableOptions { max_players: Some(3), ..CrosstableOptions::default() };
    let found = crosstable(&games, &options, &mut NoSolver).unwrap();
    let names: Vec<&str> = found.lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!((names, found.omitted), (vec!["player 1", "player 2"], 5));
}

#[test]
fn all_players_are_listed_and_a_large_table_has_only_the_requested_cells() {
    // Each player beats the next one; the last one has no win.
    let n = MAX_COLUMNS as u32 + 5;
    let results: Vec<(u32, u32, f64)> = (0..n - 1).map(|player| (player, player + 1, 1.0)).collect();
    let of = |max_players| {
        let options = CrosstableOptions { max_players, ..CrosstableOptions::default() };
        crosstable(&played(&results), &options, &mut NoSolver).unwrap()
    };
    let all = of(None);
    assert_eq!((all.lines.len(), all.omitted, all.has_cells), (n as usize, 0, false));
    assert!(all.lines.iter().all(|line| line.cells.is_empty()));
    let points: f64 = all.lines.iter().map(|line| line.points).sum();
    assert_eq!(points, f64::from(n - 1));
    let requested = of(Some(n as usize));
    assert!(requested.has_cells && requested.lines.iter().all(|line| line.cells.len() == n as usize));
    let without_cells = |line: &CrosstableLine| CrosstableLine { cells: Vec::new(), ..line.clone() };
    assert_eq!(requested.lines.iter().map(without_cells).collect::<Vec<_>>(), all.lines);
}

#[test]
fn direct_encounter_compares_only_players_who_are_still_tied() {
    // 1 and 2 have 2 points, 3 and 4 have 1: 2 beat 1; 3 and 4 drew with each other and lost or drew otherwise.
    let games = played(&[(1, 3, 1.0), (1, 4, 1.0), (2, 1, 1.0), (2, 3, 0.5), (2, 4, 0.5), (3, 4, 0.5)]);
    let found = table(&games, &[TieBreak::Direct]);
    // Points of 3: 0 + 0.5 + 0.5 = 1; of 4: the same.
    assert_eq!(
        places(&found),
        [("2", 1, Some(1.0)), ("1", 2, Some(0.0)), ("3", 3, Some(0.5)), ("4", 3, Some(0.5))]
    );
    // After wins (1 has two, 2 has one), no player at the top is tied, so the direct encounter is not used there.
    let found = table(&games, &[TieBreak::Wins, TieBreak::Direct]);
    assert_eq!(places(&found), [("1", 1, None), ("2", 2, None), ("3", 3, Some(0.5)), ("4", 3, Some(0.5))]);
}

#[test]
fn sonneborn_berger_weighs_the_points_of_opponents() {
    // Points: 1: 1 + 0.5 + 0.5 = 2, 2: 0 + 1 + 1 = 2, 3: 0.5 + 0 + 1 = 1.5, 4: 0.5 + 0 + 0 = 0.5.
    // 1 beat 2, and drew with 3 and 4: 2 + 0.75 + 0.25 = 3. 2 beat 3 and 4: 1.5 + 0.5 = 2.
    // 3 and 4 are not tied, so their values (1.5 and 1) do not matter.
    let games = played(&[(1, 2, 1.0), (1, 3, 0.5), (4, 1, 0.5), (2, 3, 1.0), (2, 4, 1.0), (3, 4, 1.0)]);
    assert_eq!(
        places(&table(&games, &[TieBreak::SonnebornBerger])),
        [("1", 1, Some(3.0)), ("2", 2, Some(2.0)), ("3", 3, None), ("4", 4, None)]
    );
}

#[test]
fn buchholz_counts_each_game_against_an_opponent() {
    // Points: 1: 2 (beat 3 twice), 2: 2 (beat 3 and 4), 3: 0, 4 and 5: 0.5 (they drew).
    let games = played(&[(1, 3, 1.0), (3, 1, 0.0), (2, 3, 1.0), (4, 2, 0.0), (4, 5, 0.5)]);
    // Buchholz: 1: 0 + 0 = 0; 2: 0 + 0.5 = 0.5; 4: 2 + 0.5 = 2.5; 5: 0.5. 3 is not tied.
    assert_eq!(
        places(&table(&games, &[TieBreak::Buchholz])),
        [("2", 1, Some(0.5)), ("1", 2, Some(0.0)), ("4", 3, Some(2.5)), ("5", 4, Some(0.5)), ("3", 5, None)]
    );
}

#[test]
fn a_tie_break_is_shown_only_where_it_was_needed() {
    // Points: 1: 0.5 + 1 + 0.5 = 2, 2: 0.5 + 1 + 0.5 = 2, 3: 0 + 0.5 + 1 = 1.5, 4: 0 + 0.5 + 0 = 0.5.
    // Sonneborn-Berger: 1: 1 + 1.5 + 0.25 = 2.75, 2: 1 + 0.5 + 0.75 = 2.25.
    let games = played(&[(1, 2, 0.5), (1, 3, 1.0), (2, 4, 1.0), (1, 4, 0.5), (2, 3, 0.5), (3, 4, 1.0)]);
    let found = table(&games, &[TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Buchholz]);
    let used: Vec<Vec<bool>> = found
        .lines
        .iter()
        .map(|line| line.tie_breaks.iter().map(|value| *value != TieBreakValue::Unused).collect())
        .collect();
    // The direct encounter leaves 1 and 2 tied, and Sonneborn-Berger separates them.
    assert_eq!(used, [[true, true, false], [true, true, false], [false; 3], [false; 3]]);
}

#[test]
fn wins_are_counted() {
    // 1 has one win and one loss, 2 has two draws: one point each. 3: a loss and a draw; 4: a win and a draw.
    let games = played(&[(1, 3, 1.0), (4, 1, 1.0), (2, 3, 0.5), (2, 4, 0.5)]);
    assert_eq!(
        places(&table(&games, &[TieBreak::Wins])),
        [("4", 1, None), ("1", 2, Some(1.0)), ("2", 3, Some(0.0)), ("3", 4, None)]
    );
}

/// A meter with fixed lengths, by the number of plies that were played.
struct Meter(Vec<(u32, WinLength)>, Vec<u32>);

impl WinMeter for Meter {
    fn length(&mut self, game: &GameFacts, _: Side) -> Result<WinLength> {
        self.1.push(game.plies);
        let known = self.0.iter().find(|(plies, _)| *plies == game.plies);
        Ok(known.map_or(WinLength { min: game.plies + 1, max: None }, |(_, length)| *length))
    }
}

#[test]
fn the_shortest_win_uses_the_solver_only_where_it_matters() {
    let cut = |plies| GameFacts { reason: Some(Reason::Resignation), ..game(Some([1, 4]), Attackers, plies) };
    let of = |pair: [u32; 2], result: GameResult, plies| game(Some(pair), result, plies);
    // The circle of 1, 2, and 3 with lengths: 1 won in 60, and 4 resigned against him after 30 and after 80 plies.
    // 2 won in 41 and 44, and 3 in 50 and 41.
    let rows = vec![
        of([1, 2], Attackers, 60),
        of([2, 3], Attackers, 41),
        of([3, 1], Attackers, 50),
        cut(30),
        of([4, 2], Defenders, 44),
        of([3, 4], Attackers, 41),
        // Makes the points equal: each of 1, 2, and 3 has three.
        cut(80),
        of([2, 4], Attackers, 70),
        of([3, 4], Attackers, 70),
    ];
    let all = games(rows);
    let options =
        CrosstableOptions { max_players: Some(9), tie_breaks: vec![TieBreak::Direct, TieBreak::ShortestWin] };
    let found = |length: WinLength| {
        let mut meter = Meter(vec![(30, length)], Vec::new());
        let table = crosstable(&all, &options, &mut meter).unwrap();
        // A resignation after 80 plies cannot be shorter than the win in 60.
        assert_eq!(meter.1, [30]);
        let line = |line: &CrosstableLine| (line.name.clone(), line.place, line.is_undecided);
        table.lines.iter().map(line).collect::<Vec<_>>()
    };
    let expected = |lines: [(&str, u32, bool); 4]| {
        lines.map(|(name, place, is_undecided)| (format!("player {name}"), place, is_undecided)).to_vec()
    };
    // Proven in 5: 35 plies in all, before 2 and 3, who share a place with 41.
    assert_eq!(
        found(WinLength::exact(35)),
        expected([("1", 1, false), ("2", 2, false), ("3", 2, false), ("4", 4, false)])
    );
    // Not proven: it may have taken 31 plies or more.
    assert_eq!(
        found(WinLength { min: 31, max: None }),
        expected([("1", 1, true), ("2", 1, true), ("3", 1, true), ("4", 4, false)])
    );
    // Proven in at most 40.
    assert_eq!(
        found(WinLength { min: 31, max: Some(40) }),
        expected([("1", 1, false), ("2", 2, false), ("3", 2, false), ("4", 4, false)])
    );
}
