//! Rules, and positions of games in progress.

use std::sync::Arc;

use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use taflbase::engine::EvalRequest;
use taflbase::rules::{Cell, Game, Move};
use taflbase::{
    CompiledVariant, DECLINE, Error, ErrorKind, Job, MoveRequest, PositionRequest, RulesRequest, SideName,
    json_text, play_moves, read_parameters,
};

use crate::app;
use crate::error::to_python;

/// Rules, named by a variant or a rules string.
#[pyclass(frozen, name = "Rules", module = "taflbase")]
#[derive(Clone)]
pub(crate) struct PyRules(pub(crate) Arc<CompiledVariant>);

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (variant, rule = Vec::new()))]
    pub(crate) fn new(py: Python<'_>, variant: String, rule: Vec<String>) -> PyResult<PyRules> {
        let request = RulesRequest { variant: Some(variant), rule };
        request.require(app()).map(PyRules).map_err(|error| to_python(py, error))
    }

    /// The name of the variant, if the rules have one. Changed rules and rules strings have none.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.variant.catalog_name()
    }

    /// The title of the variant, or else the label of the rules.
    #[getter]
    fn title(&self) -> String {
        self.0.variant.title()
    }

    /// The rules string.
    #[getter]
    fn text(&self) -> String {
        self.0.variant.rules.to_string()
    }

    /// The names of the cells, in the order of their numbers.
    #[getter]
    fn cells(&self) -> Vec<String> {
        let shape = self.0.book.shape();
        shape.cells().map(|cell| shape.name(cell)).collect()
    }

    /// The start.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition { rules: Arc::clone(&self.0), game: Game::new(&self.0.book) }
    }

    /// Returns a position: a position record, the side to move, and the moves played from there.
    #[pyo3(signature = (position = None, side = None, moves = None))]
    fn position(
        &self,
        py: Python<'_>,
        position: Option<String>,
        side: Option<&str>,
        moves: Option<String>,
    ) -> PyResult<PyPosition> {
        self.read(position, side, moves).map_err(|error| to_python(py, error))
    }

    fn __repr__(&self) -> String {
        format!("Rules({:?})", self.argument())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyRules>().is_ok_and(|other| other.get().0.variant.rules == self.0.variant.rules)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.text().hash(&mut hasher);
        hasher.finish()
    }
}

impl PyRules {
    /// Returns the text that names these rules: the name of the variant, or else the rules string.
    fn argument(&self) -> String {
        self.name().map_or_else(|| self.text(), ToOwned::to_owned)
    }

    fn read(
        &self,
        position: Option<String>,
        side: Option<&str>,
        moves: Option<String>,
    ) -> taflbase::Result<PyPosition> {
        let side = side.map(|side| {
            side.parse::<taflbase::rules::Side>()
                .map(SideName::from)
                .map_err(|_| Error::parameter("side", "expected `attackers` or `defenders`"))
        });
        let rules = RulesRequest::of(self.argument());
        let request = PositionRequest { rules, position, side: side.transpose()?, moves };
        let played = request.enforce(app())?;
        Ok(PyPosition { rules: played.rules, game: played.game })
    }
}

/// A position of a game in progress, which doesn't change.
#[pyclass(frozen, name = "Position", module = "taflbase")]
#[derive(Clone)]
pub(crate) struct PyPosition {
    pub(crate) rules: Arc<CompiledVariant>,
    pub(crate) game: Game,
}

