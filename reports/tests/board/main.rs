//! Pictures of boards: well formed, of the right size, and readable.

mod moving;
mod text;

use roxmltree::Document;
use tafl_reports::{
    BoardPicture, Captured, Coordinates, Highlight, HighlightKind, LegendEntry, Marks, PictureError, RankOne,
    Theme, View, Zones,
};
use tafl_rules::{ByZone, Cell, Move, Piece, Setup, Shape};

/// Returns every board that there is.
fn all_shapes() -> impl Iterator<Item = Shape> {
    (5..=21).filter_map(Shape::square).chain((3..=8).filter_map(Shape::hex))
}

/// Returns a board with every kind of piece, special cell and mark on it.
fn crowded(shape: Shape) -> BoardPicture {
    let mut setup = Setup::empty(shape);
    for (cell, piece) in shape.cells().zip(Piece::all()) {
        setup.put(cell, Some(piece));
    }
    let last = |back: usize| Cell::new(shape.n_cells() - back);
    let cells = ByZone {
        throne: shape.center().into_iter().collect(),
        corners: shape.corners(),
        camps: vec![last(2)],
        forts: vec![last(3)],
    };
    let zones = Zones { cells, goals: vec![last(1)] };
    let mut picture = BoardPicture::new(setup, zones);
    let captured =
        Piece::all().enumerate().map(|(index, piece)| Captured { cell: last(index + 1), piece: Some(piece) });
    picture.marks = Marks::of_move(Move::new(last(1), Cell::new(0)), captured.collect());
    picture.marks.captured.push(Captured { cell: last(2), piece: None });
    for (index, kind) in HighlightKind::ALL.into_iter().enumerate() {
        picture
            .marks
            .highlights
            .push(Highlight { label: Some("<1>".to_owned()), ..Highlight::new(Cell::new(index + 10), kind) });
        picture.marks.legend.push(LegendEntry { kind, text: "a & b".to_owned() });
    }
    picture.caption = Some("A caption".to_owned());
    picture
}

fn all_views() -> impl Iterator<Item = View> {
    Theme::ALL.into_iter().flat_map(|theme| {
        [RankOne::Bottom, RankOne::Top].into_iter().flat_map(move |rank_one| {
            [(Coordinates::Shown, false), (Coordinates::Hidden, true)]
                .into_iter()
                .map(move |(coordinates, is_rotated)| View { rank_one, is_rotated, coordinates, theme })
        })
    })
}

/// Decodes a PNG file into its width, height and RGB pixels.
fn decode(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, pixels)
}

#[test]
fn every_board_is_drawn_in_every_view() {
    for shape in all_shapes() {
        for view in all_views() {
            let picture = BoardPicture { view, ..crowded(shape) };
            let svg = picture.to_svg();
            let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{shape} {view:?}: {error}"));
            let drawn = document
                .descendants()
                .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "use")));
            assert_eq!(drawn.count(), Piece::COUNT, "{shape} {view:?}");
        }
        let picture = crowded(shape);
        let (width, height, _) = decode(&picture.to_png(64).expect("a width that is allowed"));
        assert_eq!(width, 64);
        assert!((64..160).contains(&height), "{shape}: {height}");
    }
}

#[test]
fn everything_drawn_lies_inside_the_picture() {
    for shape in all_shapes() {
        for view in all_views() {
            let svg = BoardPicture { view, ..crowded(shape) }.to_svg();
            let document = Document::parse(&svg).expect("well-formed XML");
            let size = |name: &str| {
                document.root_element().attribute(name).expect("a size").parse::<f32>().expect("a number")
            };
            let (width, height) = (size("width"), size("height"));
            for text in document.descendants().filter(|node| node.tag_name().name() == "text") {
                let number = |name: &str| text.attribute(name).expect(name).parse::<f32>().expect("a number");
                let sized = text.ancestors().find_map(|node| node.attribute("font-size"));
                let font: f32 = sized.expect("a size").parse().expect("a number");
                let (x, y) = (number("x"), number("y"));
                assert!(x >= 0.0 && x <= width, "{shape} {view:?}: {x}");
                assert!(y - 0.7 * font >= 0.0 && y <= height, "{shape} {view:?}: {y} of {height}");
            }
        }
    }
}

#[test]
fn an_svg_has_a_description() {
    let mut picture = crowded(Shape::Square { side: 7 });
    let caption = "Ünïcode <b> & \"quotes\" 'n' ]]> –";
    picture.caption = Some(caption.to_owned());
    let svg = picture.to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    assert_eq!(root.attribute("aria-label"), Some(caption));
    let child =
        |name: &str| root.children().find(|node| node.tag_name().name() == name).and_then(|node| node.text());
    assert_eq!(child("title"), Some(caption));
    let description = child("desc").expect("a description");
    assert!(description.contains("Attackers: a1, commander b1, knight c1, king d1,"), "{description}");
    assert!(description.contains("Last move: g7-a1."), "{description}");
    let drawn: String = document
        .descendants()
        .filter(|node| node.tag_name().name() == "text")
        .filter_map(|node| node.text())
        .collect();
    assert!(drawn.contains(caption), "{drawn}");
}

