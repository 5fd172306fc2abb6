//! Training data from self-play of many variants.

use std::collections::BTreeMap;

use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, Rng, RuleSet, Side};

use super::handicap::Handicap;
use super::mutation::random_changes;
use super::sample::{TrainingGame, TrainingSample};
use crate::engine::{Engine, NetChoice, SearchOptions};
use crate::eval::Weights;
use crate::limits::{Limits, Nodes};
use crate::score::{Score, half_points};

/// The configuration of self-play for training data.
#[derive(Debug, Clone)]
pub struct DataGenConfig {
    /// The number of nodes of each search.
    pub nodes: Nodes,
    /// The maximum number of random plies at the start of a game; the minimum is one.
    pub opening: usize,
    /// The number of random moves per thousand plies.
    pub random_per_mille: usize,
    /// The number of plies after which a game is drawn.
    pub max_plies: usize,
    /// The maximum absolute score, in hundredths; larger scores, including wins, are clamped.
    pub max_score: i16,
    /// The percentage of games with random changes of the rules.
    pub changed_rules: usize,
    /// The percentage of games in which one side uses the oldest weights.
    pub older_weights: usize,
    /// The percentage of games that begin with a handicap.
    pub handicaps: usize,
}

impl Default for DataGenConfig {
    fn default() -> DataGenConfig {
        DataGenConfig {
            nodes: Nodes(400),
            opening: 7,
            random_per_mille: 40,
            max_plies: 160,
            max_score: 3000,
            changed_rules: 50,
            older_weights: 25,
            handicaps: 75,
        }
    }
}

/// Plays games of several variants in turn, and returns their samples: quiet positions with the
/// score of the search and the result of the game.
///
/// Decided positions are also kept, unless the next move wins. Otherwise a network would never see
/// a lost position. A game depends on its number, the seed, and the results of earlier games, which
/// determine the handicaps.
#[derive(Debug)]
pub struct DataGen {
    /// The names and the rules of the variants.
    variants: Vec<(String, RuleSet)>,
    options: SearchOptions,
    config: DataGenConfig,
    seed: u64,
    /// The number of the next game.
    next: u32,
    handicaps: BTreeMap<(String, bool), Handicap>,
}

impl DataGen {
    /// Creates a generator for games of these variants, each with a name.
    ///
    /// # Panics
    ///
    /// Panics if there are no variants.
    pub fn new(
        variants: Vec<(String, RuleSet)>,
        options: SearchOptions,
        config: DataGenConfig,
        seed: u64,
    ) -> DataGen {
        assert!(!variants.is_empty(), "self-play needs a variant");
        DataGen { variants, options, config, seed, next: 0, handicaps: BTreeMap::new() }
    }

    /// Continues after a game of an earlier run. Games must be passed in their order.
    pub fn resume_after(&mut self, game: &TrainingGame) {
        let key = (game.variant.clone(), game.has_changed_rules);
        self.handicaps.entry(key).or_default().update(game.half_points);
        self.next = game.number.saturating_add(1);
    }

    /// Plays the next game. The game has no samples if its opening was decided.
    pub fn next_game(&mut self) -> TrainingGame {
        let number = self.next;
        let mut rng = Rng::stream(self.seed, u64::from(number));
        let (variant, rules) = &self.variants[number as usize % self.variants.len()];
        let has_changed_rules = rng.percent(self.config.changed_rules);
        let rules = if has_changed_rules { random_changes(rules, &mut rng) } else { rules.clone() };
        let handicap = self.handicaps.get(&(variant.clone(), has_changed_rules)).copied().unwrap_or_default();
        let mut game = TrainingGame {
            number,
            variant: variant.clone(),
            has_changed_rules,
            rules,
            half_points: 1,
            samples: Vec::new(),
        };
        if let Ok(book) = AnyRulebook::compile(&game.rules) {
            (game.half_points, game.samples) = self.play(&book, handicap, &mut rng);
        }
        self.resume_after(&game);
        game
    }

