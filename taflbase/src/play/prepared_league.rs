//! A league whose players, rules, and openings are read: playing its pairs, and rating the players.

use std::io::BufRead;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::PairScore;
use tafl_parser::Record;
use tafl_reports::stats::{NotEstimable, Pairing, PairingResults, Ratings, rate};
use tafl_rules::{Side, counted};

use super::league_answer::{EloEstimate, LeagueAnswer, LeaguePairing, LeaguePlayer, VariantAdvantage};
use super::league_request::LeagueRequest;
use super::match_answer::{MatchPlayer, ResultCounts};
use super::pair_series::{PairSchedule, PairSeries, PairTask, report_pair};
use super::player_spec::PlayerSpec;
use super::saved_game::SavedPair;
use super::series::GameSeries;
use crate::{App, Error, Job, Request, Result, StreamRequest};

/// The parameters that determine the games of a league.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeagueSettings {
    /// The players.
    pub players: Vec<MatchPlayer>,
    /// Whether only the first player meets the others.
    pub gauntlet: bool,
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

/// A league whose players, rules, and openings are read.
pub struct PreparedLeague {
    gauntlet: bool,
    /// The indices of the players of each pairing.
    pairings: Vec<[usize; 2]>,
    pairs: PairSeries,
}

/// A pair of a league that has just been played.
pub struct PlayedLeaguePair<'a> {
    /// Its number, from 0.
    pub number: u64,
    /// The players. The first one has the attackers in the first game.
    pub players: [&'a PlayerSpec; 2],
    /// The pair.
    pub pair: &'a SavedPair,
    /// The series with the pair.
    pub series: &'a GameSeries<SavedPair>,
}

impl LeagueRequest {
    /// Reads players, rules, and openings. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Returns the mistake in a player or the rules, or that there are too few players or openings.
    pub fn prepare<'i>(
        self,
        app: &App,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<PreparedLeague> {
        let read = |text: &String| PlayerSpec::read(text).map_err(|error| Error::from(error).of("players"));
        let players: Vec<PlayerSpec> = self.players.iter().map(read).collect::<Result<_>>()?;
        let n = players.len();
        if n < 2 {
            return Err(Error::parameter("players", "a league needs at least two players"));
        }
        if let Some(twice) = (1..n).find(|at| self.players[..*at].contains(&self.players[*at])) {
            let message =
                format!("`{}` is named twice; give one of them another setting", self.players[twice]);
            return Err(Error::parameter("players", message));
        }
        let firsts = if self.gauntlet { 1 } else { n };
        let pairings = (0..firsts).flat_map(|one| (one + 1..n).map(move |other| [one, other])).collect();
        let sources = self.terms.opening_sources(job, stdin)?;
        let pairs = PairSeries::prepare(self.terms, players, self.pairs, &sources, app)?;
        Ok(PreparedLeague { gauntlet: self.gauntlet, pairings, pairs })
    }
}

impl PreparedLeague {
    /// Returns everything that the games depend on.
    pub fn settings(&self) -> LeagueSettings {
        let terms = self.pairs.terms();
        LeagueSettings {
            players: self.pairs.named_players().collect(),
            gauntlet: self.gauntlet,
            variants: self.pairs.rules_strings(),
            opening_plies: self.pairs.opening_plies(),
            openings: self.pairs.opening_files(),
            plies: terms.plies.get(),
            seed: terms.seed.get(),
        }
    }

    /// Returns notices about the files, records, and games of `--openings` that are not used.
    pub fn notices(&self) -> &[String] {
        self.pairs.notices()
    }

    /// Returns the number of pairs of the whole league.
    pub fn n_pairs(&self) -> u64 {
        self.n_rounds() * self.pairings.len() as u64
    }

    /// Returns the number of pairs between two players.
    pub fn n_rounds(&self) -> u64 {
        self.pairs.n_rounds()
    }

    /// Returns whether there are fewer openings than the default number of pairs between two players, which is why fewer
    /// pairs are played.
    pub fn has_few_openings(&self) -> bool {
        self.pairs.has_few_openings()
    }