#[test]
fn control_characters_in_captions_do_no_harm() {
    let mut picture = crowded(Shape::Hex { side: 3 });
    picture.caption = Some("a\u{0}b\u{1b}[31m\u{ffff}\tc".to_owned());
    Document::parse(&picture.to_svg()).expect("well-formed XML");
    picture.to_png(100).expect("a width that is allowed");
}

#[test]
fn a_long_caption_is_cut_to_six_lines() {
    let height = |caption: &str| {
        let mut picture = crowded(Shape::Square { side: 9 });
        picture.caption = Some(caption.to_owned());
        decode(&picture.to_png(200).expect("a width that is allowed")).1
    };
    assert_eq!(height(&"word ".repeat(10_000)), height("1\n2\n3\n4\n5\n6"));
    assert!(height("1\n2\n3\n4\n5\n6") > height("1"));
}

#[test]
fn marks_off_the_board_are_left_out() {
    let mut picture = BoardPicture::new(Setup::empty(Shape::Hex { side: 3 }), Zones::default());
    let off = Cell::new(400);
    picture.zones.cells.camps = vec![off];
    picture.marks = Marks::of_move(Move::new(off, Cell::new(0)), vec![Captured { cell: off, piece: None }]);
    picture.marks.highlights = vec![Highlight::new(off, HighlightKind::Note)];
    let plain = BoardPicture::new(Setup::empty(Shape::Hex { side: 3 }), Zones::default());
    assert_eq!(picture.to_svg(), plain.to_svg());
    assert_eq!(picture.to_png(80).expect("a width"), plain.to_png(80).expect("a width"));
}

#[test]
fn widths_outside_the_limits_are_refused() {
    let picture = crowded(Shape::Square { side: 5 });
    for asked in [0, 31, 6001, u32::MAX] {
        let error = picture.to_png(asked).expect_err("too small or too large");
        assert!(matches!(error, PictureError::Width { asked: found, .. } if found == asked), "{error}");
    }
    assert_eq!(decode(&picture.to_png(32).expect("the least width")).0, 32);
}

#[test]
fn the_print_theme_has_no_colors() {
    for shape in [Shape::Square { side: 9 }, Shape::Hex { side: 4 }] {
        let mut picture = crowded(shape);
        picture.view = picture.view.with_theme(Theme::Print);
        let (_, _, pixels) = decode(&picture.to_png(300).expect("a width"));
        assert!(pixels.chunks_exact(3).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]));
    }
}

#[test]
fn pieces_differ_without_colors_and_when_small() {
    let drawing = |piece: Piece| {
        let mut setup = Setup::empty(Shape::Square { side: 5 });
        setup.put(Cell::new(12), Some(piece));
        let mut picture = BoardPicture::new(setup, Zones::default());
        picture.view = View { coordinates: Coordinates::Hidden, ..picture.view.with_theme(Theme::Print) };
        decode(&picture.to_png(100).expect("a width")).2
    };
    let drawings: Vec<(Piece, Vec<u8>)> = Piece::all().map(|piece| (piece, drawing(piece))).collect();
    for (index, (piece, pixels)) in drawings.iter().enumerate() {
        for (other, other_pixels) in &drawings[..index] {
            let different = pixels.iter().zip(other_pixels).filter(|(a, b)| a.abs_diff(**b) > 96).count() / 3;
            assert!(different >= 20, "{piece} and {other} differ in {different} pixels of 400 only");
        }
    }
}

#[test]
fn the_hexagonal_start_looks_as_in_the_rule_sheet() {
    let shape = Shape::Hex { side: 4 };
    let setup = Setup::parse(shape, "/t2t/5/3T2/t1TK2t/3T2/5/t2t/").expect("a record");
    let svg = BoardPicture::new(setup, Zones::default()).to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let places = |id: &str| -> Vec<(f32, f32)> {
        let link = format!("#tafl-light-{id}");
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| {
            node.attribute(name).expect(name).parse().expect("a number")
        };
        document
            .descendants()
            .filter(|node| node.attribute(("http://www.w3.org/1999/xlink", "href")) == Some(&link))
            .map(|node| (number(&node, "x"), number(&node, "y")))
            .collect()
    };
    let king = places("defenders-king")[0];
    let mut around: Vec<(i32, i32)> = places("defenders-man")
        .into_iter()
        .map(|(x, y)| ((x - king.0).round() as i32, (y - king.1).round() as i32))
        .collect();
    around.sort_unstable();
    // Southwest, north, southeast; y grows downwards.
    assert_eq!(around, [(-42, 24), (0, -48), (42, 24)]);
}
