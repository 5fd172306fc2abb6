//! Keys are stored in files, so they are an interface: `fixtures/keys.csv` pins some.
//!
//! A line has a variant, the plies that lead from its start to a position, and the two keys of that position.

use std::path::Path;
use std::{env, fs};

use tafl_rules::{AnyRulebook, Coord, Game, KEY_VERSION, Move, Rng, canonical_key, catalog};
use tafl_tests::random::Draw;

/// The variants with pinned keys: all board widths of the catalog, hexagonal boards, and all kinds of pieces.
const VARIANTS: [&str; 20] = [
    "brandubh7",
    "ardri7",
    "magpie7",
    "cyngesheall7",
    "tablut9_linnaeus",
    "tablut9-w",
    "ashton9",
    "foteviken9",
    "copenhagen11",
    "fetlar11",
    "sympkyn11",
    "sca11",
    "tawlbwrdd11",
    "berserk11",
    "seabattle11",
    "copenhagen13",
    "tablut15",
    "alea19",
    "hexentafl4",
    "hexentafl5",
];

fn game(variant: &str) -> Game {
    let rules = catalog::find(variant).unwrap_or_else(|| panic!("no variant {variant}")).rules();
    Game::new(&AnyRulebook::compile(&rules).unwrap())
}

fn line(variant: &str, plies: &[String], game: &Game) -> String {
    format!("{variant},{},{},{}", plies.join(" "), game.key(), game.canonical_key().0)
}

/// Returns the positions for a new version of keys: the start, and a position after a few random plies.
fn chosen() -> String {
    let mut lines = vec!["variant,plies,key,canonical_key".to_owned()];
    for (seed, variant) in VARIANTS.iter().enumerate() {
        let (mut game, mut rng, mut plies) = (game(variant), Rng::new(seed as u64), Vec::new());
        lines.push(line(variant, &plies, &game));
        let wanted = 3 + seed % 8;
        while plies.len() < wanted && game.outcome().is_none() {
            let mv = rng.one_of(&game.moves());
            game.play(mv).unwrap();
            plies.push(mv.display(game.shape()).to_string());
        }
        lines.push(line(variant, &plies, &game));
    }
    lines.push(String::new());
    lines.join("\n")
}

#[test]
fn stored_keys_are_found_again() {
    assert_eq!(KEY_VERSION, 1, "another version needs other pinned keys");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/keys.csv");
    // Never rewritten: a change of the keys needs a new version and a new file.
    if env::var_os("UPDATE").is_some() && !path.exists() {
        fs::write(&path, chosen()).unwrap();
    }
    let pinned = fs::read_to_string(&path).unwrap();
    let mut lines = pinned.lines();
    assert_eq!(lines.next(), Some("variant,plies,key,canonical_key"));
    let mut count = 0;
    for pinned in lines {
        let [variant, plies, _, _] = pinned.split(',').collect::<Vec<_>>()[..] else { panic!("{pinned}") };
        let (mut game, plies) =
            (game(variant), plies.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        for ply in &plies {
            let (from, to) = ply.split_once('-').unwrap();
            let cell = |name: &str| game.shape().cell(name.parse::<Coord>().unwrap()).unwrap();
            game.play(Move::new(cell(from), cell(to)))
                .unwrap_or_else(|why| panic!("{pinned}: {ply}: {why:?}"));
        }
        assert_eq!(line(variant, &plies, &game), pinned, "a key changed: that needs a new KEY_VERSION");
        count += 1;
    }
    assert!(count >= 40, "only {count} positions");
}

#[test]
fn a_canonical_key_needs_no_game() {
    for (seed, variant) in VARIANTS.iter().enumerate() {
        let (mut game, mut rng) = (game(variant), Rng::new(seed as u64));
        let symmetries = tafl_rules::rules_symmetries(game.rules());
        for _ in 0..40 {
            let key = canonical_key(&game.setup(), game.to_move(), game.chain(), &symmetries);
            assert_eq!(key, game.canonical_key().0, "{variant}");
            if game.outcome().is_some() {
                break;
            }
            game.play(rng.one_of(&game.moves())).unwrap();
        }
    }
}
