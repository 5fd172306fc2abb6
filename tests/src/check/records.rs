//! Records: reading, parsing, replay.

use tafl_parser::{
    Diagnostic, Format, LineIndex, Parsed, ReadOptions, Record, Records, Replay, Replayer, Source, detect,
};
use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, Span};

/// Reads a text as one record of a format.
///
/// # Panics
///
/// Panics if a place lies outside of the text, or if a part of the record points to another one that is not there.
pub fn check_record(format: Format, text: &str) -> Parsed<Record> {
    let source = Source::new(text);
    let parsed = format.parse(&source);
    check_diagnostics(&parsed.diagnostics, &source);
    let inside = |span: Span| {
        assert!(span.start <= span.end, "{format}: {span:?} ends before it begins");
        let part = text.get(span.start as usize..span.end as usize);
        assert!(part.is_some(), "{format}: {span:?} is outside of {text:?}");
    };
    let record = &parsed.value;
    assert!(record.format == format || format == Format::Jsonl, "{format}: a record of {}", record.format);
    spans(record).into_iter().for_each(inside);
    for (n, line) in record.lines().enumerate() {
        for mv in line.moves {
            assert_eq!(record.captures_of(mv).len(), usize::from(mv.n_captures), "{format}: {text:?}");
        }
        let parent = line.branch.map(|branch| branch.parent.index());
        assert!(parent.is_none() || n > 0, "{format}: the game itself has a parent in {text:?}");
        assert!(parent.is_none_or(|parent| parent < n), "{format}: line {n} comes before its parent");
    }
    parsed
}

fn check_diagnostics(diagnostics: &[Diagnostic], source: &Source<'_>) {
    let index = LineIndex::new(*source);
    for found in diagnostics {
        let Span { start, end } = found.span;
        let part = source.text.get(start as usize..end as usize);
        assert!(start <= end && part.is_some(), "{found:?} is about no part of {:?}", source.text);
        assert!(!found.message(source.text).is_empty());
        let (line, place) = (index.line_span(start), index.line_col(start));
        assert!(line.start <= start && place.line >= source.line && place.column >= 1);
    }
}

/// Returns the place of every part of a record.
fn spans(record: &Record) -> Vec<Span> {
    let moves = record.lines().flat_map(|line| line.moves).map(|mv| mv.span);
    let counts =
        record.capture_counts.iter().flat_map(|counts| [counts.spans.attackers, counts.spans.defenders]);
    let single = [
        record.rules.as_ref().map(|rules| rules.span),
        record.variant.as_ref().map(|variant| variant.span),
        record.start.as_ref().map(|start| start.span),
        record.ending.map(|ending| ending.span),
        record.result.map(|result| result.span),
    ];
    moves
        .chain(counts)
        .chain(single.into_iter().flatten())
        .chain(record.captures.iter().map(|capture| capture.span))
        .chain(record.tags.iter().map(|tag| tag.span))
        .chain(record.comments.iter().map(|comment| comment.span))
        .chain(record.clocks.iter().map(|clock| clock.span))
        .chain(record.boards.iter().map(|board| board.span))
        .chain(record.move_counts.iter().map(|count| count.span))
        .chain(record.move_capture_counts.iter().map(|number| number.span))
        .chain(record.refused.iter().map(|refused| refused.mv.span))
        .chain(record.refused.iter().filter_map(|refused| refused.reason.as_ref().map(|reason| reason.span)))
        .collect()
}

/// The content of a stream: the format, the records with their places, and the number of findings between them.
#[derive(Debug, PartialEq, Eq)]
struct Stream {
    format: Option<Format>,
    /// Text, first byte, line and number.
    records: Vec<(String, u64, u64, u64)>,
    findings: usize,
}

