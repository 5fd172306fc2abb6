//! Random games, and their import into a corpus.
//!
//! Games of several variants begin as people's games do: a few openings are frequent, in any orientation of the board. A fifth
//! of the games has no opening; moves after it are uniformly random.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tafl_corpus::{GeneratedGame, Ingest, IngestOptions, PreparedGame, Preparer};
use tafl_parser::{RuleChoice, in_order, tag};
use tafl_rules::{Move, Outcome, Reason, RepetitionMode, Rng, Side, catalog, split_mix};

/// The variants, with their percentage of the games.
const MIX: [(&str, usize); 7] = [
    ("copenhagen11", 45),
    ("brandubh7", 15),
    ("fetlar11", 10),
    ("tablut9-w", 10),
    ("hexentafl5", 8),
    ("berserk11", 7),
    ("alea19", 5),
];

/// The maximum number of plies of an opening.
const OPENING: usize = 14;

/// The number of games of a unit of work.
const PORTION: usize = 64;

/// A random game.
#[derive(Debug, Clone)]
pub(super) struct RandomGame {
    number: u64,
    variant: usize,
    pub(super) moves: Vec<Move>,
}

/// Returns the finalizer of SplitMix64, a bijective mix of 64 bits.
fn mixed(number: u64) -> u64 {
    split_mix(number.wrapping_sub(0x9e37_79b9_7f4a_7c15))
}

/// Returns the compiled rules of the variants.
pub(super) fn rules() -> Vec<RuleChoice> {
    let named = |(name, _): &(&str, usize)| catalog::find(name).map(RuleChoice::named);
    MIX.iter().filter_map(named).collect()
}

/// Returns games with `positions` positions in all, the same for the same seed with any number of threads.
pub(super) fn games(
    rules: &[RuleChoice],
    positions: u64,
    (seed, threads): (u64, NonZeroUsize),
) -> Vec<RandomGame> {
    let (mut next, mut made, mut games) = (0u64, 0u64, Vec::new());
    in_order(
        threads,
        || {
            next += 1;
            Some(next - 1)
        },
        |portion| {
            let numbers = portion * PORTION as u64..(portion + 1) * PORTION as u64;
            numbers.map(|number| game(rules, seed, number)).collect::<Vec<RandomGame>>()
        },
        |portion| {
            for game in portion {
                if made >= positions {
                    return ControlFlow::Break(());
                }
                made += game.moves.len() as u64 + 1;
                games.push(game);
            }
            ControlFlow::Continue(())
        },
    );
    games
}

fn game(rules: &[RuleChoice], seed: u64, number: u64) -> RandomGame {
    let mut rng = Rng::new(mixed(seed ^ mixed(number)));
    let mut left = rng.below(MIX.iter().map(|(_, weight)| weight).sum());
    let variant = MIX.iter().position(|(_, weight)| {
        let is_it = left < *weight;
        left = left.saturating_sub(*weight);
        is_it
    });
    let variant = variant.unwrap_or(0).min(rules.len() - 1);
    let chosen = rules[variant].chosen();
    let book = &chosen.book;
    let mut game = tafl_rules::Game::with_mode(book, RepetitionMode::Report);
    let turned = &book.symmetries()[rng.below(book.symmetries().len())];
    let has_opening = rng.below(5) > 0;
    let most = 30 + rng.below(110);
    let mut moves = Vec::with_capacity(most);
    while moves.len() < most && game.outcome().is_none() {
        let legal = game.moves();
        if legal.is_empty() {
            break;
        }
        let mv = if has_opening && moves.len() < OPENING {
            opening(&legal, game.key().0, &mut rng)
        } else {
            legal[rng.below(legal.len())]
        };
        if game.play(mv).is_err() {
            break;
        }
        moves.push(Move::new(turned.image(mv.from), turned.image(mv.to)));
    }
    RandomGame { number, variant, moves }
}

/// Chooses a move of an opening: each position has a favorite, a second choice half as frequent, and so on.
fn opening(legal: &[Move], key: u64, rng: &mut Rng) -> Move {
    let rank = |mv: &Move| mixed(key ^ ((mv.from.index() as u64) << 16 | mv.to.index() as u64));
    let mut choice = (rng.next_u64().trailing_zeros() as usize).min(legal.len() - 1);
    let mut left = legal.to_vec();
    loop {
        let (at, mv) = left
            .iter()
            .copied()
            .enumerate()
            .min_by_key(|(_, mv)| rank(mv))
            .expect("there are more moves than skipped choices");
        if choice == 0 {
            return mv;
        }
        choice -= 1;
        left.swap_remove(at);
    }
}

/// Puts games into a new corpus.
pub(super) fn import(
    path: &Path,
    games: &[RandomGame],
    (rules, threads): (&[RuleChoice], NonZeroUsize),
) -> anyhow::Result<()> {
    let mut ingest = Ingest::begin(path, &IngestOptions { threads, ..IngestOptions::default() })?;
    let idle: Mutex<Vec<Preparer>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let mut portions = games.chunks(PORTION);
    let mut result = Ok(());
    in_order(
        threads,
        || portions.next(),
        |portion| {
            let mut preparer = lock().pop().unwrap_or_default();
            let prepared: Vec<PreparedGame> =
                portion.iter().filter_map(|game| prepare(&mut preparer, game, rules)).collect();
            lock().push(preparer);
            prepared
        },
        |prepared| {
            for game in prepared {
                if let Err(error) = ingest.add_game(game) {
                    result = Err(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    );
    result?;
    ingest.finish()?;
    Ok(())
}

fn prepare(preparer: &mut Preparer, game: &RandomGame, rules: &[RuleChoice]) -> Option<PreparedGame> {
    let mut rng = Rng::new(mixed(game.number ^ 0x6a09_e667));
    let mut player = || format!("Player {}", rng.below(2000));
    let (attackers, defenders) = (player(), player());
    let mut rating = || (1200 + rng.below(900)).to_string();
    let (first, second) = (rating(), rating());
    let date = format!("{}-{:02}-{:02}", 2005 + rng.below(20), 1 + rng.below(12), 1 + rng.below(28));
    let outcome = match rng.below(9) {
        0 => Some(Outcome::draw(Reason::Agreement)),
        1 => None,
        2..6 => Some(Outcome::win(Side::Attackers, Reason::Resignation)),
        _ => Some(Outcome::win(Side::Defenders, Reason::Resignation)),
    };
    let tags = [
        (tag::ATTACKERS, &*attackers),
        (tag::DEFENDERS, &*defenders),
        (tag::ATTACKERS_RATING, &*first),
        (tag::DEFENDERS_RATING, &*second),
        (tag::DATE, &*date),
    ];
    preparer.prepare_generated(&GeneratedGame {
        rules: &rules[game.variant],
        moves: &game.moves,
        outcome,
        tags: &tags,
    })
}
