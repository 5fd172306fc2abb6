//! Random positions and games from two other programs: legal moves, captures, and endings on which both agree.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use tafl_rules::{Outcome, Reason, RuleSet, Setup, Side};
use tafl_tests::data;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle;
use tafl_tests::variants;

/// Files with positions, and their rules.
const POSITIONS: [(&str, &str); 12] = [
    ("copenhagen", "copenhagen11"),
    ("fetlar", "fetlar11"),
    ("alea19", "alea19"),
    ("ardri7", "ardri7 ks:s spd:1"),
    ("brandub7_weakking", "brandubh7 surf:n ks:w cenh: cenhe:"),
    ("brandubh_federation_rs", "brandubh7 xkh:c"),
    ("brandubh_federation_throne_hostile_to_all", "brandubh7"),
    ("magpie_rs", "magpie7 surf:n ks:s cenp:K"),
    ("seabattle9", "seabattle9"),
    ("tablut9_ot", "tablut9_linnaeus surf:y xnom:lose"),
    ("tablut_rs", "tablut9_linnaeus"),
    ("tawlbwrdd11", "tawlbwrdd11_bell"),
];

/// Files with games, and their rules.
const GAMES: [(&str, &str); 9] = [
    ("hnefatafl-rs-brandubh", "brandubh7 xkh:c"),
    ("hnefatafl-rs-copenhagen", "copenhagen11"),
    ("opentafl-alea19", "alea19"),
    ("opentafl-ardri7", "ardri7 ks:s spd:1"),
    ("opentafl-fetlar11", "fetlar11"),
    (
        "opentafl-seabattle13",
        "dim:13 esc:e ka:n cor: cen: start:/4ttttt4/5t1t5/6t6/6T6/t3T3T3t/tt3TTT3tt/t1tT1TKT1Tt1t/tt3TTT3tt/t3T3T3t/6T6/6t6/5t1t5/4ttttt4/",
    ),
    ("opentafl-seabattle9", "seabattle9"),
    (
        "opentafl-tablut15",
        "dim:15 esc:e ks:c cor: cens: cenh: start:/5ttttt5/6ttt6/7t7/7t7/7T7/t5TTT5t/tt3T1T1T3tt/ttttTTTKTTTtttt/tt3T1T1T3tt/t5TTT5t/7T7/7t7/7t7/6ttt6/5ttttt5/",
    ),
    ("opentafl-tawlbwrdd11", "tawlbwrdd11_bell"),
];

