//! Tests of the solver and of certificates; small positions are compared with an oracle.

mod oracle;

use tafl_rules::{
    AnyRulebook, Cell, Game, Move, Piece, RepetitionMode, Rng, Role, RuleSet, Rulebook, Setup, Side, catalog,
};

use super::check::check_from;
use super::dfpn::NO_BOUND;
use super::keys::Symmetries;
use super::proof::ProofExtractor;
use super::proof_table::ProofTable;
use super::*;
use crate::PositionError;
use oracle::Oracle;

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

/// Rules with forced captures, which tablebases do not support.
fn forced_books() -> Vec<(AnyRulebook, usize, usize)> {
    let edge = "dim:5 ks:w esc:e cor: xforce:y start:/2t2/2T2/tTKTt/2T2/2t2/";
    let slow = "dim:5 ks:w spd:2 xforce:y start:/2t2/2T2/tTKTt/2T2/2t2/";
    let compiled = |text: &str| AnyRulebook::compile(&rules(text)).unwrap();
    vec![(compiled(edge), 4, 2), (compiled(slow), 3, 2)]
}

fn random_game(book: &AnyRulebook, attackers: usize, defenders: usize, rng: &mut Rng) -> Option<Game> {
    let shape = book.shape();
    let mut setup = Setup::empty(shape);
    let mut put = |piece: Piece, rng: &mut Rng| {
        let special = book.rules().zones.throne.cells.iter().chain(&book.rules().zones.corners.cells);
        let special: Vec<Cell> = special.copied().collect();
        loop {
            let cell = Cell::new(rng.below(shape.n_cells()));
            if setup.piece(cell).is_none() && !special.contains(&cell) {
                setup.put(cell, Some(piece));
                return;
            }
        }
    };
    put(Piece::new(Side::Defenders, Role::King), rng);
    (0..1 + rng.below(attackers)).for_each(|_| put(Piece::new(Side::Attackers, Role::Soldier), rng));
    (0..rng.below(defenders + 1)).for_each(|_| put(Piece::new(Side::Defenders, Role::Soldier), rng));
    let side = if rng.below(2) == 0 { Side::Attackers } else { Side::Defenders };
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
    let origin = CertificateOrigin { start: game.setup(), to_move: game.to_move(), moves: Vec::new() };
    Certificate { rules: game.rules().clone(), origin, proof: proof.clone() }
}

#[test]
fn small_positions_agree_with_the_oracle() {
    let mut rng = Rng::new(1);
    let (mut won, mut not_won, mut open) = (0, 0, 0);
    for round in 0..180 {
        let books = if round < 140 { small_books() } else { forced_books() };
        let (book, attackers, defenders) = &books[round % books.len()];
        let Some(game) = random_game(book, *attackers, *defenders, &mut rng) else { continue };
        let start = inner(book).position(&game.setup(), game.to_move());
        let Some(oracle) = Oracle::of(inner(book), start, 60_000) else { continue };
        let wins = [Side::Attackers, Side::Defenders].map(|side| oracle.wins(side)[0]);
        let solution =
            match solve(&game, &SolveBudget { limits: Limits::nodes(400_000), ..SolveBudget::default() }) {
                // The king was placed on one of his goals, so the game is over.
                Err(SolveError::Position(PositionError::KingAtGoal(_))) => continue,
                solution => solution.unwrap(),
            };
        let case = format!("{} {}, {wins:?}, {solution:?}", game.setup(), game.to_move());
        match solution.verdict {
            ProofVerdict::Win { side, plies } => {
                assert!(wins[side.index()].is_some_and(|least| least <= plies), "{case}");
                let proof = solution.proof.unwrap();
                let checked = check_certificate(&certificate(&game, &proof), Nodes(10_000_000)).unwrap();
                assert_eq!(checked.steps, proof.steps.len(), "{case}");
                won += 1;
            }
            ProofVerdict::Draw | ProofVerdict::WinByRepetition(_) => {
                assert_eq!(wins, [None, None], "{case}");
                not_won += 1;
            }
            ProofVerdict::Unknown if wins == [None, None] => not_won += 1,
            ProofVerdict::Unknown => {
                open += 1;
                println!("missed: {case}");
            }
        }
    }
    println!("{won} won, {not_won} not won, {open} missed");
    assert!(won > 30 && not_won > 4, "{won} {not_won}");
    assert_eq!(open, 0);
}

