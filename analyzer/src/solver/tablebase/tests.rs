//! Tests that the values are consistent with each other and with the solver.

use std::fs;

use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet, Setup, Side, catalog};

use super::*;
use crate::engine::{Engine, SearchOptions};
use crate::limits::Limits;
use crate::score::Score;
use crate::solver::{self, ProofVerdict, SolveBudget};

const HEX: &str = "dim:3 xtopo:hex atkf:n corh: corp:tTK cors:tTK cenh: cenhe: xmove:K=h1 xgoal:d=corners \
                   xking:alt3/custodian/custodian/custodian xhcc:rim xenc:none start:/t1t/1T2/t1K1t/1T2/t1t/";
const SQUARE: &str = "dim:5 ks:c start:/2t2/2T2/tTKTt/2T2/2t2/";
const HUNT: &str = "dim:5 ks:w xgoal:d=none start:/2t2/2T2/tTKTt/2T2/2t2/";

fn tables(rules: &RuleSet, pieces: u8) -> Tablebases {
    let mut tables = Tablebases::new(rules).unwrap();
    for counts in Tablebases::plan(rules, pieces) {
        tables.add(counts).unwrap();
    }
    tables
}

/// Calls `check` with every position of a tablebase and its result.
fn each(tables: &Tablebases, mut check: impl FnMut(&Game, Dtm)) {
    let book = AnyRulebook::compile(tables.rules()).unwrap();
    for counts in tables.counts() {
        for number in 0..tables.index.size(counts) {
            let Some(pieces) = tables.index.pieces(number, counts) else { continue };
            let mut setup = Setup::empty(book.shape());
            pieces.iter().for_each(|(cell, piece)| setup.put(cell, Some(piece)));
            for side in Side::ALL {
                let game = Game::from_setup(&book, &setup, side, RepetitionMode::Enforce).unwrap();
                check(&game, tables.lookup(&pieces, side).unwrap());
            }
        }
    }
}

/// Returns the result of a position computed from its moves and the tablebase results of their
/// positions.
fn by_moves(tables: &Tablebases, game: &Game) -> Dtm {
    let side = game.to_move();
    let (mut win, mut loss, mut is_safe) = (None::<u8>, 0, game.count_moves() == 0);
    for mv in game.moves() {
        let mut next = game.clone();
        next.play(mv).unwrap();
        let known = match next.outcome() {
            Some(outcome) if outcome.winner == Some(side) => Dtm::Loss(0),
            Some(_) => Dtm::Open,
            None => {
                let cells = |piece: Piece| {
                    next.setup()
                        .pieces()
                        .filter(move |(_, at)| *at == piece)
                        .map(|(cell, _)| cell)
                        .collect::<Vec<_>>()
                };
                let king = cells(Piece::new(Side::Defenders, Role::King))[0];
                let men = |side: Side| cells(Piece::new(side, Role::Soldier));
                let pieces = PieceCells::of(king, men(Side::Attackers), men(Side::Defenders)).unwrap();
                tables
                    .lookup(&pieces, next.to_move())
                    .unwrap_or_else(|| panic!("{} is missing", next.setup()))
            }
        };
        match known {
            Dtm::Loss(plies) => win = Some(win.map_or(plies + 1, |win| win.min(plies + 1))),
            Dtm::Win(plies) => loss = loss.max(plies + 1),
            Dtm::Open => is_safe = true,
        }
    }
    match win {
        Some(plies) => Dtm::Win(plies),
        None if is_safe => Dtm::Open,
        None => Dtm::Loss(loss),
    }
}

#[test]
fn every_value_follows_from_those_after_the_moves() {
    for (text, pieces) in [(HEX, 3), (SQUARE, 3), (HUNT, 4)] {
        let tables = tables(&text.parse().unwrap(), pieces);
        let (mut settled, mut open) = (0, 0);
        each(&tables, |game, known| {
            assert_eq!(known, by_moves(&tables, game), "{} {}", game.setup(), game.to_move());
            if known == Dtm::Open { open += 1 } else { settled += 1 }
        });
        println!("{settled} settled, {open} open");
        assert!(settled > 500);
    }
}

#[test]
fn the_solver_agrees_with_tables() {
    for (text, pieces) in [(HEX, 3), (HUNT, 3)] {
        let tables = tables(&text.parse().unwrap(), pieces);
        let mut n = 0;
        each(&tables, |game, known| {
            n += 1;
            if n % 11 != 0 || game.count_moves() == 0 {
                return;
            }
            let budget =
                SolveBudget { limits: Limits::nodes(50_000), mebibytes: 1, ..SolveBudget::default() };
            let solution = solver::solve(game, &budget).unwrap();
            let place = format!("{} {} {known:?} {solution:?}", game.setup(), game.to_move());
            match (known, solution.verdict) {
                (Dtm::Win(least), ProofVerdict::Win { side, plies }) => {
                    assert!(side == game.to_move() && plies >= least.into(), "{place}");
                    let bounded = SolveBudget { plies: Some(least.into()), goal: Some(side), ..budget };
                    if least <= 5 {
                        let shortest = solver::solve(game, &bounded).unwrap();
                        assert_eq!(shortest.proof.map(|proof| proof.plies), Some(least.into()), "{place}");
                    }
                }
                (Dtm::Loss(least), ProofVerdict::Win { side, plies }) => {
                    assert!(side != game.to_move() && plies >= least.into(), "{place}");
                }
                (Dtm::Open, ProofVerdict::Draw | ProofVerdict::Unknown) => {}
                (Dtm::Open, ProofVerdict::Win { .. } | ProofVerdict::WinByRepetition(_)) => panic!("{place}"),
                (
                    Dtm::Win(_) | Dtm::Loss(_),
                    ProofVerdict::Unknown | ProofVerdict::Draw | ProofVerdict::WinByRepetition(_),
                ) => panic!("{place}"),
            }
        });
        assert!(n > 500);
    }
}

