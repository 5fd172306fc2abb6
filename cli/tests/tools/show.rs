//! `tafl show`.

use std::fs;

use tafl_cli::Exit;

use super::{check, run, run_with};

const BRANDUBH: &str = concat!(
    " 7 # . . t . . #\n",
    " 6 . . . t . . .\n",
    " 5 . . . T . . .\n",
    " 4 t t T K T t t\n",
    " 3 . . . T . . .\n",
    " 2 . . . t . . .\n",
    " 1 # . . t . . #\n",
    "   a b c d e f g\n",
);
const GAME: &str = "d2-e2 d3-c3 d1-d2 d5-f5 e2-e3";

#[test]
fn the_start_of_a_variant_is_drawn() {
    let expected = format!("{BRANDUBH}Brandubh 7x7 (World Tafl Federation)\n");
    check(&["show", "--variant", "brandubh7"], Exit::Ok, &expected);
}

#[test]
fn a_position_is_drawn_with_and_without_rules() {
    let start = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    check(&["show", "--position", start], Exit::Ok, &BRANDUBH.replace('#', "."));
    check(&["show", "--position", start, "--variant", "brandubh7"], Exit::Ok, BRANDUBH);
    assert!(
        run(&["show", "--position", "/t2t/5/3T2/t1TK2t/3T2/5/t2t/"])
            .text()
            .contains("a       .       .       g")
    );
}

#[test]
fn a_game_is_drawn_after_any_ply() {
    let last = run_with(&["show", "-", "--variant", "brandubh7"], GAME);
    assert!(last.text().contains("last move: e2-e3\n"), "{}", last.text());
    assert!(last.text().contains("Ply 5 of 5, attackers: e2-e3"), "{}", last.text());
    let second = run_with(&["show", "-", "--variant", "brandubh7", "--ply", "2"], GAME);
    assert!(second.text().contains("Ply 2 of 5, defenders: d3-c3"), "{}", second.text());
    let start = run_with(&["show", "-", "--variant", "brandubh7", "--ply", "0"], GAME);
    assert_eq!(start.text(), format!("{BRANDUBH}brandubh7\nStart\n"));
    let beyond = run_with(&["show", "-", "--variant", "brandubh7", "--ply", "6"], GAME);
    assert_eq!(beyond.exit, Exit::Error);
    assert!(beyond.stderr.contains("has 5 plies that can be played, not 6"), "{}", beyond.stderr);
}

#[test]
fn a_game_is_found_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brandubh.csv");
    fs::write(&path, "d2-e2 d3-c3,0,0,Ongoing\nd1-c1,0,0,Ongoing\n").unwrap();
    let name = |game: &str| format!("{}:{game}", path.display());
    assert!(run(&["show", &name("2")]).text().contains("last move: d1-c1"));
    assert!(run(&["show", &name("1")]).text().contains("last move: d3-c3"));
    let none = run(&["show", &name("3")]);
    assert_eq!(none.exit, Exit::Error);
    assert!(none.stderr.contains("no game `3`; the file has 2 games"), "{}", none.stderr);
}

#[test]
fn a_broken_game_is_drawn_up_to_its_last_legal_ply() {
    let output = run_with(&["show", "-", "--variant", "brandubh7"], "d2-e2 d3-d7 e2-e3");
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.text().contains("last move: d2-e2"), "{}", output.text());
    let caption = "Ply 1 of 3, attackers: d2-e2\nthe next move cannot be played\n";
    assert!(output.text().ends_with(caption), "{}", output.text());
    assert!(output.stderr.contains("only 1 of 3 moves can be played\nerror[L001]"), "{}", output.stderr);
}

#[test]
fn a_game_with_a_move_that_was_taken_back_is_drawn_to_its_end() {
    let game = r#"{"taflbase":1,"format":"aagenielsen","variant":"brandubh7","captures":"not-written","lines":[{"moves":
        "d2-c2 e4-e1 e4-e1 b4-b2 d4-e4"}],"result":{"verdict":"attackers"}}"#.replace('\n', " ");
    let output = run_with(&["show", "-"], &game);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""));
    assert!(output.text().contains("Ply 4 of 4, defenders: d4-e4\n"), "{}", output.text());
}

#[test]
fn an_unreadable_move_is_reported_like_an_illegal_one() {
    for (last, code) in [("e2-", "T001"), ("e2-e9", "L004"), ("e2-e4", "L001")] {
        let game = format!("d2-e2 d3-c3 {last}");
        let output = run_with(&["show", "-", "--variant", "brandubh7"], &game);
        assert_eq!(output.exit, Exit::Findings, "{last}: {}", output.stderr);
        assert!(output.text().contains("last move: d3-c3"), "{last}: {}", output.text());
        let expected = format!("only 2 of 3 moves can be played\nerror[{code}]");
        assert!(output.stderr.contains(&expected), "{last}: {}", output.stderr);
    }
}

