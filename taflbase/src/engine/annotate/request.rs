//! Requests to annotate games: those of files or of a corpus, or one in memory.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tafl_analyzer::{
    AnnotateSettings, Annotator, Confirm, Curves, GameNotes, GameToAnnotate, Nodes, Thresholds, limits_text,
};

use super::super::evaluations::{EvalCache, EvaluationSettings};
use super::super::games::{GameFailure, GameStream, OnGames, PlayedGame};
use super::{AnnotatedGame, AnnotationProvenance, AnnotationTotals};
use crate::records::ReplayedRecord;
use crate::stored::{EvalRows, EvalTable, eval_rows};
use crate::{App, Bounded, Error, Job, Progress, Result, StreamRequest};

/// Annotate games with evaluations, errors, and better moves
///
/// # Examples
///
/// Annotates a game that is in memory:
///
/// ```
/// use taflbase::engine::AnnotateRequest;
/// use taflbase::parser::{Format, Source};
/// use taflbase::records::{ReplayConfig, ReplayWorker};
/// use taflbase::Job;
///
/// let text = "[variant:brandubh7]\n1. d1-c1 d3-c3 2. g4-g3 c3-b3";
/// let parsed = Format::OpenTafl.parse(&Source::new(text));
/// let replayed = ReplayWorker::new(&ReplayConfig::default().into()).replay(parsed);
///
/// let mut request = AnnotateRequest::default();
/// request.evaluation.limits.nodes = Some(1_000);
/// let run = request.begin_with(None, &Job::default())?;
/// let notes = run.annotate(&replayed, |_| true)?.expect("the rules are known");
/// for ply in &notes.plies {
///     println!("{} {:?} {:?}", ply.side, ply.judgement, ply.loss);
/// }
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct AnnotateRequest {
    /// The evaluation.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub evaluation: EvaluationSettings,
    /// The number of lines of each search; two or more are needed to find the only good moves
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub lines: Bounded<1, 20, 1>,
    /// The minimum losses of an inaccuracy, a mistake, and a blunder
    #[cfg_attr(feature = "clap", arg(long, value_name = "A,B,C", default_value_t))]
    pub thresholds: ErrorThresholds,
    /// Neither confirm losses by a search after the better move, nor judge suspected errors again
    #[cfg_attr(feature = "clap", arg(long))]
    pub unconfirmed: bool,
    /// Judge suspected errors again by searches with N times the nodes and time; 1 skips this step, and 10 takes four to six
    /// times as long
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t, conflicts_with = "unconfirmed")
    )]
    pub recheck: Bounded<1, 1000, 10>,
    /// Have the solver prove each missed win, with a search of N positions
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub prove: Option<Bounded<1, { u64::MAX }, 1>>,
}

/// The minimum losses of inaccuracies, mistakes, and blunders: `0.05,0.10,0.20`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorThresholds(pub Thresholds);

impl fmt::Display for ErrorThresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_string().replace(' ', ","))
    }
}

impl FromStr for ErrorThresholds {
    type Err = String;

    fn from_str(text: &str) -> Result<ErrorThresholds, String> {
        let numbers: Vec<f64> = text.split(',').map(|word| word.trim().parse().unwrap_or(f64::NAN)).collect();
        match numbers[..] {
            [inaccuracy, mistake, blunder] => Thresholds::new(inaccuracy, mistake, blunder)
                .map(ErrorThresholds)
                .map_err(|error| error.to_string()),
            _ => Err("expected three numbers such as 0.05,0.10,0.20".to_owned()),
        }
    }
}

impl Serialize for ErrorThresholds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ErrorThresholds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for ErrorThresholds {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ErrorThresholds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "default": ErrorThresholds::default().to_string() })
    }
}

/// The result for a game.
#[derive(Debug)]
pub enum AnnotateItem<T = AnnotatedGame> {
    /// It is annotated.
    Game(T),
    /// Its rules are unknown, or it can't be read: see [`PlayedGame::obstacle`].
    UnknownRules(Box<PlayedGame>),
    /// A file or a record can't be read.
    Failed(GameFailure),
}

/// Annotation that has begun: curves are read, and the file of evaluations is open.
#[derive(Debug)]
pub struct AnnotationRun {
    settings: AnnotateSettings,
    curves: Arc<Curves>,
    cache: Option<EvalCache>,
    provenance: AnnotationProvenance,
    begun: Instant,
}

impl AnnotateRequest {
    /// Reads the curves and opens the file of evaluations. Searches end when the job is canceled.
    ///
    /// # Errors
    ///
    /// Fails if a file can't be used.
    pub fn begin(&self, games: &GameStream<'_>, app: &App, job: &Job) -> Result<AnnotationRun> {
        self.begin_with(self.evaluation.open_cache(games, app)?, job)
    }

