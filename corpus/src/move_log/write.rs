//! Writing of move logs.

use std::collections::HashMap;

use tafl_rules::{BySide, Cell, Events, Facts, KingStatus, Move, Shape, Side};

use super::{BLOCK_SIZE, GameResult, GameSetup, MAGIC, MAX_SETUPS, MOVE_LOG_VERSION, MoveLogLists, NO_KING};

/// A writer of move logs: begin a game, write its plies, end it; then take the bytes.
#[derive(Debug, Default)]
pub struct MoveLogWriter {
    games: Vec<u8>,
    directory: Vec<u8>,
    /// With their numbers.
    game_setups: HashMap<GameSetup, u16>,
    /// With their numbers.
    event_sets: HashMap<Events, u8>,
    n_games: u32,
    n_blocks: u32,
    open: Option<OpenGame>,
}

#[derive(Debug, Clone, Copy)]
struct OpenGame {
    offset: usize,
    game_setup: u16,
    is_wide: bool,
    n_plies: u32,
    /// The status of the kings in the last position.
    kings: BySide<Option<KingStatus>>,
}

impl MoveLogWriter {
    /// Returns whether no further game setup fits.
    pub fn is_full(&self) -> bool {
        self.game_setups.len() >= MAX_SETUPS
    }

    /// Begins a game.
    ///
    /// # Panics
    ///
    /// Panics with more than 65,536 different game setups, see [`MoveLogWriter::is_full`].
    pub fn begin(&mut self, game_setup: &GameSetup, shape: Shape, facts: &Facts) {
        let number = self.game_setups.get(game_setup).copied().unwrap_or_else(|| {
            let number =
                u16::try_from(self.game_setups.len()).expect("a move log has at most 65,536 game setups");
            self.game_setups.insert(game_setup.clone(), number);
            number
        });
        self.open = Some(OpenGame {
            offset: self.games.len(),
            game_setup: number,
            is_wide: shape.n_cells() > 256,
            n_plies: 0,
            kings: BySide::default(),
        });
        self.facts(&[], false, facts);
    }

    /// Writes a ply: the move, the cells of the captured pieces, whether the same side continues a chain, and the facts.
    ///
    /// # Panics
    ///
    /// Panics outside a game.
    pub fn ply(&mut self, mv: Move, captured: &[Cell], same_side_continues: bool, facts: &Facts) {
        let open = self.open.as_mut().expect("a game was begun");
        open.n_plies += 1;
        self.cell(mv.from);
        self.cell(mv.to);
        self.facts(captured, same_side_continues, facts);
        captured.iter().for_each(|cell| self.cell(*cell));
    }

    /// Ends a game.
    ///
    /// # Panics
    ///
    /// Panics outside a game.
    pub fn end(&mut self, result: GameResult) {
        let open = self.open.take().expect("a game was begun");
        self.directory.extend((MAGIC.len() as u64 + 4 + open.offset as u64).to_le_bytes());
        self.directory.extend(open.n_plies.to_le_bytes());
        self.directory.extend(self.n_blocks.to_le_bytes());
        self.directory.extend(open.game_setup.to_le_bytes());
        self.directory.extend([result as u8, 0]);
        self.n_games += 1;
        self.n_blocks += open.n_plies / BLOCK_SIZE + 1;
    }

    /// Returns the bytes of the move log.
    pub fn finish(self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.games.len() + self.directory.len() + 4096);
        file.extend(MAGIC);
        file.extend(MOVE_LOG_VERSION.to_le_bytes());
        file.extend(self.games);
        let directory = file.len() as u64;
        file.extend(self.directory);
        let game_setups = file.len() as u64;
        let mut sorted: Vec<(GameSetup, u16)> = self.game_setups.into_iter().collect();
        sorted.sort_by_key(|(_, number)| *number);
        let mut events = vec![0; self.event_sets.len()];
        self.event_sets.iter().for_each(|(set, number)| events[usize::from(*number)] = set.bits());
        let setups = sorted.into_iter().map(|(game_setup, _)| game_setup).collect();
        let lists = MoveLogLists { setups, events };
        file.extend(serde_json::to_vec(&lists).expect("the lists are texts and numbers"));
        file.extend(directory.to_le_bytes());
        file.extend(game_setups.to_le_bytes());
        file.extend(self.n_games.to_le_bytes());
        file.extend(self.n_blocks.to_le_bytes());
        file.extend(MAGIC);
        file
    }

    fn cell(&mut self, cell: Cell) {
        let index = cell.index() as u16;
        if self.open.is_some_and(|open| open.is_wide) {
            self.games.extend(index.to_le_bytes());
        } else {
            self.games.push(index as u8);
        }
    }

    fn facts(&mut self, captured: &[Cell], same_side_continues: bool, facts: &Facts) {
        let open = self.open.as_mut().expect("a game was begun");
        let before = std::mem::replace(&mut open.kings, facts.kings);
        let king = |side: Side| {
            let status = facts.kings[side];
            (status != before[side]).then(|| status.map_or(NO_KING, KingStatus::code))
        };
        let (attackers, defenders) = (king(Side::Attackers), king(Side::Defenders));
        let has_events = !facts.events.is_empty();
        let set = if has_events { self.event_set(facts.events) } else { None };
        let head = captured.len().min(7) as u8
            | u8::from(same_side_continues) << 3
            | u8::from(set.is_some()) << 4
            | u8::from(attackers.is_some()) << 5
            | u8::from(defenders.is_some()) << 6
            | u8::from(has_events && set.is_none()) << 7;
        self.games.push(head);
        if captured.len() >= 7 {
            self.games.push(u8::try_from(captured.len()).expect("a ply captures fewer than 256 pieces"));
        }
        match set {
            Some(set) => self.games.push(set),
            None if has_events => self.games.extend(facts.events.bits().to_le_bytes()),
            None => {}
        }
        self.games.extend(defenders);
        self.games.extend(attackers);
    }

    /// Returns the number of a set of events; `None` if all numbers are taken.
    fn event_set(&mut self, events: Events) -> Option<u8> {
        if let Some(known) = self.event_sets.get(&events) {
            return Some(*known);
        }
        let number = u8::try_from(self.event_sets.len()).ok()?;
        self.event_sets.insert(events, number);
        Some(number)
    }
}