fn brandubh(position: &str, side: Side) -> Game {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let book = AnyRulebook::compile(&rules).unwrap();
    let setup = Setup::parse(rules.shape(), position).unwrap();
    Game::from_setup(&book, &setup, side, RepetitionMode::Enforce).unwrap()
}

/// A position with a proof of moderate length: the king runs on an open board.
const RUN: &str = "/3t3/7/2T4/t2K2t/7/2t4/6T/";

/// The same game a few plies later.
const SHORT: &str = "/7/t5t/7/3K3/3T3/1t5/7/";

fn proof_of(game: &Game) -> Proof {
    solve(game, &SolveBudget { limits: Limits::nodes(400_000), ..SolveBudget::default() })
        .unwrap()
        .proof
        .unwrap()
}

fn checked(certificate: &Certificate) -> Result<CheckedCertificate, CheckError> {
    check_certificate(certificate, Nodes(10_000_000))
}

#[test]
fn certificates_round_trip() {
    let game = brandubh(RUN, Side::Attackers);
    let certificate = certificate(&game, &proof_of(&game));
    let text = certificate.to_string();
    let read = Certificate::parse(&text).unwrap();
    assert_eq!(read.to_string(), text);
    assert!(read.proof.steps.len() > 3, "{text}");
    assert_eq!(checked(&read), checked(&certificate));
    assert!(checked(&read).is_ok());
}

#[test]
fn tampered_certificates_are_rejected() {
    let game = brandubh(RUN, Side::Attackers);
    let good = certificate(&game, &proof_of(&game));
    // A sample of the many steps, spread over the proof.
    for at in (0..good.proof.steps.len()).step_by(good.proof.steps.len() / 8 + 1) {
        let mut less = good.clone();
        less.proof.steps.remove(at);
        assert!(matches!(checked(&less), Err(CheckError::NoStep(_))), "without step {at}");
        let mut later = good.clone();
        later.proof.steps[at].plies = good.proof.plies + 1;
        assert!(
            matches!(checked(&later), Err(CheckError::TooLate { .. })),
            "step {at} is later than it may be"
        );
        let mut sooner = good.clone();
        sooner.proof.steps[at].plies = 0;
        assert!(checked(&sooner).is_err(), "step {at} is sooner than it can be");
        let mut back = good.clone();
        let mv = back.proof.steps[at].mv;
        back.proof.steps[at].mv = Move::new(mv.to, mv.from);
        assert!(matches!(checked(&back), Err(CheckError::Illegal(_))), "step {at} moves from an empty cell");
    }
    let mut short = good.clone();
    short.proof.plies -= 1;
    assert!(checked(&short).is_err());
    let mut other = good.clone();
    other.proof.side = other.proof.side.other();
    assert!(checked(&other).is_err());
    let mut twice = good.clone();
    twice.proof.steps.push(twice.proof.steps[0].clone());
    assert!(matches!(checked(&twice), Err(CheckError::DuplicateStep(_))));
    let mut rules = good.clone();
    rules.rules = catalog::find("magpie7").unwrap().rules();
    assert!(checked(&rules).is_err(), "the king only steps under other rules");
    let mut turn = good.clone();
    turn.proof.is_symmetric = false;
    // Without mirror images, the proof may still hold; the check must not panic.
    let _ = checked(&turn);
    let mut moved = good;
    moved.origin.moves.push(Move::new(Cell::new(0), Cell::new(1)));
    assert!(matches!(checked(&moved), Err(CheckError::Game { number: 1, .. })));
}

#[test]
fn a_cycle_is_not_a_proof() {
    let game = brandubh("/7/7/7/t2K2t/7/7/7/", Side::Defenders);
    let good = certificate(&game, &proof_of(&game));
    let there_and_back = |plies: u16, position: &str, from: usize, to: usize| ProofStep {
        plies,
        position: position.to_owned(),
        mv: Move::new(Cell::new(from), Cell::new(to)),
    };
    let mut circle = good;
    circle.proof.plies = 900;
    circle.proof.steps = vec![
        there_and_back(900, "/7/7/7/t2K2t/7/7/7/", 24, 25),
        there_and_back(900, "/7/7/7/t3K1t/7/7/7/", 25, 24),
    ];
    assert!(checked(&circle).is_err());
}

