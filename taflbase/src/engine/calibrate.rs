//! Calibration: curves from scores to expectations, fitted on games.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    AnnotateSettings, Annotator, Calibration, CalibrationOrigin, CalibrationSample, Confirm, KnownResult,
    Phase, Thresholds, calibrate, limits_text,
};
use tafl_rules::{Game, RepetitionMode, Rng, Side};

use super::evaluations::{EvalCache, EvaluationSettings, built_in_curves};
use super::games::{GameFailure, GameStream, OnGames, PlayedGame};
use crate::{App, Bounded, Job, Progress, Request, Result};

/// The maximum number of messages about files and records that can't be read in an answer.
const MAX_FAILURES: usize = 50;

/// Fit curves from scores to the frequency of wins
///
/// # Examples
///
/// ```no_run
/// use taflbase::engine::{CalibrateRequest, GameInput, OnGames};
/// use taflbase::{App, Job, Request};
///
/// let games = GameInput { paths: vec!["games.csv".into()], ..GameInput::default() };
/// let mut request = CalibrateRequest::default();
/// request.evaluation.limits.nodes = Some(2_000);
/// let fitted = OnGames { games, request }.run(&App::new(), &Job::default())?;
/// println!("{}", fitted.calibration.expect("there are enough games").curves);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct CalibrateRequest {
    /// The evaluation.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub evaluation: EvaluationSettings,
    /// Draw one in N positions of each game
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub every: Bounded<1, 1000, 10>,
    /// Draw K positions of each game instead; short games then count too much in the opening
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", conflicts_with = "every"))]
    pub per_game: Option<Bounded<1, 1000, 6>>,
    /// The seed for drawing positions
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEED", default_value_t))]
    pub seed: Bounded<0, { u64::MAX }, 1>,
    /// The description of the games in the file [default: the names of the inputs]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT"))]
    pub source: Option<String>,
}

/// The curves, and the games that they were fitted on.
#[derive(Debug, Default)]
pub struct CalibrateAnswer {
    /// The curves; none if there are too few games.
    pub calibration: Option<Calibration>,
    /// The number of games.
    pub games: u64,
    /// The number of games that are not finished, and are left out.
    pub unfinished: u64,
    /// The number of positions.
    pub positions: u64,
    /// The number of variants with positions.
    pub variants: usize,
    /// The number of files and records that can't be read.
    pub failed: u64,
    /// The messages about them that [`CalibrateRequest::run_on`] did not pass on; at most 50.
    pub failures: Vec<String>,
}

/// The positions that are drawn from a game.
struct DrawnGame {
    variant: String,
    engine: String,
    samples: Vec<CalibrationSample>,
    is_finished: bool,
}

/// The positions that are drawn from all games.
#[derive(Default)]
struct DrawnGames {
    answer: CalibrateAnswer,
    by_variant: BTreeMap<String, Vec<CalibrationSample>>,
    engines: BTreeMap<String, u64>,
}

impl CalibrateRequest {
    /// Draws positions of games, evaluates them, and fits curves. `on_failure` gets what can't be
    /// read.
    ///
    /// # Errors
    ///
    /// Fails if the file of evaluations can't be read or written, a corpus is damaged, the limits permit no search, or the job is
    /// stopped.
    pub fn run_on(
        &self,
        games: &GameStream<'_>,
        app: &App,
        job: &Job,
        mut on_failure: impl FnMut(GameFailure) + Send,
    ) -> Result<CalibrateAnswer> {
        let cache = self.evaluation.open_cache(games, app)?;
        let limits = self.evaluation.limits.limits(1, job);
        let thresholds = Thresholds::default();
        let settings = AnnotateSettings { limits, thresholds, confirm: Confirm::Nothing, prove: None };
        let curves = built_in_curves();
        let annotator = Annotator::new(&settings, &curves, cache.as_ref().map(EvalCache::log));
        let mut drawn = DrawnGames::default();
        let n_games = games.count_for_progress(job);
        games.each(
            job,
            |game| self.draw(&game, &annotator),
            |game| -> Result<()> {
                job.check()?;
                match game {
                    Ok(game) => drawn.add(game),
                    Err(failure) => {
                        drawn.answer.failed += 1;
                        on_failure(failure);
                    }
                }
                let done = drawn.answer.games;
                let proportion = Progress::proportion_of(done, n_games);
                job.report(&Progress { done, unit: "games", proportion, detail: "" });
                Ok(())
            },
        )?;
        let origin = self.origin(&drawn, games, limits_text(&settings.limits));
        let DrawnGames { answer, by_variant, .. } = drawn;
        Ok(CalibrateAnswer {
            calibration: calibrate(&by_variant, &origin),
            variants: by_variant.len(),
            ..answer
        })
    }

