//! Patterns with many placements, which are tested at all positions of a game at once.
//!
//! For each cell and each set of contents that the pattern names, a word has a bit for each position: whether the cell has
//! one of the contents. A ply changes few cells, and therefore few words. A placement matches at the positions at which
//! all its cells fit, which is the conjunction of some words; most placements are ruled out by the first.

use std::ops::Range;

use tafl_rules::{Cell, Shape};

use super::ContentMask;
use super::placements::{CellCondition, PatternPlacements};
use crate::move_log::{MoveLogError, ReplayCursor};
use crate::ply_state::PlyState;
use crate::query::PlySet;

/// The number of positions that are tested at once: the bits of a word.
const WINDOW: u32 = u128::BITS;

/// A matcher that tests all placements of a pattern at all positions of a game.
#[derive(Debug, Clone)]
pub(crate) struct GameMatcher {
    n_cells: usize,
    /// The distinct sets of contents of the pattern.
    masks: Vec<ContentMask>,
    /// The cases by their first condition, so that one test rules out many.
    groups: Vec<CaseGroup>,
    cases: Vec<MatchCase>,
    /// The numbers of the words of all conditions but the first of each case.
    words: Vec<u32>,
    /// The conditions of layers that rule a case out, as ranges of `words`.
    excepts: Vec<Range<u32>>,
}

/// The cases with the same first condition.
#[derive(Debug, Clone)]
struct CaseGroup {
    /// The number of the word of the condition; `None` for cases without conditions.
    first: Option<u32>,
    cases: Range<u32>,
}

/// A layer of a placement.
#[derive(Debug, Clone)]
struct MatchCase {
    words: Range<u32>,
    excepts: Range<u32>,
}

/// The words of the positions of a window, which are reused from game to game.
#[derive(Debug, Clone, Default)]
pub(crate) struct FitWords(Vec<u128>);

impl GameMatcher {
    /// Returns the matcher of a pattern, or `None` if it has so few placements that testing them position by position is
    /// faster.
    pub(crate) fn new(placed: &PatternPlacements, shape: Shape) -> Option<GameMatcher> {
        if placed.len() <= 24 {
            return None;
        }
        let mut matcher = GameMatcher {
            n_cells: shape.n_cells(),
            masks: Vec::new(),
            groups: Vec::new(),
            cases: Vec::new(),
            words: Vec::new(),
            excepts: Vec::new(),
        };
        let mut cases = Vec::new();
        for place in placed.places() {
            let from = matcher.excepts.len() as u32;
            for layer in &place.except {
                let words = matcher.add_words(layer);
                matcher.excepts.push(words);
            }
            let excepts = from..matcher.excepts.len() as u32;
            for layer in &place.look_for {
                let (first, rest) = match layer {
                    [first, rest @ ..] => (Some(matcher.word(first)), rest),
                    [] => (None, &[][..]),
                };
                let words = matcher.add_words(rest);
                cases.push((first, MatchCase { words, excepts: excepts.clone() }));
            }
        }
        cases.sort_by_key(|(first, _)| *first);
        for same in cases.chunk_by(|(one, _), (other, _)| one == other) {
            let from = matcher.cases.len() as u32;
            matcher.cases.extend(same.iter().map(|(_, case)| case.clone()));
            matcher.groups.push(CaseGroup { first: same[0].0, cases: from..matcher.cases.len() as u32 });
        }
        Some(matcher)
    }

    fn add_words(&mut self, conditions: &[CellCondition]) -> Range<u32> {
        let from = self.words.len() as u32;
        for condition in conditions {
            let word = self.word(condition);
            self.words.push(word);
        }
        from..self.words.len() as u32
    }

    /// Returns the number of the word of a condition.
    fn word(&mut self, condition: &CellCondition) -> u32 {
        let known = self.masks.iter().position(|known| *known == condition.mask);
        let mask = known.unwrap_or_else(|| {
            self.masks.push(condition.mask);
            self.masks.len() - 1
        });
        // There are at most 2^13 masks, one for each set of contents.
        (mask * self.n_cells) as u32 + u32::from(condition.cell)
    }

