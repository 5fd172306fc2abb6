//! Heat maps: where pieces are captured, where the king is and goes, and where moves start.
//!
//! Games are read from the move log of the corpus and are not replayed by the rules.

use std::collections::HashMap;

use tafl_corpus::{
    CancelCheck, CellContent, Corpus, GameAt, MoveLog, MoveLogError, PlyState, ReplayCursor, Result, RulesId,
};
use tafl_rules::{Cell, Piece, Role, RuleSet, Shape, Side, Symmetry, rules_symmetries};

/// The number of games between two checks for cancellation.
const GAMES_PER_CHECK: usize = 256;

/// The events that a heat map counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeatMapKind {
    /// Captures of attackers, on the cell of the captured piece.
    AttackersCaptured,
    /// Captures of defenders, on the cell of the captured piece.
    DefendersCaptured,
    /// Positions after a ply, on the cell of the defenders' king.
    King,
    /// Moves of the defenders' king, on the cell where they end.
    KingMoves,
    /// Moves of the attackers, on the cell from which the piece comes.
    AttackersMoves,
    /// Moves of the defenders, on the cell from which the piece comes.
    DefendersMoves,
}

impl HeatMapKind {
    /// Every kind.
    pub const ALL: [HeatMapKind; 6] = [
        HeatMapKind::AttackersCaptured,
        HeatMapKind::DefendersCaptured,
        HeatMapKind::King,
        HeatMapKind::KingMoves,
        HeatMapKind::AttackersMoves,
        HeatMapKind::DefendersMoves,
    ];

    /// Returns the name, which never changes.
    pub const fn as_str(self) -> &'static str {
        match self {
            HeatMapKind::AttackersCaptured => "attackers-captured",
            HeatMapKind::DefendersCaptured => "defenders-captured",
            HeatMapKind::King => "king",
            HeatMapKind::KingMoves => "king-moves",
            HeatMapKind::AttackersMoves => "attackers-moves",
            HeatMapKind::DefendersMoves => "defenders-moves",
        }
    }

    /// Returns the title of the map.
    pub const fn title(self) -> &'static str {
        match self {
            HeatMapKind::AttackersCaptured => "Where attackers are captured",
            HeatMapKind::DefendersCaptured => "Where defenders are captured",
            HeatMapKind::King => "Where the king is",
            HeatMapKind::KingMoves => "Where the king's moves end",
            HeatMapKind::AttackersMoves => "Where the attackers' moves start",
            HeatMapKind::DefendersMoves => "Where the defenders' moves start",
        }
    }

    /// Returns the name of the events, in the plural.
    pub const fn events(self) -> &'static str {
        match self {
            HeatMapKind::AttackersCaptured | HeatMapKind::DefendersCaptured => "captured pieces",
            HeatMapKind::King => "positions",
            HeatMapKind::KingMoves => "moves of the king",
            HeatMapKind::AttackersMoves | HeatMapKind::DefendersMoves => "moves",
        }
    }
}

/// The heat maps of the games of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMaps {
    /// The board.
    pub shape: Shape,
    /// The number of games.
    pub games: u64,
    /// The number of plies of these games.
    pub plies: u64,
    /// The number of symmetries over which cells are averaged, including the identity.
    pub symmetries: usize,
    /// The maps, one of each kind.
    pub maps: Vec<HeatMap>,
}

/// The number of events on each cell.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// The kind of events.
    pub kind: HeatMapKind,
    /// The number of all events.
    pub total: u64,
    /// The number of events on each cell and on the cells that are symmetric to it.
    pub counts: Vec<u64>,
    /// The proportion of events on each cell, averaged over symmetric cells; empty without events.
    pub proportions: Vec<f64>,
}

