//! Replay: what happened in each game, ply by ply.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};
use tafl_parser::{
    Batch, ReasonSource, Record, ReplayPly, Severity, Source, SourcedOutcome, WrittenVerdict, tag,
};
use tafl_rules::{Cell, Move, PositionKey, Reason, Shape};

use super::{
    Finding, FindingLocator, ReadCounts, RecordAt, RecordEvent, RecordInputs, RecordRequest, RecordSource,
    RecordWorker, ReplayConfig, ReplayWorker, ReplayedRecord,
};
use crate::{Error, Job};

/// The version of the answers.
const VERSION: u32 = 1;

/// Replay games, and report what happened ply by ply
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::{RecordEvent, RecordInputs, ReplayRequest};
/// use taflbase::{App, Job, StreamRequest};
///
/// let input = RecordInputs::of(["games.csv"]).by("brandubh7");
/// let request = ReplayRequest { input, ..ReplayRequest::default() };
/// request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(game) = item.event {
///         println!("game {}: {} plies, {:?}", game.game, game.plies.len(), game.outcome);
///     }
///     Ok(())
/// })?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ReplayRequest {
    /// The records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub input: RecordInputs,
    /// Count the legal moves before every ply
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub counts: bool,
}

impl RecordRequest for ReplayRequest {
    type Answer = GameReplay;
    type Summary = ();

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(GameReplay) -> T + Sync,
        take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<((), ReadCounts), E> {
        let config = Arc::new(ReplayConfig { count_moves: self.counts, ..(*source.config).clone() });
        let worker =
            || GameWorker { replay: ReplayWorker::new(&config), names: CellNameCache::default() }.map(&map);
        Ok(((), source.reader.process(job, worker, take)?))
    }
}

/// A replayed game. The names and the order of the fields are an interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameReplay {
    /// The version, 1.
    taflbase_replay: u32,
    /// The record's own name.
    pub id: Option<String>,
    /// The rules.
    pub variant: Box<str>,
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The line of the file in which the record begins, from 1.
    pub place: u64,
    /// The number of moves that are written.
    pub moves: u64,
    /// The legal part of the game.
    pub plies: Vec<ReplayedPly>,
    /// The end that the board shows.
    pub outcome: Option<ReplayEnd>,
    /// The result that the record names, with the reason as far as it is known.
    pub recorded: Option<ReplayEnd>,
    /// The last position, if the rules are known.
    pub r#final: Option<String>,
    /// The side to move in it.
    pub to_move: Option<&'static str>,
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The severity of the worst finding.
    #[serde(skip)]
    pub level: Option<Severity>,
}

/// A ply of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplayedPly {
    /// The move, such as `d4-d7`.
    pub r#move: ShortText,
    /// The cells of the pieces that were captured.
    pub captured: Vec<ShortText>,
    /// The number of legal moves before the ply, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_moves: Option<u32>,
    /// The key of the position after the ply.
    #[serde(serialize_with = "hex")]
    #[schemars(with = "String")]
    pub key: PositionKey,
    /// Whether the ply is not written, and had to be reconstructed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(default)]
    pub unwritten: bool,
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplayEnd {
    /// `attackers`, `defenders`, or `draw`; null if the game didn't end, or its end is unknown.
    pub winner: Option<&'static str>,
    /// The reason, such as `king captured`.
    pub reason: &'static str,
    /// The source of the reason: `board`, `record`, or `inference`; null if the game didn't end, or its reason is unknown.
    pub reason_source: Option<&'static str>,
}

/// The name of a cell or of a move, without an allocation: a large archive has millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShortText {
    bytes: [u8; 7],
    length: u8,
}

impl ShortText {
    /// Returns a text of at most 7 bytes; a longer one is cut, which no name of a cell or a move is.
    fn of(parts: [&str; 3]) -> ShortText {
        let mut text = ShortText::default();
        for byte in parts.iter().flat_map(|part| part.bytes()).take(text.bytes.len()) {
            text.bytes[usize::from(text.length)] = byte;
            text.length += 1;
        }
        text
    }
}

impl Deref for ShortText {
    type Target = str;

