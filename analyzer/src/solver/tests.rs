//! What the solver must find, and must not: a judge that knows every reachable position decides.

use std::collections::HashMap;

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{AnyRulebook, Cell, Game, Piece, RepetitionMode, Role, RuleSet, Setup, Side};

use super::*;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Every position that can be reached, and who wins from it within how many plies.
struct Judge {
    positions: Vec<Position<1>>,
    numbers: HashMap<u64, usize>,
    /// For each move of each position: the position after it, or who won with it.
    moves: Vec<Vec<Result<usize, Option<Side>>>>,
}

impl Judge {
    /// Returns nothing where more positions can be reached than are worth looking at.
    fn of(book: &Rulebook<1>, start: Position<1>, most: usize) -> Option<Judge> {
        let mut judge =
            Judge { positions: vec![start], numbers: HashMap::from([(start.key().0, 0)]), moves: Vec::new() };
        while judge.moves.len() < judge.positions.len() {
            if judge.positions.len() > most {
                return None;
            }
            let pos = judge.positions[judge.moves.len()];
            let mut found = Vec::new();
            for mv in book.moves(&pos) {
                let mut next = pos;
                let effects = book.play(&mut next, mv);
                found.push(match effects.outcome {
                    Some(outcome) => Err(outcome.winner),
                    None => {
                        let new = judge.positions.len();
                        let number = *judge.numbers.entry(next.key().0).or_insert(new);
                        if number == new {
                            judge.positions.push(next);
                        }
                        Ok(number)
                    }
                });
            }
            judge.moves.push(found);
        }
        Some(judge)
    }

    /// Returns for each position within how many plies a side wins from it, if it can force that.
    fn wins(&self, side: Side) -> Vec<Option<u16>> {
        let mut wins: Vec<Option<u16>> = vec![None; self.positions.len()];
        for plies in 1.. {
            let mut found = Vec::new();
            for (at, pos) in self.positions.iter().enumerate() {
                if wins[at].is_some() {
                    continue;
                }
                let won = |to: &Result<usize, Option<Side>>| match to {
                    Ok(next) => wins[*next].is_some(),
                    Err(winner) => *winner == Some(side),
                };
                let moves = &self.moves[at];
                let is_won = if pos.to_move() == side {
                    moves.iter().any(won)
                } else {
                    !moves.is_empty() && moves.iter().all(won)
                };
                if is_won {
                    found.push(at);
                }
            }
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|at| wins[at] = Some(plies));
        }
        wins
    }
}

fn rules(text: &str) -> RuleSet {
    text.parse().unwrap()
}

fn small_books() -> Vec<(AnyRulebook, usize, usize)> {
    let square = "dim:5 ks:c start:/2t2/2T2/tTKTt/2T2/2t2/";
    let edge = "dim:5 esc:e ks:w cor: cen: xrep:pos3def start:/2t2/2T2/tTKTt/2T2/2t2/";
    let hex = "dim:3 xtopo:hex atkf:n corh: corp:tTK cors:tTK cenh: cenhe: xmove:K=h1 xgoal:d=corners \
               xking:alt3/custodian/custodian/custodian xhcc:rim xenc:none start:/t1t/1T2/t1K1t/1T2/t1t/";
    let slow = "dim:5 ks:s xmove:K=1 start:/2t2/2T2/tTKTt/2T2/2t2/";
    let snails = "dim:5 ks:s spd:1 xrep:pos3def start:/2t2/2T2/tTKTt/2T2/2t2/";
    let hunt = "dim:5 ks:w xgoal:d=none start:/2t2/2T2/tTKTt/2T2/2t2/";
    let one_goal = "dim:5 ks:w spd:1 xgoal:d=a1 xrep:pos3def start:/2t2/2T2/tTKTt/2T2/2t2/";
    [(square, 3, 1), (edge, 3, 2), (hex, 3, 1), (slow, 3, 0), (snails, 2, 1), (hunt, 3, 0), (one_goal, 2, 1)]
        .into_iter()
        .map(|(text, attackers, defenders)| {
            (AnyRulebook::compile(&rules(text)).unwrap(), attackers, defenders)
        })
        .collect()
}

fn random_game(book: &AnyRulebook, attackers: usize, defenders: usize, dice: &mut Dice) -> Option<Game> {
    let shape = book.shape();
    let mut setup = Setup::empty(shape);
    let mut put = |piece: Piece, dice: &mut Dice| {
        let special = book.rules().throne.cells.iter().chain(&book.rules().corners.cells);
        let special: Vec<Cell> = special.copied().collect();
        loop {
            let cell = Cell::new(dice.below(shape.n_cells()));
            if setup.piece(cell).is_none() && !special.contains(&cell) {
                setup.put(cell, Some(piece));
                return;
            }
        }
    };
    put(Piece::new(Side::Defenders, Role::King), dice);
    (0..1 + dice.below(attackers)).for_each(|_| put(Piece::new(Side::Attackers, Role::Soldier), dice));
    (0..dice.below(defenders + 1)).for_each(|_| put(Piece::new(Side::Defenders, Role::Soldier), dice));
    let side = if dice.below(2) == 0 { Side::Attackers } else { Side::Defenders };
    let game = Game::from_setup(book, &setup, side, RepetitionMode::Enforce).unwrap();
    (game.count_moves() > 0).then_some(game)
}

fn inner(book: &AnyRulebook) -> &Rulebook<1> {
    match book {
        AnyRulebook::W1(book) => book,
        _ => panic!("a small board"),
    }
}

fn certificate(game: &Game, proof: &Proof) -> Certificate {
    let origin = Origin { start: game.setup(), to_move: game.to_move(), moves: Vec::new() };
    Certificate { rules: game.rules().clone(), origin, proof: proof.clone() }
}

#[test]
fn small_positions_are_solved_as_the_judge_decides() {
    let mut dice = Dice(1);
    let (mut won, mut not_won, mut open) = (0, 0, 0);
    for round in 0..240 {
        let books = small_books();
        let (book, attackers, defenders) = &books[round % books.len()];
        let Some(game) = random_game(book, *attackers, *defenders, &mut dice) else { continue };
        let start = inner(book).position(&game.setup(), game.to_move());
        let Some(judge) = Judge::of(inner(book), start, 60_000) else { continue };
        let wins = [Side::Attackers, Side::Defenders].map(|side| judge.wins(side)[0]);
        let solution = solve(&game, &Budget { limits: Limits::nodes(400_000), ..Budget::default() }).unwrap();
        let place = format!("{} {}, {wins:?}, {solution:?}", game.setup(), game.to_move());
        match solution.verdict {
            Verdict::Win { side, plies } => {
                assert!(wins[side.index()].is_some_and(|least| least <= plies), "{place}");
                let proof = solution.proof.unwrap();
                let checked = check(&certificate(&game, &proof), Nodes(10_000_000)).unwrap();
                assert_eq!(checked.steps, proof.steps.len(), "{place}");
                won += 1;
            }
            Verdict::Draw | Verdict::WinByRepetition(_) => {
                assert_eq!(wins, [None, None], "{place}");
                not_won += 1;
            }
            Verdict::Unknown if wins == [None, None] => not_won += 1,
            Verdict::Unknown => {
                open += 1;
                println!("missed: {place}");
            }
        }
    }
    println!("{won} won, {not_won} not won, {open} missed");
    assert!(won > 50 && not_won > 10, "{won} {not_won}");
    assert_eq!(open, 0);
}