/// Counts the events of games. Symmetric cells are counted together.
pub(super) struct HeatMapCounter {
    shape: Shape,
    /// The smallest symmetric cell of each cell.
    folded: Vec<Cell>,
    n_symmetries: usize,
    /// The number of events of each kind on the smallest symmetric cells.
    counts: [Vec<u64>; HeatMapKind::ALL.len()],
    games: u64,
    plies: u64,
    /// The cell of the defenders' king in the current game, even after its capture.
    king: Option<Cell>,
}

impl HeatMapCounter {
    pub(super) fn new(shape: Shape, symmetries: &[Symmetry]) -> HeatMapCounter {
        let smallest =
            |cell: Cell| symmetries.iter().map(|symmetry| symmetry.image(cell)).min().unwrap_or(cell);
        HeatMapCounter {
            shape,
            folded: shape.cells().map(smallest).collect(),
            n_symmetries: symmetries.len(),
            counts: std::array::from_fn(|_| vec![0; shape.n_cells()]),
            games: 0,
            plies: 0,
            king: None,
        }
    }

    /// Begins a game. If its start has several kings of the defenders, the first one counts.
    pub(super) fn begin(&mut self, state: &PlyState) {
        self.games += 1;
        self.king = state.board().iter().position(|content| *content == king()).map(Cell::new);
    }

    /// Counts the last ply of a state.
    pub(super) fn ply(&mut self, state: &PlyState) {
        let Some(mv) = state.last else { return };
        self.plies += 1;
        let mover = state.at(mv.to).piece().map_or(state.to_move.other(), |piece| piece.side);
        let (captured, moves) = match mover {
            Side::Attackers => (HeatMapKind::DefendersCaptured, HeatMapKind::AttackersMoves),
            Side::Defenders => (HeatMapKind::AttackersCaptured, HeatMapKind::DefendersMoves),
        };
        self.count(moves, mv.from);
        state.captured.iter().for_each(|cell| self.count(captured, *cell));
        // A king that is not royal can be captured, and the game goes on: another piece may move from his cell.
        self.king = self.king.filter(|king| !state.captured.contains(king));
        if self.king == Some(mv.from) {
            self.king = Some(mv.to);
            self.count(HeatMapKind::KingMoves, mv.to);
        }
        if let Some(cell) = self.king {
            self.count(HeatMapKind::King, cell);
        }
    }

    fn count(&mut self, kind: HeatMapKind, cell: Cell) {
        self.counts[kind as usize][self.folded[cell.index()].index()] += 1;
    }

    /// Returns the cell of the defenders' king in the current game, until he is captured.
    pub(super) fn king(&self) -> Option<Cell> {
        self.king
    }

    /// Returns the number of plies of all games.
    pub(super) fn n_plies(&self) -> u64 {
        self.plies
    }

    /// Returns the smallest of the cells that are symmetric to a cell.
    pub(super) fn smallest_symmetric(&self, cell: Cell) -> Cell {
        self.folded[cell.index()]
    }

    /// Returns the cells that are symmetric to the smallest one.
    pub(super) fn symmetric_to(&self, smallest: Cell) -> Vec<Cell> {
        self.shape.cells().filter(|other| self.folded[other.index()] == smallest).collect()
    }

    /// Returns the proportion of the events of some kinds on each cell, averaged over symmetric cells; empty without events.
    pub(super) fn proportions(&self, kinds: &[HeatMapKind]) -> Vec<f64> {
        let count = |cell: Cell| -> u64 {
            kinds.iter().map(|kind| self.counts[*kind as usize][self.smallest_symmetric(cell).index()]).sum()
        };
        let all: u64 = kinds.iter().flat_map(|kind| &self.counts[*kind as usize]).sum();
        if all == 0 {
            return Vec::new();
        }
        let mut n_symmetric = vec![0_u32; self.folded.len()];
        self.folded.iter().for_each(|smallest| n_symmetric[smallest.index()] += 1);
        let proportion = |cell: Cell| {
            count(cell) as f64 / all as f64 / f64::from(n_symmetric[self.smallest_symmetric(cell).index()])
        };
        self.shape.cells().map(proportion).collect()
    }

