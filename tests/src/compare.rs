//! Compares two models of the rules, and reduces a difference to the smallest case.

use std::fmt;

use tafl_rules::{Cell, Move, Outcome, Rng, RuleSet, Setup, Side};

use crate::model::RulesModel;
use crate::random::Draw;

/// The result of a model for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Effect {
    captured: Option<Vec<Cell>>,
    board: Setup,
    to_move: Side,
    outcome: Option<Outcome>,
}

fn effect<M: RulesModel>(model: &mut M, mv: Move) -> Effect {
    let captured = model.play(mv).ok();
    Effect { captured, board: model.board(), to_move: model.side_to_move(), outcome: model.outcome() }
}

/// A difference between two models.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The rules.
    pub rules: RuleSet,
    /// The start position.
    pub start: Setup,
    /// The first mover.
    pub side: Side,
    /// The moves on which both agree.
    pub moves: Vec<Move>,
    /// The results of both models after these moves.
    pub message: String,
}

/// Formats a report: rules string, position record, side, moves, results.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.rules.shape();
        let moves: Vec<String> = self.moves.iter().map(|mv| mv.display(shape).to_string()).collect();
        writeln!(f, "rules: {}", self.rules)?;
        writeln!(f, "position: {} {} to move", self.start, self.side)?;
        writeln!(f, "moves: {}", moves.join(" "))?;
        write!(f, "{}", self.message)
    }
}

/// Plays moves in both models and returns the first difference, before, during, or after them.
fn replay<A: RulesModel, B: RulesModel>(
    rules: &RuleSet,
    start: &Setup,
    side: Side,
    moves: &[Move],
) -> Option<Difference> {
    let (mut a, mut b) = (A::at(rules, start, side), B::at(rules, start, side));
    let found = |moves: &[Move], message: String| {
        let (rules, start) = (rules.clone(), start.clone());
        Some(Difference { rules, start, side, moves: moves.to_vec(), message })
    };
    for n in 0..=moves.len() {
        if let Some(message) = differing_moves(&a, &b) {
            return found(&moves[..n], message);
        }
        let Some(mv) = moves.get(n) else { break };
        if let Some(message) = differing_effects(&mut a, &mut b, *mv) {
            return found(&moves[..=n], message);
        }
        if a.outcome().is_some() {
            break;
        }
    }
    None
}

fn differing_moves<A: RulesModel, B: RulesModel>(a: &A, b: &B) -> Option<String> {
    let shape = a.board().shape();
    let (of_a, of_b) = (a.moves(), b.moves());
    if of_a == of_b {
        return None;
    }
    let only = |one: &[Move], other: &[Move]| -> Vec<String> {
        one.iter().filter(|mv| !other.contains(mv)).map(|mv| mv.display(shape).to_string()).collect()
    };
    Some(format!(
        "legal only in the first: {:?}, only in the second: {:?}",
        only(&of_a, &of_b),
        only(&of_b, &of_a)
    ))
}

fn differing_effects<A: RulesModel, B: RulesModel>(a: &mut A, b: &mut B, mv: Move) -> Option<String> {
    let (of_a, of_b) = (effect(a, mv), effect(b, mv));
    (of_a != of_b).then(|| {
        let shape = of_a.board.shape();
        format!("{}\n  first:  {}\n  second: {}", mv.display(shape), of_a.text(), of_b.text())
    })
}

impl Effect {
    fn text(&self) -> String {
        let shape = self.board.shape();
        let names =
            |cells: &Vec<Cell>| cells.iter().map(|cell| shape.name(*cell)).collect::<Vec<_>>().join("/");
        let captured =
            self.captured.as_ref().map_or("illegal".to_owned(), |cells| format!("x{}", names(cells)));
        let outcome = self.outcome.map_or("continues".to_owned(), |outcome| outcome.to_string());
        format!("{captured}, {outcome}, {} to move, {}", self.to_move, self.board)
    }
}

/// Statistics of a random game, which count the tested cases.
#[derive(Debug, Clone)]
pub struct Playout {
    /// The plies.
    pub n_plies: usize,
    /// The captured pieces.
    pub n_captured: usize,
    /// The end, if one was reached.
    pub outcome: Option<Outcome>,
}