#[test]
fn errors_have_line_numbers() {
    let game = brandubh(SHORT, Side::Attackers);
    let text = certificate(&game, &proof_of(&game)).to_string();
    let wrong = |text: &str| Certificate::parse(text).unwrap_err();
    assert_eq!(wrong("").line, 1);
    assert_eq!(wrong("other text\n").kind, CertificateErrorKind::NotACertificate);
    assert_eq!(wrong("taflbase certificate 2\n").kind, CertificateErrorKind::OtherVersion(2));
    for (at, _) in text.match_indices('\n') {
        assert!(Certificate::parse(&text[..at]).is_err() || at + 1 == text.len(), "cut at {at}");
    }
    assert_eq!(wrong(&format!("{text}more\n")).kind, CertificateErrorKind::Trailing);
    assert!(Certificate::parse(&text.replace("claim", "clam")).is_err());
    let long = text.replace("claim defenders ", "claim defenders 9");
    assert!(matches!(
        wrong(&long.replace("defenders 9", "defenders 99999")).kind,
        CertificateErrorKind::TooLong(_)
    ));
}

#[test]
fn mirrored_positions_get_the_same_verdict() {
    let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
    let mut verdicts = Vec::new();
    for symmetry in book.symmetries() {
        let setup = brandubh(SHORT, Side::Attackers).setup().mapped(|cell| symmetry.image(cell));
        let game = Game::from_setup(&book, &setup, Side::Attackers, RepetitionMode::Enforce).unwrap();
        let proof = proof_of(&game);
        let shortest = shortest_proof(&game, proof, &SolveBudget::default()).unwrap();
        assert!(shortest.is_shortest);
        let shortest = shortest.proof;
        assert!(checked(&certificate(&game, &shortest)).is_ok());
        verdicts.push((shortest.side, shortest.plies));
    }
    verdicts.dedup();
    assert_eq!(verdicts.len(), 1, "{verdicts:?}");
}

#[test]
fn short_wins_are_tried_first() {
    let cells = "d2c2 d5e5 d6c6 d3c3 f4f3 e4f4 b4b3 d4d5 d1d3 d5b5";
    let mut game = Game::new(&AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap());
    for mv in cells.split(' ') {
        let cell = |name: &str| game.shape().cell(name.parse().unwrap()).unwrap();
        let mv = Move::new(cell(&mv[..2]), cell(&mv[2..]));
        game.play(mv).unwrap();
    }
    let proof = proof_of(&game);
    assert!(proof.plies > 9, "{}", proof.plies);
    let shortest = shortest_proof(&game, proof.clone(), &SolveBudget::default()).unwrap();
    assert_eq!((shortest.proof.plies, shortest.is_shortest), (7, true));
    let small = SolveBudget { limits: Limits::nodes(2000), ..SolveBudget::default() };
    let shortened = shortest_proof(&game, proof, &small).unwrap();
    assert!(shortened.proof.plies > 7 && !shortened.is_shortest, "{shortened:?}");
}

#[test]
fn budgets_are_respected() {
    let game = Game::new(&AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap());
    let budget = SolveBudget { limits: Limits::nodes(5000), mebibytes: 1, ..SolveBudget::default() };
    let solution = solve(&game, &budget).unwrap();
    assert_eq!(solution.verdict, ProofVerdict::Unknown);
    // The search finishes the position that it has started: its moves, and those of the positions
    // above it.
    assert!(solution.nodes.0 < 5000 + 500, "{solution:?}");
    let again = solve(&game, &budget).unwrap();
    assert_eq!((again.goals, again.nodes), (solution.goals, solution.nodes), "the same every time");
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let stopped = solve(&game, &SolveBudget { limits, mebibytes: 1, ..SolveBudget::default() }).unwrap();
    assert_eq!(stopped.verdict, ProofVerdict::Unknown);
    assert!(prove_win(&game, Nodes(2000)).is_none());
}

