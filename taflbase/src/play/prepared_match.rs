//! A match whose players, rules, and openings are read: playing its pairs, and counting their results.

use std::io::BufRead;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::{Sprt, SprtError, SprtVerdict};
use tafl_parser::Record;

use super::match_answer::{MatchAnswer, MatchPlayer, MatchTally, VariantMatchResult};
use super::match_request::MatchRequest;
use super::number_pair::NumberPair;
use super::pair_series::{PairSchedule, PairSeries, PairTask, report_pair};
use super::player_spec::PlayerSpec;
use super::saved_game::SavedPair;
use super::series::GameSeries;
use crate::{App, Error, Job, Request, Result, StreamRequest};

/// The parameters that determine the games of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchSettings {
    /// The player that the match is about.
    pub first: MatchPlayer,
    /// Its opponent.
    pub second: MatchPlayer,
    /// The rules strings of the variants.
    pub variants: Vec<String>,
    /// The number of plies that begin each pair; null for balanced openings, which have their own lengths.
    pub opening_plies: Option<u64>,
    /// The files with openings.
    pub openings: Vec<String>,
    /// The number of plies after which a game stays unfinished.
    pub plies: u64,
    /// The seed.
    pub seed: u64,
}

/// A match whose players, rules, and openings are read.
pub struct PreparedMatch {
    sprt: Option<Sprt>,
    pairs: PairSeries,
}

/// A pair that has just been played.
pub struct PlayedPair<'a> {
    /// Its number, from 0.
    pub number: u64,
    /// The pair.
    pub pair: &'a SavedPair,
    /// The series with the pair.
    pub series: &'a GameSeries<SavedPair>,
}

impl MatchRequest {
    /// Reads players, rules, and openings. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Returns the mistake in a player, the rules, or the test, or that there are too few openings.
    pub fn prepare<'i>(
        self,
        app: &App,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<PreparedMatch> {
        let read = |text: &str, parameter: &'static str| {
            PlayerSpec::read(text).map_err(|error| Error::from(error).of(parameter))
        };
        let players = vec![read(&self.first, "first")?, read(&self.second, "second")?];
        let bad_test = |error: SprtError| Error::parameter("sprt", error.to_string());
        let sprt = self.sprt.map(|NumberPair(elo0, elo1)| {
            Sprt::new((elo0, elo1), (self.errors.0, self.errors.1)).map_err(bad_test)
        });
        let sprt = sprt.transpose()?;
        let sources = self.terms.opening_sources(job, stdin)?;
        let pairs = PairSeries::prepare(self.terms, players, self.pairs, &sources, app)?;
        Ok(PreparedMatch { sprt, pairs })
    }
}

impl PreparedMatch {
    /// Returns everything that the games depend on.
    pub fn settings(&self) -> MatchSettings {
        let mut players = self.pairs.named_players();
        let mut next = || players.next().expect("a match has two players");
        let terms = self.pairs.terms();
        MatchSettings {
            first: next(),
            second: next(),
            variants: self.pairs.rules_strings(),
            opening_plies: self.pairs.opening_plies(),
            openings: self.pairs.opening_files(),
            plies: terms.plies.get(),
            seed: terms.seed.get(),
        }
    }

    /// Returns the players, the first one first.
    pub fn players(&self) -> [&PlayerSpec; 2] {
        let players = self.pairs.players();
        [&players[0], &players[1]]
    }

    /// Returns notices about the files, records, and games of `--openings` that are not used.
    pub fn notices(&self) -> &[String] {
        self.pairs.notices()
    }

    /// Returns the number of pairs to play; with a test, the maximum.
    pub fn n_pairs(&self) -> u64 {
        self.pairs.n_rounds()
    }

    /// Returns whether there are fewer openings than the default number of pairs, which is why fewer pairs are played.
    pub fn has_few_openings(&self) -> bool {
        self.pairs.has_few_openings()
    }