    fn maps(self) -> HeatMaps {
        let map = |kind: HeatMapKind| {
            let counts = &self.counts[kind as usize];
            HeatMap {
                kind,
                total: counts.iter().sum(),
                counts: self.folded.iter().map(|smallest| counts[smallest.index()]).collect(),
                proportions: self.proportions(&[kind]),
            }
        };
        HeatMaps {
            shape: self.shape,
            games: self.games,
            plies: self.plies,
            symmetries: self.n_symmetries,
            maps: HeatMapKind::ALL.map(map).into(),
        }
    }
}

/// Returns a cell with the defenders' king.
fn king() -> CellContent {
    CellContent::of(Some(Piece::new(Side::Defenders, Role::King)))
}

/// Counts the events of those of the given games that have these rules and their start. Unless `is_oriented`, cells are
/// averaged over the symmetries of the rules.
///
/// # Errors
///
/// Returns the path of a damaged move log, or an error if the work was canceled.
///
/// # Examples
///
/// ```
/// use tafl_corpus::{CancelCheck, Corpus};
/// use tafl_reports::{HeatMapKind, heat_maps};
/// # use tafl_corpus::{CorpusError, GeneratedGame, Ingest, IngestOptions, Preparer};
/// # use tafl_parser::RuleChoice;
/// # use tafl_rules::{Game, catalog};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.corpus");
/// # let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
/// # let mv = Game::new(&rules.chosen().book).moves()[0];
/// # let tags = [("attackers", "sven77"), ("defenders", "Ann")];
/// # let made = GeneratedGame { rules: &rules, moves: &[mv], outcome: None, tags: &tags };
/// # let mut ingest = Ingest::begin(&path, &IngestOptions::default())?;
/// # ingest.add_game(Preparer::default().prepare_generated(&made).unwrap())?;
/// # ingest.finish()?;
/// let rules = catalog::find("brandubh7").unwrap().rules();
/// let corpus = Corpus::open(&path)?;
/// let found = heat_maps(&corpus, &rules, false, corpus.games(), CancelCheck::NEVER)?;
/// let map = &found.maps[HeatMapKind::AttackersMoves as usize];
/// assert_eq!((found.games, found.plies, map.total), (1, 1, 1));
/// # Ok::<(), CorpusError>(())
/// ```
pub fn heat_maps(
    corpus: &Corpus,
    rules: &RuleSet,
    is_oriented: bool,
    games: impl IntoIterator<Item = GameAt>,
    cancel: CancelCheck<'_>,
) -> Result<HeatMaps> {
    let symmetries = rules_symmetries(rules);
    // The identity is the first symmetry.
    let symmetries = if is_oriented { &symmetries[..symmetries.len().min(1)] } else { &symmetries[..] };
    let mut counter = HeatMapCounter::new(rules.shape(), symmetries);
    let mut own_setups: HashMap<usize, Vec<bool>> = HashMap::new();
    for (nth, at) in games.into_iter().enumerate() {
        if nth % GAMES_PER_CHECK == 0 {
            cancel.check()?;
        }
        let Some(segment) = corpus.segments().get(at.segment) else { continue };
        let move_log = segment.move_log()?;
        let is_own = own_setups.entry(at.segment).or_insert_with(|| setups_of(move_log, rules));
        if !is_own[usize::from(move_log.entry(at.row).game_setup)] {
            continue;
        }
        let mut play = || count_game(&mut counter, &mut move_log.cursor(at.row)?);
        play().map_err(|error| segment.move_log_error(error))?;
    }
    Ok(counter.maps())
}

fn count_game(
    counter: &mut HeatMapCounter,
    cursor: &mut ReplayCursor<'_>,
) -> std::result::Result<(), MoveLogError> {
    counter.begin(cursor.state());
    while cursor.advance()? {
        counter.ply(cursor.state());
    }
    Ok(())
}

