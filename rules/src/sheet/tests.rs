use super::*;
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::*;
use crate::shape::Cell;
use crate::side::Side;

/// A change of one field, with its name.
type Change = (&'static str, fn(&mut RuleSet));

const NAMES: BySide<&str> = BySide { attackers: "attackers", defenders: "defenders" };
const BRANDUBH: &str = "dim:7 name:Brandubh ks:c xrep:pos3def start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
const CYNGESHEALL: &str = "dim:7 name:Cyngesheall surf:n ks:w cj:n cor: cen: xroyal:kK xmove:cC=q xgoal:a=g7;d=a1 start:/kttt3/tct4/tt5/t5T/5TT/4TCT/3TTTK/";
const HEX: &str = "dim:4 xtopo:hex atkf:n corh: corp:tTK cors:tTK cenh: cenhe: xmove:K=h1 xking:alt3/custodian/custodian/custodian xhcc:rim xenc:none start:/t2t/5/3T2/t1TK2t/3T2/5/t2t/";

fn rules(text: &str) -> RuleSet {
    text.parse().unwrap()
}

/// Names every field of the rules, so that a new field does not compile until it is listed here and
/// in [`changes`].
fn fields(rules: RuleSet) {
    let RuleSet {
        name: _,
        first_mover: _,
        start: _,
        rearrangement: _,
        swap: _,
        royal: _,
        movement: _,
        king_arming: _,
        king_capture: _,
        piercing: _,
        zones: _,
        throne_hostile_occupied: _,
        camps_apart: _,
        camps_spared: _,
        edge_hostile: _,
        goals: _,
        forced_capture: _,
        hex_corner_capture: _,
        linnaean: _,
        shieldwall: _,
        exit_fort: _,
        encirclement: _,
        no_moves: _,
        repetition: _,
        berserk: _,
        chain: _,
        jumped: _,
        jump_own: _,
        dux: _,
        ply_limit: _,
        captureless_limit: _,
        unknown: _,
    } = rules;
}

/// Every field, each with a change that affects only this field.
fn changes() -> Vec<Change> {
    fields(rules(BRANDUBH));
    let mut changes: Vec<Change> = vec![
        ("name", |rules| rules.name = Some("other".into())),
        ("first mover", |rules| rules.first_mover = rules.first_mover.other()),
        ("start", |rules| rules.start.put(Cell::new(5), Some(Piece::new(Side::Attackers, Role::Soldier)))),
        ("rearrangement", |rules| rules.rearrangement.defenders = Rearrangement::Near(1)),
        ("rearrangement of attackers", |rules| rules.rearrangement.attackers = Rearrangement::Anywhere),
        ("swap", |rules| rules.swap = Some(1)),
        ("swap before the first move", |rules| rules.swap = Some(0)),
        ("forced capture", |rules| rules.forced_capture = true),
        ("royal", |rules| rules.royal = PieceSet::EMPTY),
        ("piercing", |rules| rules.piercing = PieceSet::EMPTY),
        ("throne occupied", |rules| rules.throne_hostile_occupied = PieceSet::DEFENDERS),
        ("camps apart", |rules| rules.camps_apart = !rules.camps_apart),
        ("camps spared", |rules| rules.camps_spared = vec![Cell::new(3)]),
        ("edge", |rules| rules.edge_hostile = PieceSet::ALL),
        ("attackers' goal", |rules| rules.goals.attackers = Goal::Cells(vec![Cell::new(0)])),
        ("defenders' goal", |rules| rules.goals.defenders = Goal::Edge),
        ("hex corner", |rules| rules.hex_corner_capture = !rules.hex_corner_capture),
        ("linnaean", |rules| rules.linnaean = !rules.linnaean),
        ("exit fort", |rules| rules.exit_fort = !rules.exit_fort),
        ("no moves", |rules| rules.no_moves = NoMoves::Draw),
        ("no moves at all", |rules| rules.no_moves = NoMoves::Ignore),
        ("encirclement", |rules| rules.encirclement = Encirclement::Secure),
        ("no repetition", |rules| rules.repetition = Vec::new()),
        ("berserk", |rules| rules.berserk = Berserk::Capture),
        ("berserk moves", |rules| rules.berserk = Berserk::AnyMove),
        ("declined chains", |rules| rules.chain.may_decline = true),
        ("chains after jumps", |rules| rules.chain.after_jumps = true),
        ("jumped", |rules| rules.jumped = vec![Role::Soldier, Role::Commander]),
        ("jumps over own", |rules| rules.jump_own = true),
        ("dux", |rules| rules.dux = PieceSet::of(piece('C'))),
        ("ply limit", |rules| rules.ply_limit = Some(100)),
        ("captureless limit", |rules| rules.captureless_limit = Some(50)),
        ("unknown", |rules| rules.unknown.push("xnew:1".into())),
        ("arming", |rules| rules.king_arming = Arming::Hammer),
        ("anvil", |rules| rules.king_arming = Arming::Anvil),
        ("unarmed", |rules| rules.king_arming = Arming::Unarmed),
        ("on throne", |rules| rules.king_capture.on_throne = CaptureMode::Never),
        ("near throne", |rules| rules.king_capture.next_to_throne = CaptureMode::Never),
        ("on edge", |rules| rules.king_capture.on_edge = CaptureMode::Confine),
        ("elsewhere", |rules| rules.king_capture.elsewhere = CaptureMode::Confine),
        ("walls", |rules| {
            rules.shieldwall = Some(Shieldwall { corner_closes: true, flank_move: true, both_ways: true });
        }),
        ("weak walls", |rules| {
            rules.shieldwall = Some(Shieldwall { corner_closes: false, flank_move: false, both_ways: false });
        }),
        ("men's moves", |rules| rules.movement[piece('t')].directions = Directions::Queen),
        ("men's range", |rules| rules.movement[piece('T')].max = Some(2)),
        ("king's jumps", |rules| rules.movement[piece('K')].jump = Jump::Restricted),
        ("moves of absent pieces", |rules| rules.movement[piece('g')].max = Some(1)),
    ];
    changes.extend(zone_changes());
    changes
}

fn zone_changes() -> Vec<Change> {
    vec![
        ("throne", |rules| rules.zones.throne.cells = vec![Cell::new(9)]),
        ("throne stop", |rules| rules.zones.throne.stop = PieceSet::EMPTY),
        ("throne pass", |rules| rules.zones.throne.pass = PieceSet::EMPTY),
        ("throne enter", |rules| rules.zones.throne.reenter = PieceSet::EMPTY),
        ("throne hostile", |rules| rules.zones.throne.hostile = PieceSet::EMPTY),
        ("corners", |rules| rules.zones.corners.cells = vec![Cell::new(1), Cell::new(2)]),
        ("corner stop", |rules| rules.zones.corners.stop = PieceSet::ALL),
        ("corner pass", |rules| rules.zones.corners.pass = PieceSet::ALL),
        ("corner enter", |rules| rules.zones.corners.reenter = PieceSet::ATTACKERS),
        ("corner hostile", |rules| rules.zones.corners.hostile = PieceSet::KINGS),
        ("camps", |rules| rules.zones.camps.cells = vec![Cell::new(20), Cell::new(21), Cell::new(30)]),
        ("camp stop", |rules| rules.zones.camps.stop = PieceSet::ATTACKERS),
        ("camp pass", |rules| rules.zones.camps.pass = PieceSet::EMPTY),
        ("camp enter", |rules| rules.zones.camps.reenter = PieceSet::EMPTY),
        ("camp hostile", |rules| rules.zones.camps.hostile = PieceSet::EMPTY),
        ("forts", |rules| rules.zones.forts.cells = vec![Cell::new(20)]),
        ("fort stop", |rules| rules.zones.forts.stop = PieceSet::KINGS),
        ("fort pass", |rules| rules.zones.forts.pass = PieceSet::KINGS),
        ("fort enter", |rules| rules.zones.forts.reenter = PieceSet::ATTACKERS),
        ("fort hostile", |rules| rules.zones.forts.hostile = PieceSet::ALL),
    ]
}

fn piece(letter: char) -> Piece {
    Piece::from_letter(letter).unwrap()
}

/// Rule sets with random changes, identical in every run.
fn random_rules() -> impl Iterator<Item = RuleSet> {
    let changes = changes();
    let mut rng = crate::Rng::new(0x5eed);
    (0..3000).map(move |n| {
        let mut changed = rules([BRANDUBH, CYNGESHEALL, HEX][n % 3]);
        for (_, change) in &changes {
            if rng.below(4) == 0 {
                change(&mut changed);
            }
        }
        changed
    })
}

fn prose(rules: &RuleSet) -> String {
    let sections = rules_sheet(rules, NAMES);
    sections
        .iter()
        .map(|section| format!("# {}\n{}\n", section.title, section.sentences.join("\n")))
        .collect()
}

#[test]
fn a_change_of_one_field_is_one_difference() {
    for text in [BRANDUBH, CYNGESHEALL] {
        for (name, change) in changes() {
            let left = rules(text);
            let mut right = left.clone();
            change(&mut right);
            if left == right {
                continue;
            }
            let found = rules_differences(&left, &right);
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            let mirrored = rules_differences(&right, &left);
            assert_eq!((&mirrored[0].left, &mirrored[0].right), (&found[0].right, &found[0].left), "{name}");
            assert_eq!(same_rules(&left, &right), name == "name", "{name}");
        }
    }
}

#[test]
fn random_rules_have_differences_if_and_only_if_they_are_unequal() {
    let all: Vec<RuleSet> = random_rules().collect();
    for pair in all.windows(4) {
        // Three indexes apart, they come from the same text, so that the boards have the same
        // shape.
        let (left, right) = (&pair[0], &pair[3]);
        assert_eq!(rules_differences(left, right).is_empty(), left == right, "{left}\n{right}");
        assert!(rules_differences(left, left).is_empty());
        assert!(!rules_differences(left, &pair[1]).is_empty());
    }
}

#[test]
fn every_sheet_has_complete_sentences() {
    for rules in random_rules() {
        for section in rules_sheet(&rules, NAMES) {
            assert!(!section.sentences.is_empty(), "{}: {rules}", section.title);
            for sentence in section.sentences {
                assert!(sentence.ends_with('.') && !sentence.ends_with(".."), "{sentence}");
                assert!(sentence.starts_with(|first: char| first.is_uppercase()), "{sentence}");
                assert!(!sentence.contains("  ") && !sentence.contains(" ,"), "{sentence}");
            }
        }
    }
}

#[test]
fn every_variant_of_the_catalog_has_a_sheet() {
    for variant in crate::catalog::all() {
        let names = BySide { attackers: variant.sides.attackers, defenders: variant.sides.defenders };
        let titles: Vec<&str> =
            rules_sheet(&variant.rules(), names).iter().map(|section| section.title).collect();
        for title in ["Board and start", "Moves", "Capturing men", "Capturing a king", "Winning"] {
            assert!(titles.contains(&title), "{}: no {title} in {titles:?}", variant.name);
        }
        assert!(rules_differences(&variant.rules(), &variant.rules()).is_empty());
    }
}

#[test]
fn the_middle_counts_as_the_same_cell_on_every_board() {
    let (seven, nine) = (rules(BRANDUBH), rules("dim:9 ks:c xrep:pos3def start:/9/9/9/9/t3K4/9/9/9/9/"));
    let topics: Vec<String> = rules_differences(&seven, &nine).into_iter().map(|one| one.topic).collect();
    assert_eq!(topics, ["board", "start", "label"]);
}

#[test]
fn differences_without_effect_on_play_do_not_matter() {
    let left = rules(BRANDUBH);
    let mut right = left.clone();
    right.movement[piece('g')].max = Some(1);
    right.zones.camps.hostile = PieceSet::EMPTY;
    right.name = None;
    assert!(rules_differences(&left, &right).iter().all(|difference| !difference.matters));
    right.first_mover = Side::Defenders;
    assert_eq!(rules_differences(&left, &right).iter().filter(|difference| difference.matters).count(), 1);
}

#[test]
fn different_starts_are_listed_by_cell() {
    let left = rules(BRANDUBH);
    let mut right = left.clone();
    right.start.put(Cell::new(3), None);
    right.start.put(Cell::new(0), Some(piece('t')));
    let found = rules_differences(&left, &right);
    assert_eq!(found[0].topic, "start");
    assert_eq!(found[0].left, "Attackers' man on d1; nothing on a1");
    assert_eq!(found[0].right, "Attackers' man on a1; nothing on d1");
}

#[test]
fn a_sheet_omits_rules_without_effect() {
    let sheet = prose(&rules(CYNGESHEALL));
    for word in ["throne", "corner cell", "camp", "encirclement", "Shieldwall", "guard", "jump"] {
        assert!(!sheet.contains(word), "{word} in\n{sheet}");
    }
    for words in ["diagonal", "reaches g7", "reaches a1", "A king is captured by two enemies"] {
        assert!(sheet.contains(words), "{words} not in\n{sheet}");
    }
}

#[test]
fn the_sheet_states_who_may_pass_over_the_throne() {
    let words = "Only the king may pass over the throne.";
    let keys = |pass: &str| BRANDUBH.replace("ks:c", &format!("ks:c{pass}"));
    for (pass, is_stated) in [(" cenp:K", true), (" cenp:tTK cens:tK", false), ("", false)] {
        assert_eq!(prose(&rules(&keys(pass))).contains(words), is_stated, "{pass}");
    }
    assert!(prose(&rules(&keys(""))).contains("Every piece may pass over the throne when it is empty."));
}

#[test]
fn a_sheet_fits_games_with_other_pieces() {
    let sheet = prose(&rules("dim:5 esc:e start:/1ttt1/t3t/t1K1t/t3t/1ttt1/"));
    assert!(
        sheet.contains("\nOnly the king may stop on the throne; he may leave it and return.\n"),
        "{sheet}"
    );
    assert!(sheet.contains("\nOnly the king may stop on a corner cell.\n"), "{sheet}");
    let sheet = prose(&rules("dim:7 cor: sw:s linc:y ber:c start:/3t3/3t3/3T3/ttT1Ttt/3T3/3t3/3t3/"));
    assert!(sheet.contains("\nNo piece may stop on the throne.\n"), "{sheet}");
    assert!(sheet.contains("as long as it can capture again.\n"), "{sheet}");
    assert!(sheet.contains("Shieldwall: ") && !sheet.contains("corner"), "{sheet}");
    assert!(!sheet.contains("king"), "{sheet}");
    let two_kings = rules("dim:7 xroyal: start:/3t3/3t3/3T3/ttKTKtt/3T3/3t3/3t3/");
    let sheet = prose(&two_kings);
    assert!(sheet.contains("\nOnly kings may stop on the throne.\n"), "{sheet}");
    assert!(sheet.contains("A king is captured like a man, and his loss does not end the game."), "{sheet}");
    let camps = "dim:7 afor:d1,a4 aforp:tTK afors:tK start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let sheet = prose(&rules(camps));
    assert!(sheet.contains("\nEvery piece except the defenders' men may stop on a camp cell"), "{sheet}");
    assert!(!sheet.contains("Only every"), "{sheet}");
}

#[test]
fn sides_have_their_own_names() {
    let sections = rules_sheet(&rules(CYNGESHEALL), BySide { attackers: "dark", defenders: "light" });
    assert!(sections[0].sentences.iter().any(|sentence| sentence.starts_with("Dark moves first")));
    let common = "In records and programs, Dark is called the attackers, and Light the defenders.";
    let has_common_names = |names| {
        rules_sheet(&rules(CYNGESHEALL), names)[0].sentences.iter().any(|sentence| sentence == common)
    };
    assert!(has_common_names(BySide { attackers: "dark", defenders: "light" }));
    assert!(!has_common_names(BySide { attackers: "attackers", defenders: "defenders" }));
    let wins = sections.iter().find(|section| section.title == "Winning").unwrap();
    assert_eq!(wins.sentences[0], "Light wins when Light's king reaches a1 or when Dark's king is captured.");
}