#[test]
fn an_unreadable_word_between_moves_does_not_end_the_game() {
    let output = run_with(&["show", "-", "--variant", "brandubh7"], "d2-e2 e4x-? d3-c3 e2-e3");
    assert_eq!(output.exit, Exit::Findings);
    let expected = "3 moves can be played, but a word among them cannot be read\nerror[T001]";
    assert!(output.stderr.contains(expected), "{}", output.stderr);
    assert!(output.text().ends_with("Ply 3 of 3, attackers: e2-e3\n"), "{}", output.text());
    for moves in [r#""d2-e2 d3-c3\n e2x-?""#, r#"["d2-e2", null, "d3-c3", "e2x-?"]"#] {
        let output = run_with(&["show", "-"], &format!(r#"{{"variant":"brandubh7","moves":{moves}}}"#));
        assert!(output.text().ends_with("\nthe next move cannot be played\n"), "{}", output.text());
    }
}

#[test]
fn a_sheet_has_the_start_every_nth_ply_and_the_end() {
    let output = run_with(&["show", "-", "--variant", "brandubh7", "--diagram-every", "2"], GAME);
    let text = output.text();
    let captions: Vec<&str> =
        text.lines().filter(|line| line.starts_with("Ply ") || *line == "Start").collect();
    assert_eq!(captions.len(), 4, "{text}");
    assert_eq!(captions[0], "Start");
    assert!(captions[1].starts_with("Ply 2 of 5") && captions[3].starts_with("Ply 5 of 5"), "{text}");
    assert_eq!(text.matches("brandubh7").count(), 1, "the title appears once: {text}");
    for (args, message) in [
        (["--diagram-every", "2", "--ply", "1"], "--diagram-every cannot be used with --ply"),
        (["--diagram-every", "2", "--format", "gif"], "GIF is for games"),
    ] {
        let output = run_with(&[&["show", "-", "--variant", "brandubh7"], &args[..]].concat(), GAME);
        assert_eq!(output.exit, Exit::Error);
        assert!(output.stderr.contains(message), "{}", output.stderr);
    }
}

#[test]
fn a_flipped_board_is_rotated_with_its_coordinates() {
    let output = run_with(&["show", "-", "--variant", "brandubh7", "--flip", "--ply", "1"], GAME);
    let expected = concat!(
        " 1 # . . t . . #\n",
        " 2 . .[t]o . . .\n",
        " 3 . . . T . . .\n",
        " 4 t t T K T t t\n",
        " 5 . . . T . . .\n",
        " 6 . . . t . . .\n",
        " 7 # . . t . . #\n",
        "   g f e d c b a\n",
    );
    assert!(output.text().starts_with(expected), "{}", output.text());
}

#[test]
fn the_file_extension_selects_the_image_format() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("brandubh.csv");
    fs::write(&game, format!("{GAME}\n")).unwrap();
    let game = game.to_str().unwrap();
    let kinds: [(&str, &[u8], &[&str]); 7] = [
        ("end.svg", b"<svg ", &[]),
        ("end.PNG", b"\x89PNG", &["--width", "200"]),
        ("game.gif", b"GIF89a", &["--animate", "--width", "100"]),
        ("game.svg", b"<svg ", &["--animate", "--theme", "print"]),
        ("end.pdf", b"%PDF-1.7", &["--flip"]),
        ("sheet.pdf", b"%PDF-1.7", &["--diagram-every", "2"]),
        ("sheet.png", b"\x89PNG", &["--diagram-every", "2", "--width", "100"]),
    ];
    for (name, magic, more) in kinds {
        let path = folder.path().join(name);
        let args = [&["show", game, "-o", path.to_str().unwrap()], more].concat();
        let output = run(&args);
        assert_eq!((output.exit, output.stdout.len()), (Exit::Ok, 0), "{name}: {}", output.stderr);
        assert!(fs::read(&path).unwrap().starts_with(magic), "{name}");
    }
    let unknown = run(&["show", game, "-o", "board.xyz"]);
    assert!(
        unknown.stderr.contains("unknown extension `.xyz`; expected .txt, .svg, .png, .pdf, or .gif"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn control_characters_in_names_are_escaped() {
    let game = "[attackers:\u{1b}[31mRed]\n[defenders:Blue]\n[rules:dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d2-e2 d3-c3\n";
    let output = run_with(&["show", "-", "--as", "opentafl"], game);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.text().contains("Blue") && !output.text().contains('\u{1b}'), "{:?}", output.text());
}

#[test]
fn a_position_without_rules_is_drawn() {
    let output = run_with(&["show", "-"], "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a\n");
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.text().contains("4 t t T K T t t"), "{}", output.text());
}

#[test]
fn a_game_of_standard_input_is_selected_like_one_of_a_file() {
    let games = format!("{GAME}\nd2-c2 e4-e1 b4-b2 d4-e4,0,0,\n");
    let output = run_with(&["show", "-:2", "--variant", "brandubh7"], &games);
    assert!(output.text().contains("last move: d4-e4"), "{}{}", output.text(), output.stderr);
}
