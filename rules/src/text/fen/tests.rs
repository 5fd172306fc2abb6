use super::*;
use crate::any::AnyRulebook;
use crate::catalog;
use crate::game::Game;
use crate::rng::Rng;

const BRANDUBH: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

fn error(text: &str) -> (Span, String) {
    let error = Fen::parse(text).unwrap_err();
    (error.span, error.to_string())
}

#[test]
fn every_set_of_letters_gives_the_same_position() {
    let texts = [
        ("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a", Some(Side::Attackers)),
        ("3A3/3A3/3D3/AADKDAA/3D3/3A3/3A3 d", Some(Side::Defenders)),
        ("3A3/3A3/3D3/AADKDAA/3D3/3A3/3A3 B", Some(Side::Attackers)),
        ("3b3/3b3/3w3/bbwKwbb/3w3/3b3/3b3 w", Some(Side::Defenders)),
        ("3b3/3b3/3w3/bbwKwbb/3w3/3b3/3b3 S 48", Some(Side::Attackers)),
        ("3r3/3r3/3R3/rrRKRrr/3R3/3r3/3r3 s 4 7", Some(Side::Attackers)),
        ("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 S - 0 1", Some(Side::Defenders)),
        ("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 M - 0 1", Some(Side::Attackers)),
        ("3v3/3v3/3V3/vvVKVvv/3V3/3v3/3v3", None),
    ];
    for (text, to_move) in texts {
        let fen = Fen::parse(text).unwrap();
        assert_eq!((fen.setup.to_string().as_str(), fen.to_move), (BRANDUBH, to_move), "{text}");
    }
}

#[test]
fn the_top_rank_comes_first() {
    let fen = Fen::parse("4a/5/2k2/5/d4 a").unwrap();
    assert_eq!(fen.setup.to_string(), "/T4/5/2K2/5/4t/");
    assert_eq!(fen.setup.to_fen(Side::Attackers).as_deref(), Ok("4a/5/2k2/5/d4 a"));
}

#[test]
fn numbers_of_two_digits_are_numbers_or_sums() {
    let board = |row: &str| [row; 11].join("/");
    let empty = Fen::parse(&board("11")).unwrap().setup;
    assert_eq!(Fen::parse(&board("92")).unwrap().setup, empty);
    assert_eq!(Fen::parse(&board("10a")).unwrap(), Fen::parse(&board("91a")).unwrap());
}

#[test]
fn an_error_names_the_smallest_part() {
    let check = |text: &str, part: &str, message: &str| {
        let (span, found) = error(text);
        assert_eq!((span.of(text), found.as_str()), (part, message), "{text}");
    };
    check(
        "5/5/2k2/5/5 x",
        "x",
        "unknown side to move `x`; expected `a` for the attackers or `d` for the defenders",
    );
    check("5/5/2k3/5/5 a", "3", "rank 3 has 5 cells, but its row continues at column 6");
    check("5/5/2k1/5/5", "2k1", "rank 3 has 5 cells, but its row ends after column 4");
    check("5/5/2k2/5/aw3", "w", "unknown piece `w` in rank 1 of the FEN; expected one of a d k");
    check("5/5//5/5", "", "rank 3 has 5 cells, but its row ends after column 0");
    check(
        "5/5/5",
        "5/5/5",
        "a FEN has a row for each rank of a board of 5 to 21 ranks, but this one has 3 rows",
    );
    check(
        "5/5/5/5/5 a moves",
        "moves",
        "`moves` does not belong to the FEN; expected the end of the position",
    );
}