#[test]
fn recovery_of_a_proof_counts_and_respects_the_limits() {
    let game = brandubh(SHORT, Side::Defenders);
    let any = AnyRulebook::compile(game.rules()).unwrap();
    let budget = SolveBudget::default();
    let work =
        SolveJob { any: &any, book: inner(&any), game: &game, budget: &budget, started: Instant::now() };
    let pos = work.position();
    let written = |limits: Limits, forgets: bool, left: u64| {
        let mut search = work.search(Side::Defenders, pos, 1);
        search.until = 1_000_000;
        assert!(search.run(&pos, NO_BOUND).is_proven());
        let found = search.nodes;
        search.limits = limits;
        if forgets {
            search.table = ProofTable::new(1, 1 << 16);
        }
        let proof = ProofExtractor::extract(&mut search, &pos, NO_BOUND, Symmetries::OfRules, left);
        (proof.is_ok(), search.nodes - found)
    };
    assert_eq!(written(Limits::default(), false, 0), (true, 0), "nothing was forgotten");
    assert_eq!(written(Limits::default(), true, 0), (false, 0), "nothing is left of the budget");
    let (is_written, again) = written(Limits::default(), true, 1_000_000);
    assert!(is_written && again > 0, "{again}");
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let stopped = Limits { stop: Some(stop), ..Limits::default() };
    assert_eq!(written(stopped, true, 1_000_000), (false, 0));
}

#[test]
fn unsolvable_positions_are_errors() {
    let no = |game: &Game, budget: &SolveBudget| solve(game, budget).unwrap_err();
    let start = Game::new(&AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap());
    let zero = SolveBudget { limits: Limits::nodes(0), ..SolveBudget::default() };
    assert_eq!(no(&start, &zero), SolveError::ZeroLimit("nodes"));
    let zero = SolveBudget { plies: Some(0), ..SolveBudget::default() };
    assert_eq!(no(&start, &zero), SolveError::ZeroLimit("plies"));
    let kingless = brandubh("/3t3/7/2T4/t5t/7/2t4/6T/", Side::Attackers);
    assert_eq!(
        no(&kingless, &SolveBudget::default()),
        SolveError::Position(PositionError::NoKing(Side::Defenders))
    );
    let mut over = brandubh("/1K5/7/3t3/7/7/3t3/7/", Side::Defenders);
    over.play(Move::new(Cell::new(1), Cell::new(0))).unwrap();
    assert!(matches!(no(&over, &SolveBudget::default()), SolveError::Position(PositionError::GameOver(_))));
    let free = rules("dim:7 ber:c xber:free start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    let free = Game::new(&AnyRulebook::compile(&free).unwrap());
    assert!(matches!(no(&free, &SolveBudget::default()), SolveError::Unsupported(_)));
    // In such a chain, a step could choose a move for the opponent.
    let proof =
        Proof { side: Side::Attackers, plies: 3, is_symmetric: false, steps: Vec::new(), line: Vec::new() };
    assert!(matches!(checked(&certificate(&free, &proof)), Err(CheckError::Unsupported(_))));
}

#[test]
fn a_proof_avoids_a_losing_repetition() {
    // The king has been on d4 twice. A third time would be a loss, so the proof must avoid it.
    let mut game = brandubh("/3t3/7/2T4/t2K2t/7/2t4/6T/", Side::Defenders);
    let cell = |file: usize, rank: usize| Cell::new(rank * 7 + file);
    for (from, to) in [((3, 3), (4, 3)), ((3, 0), (4, 0)), ((4, 3), (3, 3)), ((4, 0), (3, 0))] {
        game.play(Move::new(cell(from.0, from.1), cell(to.0, to.1))).unwrap();
    }
    let solution =
        solve(&game, &SolveBudget { limits: Limits::nodes(400_000), ..SolveBudget::default() }).unwrap();
    let proof = solution.proof.expect("won all the same");
    let book = AnyRulebook::compile(game.rules()).unwrap();
    let checked = check_from(&game, &book, &proof, Nodes(10_000_000), &|| false).unwrap();
    assert!(!proof.is_symmetric || checked.whole_tree);
}