fn lines(folder: &Path, name: &str) -> Vec<Value> {
    let file = File::open(folder.join("peers").join(format!("{name}.jsonl.gz"))).expect("the file is there");
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn side(word: &str) -> Side {
    if word.starts_with('a') { Side::Attackers } else { Side::Defenders }
}

/// Returns the rules without those that depend on history, which positions lack.
fn rules_of(words: &str) -> RuleSet {
    RuleSet { repetition: Vec::new(), ..variants::with_keys(words) }
}

fn reason(word: &str) -> Reason {
    match word {
        "king_escaped" => Reason::KingReachedGoal,
        "king_captured" => Reason::KingCaptured,
        "exit_fort" => Reason::ExitFort,
        "all_captured" => Reason::AllCaptured,
        "enclosed" => Reason::Encirclement,
        "no_plays" => Reason::NoLegalMove,
        other => panic!("reason {other}"),
    }
}

/// Reads `-` or `attacker/enclosed`.
fn outcome(text: &str) -> Option<Outcome> {
    let (winner, word) = text.split_once('/')?;
    match winner {
        "draw" => Some(Outcome::draw(reason(word))),
        _ => Some(Outcome::win(side(winner), reason(word))),
    }
}

/// Returns whether two endings are equal. The peers report "all captured" if the last captured piece is the king.
fn same_end(actual: Option<Outcome>, expected: Option<Outcome>) -> bool {
    let last_was_king = actual == Some(Outcome::win(Side::Attackers, Reason::KingCaptured))
        && expected == Some(Outcome::win(Side::Attackers, Reason::AllCaptured));
    actual == expected || last_was_king
}

/// The number of comparisons, and the differences.
#[derive(Default)]
struct Tally {
    n_compared: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn position<M: RulesModel>(&mut self, name: &str, rules: &RuleSet, line: &Value) {
        let shape = rules.shape();
        let fen = line["fen"].as_str().unwrap();
        let board = Setup::parse(shape, &format!("/{fen}/")).unwrap();
        let to_move = side(line["side"].as_str().unwrap());
        let model = M::at(rules, &board, to_move);
        let moves = line["moves"].as_array().unwrap();
        let mut expected: Vec<_> =
            moves.iter().map(|entry| oracle::mv(shape, entry[0].as_str().unwrap())).collect();
        expected.sort_unstable();
        if model.moves() != expected {
            self.wrong.push(format!(
                "{name} {fen}: {} legal moves, expected {}",
                model.moves().len(),
                expected.len()
            ));
            return;
        }
        let decided = !line["already_decided_for"].as_array().unwrap().is_empty();
        for entry in moves.iter().filter(|entry| entry.as_array().unwrap().len() == 3) {
            let text = |n: usize| entry[n].as_str().unwrap();
            let mut after = model.clone();
            let captured = after.play(oracle::mv(shape, text(0))).unwrap();
            let names = text(1).split(',').filter(|name| !name.is_empty());
            let mut cells: Vec<_> = names.map(|name| oracle::cell(shape, name)).collect();
            cells.sort_unstable();
            self.n_compared += 1;
            let same_end = decided || same_end(after.outcome(), outcome(text(2)));
            if captured != cells || !same_end {
                let found = format!("{captured:?} {:?}", after.outcome());
                self.wrong.push(format!("{name} /{fen}/ {to_move} {entry}: {found}"));
            }
        }
    }

    fn game<M: RulesModel>(&mut self, name: &str, rules: &RuleSet, line: &Value) {
        let shape = rules.shape();
        let mut model = M::start(rules);
        for ply in line["plies"].as_array().unwrap() {
            let text = ply[1].as_str().unwrap();
            let n_moves = model.moves().len() as u64;
            let captured = model.play(oracle::mv(shape, text));
            let mut cells: Vec<_> = ply[3]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| oracle::cell(shape, name.as_str().unwrap()))
                .collect();
            cells.sort_unstable();
            self.n_compared += 1;
            if ply[2].as_u64() != Some(n_moves) || captured != Ok(cells) {
                self.wrong.push(format!("{name} game {}: {ply}: {n_moves} moves, {captured:?}", line["id"]));
                return;
            }
        }
        let word = line["reason"].as_str().unwrap();
        let result = line["result"].as_str().unwrap();
        let expected = match word {
            "ply_cap" | "repetition" => None,
            word => outcome(&format!("{result}/{word}")),
        };
        if model.outcome() != expected {
            self.wrong.push(format!(
                "{name} game {}: {:?}, expected {expected:?}",
                line["id"],
                model.outcome()
            ));
        }
    }
}

fn check<M: RulesModel>() {
    let folder = data::oracle();
    let mut tally = Tally::default();
    for (name, words) in POSITIONS {
        let (name, rules) = (format!("positions-{name}"), rules_of(words));
        lines(&folder, &name).iter().for_each(|line| tally.position::<M>(&name, &rules, line));
    }
    for (name, words) in GAMES {
        let rules = rules_of(words);
        lines(&folder, name).iter().for_each(|line| tally.game::<M>(name, &rules, line));
    }
    println!("{} moves compared", tally.n_compared);
    assert!(tally.n_compared > 190_000, "only {} moves", tally.n_compared);
    let wrong = &tally.wrong;
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn naive_model_agrees_with_the_peers() {
    check::<Naive>();
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn engine_agrees_with_the_peers() {
    check::<Fast>();
}
