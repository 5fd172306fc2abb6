//! Random records.

use proptest::prelude::*;
use tafl_rules::{BySide, Coord, Reason, Setup, Shape, Side, Span};

use crate::record::*;
use crate::write::moves;

fn coord() -> impl Strategy<Value = Coord> {
    (0i16..11, 0i16..11).prop_map(|(file, rank)| Coord::new(file, rank))
}

fn letter() -> impl Strategy<Value = Letter> {
    prop_oneof![4 => Just(Letter::NONE), 1 => "[KkCcNn]".prop_map(|text| Letter::new(text.as_bytes()[0]))]
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Attackers), Just(Side::Defenders)]
}

pub(super) fn words() -> impl Strategy<Value = String> {
    "[a-c1-3 .|{}()\\[\\]\"\\\\æ\\n:;-]{0,12}"
}

type Raw = (WrittenMove, Vec<(Coord, Letter)>);

fn mv() -> impl Strategy<Value = Raw> {
    // Moves without a mark are more frequent than any mark.
    let marks = [MoveMark::None; 2].into_iter().chain(MoveMark::ALL);
    let mark = prop::sample::select(marks.collect::<Vec<_>>());
    let captures = prop::collection::vec((coord(), letter()), 0..3);
    let flags = (prop::bool::weighted(0.1), prop::bool::weighted(0.2));
    (coord(), coord(), letter(), mark, flags, captures).prop_map(
        |(from, to, letter, mark, (jump, chained), captures)| {
            (
                WrittenMove { letter, mark, jump, chained, ..WrittenMove::new(from, to, Span::default()) },
                captures,
            )
        },
    )
}

/// Appends moves to a line and their captures to the record.
fn fill(record: &mut Record, line: MoveLineId, moves: Vec<Raw>) {
    for (mv, captures) in moves {
        let first_capture = if captures.is_empty() { 0 } else { record.captures.len() as u32 };
        let n_captures = captures.len() as u16;
        let written =
            captures.into_iter().map(|(cell, letter)| WrittenCapture { cell, letter, span: Span::default() });
        record.captures.extend(written);
        record.push_to(line, WrittenMove { first_capture, n_captures, ..mv });
    }
    // A line does not begin with a later step.
    if let Some(mv) = record.moves_mut(line).first_mut() {
        mv.chained = false;
    }
}

fn written_words() -> impl Strategy<Value = Option<Written>> {
    prop::option::of(words().prop_map(|text| Written { text: text.into(), span: Span::default() }))
}

prop_compose! {
    pub(super) fn header()(
        tags in prop::collection::vec(("[a-z-]{0,6}|Event|event|termination", words()), 0..3),
        variant in written_words(),
        rules in written_words(),
        start in prop::option::of(Just("/3t3/7/3T3/ttTKTtt/7/3t3/3t3/")),
        first_mover in prop::option::of(side()),
        style in prop::sample::select(vec![CaptureStyle::Listed, CaptureStyle::ListedButKings, CaptureStyle::NotWritten]),
        format in prop::sample::select(Format::ALL.to_vec()),
    ) -> Record {
        let mut record = Record::new(format);
        for (name, value) in tags {
            record.push_tag(&name, &value, Span::default());
        }
        let setup = start.map(|start| Setup::parse(Shape::square(7).unwrap(), start).unwrap());
        let start = setup.map(|setup| WrittenStart { setup, span: Span::default() });
        Record { variant, rules, start, first_mover, capture_style: style, ..record }
    }
}

prop_compose! {
    pub(super) fn record()(
        header in header(),
        main in prop::collection::vec(mv(), 0..8),
        is_second in prop::bool::weighted(0.2),
        variations in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), prop::collection::vec(mv(), 1..4)), 0..4),
        comments in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), words()), 0..4),
        sides in prop::option::of(side()),
        ending in prop::option::of((0..4usize, prop::option::of(side()), any::<prop::sample::Index>())),
        result in prop::option::of((0..5usize, prop::option::of(prop::sample::select(Reason::ALL.to_vec())))),
        checks in (0..3u32, 0..3u32),
    ) -> Record {
        let span = Span::default();
        let mut record = header;
        fill(&mut record, MoveLineId::MAIN, main);
        record.main_mut().opens_with_second = is_second;
        for (parent, at, moves) in variations {
            let parent = MoveLineId(parent.index(record.n_lines()) as u32);
            let at = at.index(record.line(parent).moves.len() + 1) as u32;
            let known = record.variations.iter().filter_map(|line| line.branch);
            let number = known.filter(|branch| (branch.parent, branch.at) == (parent, at)).count() as u32 + 1;
            let opens_with_second = record.is_second(parent, at);
            let branch = Some(LineBranch { parent, at, number });
            let line = record.variations.open(branch, opens_with_second);
            fill(&mut record, line, moves);
        }
        for (line, after, text) in comments {
            let line = MoveLineId(line.index(record.n_lines()) as u32);
            let after = after.index(record.line(line).moves.len() + 1) as u32;
            record.comments.push(Comment { place: MovePlace { line, after }, text: &text, span });
        }
        if let Some(first) = sides {
            let sides: Vec<Side> = moves::sides(&record.main().moves, first).collect();
            record.main_mut().moves.iter_mut().zip(sides).for_each(|(mv, side)| mv.side = Some(side));
        }
        let kinds = [EndingKind::Resigned, EndingKind::Timeout, EndingKind::Agreed, EndingKind::Adjudicated];
        let n_moves = record.main().moves.len();
        record.ending = ending.map(|(kind, side, after)| {
            WrittenEnding { kind: kinds[kind], side, after: after.index(n_moves + 1) as u32, span }
        });
        let verdicts = [WrittenVerdict::Win(Side::Attackers), WrittenVerdict::Win(Side::Defenders), WrittenVerdict::Draw, WrittenVerdict::Ongoing, WrittenVerdict::Unknown];
        record.result = result.map(|(verdict, reason)| WrittenResult { verdict: verdicts[verdict], reason, span });
        let spans = BySide { attackers: span, defenders: span };
        if checks.0 > 0 {
            let by = BySide { attackers: checks.0, defenders: checks.1 };
            record.capture_counts = Some(WrittenCaptureCounts { by, spans });
            record.move_counts.push(WrittenCount { after: 0, count: checks.1, span });
            record.move_capture_counts.push(WrittenMoveCaptureCount { at: 0, count: checks.0, span });
            record.clocks.push(WrittenClock { place: MovePlace::in_main(0), side: Side::Defenders, milliseconds: -5, span });
            let setup = Setup::empty(Shape::hex(4).unwrap());
            let mv = WrittenMove { side: sides, ..WrittenMove::new(Coord::new(1, 2), Coord::new(3, 4), span) };
            let reason = sides.map(|side| Written { text: side.as_str().into(), span });
            record.refused.push(RefusedMove { mv, after: 0, reason });
            record.boards.push(WrittenBoard { after: 0, setup, to_move: sides, span });
        }
        record.forget_places();
        record
    }
}

/// Returns a record of which little or nothing is written.
pub(super) fn sparse() -> impl Strategy<Value = Record> {
    prop_oneof![
        Just(Record::new(Format::MoveList)),
        header(),
        record().prop_map(|record| Record { tags: Default::default(), variant: None, rules: None, ..record }),
        words().prop_map(|text| {
            let mut record = Record::new(Format::Pgn);
            let place = MovePlace::in_main(0);
            record.comments.push(Comment { place, text: &text, span: Span::default() });
            record
        }),
    ]
}