/// Reads bytes as a stream of records, in batches of different size.
///
/// # Panics
///
/// Panics if the records depend on the size of batches, if their numbers or places do not rise, or if one of them violates
/// a property of records.
pub fn check_reading(name: &str, bytes: &[u8], format: Option<Format>) {
    detect(bytes, Some(name));
    let options = |batch| ReadOptions { format, batch, largest: 1 << 20, ..ReadOptions::default() };
    let whole = read(name, bytes, options(1 << 20));
    if bytes.windows(11).any(|part| part == b"{\"taflbase_") {
        // Record lines contain the places of their records.
        return;
    }
    let pieces = read(name, bytes, options(64));
    assert_eq!(pieces, whole, "the batch size changes the records");
    let mut last = (0, 0);
    for (text, base, _, ordinal) in &whole.records {
        assert_eq!(*ordinal, last.0 + 1, "records are numbered one by one");
        assert!(*ordinal == 1 || *base >= last.1, "records are in order");
        last = (*ordinal, *base);
        if let Some(format) = whole.format {
            check_record(format, text);
        }
    }
    // Records that are too large are skipped, and nothing is read twice.
    let small = read(name, bytes, ReadOptions { format, batch: 64, largest: 100, ..ReadOptions::default() });
    // After a skipped record, reading continues at the next possible beginning of a record, which can be inside of it.
    let has_skipped = small.findings > whole.findings;
    assert!(has_skipped || small.records.len() <= whole.records.len());
    for (text, base, ..) in &small.records {
        let is_whole = whole.records.iter().any(|(whole, at, ..)| (whole, at) == (text, base));
        assert!(is_whole || has_skipped, "{text:?} is not a record");
    }
}

fn read(name: &str, bytes: &[u8], options: ReadOptions) -> Stream {
    let mut records = Records::new(name, bytes, options).expect("bytes in memory can be read");
    let mut stream = Stream { format: records.format(), records: Vec::new(), findings: 0 };
    while let Some(batch) = records.next_batch().expect("bytes in memory can be read") {
        assert!(!batch.is_empty() || !batch.findings().is_empty(), "a batch of nothing");
        stream.findings += batch.findings().len();
        for (source, parsed) in batch.parse() {
            assert!(!source.text.trim_ascii().is_empty(), "a record of nothing");
            check_diagnostics(&parsed.diagnostics, &source);
            let text = source.text.to_owned();
            stream.records.push((text, source.base, source.line, source.ordinal));
        }
    }
    stream
}

/// Replays a record.
///
/// # Panics
///
/// Panics if a ply of the replay is not legal, if its captures or its key are not those of the board, or if a finding is
/// about no part of the text.
pub fn check_replay(replayer: &mut Replayer, record: &Record, text: &str) -> Replay {
    let replay = replayer.replay(record);
    check_diagnostics(&replay.diagnostics, &Source::new(text));
    let Some(chosen) = &replay.rules else {
        assert!(replay.plies.is_empty() && replay.last.is_none());
        return replay;
    };
    let mut game = first_position(&chosen.book, record);
    let mut last = None;
    for (n, ply) in replay.plies.iter().enumerate() {
        if n == 0 || game.outcome().is_some() {
            game.clear_outcome();
        }
        if n == 0 {
            game.set_to_move(ply.side);
        }
        if let Some(at) = ply.written {
            assert!(
                last.is_none_or(|last| last < at),
                "ply {n} was written before the one before it: {text:?}"
            );
            last = Some(at);
            let written = &record.main().moves[at as usize];
            let cell = |coord| game.shape().cell(coord).expect("a ply that was played is on the board");
            assert_eq!(ply.mv, Move::new(cell(written.from), cell(written.to)), "ply {n} of {text:?}");
        }
        let again = game.play(ply.mv).unwrap_or_else(|why| panic!("ply {n} of {text:?}: {why:?}"));
        assert_eq!((again.captured, again.side), (ply.captured, ply.side), "ply {n} of {text:?}");
        assert_eq!(game.key(), ply.key, "ply {n} of {text:?}");
    }
    assert_eq!(replay.last, Some(game.setup()), "{text:?}");
    replay
}

fn first_position(book: &AnyRulebook, record: &Record) -> Game {
    let first = record.first_mover.unwrap_or(book.rules().first_mover);
    let start = record.start.as_ref().map(|start| &start.setup).unwrap_or(&book.rules().start);
    let start = if start.shape() == book.shape() { start } else { &book.rules().start };
    Game::from_setup(book, start, first, RepetitionMode::Report).expect("the start is for this board")
}