    /// Returns the positions of a game at which a placement matches, up to the one before ply `end`. The cursor is at
    /// the start of the game.
    ///
    /// # Errors
    ///
    /// Fails if the game in the move log is damaged.
    pub(crate) fn find(
        &self,
        cursor: &mut ReplayCursor<'_>,
        end: u32,
        fits: &mut FitWords,
    ) -> Result<PlySet, MoveLogError> {
        let mut plies = PlySet::default();
        loop {
            fits.reset(self, cursor.state());
            let mut n = 1;
            let goes_on = loop {
                if cursor.state().ply + 1 >= end || !cursor.advance()? {
                    break false;
                }
                if n == WINDOW {
                    break true;
                }
                fits.advance(self, cursor.state(), n);
                n += 1;
            };
            plies.extend(self.matches(&fits.0) & (u128::MAX >> (WINDOW - n)), n);
            if !goes_on {
                return Ok(plies);
            }
        }
    }

    /// Returns the positions at which a placement matches, as bits.
    fn matches(&self, fits: &[u128]) -> u128 {
        let all = |words: &Range<u32>, mut left: u128| {
            for word in &self.words[words.start as usize..words.end as usize] {
                left &= fits[*word as usize];
                if left == 0 {
                    break;
                }
            }
            left
        };
        let mut found = 0;
        for group in &self.groups {
            let first = group.first.map_or(u128::MAX, |word| fits[word as usize]);
            if first & !found == 0 {
                continue;
            }
            for case in &self.cases[group.cases.start as usize..group.cases.end as usize] {
                let mut left = all(&case.words, first & !found);
                if left != 0 {
                    for except in &self.excepts[case.excepts.start as usize..case.excepts.end as usize] {
                        left &= !all(except, left);
                    }
                    found |= left;
                }
            }
        }
        found
    }
}

impl FitWords {
    /// Begins a window at a position: every bit is that of the position.
    fn reset(&mut self, matcher: &GameMatcher, state: &PlyState) {
        self.0.clear();
        for mask in &matcher.masks {
            let word = |fits: bool| if fits { u128::MAX } else { 0 };
            self.0.extend(state.board().iter().map(|content| word(mask.fits(*content))));
        }
    }

    /// Sets the bits from the position number `n` of the window on, after the ply that led to it.
    #[inline]
    fn advance(&mut self, matcher: &GameMatcher, state: &PlyState, n: u32) {
        let Some(mv) = state.last else { return };
        for cell in [mv.from, mv.to].iter().chain(&state.captured) {
            self.put(matcher, *cell, state, n);
        }
    }