    fn origin(&self, drawn: &DrawnGames, games: &GameStream<'_>, limits: String) -> CalibrationOrigin {
        let first = drawn.engines.keys().next();
        let engine = match drawn.engines.len() {
            1 => first.cloned().unwrap_or_default(),
            // Weights differ between rules.
            n => format!("{} and {} others", first.map_or("none", String::as_str), n.max(1) - 1),
        };
        let names = self.source.clone().unwrap_or_else(|| games.names());
        let rate = match self.per_game {
            Some(n) => format!("{n} positions a game"),
            None => format!("one in {} positions", self.every),
        };
        let finished = drawn.answer.games - drawn.answer.unfinished;
        let source = format!("{names}; {finished} finished games, {rate}, seed {}", self.seed);
        CalibrationOrigin { engine, limits, source, seed: self.seed.get() }
    }

    /// Draws positions of a finished game; none of an unfinished one, or if the rules are unknown.
    ///
    /// The choice of plies depends only on the seed and on the moves of the game. The position before each of them is evaluated.
    fn draw(&self, played: &PlayedGame, annotator: &Annotator<'_>) -> Result<DrawnGame> {
        let replayed = &played.replayed;
        let variant = replayed.variant().to_owned();
        let result = replayed.replay.result();
        let is_finished = result.is_some();
        let mut drawn = DrawnGame { variant, engine: String::new(), samples: Vec::new(), is_finished };
        let (Some(rules), Some(start), Some(first), Some(outcome)) =
            (&replayed.replay.rules, replayed.start(), replayed.first(), result)
        else {
            return Ok(drawn);
        };
        let result = match outcome.winner {
            Some(Side::Attackers) => 1.0,
            Some(Side::Defenders) => 0.0,
            None => 0.5,
        };
        let plies = replayed.plies();
        let key = |mv: tafl_rules::Move| mv.from.index() as u64 * 512 + mv.to.index() as u64;
        let chosen = self.choose(&plies.iter().map(|(mv, _)| key(*mv)).collect::<Vec<_>>());
        let Ok(mut game) = Game::from_setup(&rules.book, &start, first, RepetitionMode::Report) else {
            return Ok(drawn);
        };
        drawn.engine = annotator.engine(&rules.book);
        for (nth, (mv, side)) in plies.into_iter().enumerate() {
            game.clear_outcome();
            if game.to_move() != side {
                game.set_to_move(side);
            }
            if chosen.contains(&nth)
                && let KnownResult::Searched(evaluation) = annotator.evaluate(&rules.book, &game)?
            {
                let phase = Phase::of(&start, &game.setup(), nth as u32);
                let score = evaluation.score();
                drawn.samples.push(CalibrationSample { game: 0, to_move: side, score, phase, result });
            }
            if game.play(mv).is_err() {
                break;
            }
        }
        Ok(drawn)
    }

