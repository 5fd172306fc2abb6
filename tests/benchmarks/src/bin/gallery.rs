//! Writes a picture of every kind into a folder: `gallery FOLDER [WIDTH...]`.
//!
//! Each board is written as SVG, as text, and as PNG in each width (by default, 300 and 1200 pixels).

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tafl_reports::{
    Animation, BoardPicture, Captured, Frame, Highlight, HighlightKind, Ink, LegendEntry, Marks, Theme, Zones,
};
use tafl_rules::{ByZone, Cell, Move, Piece, RuleSet, Setup, Shape};

const BRANDUBH: &str = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
const TABLUT_CAMPS: &str = "dim:9 esc:e cor: atkf:n afor:a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8 \
    start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/";
const COPENHAGEN: &str = "dim:11 sw:s efe:y \
    start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/";
const ALEA: &str = "dim:19 cor:a1,a2,b1,b2,a18,b18,a19,b19,r1,r2,s1,s2,r18,r19,s18,s19 cens: start:\
    /2t2t7t2t2/19/t4t7t4t/7t1t1t7/6t1T1T1t6/t1t2t7t2t1t/4t4T4t4/3t4T1T4t3/4T2T1T1T2T4/3t2T1TKT1T2t3/\
    4T2T1T1T2T4/3t4T1T4t3/4t4T4t4/t1t2t7t2t1t/6t1T1T1t6/7t1t1t7/t4t7t4t/19/2t2t7t2t2/";
const CYNGESHEALL: &str = "dim:7 xroyal:kK xmove:cC=q xgoal:a=g7;d=a1 cor: cen: \
    start:/kttt3/tct4/tt5/t5T/5TT/4TCT/3TTTK/";

const HEXENTAFL4: &str = "dim:4 xtopo:hex cor: xgoal:d=corners start:/t2t/5/3T2/t1TK2t/3T2/5/t2t/";
const HEXENTAFL5: &str = "dim:5 xtopo:hex cor: xgoal:d=corners \
    start:/t3t/1t2t1/7/3TT3/tt1TKT1tt/3TT3/7/1t2t1/t3t/";

/// A board with every kind of piece of both sides, each once on a plain cell.
const ALL_PIECES: &str = "/9/1t1c1n1k1/9/1m1g1T1C1/9/1N1K1M1G1/9/9/9/";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder? give its name as the first argument")?);
    let mut widths: Vec<u32> = arguments.map(|width| width.parse()).collect::<Result<_, _>>()?;
    if widths.is_empty() {
        widths = vec![300, 1200];
    }
    fs::create_dir_all(&folder)?;
    for (name, picture) in pictures()? {
        write_picture(&folder, &name, &picture, &widths)?;
    }
    for theme in Theme::ALL {
        let game = game(theme)?;
        fs::write(folder.join(format!("game-{}.svg", theme.as_str())), game.to_svg())?;
        let mut gif = BufWriter::new(File::create(folder.join(format!("game-{}.gif", theme.as_str())))?);
        game.write_gif(&mut gif, 480)?;
        gif.flush()?;
    }
    Ok(())
}

fn write_picture(
    folder: &Path,
    name: &str,
    picture: &BoardPicture,
    widths: &[u32],
) -> Result<(), Box<dyn Error>> {
    fs::write(folder.join(format!("{name}.svg")), picture.to_svg())?;
    fs::write(folder.join(format!("{name}.txt")), picture.to_text(Ink::Plain))?;
    for width in widths {
        fs::write(folder.join(format!("{name}-{width}.png")), picture.to_png(*width)?)?;
    }
    Ok(())
}

