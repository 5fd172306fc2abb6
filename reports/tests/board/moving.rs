//! Animated SVG and GIF.

use std::time::Duration;

use roxmltree::Document;
use tafl_reports::{Animation, BoardPicture, Captured, Frame, Marks, PictureError, Timing, Zones};
use tafl_rules::{Cell, Move, RuleSet, Setup, Shape};

use super::{all_shapes, crowded, decode};

/// Returns a board and `plies` moves of one attacker to and fro; the second one captures.
fn game(plies: usize) -> Animation {
    let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().expect("a rules string");
    let mut setup = rules.start.clone();
    let mut frames = vec![Frame::new(setup.clone())];
    for ply in 0..plies {
        let (from, to) = if ply % 2 == 0 { (3, 2) } else { (2, 3) };
        let mv = Move::new(Cell::new(from), Cell::new(to));
        setup.put(mv.to, setup.piece(mv.from));
        setup.put(mv.from, None);
        let mut captured = Vec::new();
        if ply == 1 {
            let cell = Cell::new(17);
            captured.push(Captured { cell, piece: setup.piece(cell) });
            setup.put(cell, None);
        }
        let caption = Some(format!("Ply {}", ply + 1));
        frames.push(Frame { setup: setup.clone(), marks: Marks::of_move(mv, captured), caption });
    }
    Animation::of(&rules, frames).expect("frames of one board")
}

/// Returns the delays in hundredths of a second and the last picture of a GIF, as RGB.
fn play(file: &[u8]) -> (Vec<u16>, (u16, u16), Vec<u8>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).expect("a GIF header");
    let size = (decoder.width(), decoder.height());
    let mut screen = vec![0; usize::from(size.0) * usize::from(size.1) * 3];
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let row = usize::from(frame.top) + index / usize::from(frame.width);
            let column = usize::from(frame.left) + index % usize::from(frame.width);
            let place = (row * usize::from(size.0) + column) * 3;
            screen[place..place + 3].copy_from_slice(&pixel[..3]);
        }
    }
    (delays, size, screen)
}

#[test]
fn a_gif_has_every_frame_and_its_time() {
    let mut animation = game(6);
    animation.timing = Timing { frame: Duration::from_millis(125), last: Duration::from_millis(2000) };
    let mut file = Vec::new();
    animation.write_gif(&mut file, 150).expect("a GIF");
    let (delays, size, _) = play(&file);
    // 125 ms are 12.5 hundredths of a second: the halves add up.
    assert_eq!(delays, [12, 13, 12, 13, 12, 13, 200]);
    assert_eq!(size.0, 150);
}

#[test]
fn the_last_frame_of_a_gif_is_the_last_picture() {
    let animation = game(5);
    let last = &animation.frames()[5];
    let mut picture = BoardPicture::new(last.setup.clone(), animation.zones.clone());
    picture.marks = last.marks.clone();
    picture.caption = last.caption.clone();
    let (width, height, expected) = decode(&picture.to_png(300).expect("a PNG"));
    let mut file = Vec::new();
    animation.write_gif(&mut file, 300).expect("a GIF");
    let (_, size, shown) = play(&file);
    assert_eq!((u32::from(size.0), u32::from(size.1)), (width, height));
    let off = expected
        .iter()
        .zip(&shown)
        .map(|(a, b)| f64::from(a.abs_diff(*b)))
        .fold((0.0, 0.0f64), |sum, off| (sum.0 + off, sum.1.max(off)));
    let mean = off.0 / expected.len() as f64;
    assert!(mean < 0.5 && off.1 <= 48.0, "mean {mean}, most {}", off.1);
}

#[test]
fn a_frame_that_changes_nothing_is_a_frame() {
    let frames = vec![Frame::new(Setup::empty(Shape::Hex { side: 3 })); 3];
    let animation = Animation::new(Zones::default(), frames).expect("frames of one board");
    let mut file = Vec::new();
    animation.write_gif(&mut file, 60).expect("a GIF");
    assert_eq!(play(&file).0.len(), 3);
}

#[test]
fn every_board_moves() {
    for shape in all_shapes() {
        let picture = crowded(shape);
        let frame = Frame { setup: picture.setup, marks: picture.marks, caption: picture.caption };
        let frames = vec![Frame::new(frame.setup.clone()), frame];
        let animation = Animation::new(picture.zones, frames).expect("frames of one board");
        Document::parse(&animation.to_svg()).unwrap_or_else(|error| panic!("{shape}: {error}"));
        let mut file = Vec::new();
        animation.write_gif(&mut file, 64).expect("a GIF");
        assert_eq!(play(&file).0.len(), 2, "{shape}");
    }
}

#[test]
fn an_animated_svg_moves_each_piece_once() {
    let svg = game(40).to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let named = |name: &str| document.descendants().filter(|node| node.tag_name().name() == name).count();
    assert_eq!(named("use"), 13);
    assert_eq!(named("animateTransform"), 1);
    let times = document.descendants().filter_map(|node| {
        node.attribute("keyTimes").map(|times| (times, node.attribute("values").expect("values")))
    });
    for (times, values) in times {
        assert_eq!(times.split(';').count(), values.split(';').count());
        let moments: Vec<f64> = times.split(';').map(|time| time.parse().expect("a number")).collect();
        assert_eq!(moments[0], 0.0);
        assert!(
            moments.windows(2).all(|pair| pair[0] <= pair[1]) && moments[moments.len() - 1] <= 1.0,
            "{times}"
        );
    }
}

#[test]
fn frames_must_show_one_board() {
    assert!(matches!(Animation::new(Zones::default(), Vec::new()), Err(PictureError::NoFrames)));
    let frames = [Shape::Square { side: 7 }, Shape::Square { side: 7 }, Shape::Hex { side: 4 }];
    let frames = frames.map(|shape| Frame::new(Setup::empty(shape))).to_vec();
    assert!(matches!(
        Animation::new(Zones::default(), frames),
        Err(PictureError::ShapeChanges { frame: 2, .. })
    ));
}

#[test]
fn an_output_that_fails_is_reported() {
    let mut full: &mut [u8] = &mut [0; 100];
    assert!(matches!(game(1).write_gif(&mut full, 100), Err(PictureError::Write(_))));
}
