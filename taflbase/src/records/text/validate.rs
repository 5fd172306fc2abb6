//! Validation of the records of a text: findings, and an outline of their moves.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Batch, Code, ReasonSource, Severity, Source, tag};

use super::{TextInput, TextRequest, is_late, unreadable};
use crate::records::{
    FindingLocator, FindingRecord, MarkedFinding, RecordAt, RecordEvent, RecordWorker, ReplayWorker,
    ReplayedRecord, ValidationSummary,
};
use crate::{App, Job, Result};

/// The maximum number of games in an answer.
const MAX_GAMES: usize = 1_000;

/// The number of games with positions.
const WITH_POSITIONS: usize = 50;

/// The maximum number of positions of all games together.
const MAX_POSITIONS: usize = 25_000;

/// The maximum number of moves of all games together.
const MAX_MOVES: usize = 200_000;

/// The maximum number of findings in an answer.
const MAX_FINDINGS: usize = 2_000;

/// Check the records of a text
///
/// # Examples
///
/// ```
/// use taflbase::records::{TextRequest, ValidateTextRequest};
/// use taflbase::{App, Job};
///
/// let text = "[variant:brandubh7]\n\n1. d2-c2 e4-e9\n";
/// let answer = ValidateTextRequest::default().run_on(text.as_bytes(), &App::new(), &Job::default())?;
/// assert_eq!((answer.records, answer.sound), (1, 0));
/// println!("{}", answer.findings[0].finding.message);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ValidateTextRequest {
    /// The input settings.
    #[serde(flatten)]
    pub input: TextInput,
}

/// The result for the records of a text.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ValidateTextAnswer {
    /// The notation, if it is recognized.
    pub format: Option<&'static str>,
    /// The number of records.
    pub records: u64,
    /// The number of records without errors and warnings.
    pub sound: u64,
    /// The counts.
    pub summary: ValidationSummary,
    /// The games; at most 1,000, of which the first 50 have positions.
    pub games: Vec<GameOutline>,
    /// The findings; at most 2,000.
    pub findings: Vec<MarkedFinding>,
    /// The number of all findings.
    pub findings_total: u64,
    /// Whether something was left out of a list, or not read.
    pub truncated: bool,
    /// Whether the time was over before the end.
    pub out_of_time: bool,
}

/// The outline of a game of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameOutline {
    /// The number of the record, from 1.
    pub ordinal: u64,
    /// The line in which the record begins, from 1.
    pub place: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// The rules.
    pub variant: String,
    /// The rules string, if the rules are known.
    pub rules: Option<String>,
    /// The attackers' player.
    pub attackers: Option<String>,
    /// The defenders' player.
    pub defenders: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The date, as it is written.
    pub date: Option<String>,
    /// The number of plies that could be played.
    pub plies: usize,
    /// The number of moves that are written.
    pub written: usize,
    /// `sound`, `warning`, or `error`.
    pub verdict: &'static str,
    /// The position record of the start, if the rules are known.
    pub start: Option<String>,
    /// The side that moved first, if the rules are known.
    pub first: Option<&'static str>,
    /// The moves that could be played.
    pub moves: Vec<String>,
    /// The cells of the pieces that each of them captured.
    pub captured: Vec<Vec<String>>,
    /// The end of the game.
    pub outcome: Option<OutlineEnd>,
    /// The position records: the start, then the one after each ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<Vec<String>>,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OutlineEnd {
    /// `attackers`, `defenders`, or `draw`.
    pub winner: &'static str,
    /// The reason, such as `king captured`.
    pub reason: &'static str,
    /// The source of the reason: `board`, `record`, or `inference`; null if the reason is unknown.
    pub reason_source: Option<&'static str>,
    /// Winner and reason in words.
    pub words: String,
}

/// Replays records, and locates their findings.
struct TextWorker {
    replay: ReplayWorker,
    /// The number of findings that may still be located: locating one reads its whole line.
    room: usize,
}

/// A record of a text.
struct TextGame {
    outline: GameOutline,
    replayed: ReplayedRecord,
    findings: Vec<MarkedFinding>,
}

impl RecordWorker for TextWorker {
    type Answer = TextGame;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> TextGame {
        let (source, parsed) = at.parse();
        let replayed = self.replay.replay(parsed);
        let mut findings = Vec::new();
        if !replayed.diagnostics.is_empty() && self.room > 0 {
            let locator = FindingLocator::new(source, &replayed.record);
            let at = FindingRecord {
                variant: Some(replayed.variant()),
                ..FindingRecord::of(source, &replayed.record)
            };
            let shown = replayed.diagnostics.iter().take(self.room);
            findings.extend(shown.map(|found| MarkedFinding::new(locator.find(found), at)));
            self.room -= findings.len();
        }
        TextGame { outline: GameOutline::new(source, &replayed), replayed, findings }
    }
}