fn pictures() -> Result<Vec<(String, BoardPicture)>, Box<dyn Error>> {
    let start = |rules: &str| -> Result<BoardPicture, Box<dyn Error>> {
        Ok(BoardPicture::of(&rules.parse::<RuleSet>()?))
    };
    let boards = vec![
        ("brandubh7", start(BRANDUBH)?),
        ("camps9", start(TABLUT_CAMPS)?),
        ("alea19", start(ALEA)?),
        ("cyngesheall7", start(CYNGESHEALL)?),
        ("tiny5", start("dim:5 start:/2t2/2T2/tTKTt/2T2/2t2/")?),
        ("empty21", start(&format!("dim:21 start:{}/", "/21".repeat(21)))?),
        ("hex4", start(HEXENTAFL4)?),
        ("hex5", start(HEXENTAFL5)?),
        ("hex8", hex_with_all_pieces()),
        ("capture11", after_a_capture()?),
        ("fort11", exit_fort()?),
        ("pieces9", start(&format!("dim:9 start:{ALL_PIECES}"))?),
        ("hexmarks", hex_marks()),
    ];
    let in_theme = |(name, picture): &(&str, BoardPicture), theme: Theme| {
        let view = picture.view.with_theme(theme);
        (format!("{name}-{}", theme.as_str()), BoardPicture { view, ..picture.clone() })
    };
    Ok(Theme::ALL
        .into_iter()
        .flat_map(|theme| boards.iter().map(move |board| in_theme(board, theme)))
        .collect())
}

fn cell(shape: Shape, file: char, rank: i16) -> Cell {
    let file = i16::from(file as u8 - b'a');
    shape.cell(tafl_rules::Coord::new(file, rank - 1)).expect("the gallery names cells of its boards")
}

/// A position of Copenhagen tafl after a move that captured two men.
fn after_a_capture() -> Result<BoardPicture, Box<dyn Error>> {
    let rules: RuleSet = COPENHAGEN.parse()?;
    let shape = rules.shape();
    let setup =
        Setup::parse(shape, "/3ttttt3/5t5/11/t4T4t/t3T1T2tt/tt1TTKTT2t/t3T1Tt1t1/t4T4t/4t6/11/3tttt4/")?;
    let mut picture = BoardPicture::new(setup, Zones::of(&rules));
    let fallen = |file, rank| Captured { cell: cell(shape, file, rank), piece: Piece::from_letter('T') };
    let mv = Move::new(cell(shape, 'j', 11), cell(shape, 'j', 7));
    picture.marks = Marks::of_move(mv, vec![fallen('i', 7), fallen('j', 6)]);
    picture.caption = Some("23. j11-j7xi7/j6: the attackers take two men".to_owned());
    Ok(picture)
}

/// An exit fort, explained.
fn exit_fort() -> Result<BoardPicture, Box<dyn Error>> {
    let rules: RuleSet = COPENHAGEN.parse()?;
    let shape = rules.shape();
    let setup =
        Setup::parse(shape, "/2T1KTtt3/1ttT1Tt2t1/t2tTT1t3/5t5/8TTt/t2T6t/t3T1T3t/2t2T4t/11/1t7t1/3tttt4/")?;
    let mut picture = BoardPicture::new(setup, Zones::of(&rules));
    picture.marks = Marks::of_move(Move::new(cell(shape, 'e', 2), cell(shape, 'e', 1)), Vec::new());
    let mark = |file, rank, kind, label: &str| Highlight {
        label: Some(label.to_owned()).filter(|label| !label.is_empty()),
        ..Highlight::new(cell(shape, file, rank), kind)
    };
    picture.marks.highlights = vec![
        mark('d', 1, HighlightKind::Room, "1"),
        mark('e', 2, HighlightKind::Room, "2"),
        mark('c', 1, HighlightKind::Wall, ""),
        mark('d', 2, HighlightKind::Wall, ""),
        mark('e', 3, HighlightKind::Wall, ""),
        mark('f', 2, HighlightKind::Wall, "S"),
        mark('f', 1, HighlightKind::Wall, ""),
    ];
    let entry = |kind, text: &str| LegendEntry { kind, text: text.to_owned() };
    picture.marks.legend = vec![
        entry(HighlightKind::Room, "cells that the king can reach"),
        entry(HighlightKind::Wall, "men that cannot be captured"),
    ];
    picture.caption = Some("e2-e1: an exit fort. The attackers cannot break it.".to_owned());
    Ok(picture)
}