/// Plays a random game in both models at once.
///
/// # Errors
///
/// Returns the first difference, reduced to the smallest case.
pub fn playout<A: RulesModel, B: RulesModel>(
    rules: &RuleSet,
    rng: &mut Rng,
    max_plies: usize,
) -> Result<Playout, Box<Difference>> {
    let (mut a, mut b) = (A::start(rules), B::start(rules));
    let mut moves: Vec<Move> = Vec::new();
    let mut n_captured = 0;
    while a.outcome().is_none() && moves.len() < max_plies {
        let message = differing_moves(&a, &b);
        let legal = a.moves();
        if message.is_none() && legal.is_empty() {
            break;
        }
        let chosen = message.is_none().then(|| choose(rng, &a, &legal, &moves));
        moves.extend(chosen);
        let before = a.clone();
        let differs =
            message.is_some() || chosen.is_some_and(|mv| differing_effects(&mut a, &mut b, mv).is_some());
        if differs {
            let first = replay::<A, B>(rules, &rules.start, rules.first_mover, &moves);
            let first = first.expect("the same moves show the same difference");
            return Err(Box::new(smallest::<A, B>(first, &before)));
        }
        n_captured += before.board().pieces().count() - a.board().pieces().count();
    }
    Ok(Playout { n_plies: moves.len(), n_captured, outcome: a.outcome() })
}

/// Chooses a move: often a capture, sometimes the reverse of the last move, otherwise any.
fn choose<M: RulesModel>(rng: &mut Rng, model: &M, legal: &[Move], played: &[Move]) -> Move {
    if let Some(last) = played.len().checked_sub(2).map(|n| played[n]) {
        let back = Move::new(last.to, last.from);
        if legal.contains(&back) && rng.percent(35) {
            return back;
        }
    }
    let n_tries = rng.one_of(&[1, 1, 6]);
    let tries: Vec<Move> = (0..n_tries).map(|_| rng.one_of(legal)).collect();
    let captures = |mv: &&Move| n_tries > 1 && model.clone().play(**mv).is_ok_and(|cells| !cells.is_empty());
    *tries.iter().find(captures).unwrap_or(&tries[0])
}

/// Reduces a difference: without history if possible, with fewer pieces, and with rules closer to the defaults.
fn smallest<A: RulesModel, B: RulesModel>(found: Difference, before: &A) -> Difference {
    let mut best = found;
    let last: Vec<Move> = best.moves.iter().rev().take(1).copied().collect();
    let alone = replay::<A, B>(&best.rules, &before.board(), before.side_to_move(), &last)
        .or_else(|| replay::<A, B>(&best.rules, &before.board(), before.side_to_move(), &[]));
    best = alone.unwrap_or(best);
    loop {
        let playable =
            simpler(&best).into_iter().filter(|(rules, _)| A::can_play(rules) && B::can_play(rules));
        let smaller = playable
            .into_iter()
            .find_map(|(rules, start)| replay::<A, B>(&rules, &start, best.side, &best.moves));
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Returns rules and boards that are one step simpler.
fn simpler(found: &Difference) -> Vec<(RuleSet, Setup)> {
    let mut all = Vec::new();
    for (cell, _) in found.start.pieces() {
        let mut start = found.start.clone();
        start.put(cell, None);
        all.push((found.rules.clone(), start));
    }
    let plain = RuleSet::with_defaults(found.rules.start.clone());
    macro_rules! default_field {
        ($($field:ident $(. $inner:ident)*),* $(,)?) => {$({
            let mut rules = found.rules.clone();
            rules.$field$(.$inner)* = plain.$field$(.$inner)*.clone();
            all.push((rules, found.start.clone()));
        })*};
    }
    default_field!(
        first_mover,
        forced_capture,
        royal,
        movement,
        king_arming,
        king_capture,
        piercing,
        zones.throne.cells,
        zones.throne.hostile,
        zones.throne.pass,
        zones.throne.stop,
        zones.throne.reenter,
        throne_hostile_occupied,
        zones.corners.cells,
        zones.corners.hostile,
        zones.corners.pass,
        zones.corners.stop,
        zones.corners.reenter,
        zones.camps.cells,
        zones.camps.hostile,
        zones.camps.pass,
        zones.camps.stop,
        zones.camps.reenter,
        camps_apart,
        camps_spared,
        zones.forts.cells,
        zones.forts.hostile,
        zones.forts.pass,
        zones.forts.stop,
        zones.forts.reenter,
        edge_hostile,
        goals.attackers,
        goals.defenders,
        hex_corner_capture,
        linnaean,
        shieldwall,
        exit_fort,
        encirclement,
        no_moves,
        repetition,
        berserk,
        chain,
        jumped,
        jump_own,
        dux,
        ply_limit,
        captureless_limit,
    );
    all.retain(|(rules, start)| *rules != found.rules || *start != found.start);
    all
}
