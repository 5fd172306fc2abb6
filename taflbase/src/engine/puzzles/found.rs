//! A puzzle as JSON and as a record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Puzzle, PuzzleTheme, Verification};
use tafl_parser::{
    Format, MainLine, Record, Written, WrittenMove, WrittenResult, WrittenStart, WrittenVerdict, tag,
};
use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet, Span, counted};

/// A puzzle and its origin.
#[derive(Debug, Clone)]
pub struct FoundPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The variant.
    pub variant: String,
    /// The game, such as `games.csv:12`.
    pub game: String,
    /// The ID of the game in the corpus.
    pub number: Option<String>,
    /// The number of plies that were played before.
    pub ply: usize,
    /// The engine that found it.
    pub engine: String,
    /// The limits of the searches.
    pub limits: String,
    pub(super) rules: RuleSet,
    pub(super) book: AnyRulebook,
}

/// A puzzle as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleAnswer {
    /// The version of the answer, 1.
    pub taflbase_puzzle: u32,
    /// The variant.
    pub variant: String,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move, which wins.
    pub side: String,
    /// The key of the position modulo symmetry.
    pub key: String,
    /// The winning line.
    pub solution: Vec<String>,
    /// The number of plies to the win.
    pub plies: u16,
    /// The expectation after the second best move.
    pub second: f64,
    /// The themes of the puzzle.
    pub themes: Vec<String>,
    /// The difficulty.
    pub difficulty: PuzzleDifficulty,
    /// The evidence that the solution is unique.
    pub verified: PuzzleVerification,
    /// The game, such as `games.csv:12`.
    pub game: String,
    /// The ID of the game in the corpus; null for a game of a file.
    pub number: Option<String>,
    /// The number of plies that were played before.
    pub after_ply: usize,
    /// The engine.
    pub engine: String,
    /// The limits of the searches.
    pub limits: String,
}

/// The size of the search that found a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleDifficulty {
    /// The number of positions.
    pub nodes: u64,
    /// The depth, in plies.
    pub depth: u8,
}

/// The evidence that the solution of a puzzle is unique.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleVerification {
    /// `margin` or `solver`.
    pub by: String,
    /// The number of positions of the verifying search.
    pub nodes: Option<u64>,
    /// The number of plies within which the solver proved the win.
    pub within: Option<u16>,
}

impl PuzzleAnswer {
    /// The version of the answers.
    pub const VERSION: u32 = 1;
}

impl FoundPuzzle {
    /// Returns the puzzle as JSON has it.
    pub fn answer(&self) -> PuzzleAnswer {
        let FoundPuzzle { puzzle, .. } = self;
        let (within, nodes) = match puzzle.verified {
            Verification::Margin { nodes } => (None, Some(nodes.0)),
            Verification::Solver { plies } => (Some(plies), None),
        };
        PuzzleAnswer {
            taflbase_puzzle: PuzzleAnswer::VERSION,
            variant: self.variant.clone(),
            rules: self.rules.to_string(),
            position: puzzle.setup.to_string(),
            side: puzzle.side.as_str().to_owned(),
            key: puzzle.key.to_string(),
            solution: self.solution(),
            plies: puzzle.plies,
            second: (puzzle.second * 1e4).round() / 1e4,
            themes: self.themes().into_iter().map(str::to_owned).collect(),
            difficulty: PuzzleDifficulty { nodes: puzzle.difficulty.nodes.0, depth: puzzle.difficulty.depth },
            verified: PuzzleVerification { by: puzzle.verified.as_str().to_owned(), nodes, within },
            game: self.game.clone(),
            number: self.number.clone(),
            after_ply: self.ply,
            engine: self.engine.clone(),
            limits: self.limits.clone(),
        }
    }

    /// Returns the moves of the winning line.
    pub fn solution(&self) -> Vec<String> {
        let shape = self.puzzle.setup.shape();
        self.puzzle.line.iter().map(|mv| mv.display(shape).to_string()).collect()
    }

    /// Returns the names of what the puzzle is about.
    pub fn themes(&self) -> Vec<&'static str> {
        self.puzzle.themes.iter().map(|theme: &PuzzleTheme| theme.as_str()).collect()
    }

    /// Returns the puzzle as a record: its start is the position, its moves are the solution.
    pub fn record(&self) -> Record {
        let FoundPuzzle { puzzle, rules, game, ply, engine, limits, .. } = self;
        let mut record = Record::new(Format::OpenTafl);
        let mut push = |name: &str, value: &str| record.push_tag(name, value, Span::default());
        push(tag::EVENT, &format!("{game} after ply {ply}"));
        push(tag::PUZZLE_MODE, "strict");
        push("themes", &self.themes().join(" "));
        let difficulty = puzzle.difficulty;
        push("difficulty", &format!("{} positions, depth {}", difficulty.nodes.0, difficulty.depth));
        let by = puzzle.verified.as_str();
        push("verified", &format!("{by}; {engine}; {limits}; second best {:.3}", puzzle.second));
        let plies = counted(puzzle.plies.into(), "ply", "plies");
        let comment = format!("The {} win in {plies} with one move.", puzzle.side);
        push(tag::START_COMMENT, &comment);
        // The rules name the side to move; nothing else about them changes.
        let own = RuleSet { first_mover: puzzle.side, start: puzzle.setup.clone(), ..rules.clone() };
        record.rules = Some(Written { text: own.to_string().into(), span: Span::default() });
        record.start = Some(WrittenStart { setup: puzzle.setup.clone(), span: Span::default() });
        self.add_moves(&mut record);
        record
    }

    fn add_moves(&self, record: &mut Record) {
        let FoundPuzzle { puzzle, book, .. } = self;
        let start = Game::from_setup(book, &puzzle.setup, puzzle.side, RepetitionMode::Enforce);
        let Ok(mut game) = start else { return };
        let shape = game.shape();
        let mut line = MainLine::default();
        let mut goes_on = false;
        for mv in &puzzle.line {
            let Ok(ply) = game.play(*mv) else { break };
            let written = record.played_move(*mv, ply.captured.iter(), shape);
            line.moves.push(WrittenMove { chained: goes_on, ..written });
            goes_on = ply.goes_on;
        }
        *record.main_mut() = line;
        if let Some(outcome) = game.outcome() {
            let verdict = outcome.winner.map_or(WrittenVerdict::Draw, WrittenVerdict::Win);
            record.result =
                Some(WrittenResult { verdict, reason: Some(outcome.reason), span: Span::default() });
        }
    }
}
