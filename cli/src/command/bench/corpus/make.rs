//! Made-up games, and how they get into a corpus.
//!
//! Games of several variants begin as people's games do: a few openings are played often, others seldom, whichever way
//! the board is held. A fifth of the games has no opening; behind openings any move is as good as another.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tafl_corpus::ingest::{Ingest, IngestOptions, MadeGame, PreparedGame, Preparer};
use tafl_parser::parallel::in_order;
use tafl_parser::record::tag;
use tafl_parser::replay::Choice;
use tafl_rules::{Move, Outcome, Reason, RepetitionMode, Side, catalog};

/// The variants, and how many of 100 games each has.
const MIX: [(&str, u64); 7] = [
    ("copenhagen11", 45),
    ("brandubh7", 15),
    ("fetlar11", 10),
    ("tablut9-w", 10),
    ("hexentafl5", 8),
    ("berserk11", 7),
    ("alea19", 5),
];

/// How many plies an opening has at most.
const OPENING: usize = 14;

/// So many games are made or prepared in one go.
const PORTION: usize = 64;

/// A game that was made up.
#[derive(Debug, Clone)]
pub(super) struct Game {
    number: u64,
    variant: usize,
    pub(super) moves: Vec<Move>,
}

/// Random numbers that are the same in every run: SplitMix64.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns a number below `n`, which is not 0.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Returns the compiled rules of the variants.
pub(super) fn rules() -> Vec<Choice> {
    let named = |(name, _): &(&str, u64)| catalog::find(name).map(Choice::named);
    MIX.iter().filter_map(named).collect()
}

/// Makes up games until they have so many positions, the same for the same seed with any number of threads.
pub(super) fn games(rules: &[Choice], positions: u64, (seed, threads): (u64, NonZeroUsize)) -> Vec<Game> {
    let (mut next, mut made, mut games) = (0u64, 0u64, Vec::new());
    in_order(
        threads,
        || {
            next += 1;
            Some(next - 1)
        },
        |portion| {
            let numbers = portion * PORTION as u64..(portion + 1) * PORTION as u64;
            numbers.map(|number| game(rules, seed, number)).collect::<Vec<Game>>()
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

fn game(rules: &[Choice], seed: u64, number: u64) -> Game {
    let mut dice = Dice(mixed(seed ^ mixed(number)));
    let mut left = dice.below(MIX.iter().map(|(_, weight)| weight).sum());
    let variant = MIX.iter().position(|(_, weight)| {
        let is_it = left < *weight;
        left = left.saturating_sub(*weight);
        is_it
    });
    let variant = variant.unwrap_or(0).min(rules.len() - 1);
    let chosen = rules[variant].chosen();
    let book = &chosen.book;
    let mut game = tafl_rules::Game::with_mode(book, RepetitionMode::Report);
    let turned = &book.symmetries()[dice.below(book.symmetries().len() as u64) as usize];
    let has_opening = dice.below(5) > 0;
    let most = 30 + dice.below(110) as usize;
    let mut moves = Vec::with_capacity(most);
    while moves.len() < most && game.outcome().is_none() {
        let legal = game.moves();
        if legal.is_empty() {
            break;
        }
        let mv = if has_opening && moves.len() < OPENING {
            opening(&legal, game.key().0, &mut dice)
        } else {
            legal[dice.below(legal.len() as u64) as usize]
        };
        if game.play(mv).is_err() {
            break;
        }
        moves.push(Move::new(turned.image(mv.from), turned.image(mv.to)));
    }
    Game { number, variant, moves }
}

/// Chooses a move of an opening: each position has a favorite, a second choice half as frequent, and so on.
fn opening(legal: &[Move], key: u64, dice: &mut Dice) -> Move {
    let rank = |mv: &Move| mixed(key ^ ((mv.from.index() as u64) << 16 | mv.to.index() as u64));
    let mut choice = (dice.next().trailing_zeros() as usize).min(legal.len() - 1);
    let mut left = legal.to_vec();
    loop {
        let (at, mv) = left
            .iter()
            .copied()
            .enumerate()
            .min_by_key(|(_, mv)| rank(mv))
            .expect("there are more moves than choices passed over");
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
    games: &[Game],
    (rules, threads): (&[Choice], NonZeroUsize),
) -> anyhow::Result<()> {
    let mut ingest = Ingest::begin(path, &IngestOptions::default())?;
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

fn prepare(preparer: &mut Preparer, game: &Game, rules: &[Choice]) -> Option<PreparedGame> {
    let mut dice = Dice(mixed(game.number ^ 0x6a09_e667));
    let mut player = || format!("Player {}", dice.below(2000));
    let (attackers, defenders) = (player(), player());
    let mut rating = || (1200 + dice.below(900)).to_string();
    let (first, second) = (rating(), rating());
    let date = format!("{}-{:02}-{:02}", 2005 + dice.below(20), 1 + dice.below(12), 1 + dice.below(28));
    let outcome = match dice.below(9) {
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
    preparer.prepare_made(&MadeGame { rules: &rules[game.variant], moves: &game.moves, outcome, tags: &tags })
}