    /// Returns the test that ends the match, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Plays the pairs that a series lacks, and adds them to it. `on_pair` gets each in order.
    ///
    /// # Errors
    ///
    /// Fails if a player can't start, the job is stopped, or `on_pair` fails.
    pub fn play(
        &self,
        series: &mut GameSeries<SavedPair>,
        job: &Job,
        mut on_pair: impl FnMut(PlayedPair<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut tally = MatchTally::default();
        series.first(self.n_pairs()).iter().for_each(|pair| tally.add(pair));
        let is_decided = |tally: &MatchTally| {
            self.sprt.is_some_and(|sprt| sprt.verdict(&tally.pairs) != SprtVerdict::GoOn)
        };
        if is_decided(&tally) {
            return Ok(());
        }
        let schedule = PairSchedule { n_pairs: self.n_pairs(), task: &task };
        self.pairs.play(series, &schedule, job, |number, series| {
            let pair = &series.played[number as usize];
            tally.add(pair);
            on_pair(PlayedPair { number, pair, series })?;
            let detail = format!("pair {} of {}: {}", number + 1, self.n_pairs(), tally.games());
            report_pair(job, number + 1, &detail);
            Ok(is_decided(&tally))
        })
    }

    /// Returns the games of pairs as records, in the order in which they were played.
    pub fn records<'p>(&'p self, pairs: &'p [SavedPair]) -> impl Iterator<Item = Record> + 'p {
        self.pairs.records("tafl match", (0..).map(task).zip(pairs))
    }

    /// Counts pairs, by variant and all together.
    pub fn tallies(&self, pairs: &[SavedPair]) -> (Vec<(String, MatchTally)>, MatchTally) {
        let named = |name: String| (name, MatchTally::default());
        let mut each: Vec<(String, MatchTally)> = self.pairs.variant_names().into_iter().map(named).collect();
        let mut all = MatchTally::default();
        for (round, pair) in (0..).zip(pairs) {
            each[self.pairs.variant_of(round)].1.add(pair);
            all.add(pair);
        }
        (each, all)
    }

    /// Returns the result of pairs.
    pub fn answer(&self, pairs: &[SavedPair]) -> MatchAnswer {
        let (each, all) = self.tallies(pairs);
        let settings = self.settings();
        let variants = each
            .into_iter()
            .map(|(variant, tally)| VariantMatchResult { variant, result: tally.result(None) });
        MatchAnswer {
            first: settings.first,
            second: settings.second,
            variants: variants.collect(),
            opening_plies: settings.opening_plies,
            openings: settings.openings,
            plies: settings.plies,
            seed: settings.seed,
            result: all.result(self.sprt.as_ref()),
        }
    }
}

/// Returns the pair of a number: all pairs have the same players.
fn task(number: u64) -> PairTask {
    PairTask { round: number, players: [0, 1] }
}

impl Request for MatchRequest {
    type Answer = MatchAnswer;

    fn run(self, app: &App, job: &Job) -> Result<MatchAnswer> {
        StreamRequest::run(self, app, job, &mut |_| Ok(()))
    }
}

impl StreamRequest for MatchRequest {
    type Item = SavedPair;
    type Summary = MatchAnswer;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(SavedPair) -> Result<()> + Send),
    ) -> Result<MatchAnswer> {
        let prepared = self.prepare(app, job, None)?;
        let mut series = GameSeries::new(&prepared.settings());
        prepared.play(&mut series, job, |played| take(played.pair.clone()))?;
        Ok(prepared.answer(&series.played))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_without_rules_is_an_error() {
        let request =
            MatchRequest { first: "random".into(), second: "random".into(), ..MatchRequest::default() };
        let error = Request::run(request, &App::new(), &Job::default()).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("variant"));
    }

    #[test]
    fn an_error_names_the_player() {
        let request =
            MatchRequest { first: "random".into(), second: "gnu".into(), ..MatchRequest::default() };
        let error = Request::run(request, &App::new(), &Job::default()).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("second"));
    }
}