    fn deref(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl Serialize for ShortText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl JsonSchema for ShortText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ShortText".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

fn hex<S: Serializer>(key: &PositionKey, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = [0; 16];
    for (nth, digit) in text.iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[(key.0 >> (60 - 4 * nth)) as usize & 15];
    }
    serializer.serialize_str(std::str::from_utf8(&text).unwrap_or_default())
}

/// The names of the cells of the last board.
#[derive(Debug, Default)]
struct CellNameCache {
    shape: Option<Shape>,
    names: Vec<ShortText>,
}

impl CellNameCache {
    fn turn_to(&mut self, shape: Shape) {
        if self.shape != Some(shape) {
            self.shape = Some(shape);
            self.names = shape.cells().map(|cell| ShortText::of([&shape.name(cell), "", ""])).collect();
        }
    }

    fn cell(&self, cell: Cell) -> ShortText {
        self.names.get(cell.index()).copied().unwrap_or_default()
    }

    fn mv(&self, mv: Move) -> ShortText {
        ShortText::of([&self.cell(mv.from), "-", &self.cell(mv.to)])
    }
}

/// Replays games.
struct GameWorker {
    replay: ReplayWorker,
    names: CellNameCache,
}

impl RecordWorker for GameWorker {
    type Answer = GameReplay;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> GameReplay {
        let (source, parsed) = at.parse();
        let replayed = self.replay.replay(parsed);
        if let Some(shape) = replayed.shape() {
            self.names.turn_to(shape);
        }
        GameReplay::new(source, &replayed, &self.names)
    }
}

impl GameReplay {
    fn new(source: Source<'_>, replayed: &ReplayedRecord, names: &CellNameCache) -> GameReplay {
        let ReplayedRecord { record, replay, .. } = replayed;
        let ply = |ply: &ReplayPly| ReplayedPly {
            r#move: names.mv(ply.mv),
            captured: ply.captured.iter().map(|cell| names.cell(cell)).collect(),
            legal_moves: ply.legal_moves,
            key: ply.key,
            unwritten: ply.is_unwritten(),
        };
        GameReplay {
            taflbase_replay: VERSION,
            id: record.tag(tag::ID).map(str::to_owned),
            variant: replayed.variant().into(),
            file: source.name.to_owned(),
            game: source.ordinal,
            place: source.line,
            moves: record.main().moves.len() as u64,
            plies: replay.plies.iter().map(ply).collect(),
            outcome: replay.outcome.map(|outcome| ReplayEnd::of(SourcedOutcome::on_board(outcome))),
            recorded: ReplayEnd::recorded(record, replay.recorded),
            r#final: replay.last.as_ref().map(ToString::to_string),
            to_move: replay.to_move.map(|side| side.as_str()),
            findings: FindingLocator::all(source, record, &replayed.diagnostics),
            level: replayed.worst(),
        }
    }
}

impl ReplayEnd {
    /// Returns the result of an outcome.
    pub fn of(end: SourcedOutcome) -> ReplayEnd {
        ReplayEnd {
            winner: Some(end.outcome.winner_name()),
            reason: end.outcome.reason.as_str(),
            reason_source: end.source.map(ReasonSource::as_str),
        }
    }

    /// Returns whether the reason is a conclusion from a result without an end.
    pub fn is_inferred(&self) -> bool {
        self.reason_source == Some(ReasonSource::Inference.as_str())
    }

    /// Returns the end of the game according to the record, if it has one.
    pub(super) fn recorded(record: &Record, outcome: Option<SourcedOutcome>) -> Option<ReplayEnd> {
        let open = |reason: Reason| ReplayEnd { winner: None, reason: reason.as_str(), reason_source: None };
        match (outcome, record.result.map(|result| result.verdict)) {
            (Some(outcome), _) => Some(ReplayEnd::of(outcome)),
            (None, Some(WrittenVerdict::Ongoing)) => Some(open(Reason::Unfinished)),
            (None, Some(WrittenVerdict::Unknown)) => Some(open(Reason::Unknown)),
            (None, Some(WrittenVerdict::Win(_) | WrittenVerdict::Draw) | None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_written_as_it_is_displayed() {
        let key = PositionKey(0x0123_4567_89ab_cdef);
        let text = hex(&key, serde_json::value::Serializer).unwrap();
        assert_eq!(text, key.to_string());
    }

    #[test]
    fn names_of_all_boards_fit() {
        let largest = (0..=u8::MAX).filter_map(Shape::square).chain((0..=u8::MAX).filter_map(Shape::hex));
        for shape in largest {
            let mut names = CellNameCache::default();
            names.turn_to(shape);
            for cell in shape.cells() {
                assert_eq!(&*names.cell(cell), shape.name(cell));
                let mv = Move { from: cell, to: cell };
                assert_eq!(&*names.mv(mv), mv.display(shape).to_string());
            }
        }
    }
}