    /// Plays a game, and returns its result in half points of the attackers and its samples.
    fn play(&self, book: &AnyRulebook, handicap: Handicap, rng: &mut Rng) -> (u8, Vec<TrainingSample>) {
        let older = SearchOptions {
            weights: Some(Weights::estimated(book.rules())),
            net: NetChoice::Terms,
            ..self.options.clone()
        };
        let is_older = if rng.percent(self.config.older_weights) { Some(rng.below(2)) } else { None };
        let mut engines = [0, 1].map(|side| {
            let options = if is_older == Some(side) { &older } else { &self.options };
            Engine::new(book, options.clone())
        });
        let Some(mut game) = self.start(book, handicap, &mut engines[0], rng) else {
            return (1, Vec::new());
        };
        let mut samples = Vec::new();
        for _ in 0..self.config.max_plies {
            let side = game.to_move();
            let is_over = game.outcome().is_some();
            let Some((mv, score)) = self.search(&mut engines[side.index()], &game).filter(|_| !is_over)
            else {
                break;
            };
            let (before, chain) = (game.setup(), game.chain());
            let is_random = !score.is_decisive() && rng.below(1000) < self.config.random_per_mille;
            let mv = if is_random { rng.pick(&game.moves()).copied().unwrap_or(mv) } else { mv };
            // A move of the other side declines a chain; the other engine then chooses its own.
            if game.piece(mv.from).is_some_and(|piece| piece.side != side) && game.decline_chain() {
                continue;
            }
            let Ok(ply) = game.play(mv) else { break };
            let is_quiet = is_random || ply.captured.is_empty();
            let is_last = score.distance().is_some_and(|plies| plies <= 1);
            // The scores of the older weights cannot serve as labels.
            let is_label = is_older != Some(side.index()) || score.is_decisive();
            if (is_quiet || score.is_decisive()) && !is_last && chain.is_none() && is_label {
                let max_score = self.config.max_score;
                let score =
                    if side == Side::Attackers { score } else { -score }.value().clamp(-max_score, max_score);
                samples.push(TrainingSample { setup: before, to_move: side, score });
            }
        }
        (half_points(game.outcome().and_then(|outcome| outcome.winner)), samples)
    }

    /// Returns a game after a random opening in which no side has a decisive advantage, or `None` if
    /// several attempts found none.
    fn start(
        &self,
        book: &AnyRulebook,
        handicap: Handicap,
        engine: &mut Engine,
        rng: &mut Rng,
    ) -> Option<Game> {
        for _ in 0..6 {
            let setup = if rng.percent(self.config.handicaps) {
                handicap.start(book, rng)
            } else {
                book.rules().start.clone()
            };
            let side = book.rules().first_mover;
            let mut game = Game::from_setup(book, &setup, side, RepetitionMode::default()).ok()?;
            engine.new_game();
            let plies = 1 + rng.below(self.config.opening.max(1));
            if play_randomly(&mut game, plies, rng)
                && let Some((_, score)) = self.search(engine, &game)
                && score.value().abs() < self.config.max_score / 2
            {
                engine.new_game();
                return Some(game);
            }
        }
        None
    }

    fn search(&self, engine: &mut Engine, game: &Game) -> Option<(Move, Score)> {
        let report = engine.search(game, &Limits::nodes(self.config.nodes.0)).ok()?;
        let best = &report.lines[0];
        Some((best.moves[0], best.score.for_side(game.to_move())))
    }
}

/// Plays random moves and returns whether the game continues.
fn play_randomly(game: &mut Game, plies: usize, rng: &mut Rng) -> bool {
    for _ in 0..plies {
        let moves = game.moves();
        let Some(mv) = rng.pick(&moves) else { return false };
        if game.play(*mv).is_err() || game.outcome().is_some() {
            return false;
        }
    }
    game.outcome().is_none()
}