#[test]
fn probing_a_game_equals_probing_its_position() {
    let rules: RuleSet = HEX.parse().unwrap();
    let tables = tables(&rules, 3);
    let mut n = 0;
    each(&tables, |game, known| {
        n += 1;
        if n % 97 == 0 {
            assert_eq!(tables.probe_game(game), Some(known));
        }
    });
    let book = AnyRulebook::compile(&rules).unwrap();
    assert_eq!(tables.probe_game(&Game::new(&book)), None, "more pieces than any table has");
    let others = AnyRulebook::compile(&SQUARE.parse().unwrap()).unwrap();
    assert_eq!(tables.probe_game(&Game::new(&others)), None, "other rules");
}

#[test]
fn files_round_trip_and_damaged_ones_are_rejected() {
    let rules: RuleSet = HEX.parse().unwrap();
    let made = tables(&rules, 3);
    let folder = std::env::temp_dir().join(format!("tafl-tables-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for counts in made.tables.keys() {
        let (name, bytes) = made.file(*counts).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }
    let read = Tablebases::load(&rules, &folder).unwrap();
    assert_eq!(read, made);
    assert_eq!(read.tables, made.tables);
    let others: RuleSet = SQUARE.parse().unwrap();
    assert!(matches!(
        Tablebases::load(&others, &folder).unwrap_err().kind,
        TablebaseFileErrorKind::OtherRules(_)
    ));
    let path = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let good = fs::read(&path).unwrap();
    let kind = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Tablebases::load(&rules, &folder).unwrap_err().kind
    };
    assert!(matches!(kind(&good[..good.len() - 1]), TablebaseFileErrorKind::Damaged));
    assert!(matches!(kind(b"something else"), TablebaseFileErrorKind::NotATablebase));
    assert!(matches!(kind(b""), TablebaseFileErrorKind::NotATablebase));
    let mut other = good.clone();
    other[8] = 9;
    assert!(matches!(kind(&other), TablebaseFileErrorKind::OtherVersion(9)));
    let mut other = good;
    let middle = other.len() / 2;
    other[middle] ^= 1;
    assert!(matches!(kind(&other), TablebaseFileErrorKind::Damaged));
    fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(Tablebases::load(&rules, &folder).unwrap_err().kind, TablebaseFileErrorKind::Io(_)));
}

#[test]
fn rules_that_depend_on_more_than_positions_are_rejected() {
    for name in ["copenhagen11", "berserk11", "cyngesheall7", "brandubh7-hnefatafl-org"] {
        let rules = catalog::find(name).unwrap().rules();
        assert!(matches!(Tablebases::new(&rules), Err(TablebaseError::Unsupported(_))), "{name}");
    }
    assert!(Tablebases::new(&catalog::find("brandubh7").unwrap().rules()).is_ok());
}

#[test]
fn impossible_numbers_of_pieces_are_rejected() {
    let mut tables = Tablebases::new(&catalog::find("brandubh7").unwrap().rules()).unwrap();
    let mut add = |attackers, defenders| tables.add(PieceCounts { attackers, defenders }).unwrap_err();
    assert_eq!(add(0, 1), TablebaseError::NoAttackers);
    assert_eq!(add(200, 0), TablebaseError::TooLarge);
    assert_eq!(add(255, 10), TablebaseError::TooLarge, "more than a byte can count");
}

#[test]
fn the_engine_uses_tablebases() {
    let rules: RuleSet = HEX.parse().unwrap();
    let tables = std::sync::Arc::new(tables(&rules, 3));
    let book = AnyRulebook::compile(&rules).unwrap();
    let options =
        SearchOptions { mebibytes: 1, tablebases: Some(tables.clone()), ..SearchOptions::default() };
    let mut engine = Engine::new(&book, options);
    let (mut n, mut far) = (0, 0);
    each(&tables, |game, known| {
        n += 1;
        if n % 29 != 0 || game.count_moves() == 0 {
            return;
        }
        let score = engine.search(game, &Limits::depth(2)).unwrap().lines[0].score.for_side(game.to_move());
        match known {
            Dtm::Win(plies) => assert_eq!(score, Score::win_in(plies.into()), "{}", game.setup()),
            Dtm::Loss(plies) => assert_eq!(score, Score::loss_in(plies.into()), "{}", game.setup()),
            Dtm::Open => assert!(!score.is_decisive(), "{}", game.setup()),
        }
        far += usize::from(matches!(known, Dtm::Win(3..) | Dtm::Loss(4..)));
    });
    assert!(far > 10, "{far} wins beyond the horizon of the search");
}
