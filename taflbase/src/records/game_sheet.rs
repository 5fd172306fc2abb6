//! Game sheets: replayed games as human-readable turns with captures and events.

use std::num::NonZeroU64;

use tafl_parser::{Batch, ReplayPly, Severity, Source, tag};
use tafl_reports::{BoardPicture, Ink, Zones};
use tafl_rules::{Cause, Explanation, Game, Outcome, Reason, RepetitionMode, Role, Shape, Side, explain_ply};

use super::{
    Finding, FindingLine, FindingLocator, FindingRecord, ReadCounts, RecordAt, RecordEvent, RecordInputs,
    RecordRequest, RecordSource, RecordWorker, ReplayEnd, ReplayWorker, ReplayedRecord,
};
use crate::{Error, Job};

/// Replay games, and describe them turn by turn for people
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::{GameSheetRequest, RecordEvent, RecordInputs};
/// use taflbase::{App, Job, StreamRequest};
///
/// let request = GameSheetRequest { input: RecordInputs::of(["games.csv"]), diagram_every: None };
/// request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(sheet) = item.event {
///         println!("{}: {} turns", sheet.variant, sheet.parts.len());
///     }
///     Ok(())
/// })?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameSheetRequest {
    /// The records.
    pub input: RecordInputs,
    /// The number of plies from one diagram to the next; none for no diagrams.
    pub diagram_every: Option<NonZeroU64>,
}

/// A replayed game for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSheet {
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// The rules.
    pub variant: String,
    /// The tags that a sheet repeats, each with its name: players, event, and date.
    pub tags: Vec<(&'static str, String)>,
    /// The end that the board shows.
    pub outcome: Option<Outcome>,
    /// The result that the record names, with the reason as far as it is known.
    pub recorded: Option<ReplayEnd>,
    /// The side that moved first.
    pub first: Side,
    /// The turns and the diagrams, in order.
    pub parts: Vec<SheetPart>,
    /// The number of plies that could be played.
    pub n_plies: usize,
    /// The number of moves that are written.
    pub n_moves: usize,
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The severity of the worst finding.
    pub level: Option<Severity>,
}

/// A part of a game sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetPart {
    /// A turn of a side: its move, or several ones of the same piece, with captures and events in words.
    Turn(Side, String),
    /// A board as text.
    Diagram(String),
}

impl RecordRequest for GameSheetRequest {
    type Answer = GameSheet;
    type Summary = ();

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(GameSheet) -> T + Sync,
        take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<((), ReadCounts), E> {
        let worker = || {
            let replay = ReplayWorker::new(&source.config);
            SheetWorker { replay, diagram_every: self.diagram_every }.map(&map)
        };
        Ok(((), source.reader.process(job, worker, take)?))
    }
}

struct SheetWorker {
    replay: ReplayWorker,
    diagram_every: Option<NonZeroU64>,
}

impl RecordWorker for SheetWorker {
    type Answer = GameSheet;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> GameSheet {
        let (source, parsed) = at.parse();
        GameSheet::new(source, &self.replay.replay(parsed), self.diagram_every)
    }
}

/// The tags that a sheet repeats, and what it calls them.
const TAGS: [(&str, &str); 4] = [
    (tag::ATTACKERS, "attackers"),
    (tag::DEFENDERS, "defenders"),
    (tag::EVENT, "event"),
    (tag::DATE, "date"),
];

impl GameSheet {
    fn new(source: Source<'_>, replayed: &ReplayedRecord, diagram_every: Option<NonZeroU64>) -> GameSheet {
        let ReplayedRecord { record, replay, .. } = replayed;
        let tags = TAGS.iter().filter_map(|(tag, name)| {
            let value = record.tag(tag).filter(|value| !value.is_empty())?;
            Some((*name, value.to_owned()))
        });
        GameSheet {
            file: source.name.to_owned(),
            game: source.ordinal,
            id: record.tag(tag::ID).map(str::to_owned),
            variant: replayed.variant().to_owned(),
            tags: tags.collect(),
            outcome: replay.outcome,
            recorded: ReplayEnd::recorded(record, replay.recorded),
            first: replayed.first().unwrap_or(Side::Attackers),
            parts: parts(replayed, diagram_every).unwrap_or_default(),
            n_plies: replay.plies.len(),
            n_moves: record.main().moves.len(),
            findings: FindingLocator::all(source, record, &replayed.diagnostics),
            level: replayed.worst(),
        }
    }

    /// Returns the findings as objects of their own.
    pub fn lines(&self) -> impl Iterator<Item = FindingLine<'_>> {
        let at = FindingRecord {
            file: &self.file,
            game: Some(self.game),
            id: self.id.as_deref(),
            variant: Some(&self.variant),
        };
        self.findings.iter().map(move |finding| finding.line(at))
    }
}

