//! Text drawings, against the files in `tests/boards`. `UPDATE=1 cargo test` writes them anew.

use std::path::PathBuf;

use tafl_reports::{BoardPicture, Coordinates, Ink, RankOne, is_unsafe};
use tafl_rules::{RuleSet, Shape};

use super::{all_shapes, all_views, crowded};

fn check(name: &str, drawn: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/boards").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, drawn).expect("the folder of the drawings can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == drawn, "{} differs from:\n{drawn}", path.display());
}

fn start(rules: &str) -> BoardPicture {
    BoardPicture::of(&rules.parse::<RuleSet>().expect("a rules string"))
}

#[test]
fn drawings_are_as_they_were() {
    check("brandubh7", &start("dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/").to_text(Ink::Plain));
    let camps = "dim:9 esc:e cor: afor:a4,a5,b5,i5,h5 dfor:e8 start:/9/9/4T4/9/2T1K4/9/9/9/t8/";
    check("camps9", &start(camps).to_text(Ink::Plain));
    check("empty21", &start(&format!("dim:21 start:{}/", "/21".repeat(21))).to_text(Ink::Plain));
    let hex4 = "dim:4 xtopo:hex cor: xgoal:d=corners start:/t2t/5/3T2/t1TK2t/3T2/5/t2t/";
    check("hex4", &start(hex4).to_text(Ink::Plain));
    let mut turned = start(hex4);
    turned.view.rank_one = RankOne::Bottom;
    check("hex4-turned", &turned.to_text(Ink::Plain));
    check("hex8", &start(&format!("dim:8 xtopo:hex start:{}/", hex_rows(8))).to_text(Ink::Plain));
    check("marks11", &crowded(Shape::Square { side: 11 }).to_text(Ink::Plain));
    check("marks5-hex", &crowded(Shape::Hex { side: 5 }).to_text(Ink::Plain));
    check("marks5-hex-ansi", &crowded(Shape::Hex { side: 5 }).to_text(Ink::Ansi));
}

/// Returns the rows of a position record of an empty hexagonal board.
fn hex_rows(side: u8) -> String {
    let shape = Shape::Hex { side };
    (0..shape.n_ranks()).map(|rank| format!("/{}", shape.rank_len(rank))).collect()
}

#[test]
fn every_piece_and_label_is_in_the_text() {
    for shape in all_shapes() {
        for view in all_views() {
            let picture = BoardPicture { view, caption: None, ..crowded(shape) };
            let text = picture.to_text(Ink::Plain);
            let board = text.split("last move").next().unwrap_or_default();
            for (_, piece) in picture.setup.pieces() {
                assert!(board.contains(piece.letter()), "{shape} {view:?}: {piece}\n{board}");
            }
            let number = shape.n_ranks().to_string();
            let numbered = board.split(|letter: char| !letter.is_ascii_digit()).any(|word| word == number);
            assert_eq!(numbered, view.coordinates == Coordinates::Shown, "{shape} {view:?}\n{board}");
            assert!(board.lines().all(|line| line == line.trim_end()), "{shape} {view:?}");
        }
    }
}

#[test]
fn colors_only_add_escape_sequences() {
    for shape in all_shapes() {
        let picture = crowded(shape);
        let mut plain = String::new();
        let colored = picture.to_text(Ink::Ansi);
        let mut rest = colored.as_str();
        while let Some((before, after)) = rest.split_once('\x1b') {
            plain += before;
            rest = after.split_once('m').expect("an escape sequence ends").1;
        }
        plain += rest;
        assert_eq!(plain, picture.to_text(Ink::Plain), "{shape}");
    }
}

#[test]
fn a_caption_cannot_send_commands_to_a_terminal() {
    let mut picture = crowded(Shape::Square { side: 5 });
    picture.caption = Some("\x1b]0;title\x07\u{9b}31m\u{202e}\u{200b}".to_owned());
    let text = picture.to_text(Ink::Plain);
    assert!(!text.contains(|letter: char| is_unsafe(letter) && letter != '\n'), "{text:?}");
}