    /// Returns the plies of a game to sample, each at most once.
    ///
    /// At a fixed rate, the games at some ply have the weights of the games that reach it. With a fixed
    /// number per game, short games, whose results differ, have more weight in the opening.
    fn choose(&self, moves: &[u64]) -> Vec<usize> {
        let mut state = moves.iter().fold(self.seed.get(), |state, mv| Rng::new(state ^ mv).next_u64());
        let Some(per_game) = self.per_game else {
            let mut rng = Rng::new(state);
            return (0..moves.len()).filter(|_| rng.below(self.every.size()) == 0).collect();
        };
        let mut left: Vec<usize> = (0..moves.len()).collect();
        let mut chosen = Vec::new();
        while chosen.len() < per_game.size() && !left.is_empty() {
            state = Rng::new(state).next_u64();
            let at = ((u128::from(state) * left.len() as u128) >> 64) as usize;
            chosen.push(left.swap_remove(at));
        }
        chosen
    }
}

impl Request for OnGames<CalibrateRequest> {
    type Answer = CalibrateAnswer;

    fn run(self, app: &App, job: &Job) -> Result<CalibrateAnswer> {
        let games = self.games.open_all(app, job)?;
        let mut failures = Vec::new();
        let answer = self.request.run_on(&games, app, job, |failure| {
            if failures.len() < MAX_FAILURES {
                failures.push(failure.message);
            }
        })?;
        Ok(CalibrateAnswer { failures, ..answer })
    }
}

impl DrawnGames {
    /// Adds a game. Games are numbered in their order, so that the held-out games don't depend on threads.
    fn add(&mut self, drawn: DrawnGame) {
        self.answer.games += 1;
        self.answer.unfinished += u64::from(!drawn.is_finished);
        if drawn.samples.is_empty() {
            return;
        }
        self.answer.positions += drawn.samples.len() as u64;
        *self.engines.entry(drawn.engine).or_default() += 1;
        let game = self.answer.games;
        let samples = drawn.samples.into_iter().map(|sample| CalibrationSample { game, ..sample });
        self.by_variant.entry(drawn.variant).or_default().extend(samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameInput;
    use crate::{RulesRequest, Threads};

    #[test]
    fn files_that_cannot_be_read_are_reported_besides_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let [truncated, unknown, games] =
            ["a.csv", "b.csv", "games.csv"].map(|name| folder.path().join(name));
        std::fs::write(&truncated, b"\x1f\x8b\x08\0\0").unwrap();
        std::fs::write(&unknown, "x,,,\n").unwrap();
        std::fs::write(&games, "d2-c2 e4-e1 b4-b2\nd1-c1 d3-c3\n").unwrap();
        let games = GameInput {
            paths: vec![truncated, unknown, games],
            rules: RulesRequest::of("brandubh7"),
            threads: Threads::ONE,
            ..GameInput::default()
        };
        let mut request = CalibrateRequest::default();
        request.evaluation.limits.nodes = Some(10);
        let answer = OnGames { games, request }.run(&App::new(), &Job::default()).unwrap();
        assert_eq!((answer.games, answer.failed), (2, 2));
        let [truncated, unknown] = &answer.failures[..] else { panic!("{:?}", answer.failures) };
        assert!(
            truncated.contains("truncated") && unknown.contains("unrecognized"),
            "{truncated}; {unknown}"
        );
    }

    /// Returns the number of samples of the first ten plies of 1,000 games with a length.
    fn early_samples(request: &CalibrateRequest, length: u64) -> usize {
        let chosen = (0..1000).flat_map(|game| {
            let moves: Vec<u64> = (0..length).map(|ply| game * 1000 + ply).collect();
            request.choose(&moves)
        });
        chosen.filter(|ply| *ply < 10).count()
    }

    #[test]
    fn short_games_do_not_count_more_than_long_ones() {
        let request = CalibrateRequest::default();
        for length in [20, 60, 200] {
            let n = early_samples(&request, length);
            assert!((900..1100).contains(&n), "{length}: {n}");
        }
        let per_game = CalibrateRequest { per_game: Some(Bounded::default()), ..request };
        assert!(early_samples(&per_game, 20) > 5 * early_samples(&per_game, 200));
    }
}
