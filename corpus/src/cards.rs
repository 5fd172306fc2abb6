//! Cards: what is said of games in lists, kept in memory.
//!
//! Reading a row of the table of games takes milliseconds, since columns are compressed; who lists games again and again
//! keeps [`Cards`]. They are read segment by segment, when they are asked for first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tafl_rules::Reason;

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::id::GameId;
use crate::row::GameRow;
use crate::segment::Segment;
use crate::tape::GameResult;

/// What is said of a game in lists. The fields are those of [`GameRow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of `GameRow`")]
pub struct Card<'c> {
    pub game: GameId,
    pub variant: Option<&'c str>,
    pub rules: &'c str,
    pub shape: &'c str,
    pub attackers: Option<&'c str>,
    pub defenders: Option<&'c str>,
    pub attackers_rating: Option<i16>,
    pub defenders_rating: Option<i16>,
    pub event: Option<&'c str>,
    pub site: Option<&'c str>,
    pub date: Option<&'c str>,
    pub result: GameResult,
    pub reason: Option<Reason>,
    pub plies: u32,
    pub source: Option<&'c str>,
    pub place: Option<u32>,
}

impl<'c> Card<'c> {
    /// Returns the card of a row.
    pub fn of(row: &'c GameRow) -> Card<'c> {
        Card {
            game: row.game,
            variant: row.variant.as_deref(),
            rules: &row.rules,
            shape: &row.shape,
            attackers: row.attackers.as_deref(),
            defenders: row.defenders.as_deref(),
            attackers_rating: row.attackers_rating,
            defenders_rating: row.defenders_rating,
            event: row.event.as_deref(),
            site: row.site.as_deref(),
            date: row.date.as_deref(),
            result: row.result,
            reason: row.reason,
            plies: row.plies,
            source: row.source.as_deref(),
            place: row.place,
        }
    }
}

/// The cards of a corpus.
pub struct Cards {
    segments: Vec<Drawer>,
}

/// The cards of a segment, which may not be read yet.
#[derive(Clone)]
struct Drawer {
    segment: Segment,
    deck: Arc<Shared>,
}

/// Cards that are read once, by whoever asks first.
#[derive(Default)]
struct Shared {
    deck: OnceLock<Deck>,
    /// Held while they are read: others wait instead of reading them, too.
    reading: Mutex<()>,
}

/// The cards of a segment: short rows with numbers instead of texts.
struct Deck {
    texts: Vec<Box<str>>,
    rows: Vec<Row>,
    /// The numbers of the games with their rows, sorted.
    numbers: Vec<(GameId, u32)>,
}

/// A card with numbers instead of texts; the text 0 is none.
struct Row {
    game: GameId,
    variant: u32,
    rules: u32,
    shape: u32,
    attackers: u32,
    defenders: u32,
    attackers_rating: Option<i16>,
    defenders_rating: Option<i16>,
    event: u32,
    site: u32,
    date: u32,
    result: GameResult,
    reason: Option<Reason>,
    plies: u32,
    source: u32,
    place: Option<u32>,
}

impl Cards {
    /// Returns the cards of a corpus. Those that older cards have of the same segments need not be read again.
    pub fn new(corpus: &Corpus, old: Option<&Cards>) -> Cards {
        let known = |segment: &Segment| {
            let drawers = old.map_or(&[][..], |old| &old.segments);
            let is_same = |drawer: &&Drawer| {
                drawer.segment.folder() == segment.folder()
                    && drawer.segment.entry().files == segment.entry().files
            };
            drawers.iter().find(is_same).map(|drawer| Arc::clone(&drawer.deck))
        };
        let drawer =
            |segment: &Segment| Drawer { segment: segment.clone(), deck: known(segment).unwrap_or_default() };
        Cards { segments: corpus.segments().iter().map(drawer).collect() }
    }

    /// Returns the card of a game.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such game.
    pub fn get(&self, at: GameAt) -> Result<Card<'_>> {
        let deck = self.segments[at.segment].deck()?;
        Ok(deck.card(&deck.rows[at.row as usize]))
    }

    /// Returns where the game of a number is, unless it was removed.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn find(&self, game: GameId) -> Result<Option<GameAt>> {
        for (number, drawer) in self.segments.iter().enumerate() {
            let deck = drawer.deck()?;
            let at = deck.numbers.partition_point(|(other, _)| *other < game);
            let same = deck.numbers[at..].iter().take_while(|(other, _)| *other == game);
            if let Some((_, row)) = same.into_iter().find(|(_, row)| !drawer.segment.is_removed(*row)) {
                return Ok(Some(GameAt { segment: number, row: *row }));
            }
        }
        Ok(None)
    }
}

impl Drawer {
    fn deck(&self) -> Result<&Deck> {
        let shared = &*self.deck;
        if let Some(deck) = shared.deck.get() {
            return Ok(deck);
        }
        let _reading = shared.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(deck) = shared.deck.get() {
            return Ok(deck);
        }
        let deck = Deck::of(&self.segment.games_in_short()?);
        Ok(shared.deck.get_or_init(|| deck))
    }
}

impl Deck {
    fn of(rows: &[GameRow]) -> Deck {
        let mut known: HashMap<Box<str>, u32> = HashMap::from([("".into(), 0)]);
        let mut texts: Vec<Box<str>> = vec!["".into()];
        let mut number = |text: Option<&str>| {
            let text = text.unwrap_or("");
            if let Some(number) = known.get(text) {
                return *number;
            }
            let number = texts.len() as u32;
            known.insert(text.into(), number);
            texts.push(text.into());
            number
        };
        let rows: Vec<Row> = rows
            .iter()
            .map(Card::of)
            .map(|card| Row {
                game: card.game,
                variant: number(card.variant),
                rules: number(Some(card.rules)),
                shape: number(Some(card.shape)),
                attackers: number(card.attackers),
                defenders: number(card.defenders),
                attackers_rating: card.attackers_rating,
                defenders_rating: card.defenders_rating,
                event: number(card.event),
                site: number(card.site),
                date: number(card.date),
                result: card.result,
                reason: card.reason,
                plies: card.plies,
                source: number(card.source),
                place: card.place,
            })
            .collect();
        let mut numbers: Vec<(GameId, u32)> = (0..).zip(&rows).map(|(at, row)| (row.game, at)).collect();
        numbers.sort_unstable();
        Deck { texts, rows, numbers }
    }

    fn card(&self, row: &Row) -> Card<'_> {
        let text = |number: u32| &*self.texts[number as usize];
        let maybe = |number: u32| (number > 0).then(|| text(number));
        Card {
            game: row.game,
            variant: maybe(row.variant),
            rules: text(row.rules),
            shape: text(row.shape),
            attackers: maybe(row.attackers),
            defenders: maybe(row.defenders),
            attackers_rating: row.attackers_rating,
            defenders_rating: row.defenders_rating,
            event: maybe(row.event),
            site: maybe(row.site),
            date: maybe(row.date),
            result: row.result,
            reason: row.reason,
            plies: row.plies,
            source: maybe(row.source),
            place: row.place,
        }
    }
}
