//! Jobs of self-play: each is a line of JSON, and each of its games is answered with a record line.

use serde::Deserialize;
use tafl_parser::{Format, RECORD_LINE_VERSION, RecordLine, WriteGame, write_record};

use super::selfplay::SelfPlayRequest;
use crate::engine::MoveLimits;
use crate::{App, Bounded, Error, Job, Result, RulesRequest};

/// The version of jobs that are read.
const VERSION: u32 = 1;

/// The maximum number of games of a job: its answers are in memory together.
const MAX_GAMES: u64 = 10_000;

/// A job: which games to play, and how. What is absent is as the request has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SelfPlayJob {
    taflbase_job: u32,
    /// A name or a rules string.
    #[serde(alias = "rules")]
    variant: Option<String>,
    /// Changes of single rules, after those of the request.
    #[serde(default)]
    rule: Vec<String>,
    seed: Option<u64>,
    /// The number of the only game, from 1.
    game: Option<u64>,
    /// The number of games, from the first one on.
    games: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u8>,
    opening_plies: Option<u32>,
    temperature_plies: Option<u32>,
    temperature: Option<u32>,
    plies: Option<u32>,
    play_out: Option<bool>,
}

impl SelfPlayRequest {
    /// Plays the games of a job, and adds a record line for each to `out`. Time is not a limit: the same job always has the
    /// same answer.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the job, or that it has too many games.
    pub fn run_job(&self, line: &[u8], app: &App, job: &Job, out: &mut Vec<u8>) -> Result<()> {
        let asked: SelfPlayJob = serde_json::from_slice(line)
            .map_err(|error| Error::parameter("job", format!("not a self-play job: {error}")))?;
        let numbers = asked.numbers()?;
        let text = asked.variant.as_ref().or(self.rules.variant.as_ref());
        let text = text.ok_or_else(|| Error::parameter("job", "no rules are given; add a `variant`"))?;
        let rules = app.compiled(text, &[&self.rules.rule[..], &asked.rule].concat())?;
        let request = self.of_job(&asked);
        let source = format!("selfplay-{}", request.seed);
        let prepared = request.prepare_by(rules);
        for number in numbers {
            let game = job.with_stop_flag(|stop| prepared.game(number, &stop));
            job.check()?;
            let record = prepared.record(number, &game);
            let mut text = String::new();
            write_record(WriteGame { record: &record, played: None }, Format::Jsonl, &mut text)
                .map_err(|error| Error::parameter("job", error.to_string()))?;
            let line = RecordLine {
                taflbase_record: RECORD_LINE_VERSION,
                input: None,
                source: source.as_str().into(),
                place: number + 1,
                offset: 0,
                ordinal: number + 1,
                format: Some("jsonl".into()),
                variant: None,
                replaced: false,
                text: text.trim_end().into(),
            };
            line.write(out);
        }
        Ok(())
    }

    /// Returns how the games of a job are played.
    fn of_job(&self, job: &SelfPlayJob) -> SelfPlayRequest {
        let nodes = job.nodes.and_then(|nodes| Bounded::new(nodes).ok());
        let depth = job.depth.and_then(|depth| Bounded::new(depth.into()).ok());
        let limits = MoveLimits {
            nodes: nodes.or(self.limits.nodes.filter(|_| depth.is_none())),
            depth: depth.or(self.limits.depth.filter(|_| nodes.is_none())),
            time: None,
        };
        SelfPlayRequest {
            rules: RulesRequest::default(),
            seed: job.seed.map_or(self.seed, Bounded::clamped),
            limits,
            opening_plies: job.opening_plies.map_or(self.opening_plies, |n| Bounded::clamped(n.into())),
            temperature_plies: job
                .temperature_plies
                .map_or(self.temperature_plies, |n| Bounded::clamped(n.into())),
            temperature: job.temperature.map_or(self.temperature, |n| Bounded::clamped(n.into())),
            plies: job.plies.map_or(self.plies, |n| Bounded::clamped(n.into())),
            play_out: job.play_out.unwrap_or(self.play_out),
            ..self.clone()
        }
    }
}

impl SelfPlayJob {
    /// Returns the numbers of the games, from 0.
    fn numbers(&self) -> Result<std::ops::Range<u64>> {
        let wrong = |message: String| Err(Error::parameter("job", message));
        if self.taflbase_job != VERSION {
            let found = self.taflbase_job;
            return wrong(format!("unknown job version {found}; expected {VERSION}"));
        }
        if self.nodes == Some(0) || self.depth == Some(0) {
            return wrong("`nodes` and `depth` must be at least 1".to_owned());
        }
        let numbers = match (self.game, self.games) {
            (Some(game), None) if game > 0 => game - 1..game,
            (None, games) => 0..games.unwrap_or(1),
            (Some(_), _) => return wrong("`game` must be at least 1, and excludes `games`".to_owned()),
        };
        if numbers.end - numbers.start > MAX_GAMES {
            return wrong(format!("a job has at most {MAX_GAMES} games"));
        }
        Ok(numbers)
    }
}