/// The number of moves and positions in an answer.
#[derive(Default)]
struct AnswerSize {
    moves: usize,
    positions: usize,
}

impl TextRequest for ValidateTextRequest {
    type Answer = ValidateTextAnswer;

    fn run_on(self, text: &[u8], app: &App, job: &Job) -> Result<ValidateTextAnswer> {
        let source = self.input.open(text, app)?;
        let config = Arc::clone(&source.config);
        let worker = || TextWorker { replay: ReplayWorker::new(&config), room: MAX_FINDINGS };
        let mut answer = ValidateTextAnswer::default();
        answer.summary.files = 1;
        let mut used = AnswerSize::default();
        let take = |_, event| {
            match event {
                RecordEvent::Record(game) => answer.add(game, &mut used),
                RecordEvent::Finding(found) => {
                    if let Some(code) = Code::find(found.finding.code) {
                        answer.summary.add_finding(code);
                    }
                    let at = FindingRecord { file: self.input.name(), ..FindingRecord::default() };
                    answer.find(1, [MarkedFinding::new(found.finding, at)]);
                }
                RecordEvent::Failed(..) => answer.truncated = true,
                RecordEvent::Unreadable(error) => return Err(unreadable(&error)),
                RecordEvent::Skipped(_) | RecordEvent::Awaited => {}
            }
            Ok(())
        };
        answer.out_of_time = is_late(source.reader.process(job, worker, take))?;
        answer.truncated |= answer.out_of_time || source.reader.is_cut_off();
        answer.format = source.reader.format().map(|format| format.name());
        (answer.records, answer.sound) = (answer.summary.games.games, answer.summary.games.sound);
        Ok(answer)
    }
}

impl ValidateTextAnswer {
    fn find(&mut self, count: usize, findings: impl IntoIterator<Item = MarkedFinding>) {
        self.findings_total += count as u64;
        let room = MAX_FINDINGS - self.findings.len();
        self.truncated |= count > room;
        self.findings.extend(findings.into_iter().take(room));
    }

    fn add(&mut self, game: TextGame, used: &mut AnswerSize) {
        let TextGame { mut outline, replayed, findings } = game;
        self.summary.add(replayed.record.format, &replayed.check());
        self.find(replayed.diagnostics.len(), findings);
        if self.games.len() >= MAX_GAMES || used.moves + outline.plies > MAX_MOVES {
            self.truncated = true;
            return;
        }
        used.moves += outline.plies;
        if self.games.len() < WITH_POSITIONS && used.positions + outline.plies < MAX_POSITIONS {
            let positions = replayed.positions();
            used.positions += positions.len();
            outline.positions = Some(positions);
        }
        self.games.push(outline);
    }
}

impl GameOutline {
    fn new(source: Source<'_>, replayed: &ReplayedRecord) -> GameOutline {
        let record = &replayed.record;
        let text = |name| record.tag(name).map(str::to_owned);
        let worst = replayed.worst().filter(|worst| *worst > Severity::Note);
        let plies = || replayed.replay.plies.iter();
        let shape = replayed.shape();
        GameOutline {
            ordinal: source.ordinal,
            place: source.line,
            id: text(tag::ID),
            variant: replayed.variant().to_owned(),
            rules: replayed.replay.rules.as_ref().map(|rules| rules.book.rules().to_string()),
            attackers: text(tag::ATTACKERS),
            defenders: text(tag::DEFENDERS),
            event: text(tag::EVENT),
            date: text(tag::DATE),
            plies: replayed.replay.plies.len(),
            written: record.main().moves.len(),
            verdict: worst.map_or("sound", Severity::as_str),
            start: replayed.start().map(|start| start.to_string()),
            first: replayed.first().map(|side| side.as_str()),
            moves: plies().filter_map(|ply| Some(ply.mv.display(shape?).to_string())).collect(),
            captured: plies()
                .filter_map(|ply| Some((shape?, ply.captured)))
                .map(|(shape, captured)| captured.iter().map(|cell| shape.name(cell)).collect())
                .collect(),
            outcome: replayed.replay.sourced_result().map(|end| OutlineEnd {
                winner: end.outcome.winner_name(),
                reason: end.outcome.reason.as_str(),
                reason_source: end.source.map(ReasonSource::as_str),
                words: end.to_string(),
            }),
            positions: None,
        }
    }
}