#[test]
fn a_position_of_a_board_is_a_record_or_a_fen() {
    let seven = Shape::square(7).unwrap();
    let setup = Setup::parse(seven, BRANDUBH).unwrap();
    for text in ["3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d", " 3A3/3A3/3D3/AADKDAA/3D3/3A3/3A3"] {
        assert_eq!(Setup::parse(seven, text), Ok(setup.clone()), "{text}");
    }
    let message = |shape: Shape, text: &str| Setup::parse(shape, text).unwrap_err().to_string();
    let fen = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d";
    assert_eq!(message(Shape::square(9).unwrap(), fen), "a 9x9 board has 9 ranks, but the record has 7 rows");
    assert_eq!(
        message(Shape::hex(4).unwrap(), fen),
        "a FEN describes a square board, but the board is hex 4"
    );
    // Without the slash, the order of the rows is unknown.
    assert_eq!(message(seven, &BRANDUBH[1..]), "a position record must begin with `/`");
    assert_eq!(message(seven, "d1-d3"), "a position record must begin with `/`");
}

#[test]
fn a_king_may_be_missing() {
    assert!(Fen::parse("5/5/2a2/5/3d1 d").is_ok());
}

#[test]
fn pieces_without_a_letter_are_refused() {
    let square = Shape::square(5).unwrap();
    let refused = |text: &str| {
        let setup = Setup::parse(square, text).unwrap();
        setup.to_fen(Side::Attackers).unwrap_err().to_string()
    };
    assert_eq!(refused("/5/2C2/2K2/5/5/"), "the notation has no letter for the defenders' commander on `c2`");
    assert_eq!(refused("/k4/5/2K2/5/5/"), "the notation has no letter for the attackers' king on `a1`");
    let hex = Setup::empty(Shape::hex(4).unwrap());
    assert_eq!(
        hex.to_hen().unwrap_err().to_string(),
        "the notation is for square boards, but the board is hex 4"
    );
}

#[test]
fn rows_between_blanks_are_those_of_hen() {
    let setup = Setup::parse_fen_rows("3v3 3v3  3V3 vvVKVvv 3V3 3v3 3v3", ' ').unwrap();
    assert_eq!(setup.to_string(), BRANDUBH);
    assert_eq!(setup.to_hen().as_deref(), Ok("3v3 3v3 3V3 vvVKVvv 3V3 3v3 3v3"));
}

#[test]
fn positions_of_every_variant_are_read_as_written() {
    let mut n_positions = 0;
    for (variant, nth) in catalog::all().zip(0..) {
        let book = AnyRulebook::compile(&variant.rules()).unwrap();
        let mut game = Game::new(&book);
        let mut rng = Rng::stream(5, nth);
        for _ in 0..60 {
            let (setup, side) = (game.setup(), game.to_move());
            match setup.to_fen(side) {
                Ok(text) => {
                    n_positions += 1;
                    let to_move = Some(side);
                    assert_eq!(Fen::parse(&text), Ok(Fen { setup: setup.clone(), to_move }), "{text}");
                    let hen = setup.to_hen().unwrap();
                    assert_eq!(Setup::parse_fen_rows(&hen, ' '), Ok(setup), "{hen}");
                }
                Err(FenWriteError::Board { shape }) => assert!(matches!(shape, Shape::Hex { .. })),
                Err(FenWriteError::Piece { piece, .. }) => {
                    let plain = Piece::new(Side::Defenders, Role::King);
                    assert!(piece != plain && piece.role != Role::Soldier, "{piece}");
                }
            }
            let moves = game.moves();
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            game.play(moves[rng.below(moves.len())]).unwrap();
        }
    }
    assert!(n_positions > 1000, "{n_positions}");
}

#[test]
fn no_text_makes_reading_panic() {
    let mut rng = Rng::new(11);
    let letters: Vec<char> = "adkADKbwrRvV/0123456789 -tæ\t\n".chars().collect();
    for _ in 0..20_000 {
        let length = rng.below(40);
        let text: String = (0..length).map(|_| letters[rng.below(letters.len())]).collect();
        for result in [Fen::parse(&text).map(|_| ()), Setup::parse_fen_rows(&text, ' ').map(|_| ())] {
            if let Err(error) = result {
                assert!(
                    error.span.start <= error.span.end && error.span.end as usize <= text.len(),
                    "{text}"
                );
                assert!(text.is_char_boundary(error.span.start as usize), "{text}");
            }
        }
    }
}