/// Returns the turns and the diagrams of a game; none if its rules are not known.
fn parts(replayed: &ReplayedRecord, diagram_every: Option<NonZeroU64>) -> Option<Vec<SheetPart>> {
    let (rules, start) = replayed.replay.rules.as_ref().zip(replayed.start())?;
    let mut game = Game::from_setup(&rules.book, &start, replayed.first()?, RepetitionMode::Report).ok()?;
    let (shape, zones) = (game.shape(), Zones::of(rules.book.rules()));
    let diagram = |game: &Game, caption: String| {
        let picture =
            BoardPicture { caption: Some(caption), ..BoardPicture::new(game.setup(), zones.clone()) };
        SheetPart::Diagram(picture.to_text(Ink::Plain))
    };
    let n_plies = replayed.replay.plies.len();
    let mut parts = Vec::new();
    let mut turn = String::new();
    let mut is_due = false;
    for (ply, number) in replayed.replay.plies.iter().zip(1..) {
        if game.to_move() != ply.side {
            game.set_to_move(ply.side);
        }
        game.clear_outcome();
        let explanation = explain_ply(&game, ply.mv).ok();
        turn += if turn.is_empty() { "" } else { ", then " };
        turn += &ply_words(shape, ply, explanation.as_ref());
        if game.play(ply.mv).is_err() {
            break;
        }
        is_due |= diagram_every.is_some_and(|every| number as u64 % every == 0);
        if ply.goes_on && number < n_plies {
            continue;
        }
        parts.push(SheetPart::Turn(ply.side, std::mem::take(&mut turn)));
        if std::mem::take(&mut is_due) || (diagram_every.is_some() && number == n_plies) {
            parts.push(diagram(&game, format!("After ply {number} of {n_plies}")));
        }
    }
    Some(parts)
}

/// Returns a ply in words: `Kd4-d7, king on a goal`, `h1-h3 captures g3 h4, shieldwall`.
fn ply_words(shape: Shape, ply: &ReplayPly, explanation: Option<&Explanation>) -> String {
    let piece = explanation.map(|explanation| explanation.piece);
    let letter = piece.filter(|piece| piece.role != Role::Soldier).map(|piece| piece.letter());
    let letter = letter.map_or_else(String::new, |letter| letter.to_ascii_uppercase().to_string());
    let mut words = format!("{letter}{}", ply.mv.display(shape));
    if !ply.captured.is_empty() {
        let cells: Vec<String> = ply.captured.iter().map(|cell| shape.name(cell)).collect();
        words += &format!(" captures {}", cells.join(" "));
    }
    let mut events: Vec<&str> = Vec::new();
    let causes = explanation.iter().flat_map(|explanation| &explanation.captures);
    for event in causes.filter_map(|capture| capture_event(&capture.cause)) {
        if !events.contains(&event) {
            events.push(event);
        }
    }
    let end = explanation.and_then(|explanation| explanation.end.as_ref());
    events.extend(end.map(|end| end_event(end.outcome.reason)));
    if ply.is_unwritten() {
        events.push("not written");
    }
    for event in events {
        words += &format!(", {event}");
    }
    words
}

/// Returns the name of a capture that is not the usual one between two pieces.
fn capture_event(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::Shieldwall { .. } => Some("shieldwall"),
        Cause::Linnaean { .. } => Some("Linnaean capture"),
        Cause::HexCorner { .. } => Some("corner capture"),
        Cause::Jumped => Some("by jumping"),
        Cause::Edge => Some("against the edge"),
        _ => None,
    }
}

fn end_event(reason: Reason) -> &'static str {
    match reason {
        Reason::KingReachedGoal => "king on a goal",
        reason => reason.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StreamRequest;

    fn sheet(game: &str, variant: &str, diagram_every: u64) -> GameSheet {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        std::fs::write(&path, game).unwrap();
        let input = RecordInputs::of([path]).by(variant);
        let request = GameSheetRequest { input, diagram_every: NonZeroU64::new(diagram_every) };
        let mut sheets = Vec::new();
        let mut take = |item: super::super::StreamItem<GameSheet>| {
            if let RecordEvent::Record(sheet) = item.event {
                sheets.push(sheet);
            }
            Ok(())
        };
        request.run(&crate::App::new(), &Job::default(), &mut take).unwrap();
        sheets.remove(0)
    }

    fn turns(sheet: &GameSheet) -> Vec<&str> {
        let texts = sheet.parts.iter().filter_map(|part| match part {
            SheetPart::Turn(_, text) => Some(text.as_str()),
            SheetPart::Diagram(_) => None,
        });
        texts.collect()
    }

    #[test]
    fn a_turn_names_its_piece_its_captures_and_the_end() {
        let game = "1. d2-c2 d3-b3\n2. c2-c3 d4-d2\n3. a4-a3 d2-a2\n4. g4-g3 a2-a1\n";
        let sheet = sheet(game, "brandubh7", 0);
        let expected = [
            "d2-c2",
            "d3-b3",
            "c2-c3",
            "Kd4-d2",
            "a4-a3 captures b3",
            "Kd2-a2",
            "g4-g3",
            "Ka2-a1, king on a goal",
        ];
        assert_eq!(turns(&sheet), expected);
    }

    #[test]
    fn diagrams_follow_every_nth_ply_and_the_end() {
        let sheet = sheet("d2-e2 d3-c3 d1-d2 d5-f5 e2-e3\n", "brandubh7", 2);
        let captions: Vec<&str> = sheet
            .parts
            .iter()
            .filter_map(|part| match part {
                SheetPart::Diagram(text) => text.lines().last(),
                SheetPart::Turn(..) => None,
            })
            .collect();
        assert_eq!(captions, ["After ply 2 of 5", "After ply 4 of 5", "After ply 5 of 5"]);
    }
}