    /// Returns the pair of a number. In a round, every pairing plays the same opening.
    fn task(&self, number: u64) -> PairTask {
        let n = self.pairings.len() as u64;
        PairTask { round: number / n, players: self.pairings[(number % n) as usize] }
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
        mut on_pair: impl FnMut(PlayedLeaguePair<'_>) -> Result<()>,
    ) -> Result<()> {
        let schedule = PairSchedule { n_pairs: self.n_pairs(), task: &|number| self.task(number) };
        self.pairs.play(series, &schedule, job, |number, series| {
            let pair = &series.played[number as usize];
            let players = self.task(number).players.map(|player| &self.pairs.players()[player]);
            on_pair(PlayedLeaguePair { number, players, pair, series })?;
            report_pair(job, number + 1, &format!("pair {} of {}", number + 1, self.n_pairs()));
            Ok(false)
        })
    }

    fn tasks(&self) -> impl Iterator<Item = PairTask> + '_ {
        (0..).map(|number| self.task(number))
    }

    /// Returns the games of pairs as records, in the order in which they were played.
    pub fn records<'p>(&'p self, pairs: &'p [SavedPair]) -> impl Iterator<Item = Record> + 'p {
        self.pairs.records("tafl league", self.tasks().zip(pairs))
    }

    /// Returns the result of pairs.
    pub fn answer(&self, pairs: &[SavedPair]) -> LeagueAnswer {
        let settings = self.settings();
        let n_players = settings.players.len();
        let rated = self.ratings(pairs);
        let ratings = rated.as_ref().ok();
        let value = |player: usize| Some(ratings?.players[player]?.value);
        let mut order: Vec<usize> = (0..n_players).collect();
        order.sort_by(|one, other| {
            let [one, other] = [one, other].map(|at| value(*at).unwrap_or(f64::NEG_INFINITY));
            other.total_cmp(&one)
        });
        let counts = LeaguePlayerResults::of(n_players, self.tasks().zip(pairs));
        let players = order.iter().enumerate().map(|(place, player)| LeaguePlayer {
            player: settings.players[*player].clone(),
            rating: ratings.and_then(|ratings| ratings.players[*player]).map(EloEstimate::of),
            better_than_next: ratings
                .zip(order.get(place + 1))
                .map(|(ratings, next)| (ratings.superiority(*player, *next) * 1000.0).round() / 1000.0),
            all: counts.attackers[*player].plus(counts.defenders[*player]),
            as_attackers: counts.attackers[*player],
            as_defenders: counts.defenders[*player],
            faults: counts.faults[*player],
        });
        LeagueAnswer {
            players: players.collect(),
            pairings: self.pairing_results(pairs),
            variants: self.variants(pairs, ratings),
            not_rated: rated.as_ref().err().map(|why| self.not_rated(*why, pairs)),
            pairs_unfinished: pairs.iter().filter(|pair| pair.score() == PairScore::Unfinished).count()
                as u64,
            opening_plies: settings.opening_plies,
            openings: settings.openings,
            plies: settings.plies,
            seed: settings.seed,
        }
    }

    /// Rates the players. The games of a round share an opening, which favors one side, but each player has both sides in
    /// each pair; so pairs are the clusters.
    fn ratings(&self, pairs: &[SavedPair]) -> Result<Ratings, NotEstimable> {
        let finished = self.tasks().zip(pairs).filter(|(_, pair)| pair.score() != PairScore::Unfinished);
        let clusters: Vec<[Pairing; 2]> = finished
            .map(|(task, pair)| {
                let group = self.pairs.variant_of(task.round) as u32;
                [0, 1].map(|at: usize| {
                    let winner = pair.games[at].outcome().and_then(|outcome| outcome.winner);
                    Pairing {
                        attackers: task.players[at] as u32,
                        defenders: task.players[1 - at] as u32,
                        group,
                        results: PairingResults {
                            attackers: u32::from(winner == Some(Side::Attackers)),
                            draws: u32::from(winner.is_none()),
                            defenders: u32::from(winner == Some(Side::Defenders)),
                        },
                    }
                })
            })
            .collect();
        rate((self.pairs.players().len(), self.pairs.variant_names().len()), &clusters)
    }

