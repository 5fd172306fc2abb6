//! Jobs of self-play: each is a line of JSON, and each of its games is answered with a record line.

use serde::Deserialize;
use tafl_parser::{Format, RECORD_LINE_VERSION, RecordLine, WriteGame, write_record};

use super::selfplay::SelfPlayRequest;
use crate::engine::MoveLimits;
use crate::escape::escape;
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
    seed: Option<Bounded<0, { u64::MAX }, 1>>,
    /// The number of the only game, from 1.
    game: Option<Bounded<1, { u64::MAX }, 1>>,
    /// The number of games, from the first one on.
    games: Option<Bounded<1, { MAX_GAMES }, 1>>,
    nodes: Option<Bounded<1, { u64::MAX }, 1>>,
    depth: Option<Bounded<1, 255, 1>>,
    opening_plies: Option<Bounded<0, 100, 2>>,
    temperature_plies: Option<Bounded<0, 1000, 8>>,
    temperature: Option<Bounded<1, 100_000, 30>>,
    plies: Option<Bounded<1, 100_000, 400>>,
    play_out: Option<bool>,
}

impl SelfPlayRequest {
    /// Plays the games of a job, and adds a record line for each to `out`. Time is not a limit: the same job always has the
    /// same answer.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the job, or that the time for it is over.
    pub fn run_job(&self, line: &[u8], app: &App, job: &Job, out: &mut Vec<u8>) -> Result<()> {
        let asked = SelfPlayJob::read(line)?;
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
                column: 1,
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
        let limits = MoveLimits {
            nodes: job.nodes.or(self.limits.nodes.filter(|_| job.depth.is_none())),
            depth: job.depth.or(self.limits.depth.filter(|_| job.nodes.is_none())),
            time: None,
        };
        SelfPlayRequest {
            rules: RulesRequest::default(),
            seed: job.seed.unwrap_or(self.seed),
            limits,
            opening_plies: job.opening_plies.unwrap_or(self.opening_plies),
            temperature_plies: job.temperature_plies.unwrap_or(self.temperature_plies),
            temperature: job.temperature.unwrap_or(self.temperature),
            plies: job.plies.unwrap_or(self.plies),
            play_out: job.play_out.unwrap_or(self.play_out),
            ..self.clone()
        }
    }
}

impl SelfPlayJob {
    /// Reads a line. The ranges of numbers are those of the request.
    fn read(line: &[u8]) -> Result<SelfPlayJob> {
        let wrong =
            |error: String| Error::parameter("job", format!("not a self-play job: {}", escape(&error)));
        let mut reader = serde_json::Deserializer::from_slice(line);
        let job = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let field = error.path().to_string();
            let error = error.into_inner();
            wrong(if field == "." { error.to_string() } else { format!("`{field}`: {error}") })
        })?;
        reader.end().map_err(|error| wrong(error.to_string()))?;
        Ok(job)
    }

    /// Returns the numbers of the games, from 0.
    fn numbers(&self) -> Result<std::ops::Range<u64>> {
        let wrong = |message: String| Err(Error::parameter("job", message));
        if self.taflbase_job != VERSION {
            let found = self.taflbase_job;
            return wrong(format!("unknown job version {found}; expected {VERSION}"));
        }
        match (self.game, self.games) {
            (Some(game), None) => Ok(game.get() - 1..game.get()),
            (None, games) => Ok(0..games.unwrap_or_default().get()),
            (Some(_), Some(_)) => wrong("`game` excludes `games`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(fields: &str) -> Result<usize> {
        let line = format!(r#"{{"taflbase_job":1,"variant":"brandubh7","nodes":5,"plies":4,{fields}}}"#);
        let mut out = Vec::new();
        SelfPlayRequest::default().run_job(line.as_bytes(), &App::new(), &Job::default(), &mut out)?;
        Ok(out.iter().filter(|byte| **byte == b'\n').count())
    }

    #[test]
    fn a_number_out_of_range_is_an_error_that_names_the_field() {
        assert_eq!(run(r#""games":2,"opening_plies":0,"temperature_plies":0,"temperature":1"#), Ok(2));
        let wrong: [(&str, &[&str]); 7] = [
            ("game", &["0"]),
            ("games", &["0", "10001"]),
            ("depth", &["0", "256"]),
            ("opening_plies", &["101", "-1"]),
            ("temperature_plies", &["1001"]),
            ("temperature", &["0", "100001"]),
            ("seed", &["18446744073709551616"]),
        ];
        for (field, numbers) in wrong {
            for number in numbers {
                let error = run(&format!(r#""{field}":{number}"#)).unwrap_err();
                assert_eq!(error.parameter.as_deref(), Some("job"));
                assert!(error.message.contains(&format!("`{field}`: ")), "{field} {number}: {error}");
            }
        }
        for field in ["plies", "nodes"] {
            let line = format!(r#"{{"taflbase_job":1,"variant":"brandubh7","{field}":0}}"#);
            let error = SelfPlayJob::read(line.as_bytes()).unwrap_err();
            assert!(error.message.contains(&format!("`{field}`: 0 is")), "{error}");
        }
    }
}