    /// Reads the curves. Evaluations are read from the cache, if there is one, and added to it. Searches end when the job is
    /// canceled.
    ///
    /// # Errors
    ///
    /// Fails if the file of the curves can't be used.
    pub fn begin_with(&self, cache: Option<EvalCache>, job: &Job) -> Result<AnnotationRun> {
        let curves = self.evaluation.read_curves()?;
        let ErrorThresholds(thresholds) = self.thresholds;
        let limits = self.evaluation.limits.limits(self.lines.get() as u16, job);
        let confirm = match self.recheck.get() as u32 {
            _ if self.unconfirmed => Confirm::Nothing,
            1 => Confirm::Errors,
            // A depth is not multiplied.
            _ if limits.nodes.is_none() && limits.time.is_none() => Confirm::Errors,
            factor => Confirm::Deeper(factor),
        };
        let confirmation = match confirm {
            Confirm::Errors => "; not rechecked".to_owned(),
            Confirm::Deeper(factor) => format!("; rechecked with {factor} times the nodes or time"),
            Confirm::Nothing => "; unconfirmed".to_owned(),
        };
        let settings = AnnotateSettings {
            limits,
            thresholds,
            confirm,
            prove: self.prove.map(|nodes| Nodes(nodes.get())),
        };
        let provenance = AnnotationProvenance {
            limits: limits_text(&settings.limits),
            thresholds: format!("{thresholds}{confirmation}"),
            curves: curves.id(),
        };
        Ok(AnnotationRun { settings, curves, cache, provenance, begun: Instant::now() })
    }
}

/// The result of a thread for a game.
struct Answered<T> {
    item: AnnotateItem<T>,
    totals: AnnotationTotals,
    rows: Option<EvalRows>,
}

impl AnnotationRun {
    /// Returns the file of evaluations, if there is one.
    pub fn cache(&self) -> Option<&EvalCache> {
        self.cache.as_ref()
    }

    /// Returns the settings on which the annotations depend.
    pub fn provenance(&self) -> &AnnotationProvenance {
        &self.provenance
    }

    /// Returns the time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Annotates a game; none if its rules are unknown. `on_ply` gets the number of plies that are done, and stops the
    /// annotation there by returning false.
    ///
    /// # Errors
    ///
    /// Fails if the file of evaluations can't be read or written, or the limits permit no search.
    pub fn annotate(
        &self,
        replayed: &ReplayedRecord,
        mut on_ply: impl FnMut(usize) -> bool,
    ) -> Result<Option<GameNotes>> {
        let (Some(rules), Some(start), Some(first)) =
            (replayed.replay.rules.clone(), replayed.start(), replayed.first())
        else {
            return Ok(None);
        };
        let plies = replayed.plies();
        let played =
            GameToAnnotate { book: &rules.book, variant: rules.variant, start: &start, first, plies: &plies };
        let log = self.cache.as_ref().map(EvalCache::log);
        let annotator = Annotator::new(&self.settings, &self.curves, log);
        let go_on = |done| if on_ply(done) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        Ok(Some(annotator.annotate_with_progress(&played, go_on)?))
    }

    /// Annotates the games of a source. `make` converts an annotated game for delivery, on the thread that annotated
    /// it; `take` gets these in the order of the games, with the sums so far. Evaluations of games of a corpus are written
    /// into its table.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped, a file can't be read or written, or `take` fails.
    pub fn run<T: Send, E: From<Error> + Send>(
        &self,
        games: &GameStream<'_>,
        job: &Job,
        make: impl Fn(AnnotatedGame) -> T + Sync,
        mut take: impl FnMut(AnnotateItem<T>, &AnnotationTotals) -> Result<(), E> + Send,
    ) -> Result<AnnotationTotals, E> {
        let mut table = EvalTable::new(games.stored(), &self.provenance);
        let mut totals = AnnotationTotals::default();
        let n_games = games.count_for_progress(job);
        let work = |game: PlayedGame| {
            let notes = self.annotate(&game.replayed, |_| !job.is_over())?;
            Ok(match notes.zip(game.replayed.start()) {
                Some((notes, start)) => {
                    let game = AnnotatedGame { game, notes, start };
                    let (totals, rows) = (AnnotationTotals::of(&game), eval_rows(&game));
                    Answered { item: AnnotateItem::Game(make(game)), totals, rows }
                }
                None => Answered {
                    item: AnnotateItem::UnknownRules(Box::new(game)),
                    totals: AnnotationTotals::of_unknown(),
                    rows: None,
                },
            })
        };
        games.each(job, work, |answered| -> Result<(), E> {
            job.check()?;
            let Answered { item, totals: of_game, rows } = match answered {
                Ok(answered) => answered,
                Err(failure) => return take(AnnotateItem::Failed(failure), &totals),
            };
            totals.add(&of_game);
            take(item, &totals)?;
            table.add(rows)?;
            job.report(&Progress {
                done: totals.games,
                unit: "games",
                proportion: Progress::proportion_of(totals.games, n_games),
                detail: &totals.speed(self.elapsed()),
            });
            Ok(())
        })?;
        table.write()?;
        Ok(totals)
    }
}

impl StreamRequest for OnGames<AnnotateRequest> {
    type Item = AnnotateItem;
    type Summary = AnnotationTotals;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(AnnotateItem) -> Result<()> + Send),
    ) -> Result<AnnotationTotals> {
        let games = self.games.open_all(app, job)?;
        let run = self.request.begin(&games, app, job)?;
        run.run(&games, job, |game| game, |item, _| take(item))
    }
}