    #[inline]
    fn put(&mut self, matcher: &GameMatcher, cell: Cell, state: &PlyState, n: u32) {
        let content = state.at(cell);
        for (mask, words) in matcher.masks.iter().zip(self.0.chunks_exact_mut(matcher.n_cells)) {
            let word = &mut words[cell.index()];
            // The bits from here on are that of the position before.
            if ((*word >> n) & 1 == 1) != mask.fits(content) {
                *word ^= u128::MAX << n;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{AnyRulebook, Facts, Game, PieceSet, Rng, Setup, Side, catalog};

    use super::*;
    use crate::move_log::{GameResult, GameSetup, MoveLog, MoveLogWriter, NextMover};
    use crate::pattern::placements::BoardInfo;
    use crate::pattern::{Anchor, Colors, Layer, Pattern, PatternSymmetries};
    use crate::ply_state::CellContent;

    fn board_info(shape: Shape) -> BoardInfo {
        BoardInfo {
            shape,
            thrones: Vec::new(),
            pieces: PieceSet::ALL,
            counts: [0; CellContent::COUNT],
            two_kings: true,
        }
    }

    #[test]
    fn a_pattern_may_name_more_sets_of_contents_than_a_byte_counts() {
        let shape = Shape::square(7).unwrap();
        // In order: an empty cell, 255 sets of the first eight pieces, and only then the ninth piece.
        let ninth = ContentMask(1 << 9);
        let masks = [ContentMask::EMPTY]
            .into_iter()
            .chain((1..256).map(|bits| ContentMask(bits << 1)))
            .chain([ninth]);
        let pattern = Pattern {
            anchor: Anchor::Anywhere,
            turns: PatternSymmetries::AsItStands,
            colors: Colors::AsWritten,
            look_for: masks.map(|mask| Layer { rows: vec![vec![mask]] }).collect(),
            except: Vec::new(),
        };
        let placed = PatternPlacements::new(&pattern, &board_info(shape), 0);
        let matcher = GameMatcher::new(&placed, shape).unwrap();
        assert_eq!(matcher.masks.len(), 257);
        let mut setup = Setup::empty(shape);
        let piece = ninth.contents().next().and_then(CellContent::piece);
        shape.cells().for_each(|cell| setup.put(cell, piece));
        let state = PlyState::start(&setup, Side::Attackers, Facts::default());
        let mut fits = FitWords::default();
        fits.reset(&matcher, &state);
        assert!(placed.holds(state.board()));
        assert_eq!(matcher.matches(&fits.0), u128::MAX);
    }

    /// A move log with a random game of at most `n_plies` plies. Ends are ignored, so that games may be long.
    fn random_game(rng: &mut Rng, n_plies: usize) -> MoveLog {
        let rules = catalog::find("brandubh7").unwrap().rules();
        let book = AnyRulebook::compile(&rules).unwrap();
        let mut game = Game::new(&book);
        let (text, start) = (rules.to_string(), rules.start.to_string());
        let game_setup = GameSetup { rules: text, start, first: rules.first_mover };
        let mut writer = MoveLogWriter::default();
        writer.begin(&game_setup, rules.shape(), &Facts::default());
        for _ in 0..n_plies {
            if game.outcome().is_some() {
                game.clear_outcome();
            }
            let moves = game.moves();
            let quiet = moves.iter().filter(|mv| {
                let mut next = game.clone();
                next.play(**mv).is_ok_and(|ply| ply.captured.is_empty()) && next.outcome().is_none()
            });
            let quiet: Vec<_> = quiet.copied().collect();
            // Captures are rare, so that games are longer than a window.
            let choice = if quiet.is_empty() || rng.below(12) == 0 { &moves } else { &quiet };
            if choice.is_empty() {
                break;
            }
            let mv = choice[rng.below(choice.len())];
            let Ok(ply) = game.play(mv) else { break };
            let captured: Vec<Cell> = ply.captured.iter().collect();
            writer.ply(mv, &captured, NextMover::OtherSide, &Facts::default());
        }
        writer.end(GameResult::Draw);
        MoveLog::from_bytes(writer.finish()).unwrap()
    }

    #[test]
    fn matches_equal_those_of_single_positions() {
        let shape = Shape::square(7).unwrap();
        let mut rng = Rng::new(5);
        let (mut n_found, mut longest) = (0, 0);
        for round in 0..60 {
            let log = random_game(&mut rng, if round % 3 == 0 { 300 } else { 60 });
            let mut layer = || {
                let mask = |rng: &mut Rng| match rng.below(4) {
                    0 => ContentMask::ANY,
                    1 => ContentMask::EMPTY,
                    2 => ContentMask::of_pieces(PieceSet::ATTACKERS),
                    _ => ContentMask::PIECE,
                };
                let rows = (0..2).map(|_| (0..2).map(|_| mask(&mut rng)).collect()).collect();
                Layer { rows }
            };
            let look_for = vec![layer(), layer()];
            let except = if round % 2 == 0 { vec![layer()] } else { Vec::new() };
            let pattern = Pattern {
                anchor: Anchor::Anywhere,
                turns: PatternSymmetries::All,
                colors: Colors::AsWritten,
                look_for,
                except,
            };
            let placed = PatternPlacements::new(&pattern, &board_info(shape), 0);
            let Some(matcher) = GameMatcher::new(&placed, shape) else { continue };
            let mut expected = Vec::new();
            let mut cursor = log.play(0).unwrap();
            loop {
                expected.push(placed.holds(cursor.state().board()));
                if !cursor.advance().unwrap() {
                    break;
                }
            }
            longest = longest.max(expected.len());
            for end in [u32::MAX, 1, 16, 128, 129, 144] {
                let found = matcher.find(&mut log.play(0).unwrap(), end, &mut FitWords::default()).unwrap();
                let until = expected.len().min(end as usize);
                let plies: Vec<bool> = (0..until).map(|ply| found.contains(ply)).collect();
                assert_eq!(plies, expected[..until], "round {round}, end {end}");
                n_found += found.count();
            }
        }
        assert!(n_found > 1000 && longest > 200, "{n_found} {longest}");
    }
}