    /// Returns the reason why there are no ratings.
    fn not_rated(&self, why: NotEstimable, pairs: &[SavedPair]) -> String {
        let plies = self.pairs.terms().plies;
        match why {
            NotEstimable::NoGames if pairs.is_empty() => "no pair has been played yet".to_owned(),
            NotEstimable::NoGames => format!(
                "every pair that was played has an unfinished game, and such pairs don't count; a game ends as unfinished after \
                 {} (--plies)",
                counted(plies.get(), "ply", "plies")
            ),
            other => other.to_string(),
        }
    }

    fn pairing_results(&self, pairs: &[SavedPair]) -> Vec<LeaguePairing> {
        let name = |player: usize| self.pairs.players()[player].text.clone();
        let results = |[one, other]: &[usize; 2]| {
            let of_pairing = self.tasks().zip(pairs).filter(|(task, _)| task.players == [*one, *other]);
            let counts = LeaguePlayerResults::of(self.pairs.players().len(), of_pairing);
            let (as_attackers, as_defenders) = (counts.attackers[*one], counts.defenders[*one]);
            LeaguePairing {
                player: name(*one),
                opponent: name(*other),
                all: as_attackers.plus(as_defenders),
                as_attackers,
                as_defenders,
            }
        };
        self.pairings.iter().map(results).collect()
    }

    fn variants(&self, pairs: &[SavedPair], ratings: Option<&Ratings>) -> Vec<VariantAdvantage> {
        let mut games = vec![0; self.pairs.variant_names().len()];
        for (task, _) in self.tasks().zip(pairs).filter(|(_, pair)| pair.score() != PairScore::Unfinished) {
            games[self.pairs.variant_of(task.round)] += 2;
        }
        let variants = self.pairs.variant_names().into_iter().zip(games).enumerate();
        variants
            .map(|(at, (variant, games))| VariantAdvantage {
                variant,
                games,
                attackers: ratings.and_then(|ratings| ratings.advantages[at]).map(EloEstimate::of),
            })
            .collect()
    }
}

/// Games by player and side.
struct LeaguePlayerResults {
    attackers: Vec<ResultCounts>,
    defenders: Vec<ResultCounts>,
    faults: Vec<u64>,
}

impl LeaguePlayerResults {
    fn of<'p>(
        n_players: usize,
        pairs: impl Iterator<Item = (PairTask, &'p SavedPair)>,
    ) -> LeaguePlayerResults {
        let none = || vec![ResultCounts::default(); n_players];
        let mut counts =
            LeaguePlayerResults { attackers: none(), defenders: none(), faults: vec![0; n_players] };
        for (task, pair) in pairs {
            for (at, game) in pair.games.iter().enumerate() {
                let (attackers, defenders) = (task.players[at], task.players[1 - at]);
                counts.attackers[attackers].add(game, Side::Attackers);
                counts.defenders[defenders].add(game, Side::Defenders);
                if let Some(fault) = &game.fault {
                    let guilty = if fault.side == Side::Attackers.as_str() { attackers } else { defenders };
                    counts.faults[guilty] += 1;
                }
            }
        }
        counts
    }
}

impl Request for LeagueRequest {
    type Answer = LeagueAnswer;

    fn run(self, app: &App, job: &Job) -> Result<LeagueAnswer> {
        StreamRequest::run(self, app, job, &mut |_| Ok(()))
    }
}

impl StreamRequest for LeagueRequest {
    type Item = SavedPair;
    type Summary = LeagueAnswer;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(SavedPair) -> Result<()> + Send),
    ) -> Result<LeagueAnswer> {
        let prepared = self.prepare(app, job, None)?;
        let mut series = GameSeries::new(&prepared.settings());
        prepared.play(&mut series, job, |played| take(played.pair.clone()))?;
        Ok(prepared.answer(&series.played))
    }
}