#[pymethods]
impl PyPosition {
    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(Arc::clone(&self.rules))
    }

    /// The position record.
    #[getter]
    fn record(&self) -> String {
        self.game.setup().to_string()
    }

    /// The side to move: `attackers` or `defenders`.
    #[getter]
    fn to_move(&self) -> &'static str {
        self.game.to_move().as_str()
    }

    /// The number of plies that were played.
    #[getter]
    fn n_plies(&self) -> u32 {
        self.game.n_plies()
    }

    /// The winner (`attackers`, `defenders`, or `draw`) and the reason, if the game has ended.
    #[getter]
    fn outcome(&self) -> Option<(&'static str, &'static str)> {
        self.game.outcome().map(|outcome| (outcome.winner_name(), outcome.reason.as_str()))
    }

    /// The canonical key: equal for positions that are mirror images of each other.
    #[getter]
    fn key(&self) -> u64 {
        self.game.canonical_key().0.0
    }

    /// Returns the piece on a cell as the letter of position records, or None.
    fn piece(&self, py: Python<'_>, cell: &str) -> PyResult<Option<String>> {
        let shape = self.game.shape();
        let found = shape.cells().find(|one| shape.name(*one) == cell);
        let Some(found) = found else {
            let error = Error::new(ErrorKind::BadPosition, format!("the board has no cell `{cell}`"));
            return Err(to_python(py, error));
        };
        Ok(self.game.piece(found).map(|piece| piece.letter().to_string()))
    }

    /// Returns the legal moves, such as `d1-d3`; none after the end of the game.
    fn legal_moves(&self) -> Vec<String> {
        let shape = self.game.shape();
        self.moves().iter().map(|mv| mv.display(shape).to_string()).collect()
    }

    /// Returns the legal moves as actions: `from * n_cells + to`, with numbers of cells.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let n_cells = self.game.shape().n_cells();
        let actions: Vec<i32> = self.moves().iter().map(|mv| action(*mv, n_cells)).collect();
        actions.to_pyarray(py)
    }

    /// Returns the position after a move. `decline` declines to continue a chain.
    fn play(&self, py: Python<'_>, r#move: &str) -> PyResult<PyPosition> {
        let bad = |message: String| to_python(py, Error::new(ErrorKind::IllegalMove, message));
        if r#move == DECLINE {
            let mut game = self.game.clone();
            play_moves(&mut game, r#move).map_err(|error| to_python(py, error))?;
            return Ok(PyPosition { rules: Arc::clone(&self.rules), game });
        }
        let mv = self.game.parse_move(r#move).map_err(|error| bad(error.to_string()))?;
        self.after(mv).map_err(|words| bad(format!("{move}: {words}", move = r#move)))
    }

    /// Returns the position after an action.
    fn act(&self, py: Python<'_>, action: i32) -> PyResult<PyPosition> {
        let mv = self.action_move(action)?;
        self.after(mv).map_err(|words| to_python(py, Error::new(ErrorKind::IllegalMove, words)))
    }

    /// Returns the action of a move, such as `d1-d3`, which need not be legal.
    fn action_of(&self, py: Python<'_>, r#move: &str) -> PyResult<i32> {
        let mv = self.game.parse_move(r#move);
        let mv = mv.map_err(|error| to_python(py, Error::new(ErrorKind::IllegalMove, error.to_string())))?;
        Ok(action(mv, self.game.shape().n_cells()))
    }

    /// Returns the move of an action, such as `d1-d3`.
    fn move_of(&self, action: i32) -> PyResult<String> {
        Ok(self.action_move(action)?.display(self.game.shape()).to_string())
    }

    /// Explains a move, and returns the answer of `tafl move` as JSON.
    fn _explain(&self, py: Python<'_>, r#move: String) -> PyResult<String> {
        let request = MoveRequest { mv: r#move, explain: true, ..MoveRequest::default() };
        let answer = request.play(self.game.clone()).map(|answer| json_text(&answer));
        answer.map_err(|error| to_python(py, error))
    }

    /// Evaluates the position, and returns the answer of `tafl eval` as JSON. The parameters are its limits, as a JSON object.
    fn _evaluate(&self, py: Python<'_>, parameters: &str) -> PyResult<String> {
        let evaluate = || {
            let request: EvalRequest = read_parameters(parameters)?;
            let game = self.game.clone();
            let found = request.evaluate_game(&self.rules.variant, game, &Job::default())?;
            Ok(json_text(&found.answer()))
        };
        py.detach(evaluate).map_err(|error| to_python(py, error))
    }

    fn __str__(&self) -> String {
        self.game.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, {:?}, {:?})", self.rules().argument(), self.record(), self.to_move())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPosition>().is_ok_and(|other| {
            let (one, other) = (&self.game, &other.get().game);
            let state = |game: &Game| (game.setup(), game.to_move(), game.chain());
            one.rules() == other.rules() && state(one) == state(other)
        })
    }

    fn __hash__(&self) -> u64 {
        self.game.key().0
    }
}

impl PyPosition {
    fn moves(&self) -> Vec<Move> {
        if self.game.outcome().is_some() { Vec::new() } else { self.game.moves() }
    }

    fn after(&self, mv: Move) -> Result<PyPosition, String> {
        let mut game = self.game.clone();
        game.play(mv).map_err(|why| why.describe(self.game.shape(), mv))?;
        Ok(PyPosition { rules: Arc::clone(&self.rules), game })
    }

    fn action_move(&self, action: i32) -> PyResult<Move> {
        let found = move_of_action(action.into(), self.game.shape().n_cells());
        found.map_err(PyIndexError::new_err)
    }
}

/// Returns the move of an action, which need not be legal, or the reason why no move has it.
pub(crate) fn move_of_action(action: i64, n_cells: usize) -> Result<Move, String> {
    let number = usize::try_from(action).ok().filter(|number| *number < n_cells * n_cells);
    let number = number
        .ok_or_else(|| format!("action {action}: expected a number from 0 to {}", n_cells * n_cells - 1))?;
    Ok(Move { from: Cell::new(number / n_cells), to: Cell::new(number % n_cells) })
}

/// Returns the action of a move: `from * n_cells + to`, with numbers of cells.
pub(crate) fn action(mv: Move, n_cells: usize) -> i32 {
    (mv.from.index() * n_cells + mv.to.index()) as i32
}