/// Returns for each setup of a move log whether it has these rules, whatever their name, and their start.
fn setups_of(move_log: &MoveLog, rules: &RuleSet) -> Vec<bool> {
    let (own, start) = (RulesId::of(rules), rules.start.to_string());
    let setups = move_log.game_setups().iter();
    setups
        .map(|setup| {
            let has_rules = |other: RuleSet| RulesId::of(&other) == own;
            setup.start == start && setup.rules.parse::<RuleSet>().is_ok_and(has_rules)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tafl_corpus::{GameResult, GameSetup, MoveLog, MoveLogWriter};
    use tafl_rules::{BySide, Events, Facts, Move};

    use super::*;

    /// Returns the log of a game without chains. The captures are those that are written.
    fn log_of(rules: &RuleSet, moves: &[&str]) -> MoveLog {
        let facts = Facts { events: Events::default(), kings: BySide::default() };
        let setup =
            GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
        let shape = rules.shape();
        let mut writer = MoveLogWriter::default();
        writer.begin(&setup, shape, &facts);
        for text in moves {
            let (mv, captured) = text.split_once('x').unwrap_or((text, ""));
            let captured: Vec<Cell> = shape.cells().filter(|cell| shape.name(*cell) == captured).collect();
            writer.ply(Move::parse(mv, shape).unwrap(), &captured, false, &facts);
        }
        writer.end(GameResult::Unfinished);
        MoveLog::from_bytes(writer.finish()).unwrap()
    }

    #[test]
    fn the_cell_of_a_captured_king_is_a_cell_like_others() {
        let rules = RuleSet::named("brandubh7").unwrap();
        let log =
            log_of(&rules, &["d2-c2", "d3-c3", "d1-d2", "d4-d3", "d2-d1xd3", "c3-d3", "c2-c1", "d3-d2"]);
        let symmetries = rules_symmetries(&rules);
        let mut counter = HeatMapCounter::new(rules.shape(), &symmetries);
        count_game(&mut counter, &mut log.cursor(0).unwrap()).unwrap();
        let maps = counter.maps().maps;
        let total = |kind: HeatMapKind| maps[kind as usize].total;
        assert_eq!((total(HeatMapKind::KingMoves), total(HeatMapKind::King)), (1, 4));
        assert_eq!((total(HeatMapKind::DefendersMoves), total(HeatMapKind::DefendersCaptured)), (4, 1));
    }

    #[test]
    fn events_are_counted_on_symmetric_cells() {
        let rules = RuleSet::named("brandubh7").unwrap();
        let log = log_of(&rules, &["d2-c2", "d3-a3", "d1-d2"]);
        let count = |symmetries: &[Symmetry]| {
            let mut counter = HeatMapCounter::new(rules.shape(), symmetries);
            count_game(&mut counter, &mut log.cursor(0).unwrap()).unwrap();
            counter.maps()
        };
        let shape = rules.shape();
        let at = |name: &str| shape.cells().position(|cell| shape.name(cell) == name).unwrap();
        let all = rules_symmetries(&rules);
        let maps = count(&all);
        assert_eq!((maps.games, maps.plies, maps.symmetries), (1, 3, 8));
        let moves = &maps.maps[HeatMapKind::AttackersMoves as usize];
        // The attackers moved from d2 and d1, which have 4 symmetric cells each.
        assert_eq!((moves.total, moves.counts[at("d2")], moves.counts[at("f4")]), (2, 1, 1));
        assert!((moves.proportions[at("d1")] - 0.125).abs() < 1e-12);
        assert!((moves.proportions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let king = &maps.maps[HeatMapKind::King as usize];
        assert_eq!((king.total, king.counts[at("d4")]), (3, 3));
        assert!(maps.maps[HeatMapKind::KingMoves as usize].proportions.is_empty());
        let oriented = count(&all[..1]);
        let moves = &oriented.maps[HeatMapKind::DefendersMoves as usize];
        assert_eq!((moves.counts[at("d3")], moves.counts[at("e4")]), (1, 0));
    }
}