/// A short game of Brandubh, in which both sides err.
fn game(theme: Theme) -> Result<Animation, Box<dyn Error>> {
    let rules: RuleSet = BRANDUBH.parse()?;
    let shape = rules.shape();
    let moves = [
        ("d2", "f2", ""),
        ("e4", "e2", ""),
        ("d1", "d2", "e2"),
        ("d4", "e4", ""),
        ("b4", "b2", ""),
        ("e4", "e7", ""),
        ("a4", "a7", ""),
        ("e7", "g7", ""),
    ];
    let named = |name: &str| -> Result<Cell, Box<dyn Error>> {
        let coord = name.parse::<tafl_rules::Coord>()?;
        Ok(shape.cell(coord).ok_or("the gallery names cells of its boards")?)
    };
    let mut setup = rules.start.clone();
    let mut frames = vec![Frame { caption: Some("Brandubh".to_owned()), ..Frame::new(setup.clone()) }];
    for (ply, (from, to, captured)) in moves.into_iter().enumerate() {
        let mv = Move::new(named(from)?, named(to)?);
        setup.put(mv.to, setup.piece(mv.from));
        setup.put(mv.from, None);
        let mut fallen = Vec::new();
        if !captured.is_empty() {
            let cell = named(captured)?;
            fallen.push(Captured { cell, piece: setup.piece(cell) });
            setup.put(cell, None);
        }
        frames.push(Frame {
            setup: setup.clone(),
            marks: Marks::of_move(mv, fallen),
            caption: Some(if captured.is_empty() {
                format!("{}. {from}-{to}", ply + 1)
            } else {
                format!("{}. {from}-{to}x{captured}", ply + 1)
            }),
        });
    }
    let mut animation = Animation::of(&rules, frames)?;
    animation.view = animation.view.with_theme(theme);
    animation.title = Some("A short game of Brandubh".to_owned());
    Ok(animation)
}

fn hex_marks() -> BoardPicture {
    let shape = Shape::Hex { side: 5 };
    let mut setup = Setup::empty(shape);
    for (letter, file, rank) in [
        ('t', 'a', 1),
        ('t', 'e', 2),
        ('T', 'e', 4),
        ('K', 'e', 5),
        ('t', 'e', 6),
        ('T', 'g', 7),
        ('c', 'c', 3),
    ] {
        setup.put(cell(shape, file, rank), Piece::from_letter(letter));
    }
    let cells = ByZone { throne: shape.center().into_iter().collect(), ..ByZone::default() };
    let zones = Zones { cells, goals: shape.corners() };
    let mut picture = BoardPicture::new(setup, zones);
    let fallen = Captured { cell: cell(shape, 'e', 3), piece: Piece::from_letter('T') };
    picture.marks = Marks::of_move(Move::new(cell(shape, 'a', 2), cell(shape, 'e', 6)), vec![fallen]);
    let kinds = HighlightKind::ALL.into_iter().zip('f'..);
    picture.marks.highlights = kinds.map(|(kind, file)| Highlight::new(cell(shape, file, 6), kind)).collect();
    picture.marks.legend =
        HighlightKind::ALL.map(|kind| LegendEntry { kind, text: kind.as_str().to_owned() }).to_vec();
    picture.caption = Some("Marks on a hexagonal board".to_owned());
    picture
}

fn hex_with_all_pieces() -> BoardPicture {
    let shape = Shape::Hex { side: 8 };
    let mut setup = Setup::empty(shape);
    for (piece, file) in Piece::all().zip('b'..) {
        let rank = 1 + i16::from(file as u8 - b'a') / 2 + 3;
        setup.put(cell(shape, file, rank), Some(piece));
    }
    let cells = ByZone {
        throne: shape.center().into_iter().collect(),
        camps: vec![cell(shape, 'a', 4), cell(shape, 'a', 5), cell(shape, 'b', 5)],
        forts: vec![cell(shape, 'o', 11), cell(shape, 'o', 12), cell(shape, 'n', 11)],
        corners: Vec::new(),
    };
    let zones = Zones { cells, goals: shape.corners() };
    let mut picture = BoardPicture::new(setup, zones);
    picture.caption = Some("Every kind of piece, a camp and a fort".to_owned());
    picture
}
