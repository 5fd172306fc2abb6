//! Many games of one variant at the same time, as arrays: for learning, which needs hundreds of thousands of positions a second.

mod actions;

use std::sync::Arc;

use numpy::ndarray::{Array1, Array2, Array4, Axis};
use numpy::{PyArray1, PyArray2, PyArray4};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use taflbase::rules::{Game, Move, Rng, Side};
use taflbase::{CompiledVariant, Error, ErrorKind};

use crate::error::to_python;
use crate::planes::{PLANES, fill, plane_shape};
use crate::position::{PyPosition, PyRules, action, move_of_action};

/// The maximum number of games. A game takes about a kilobyte, and systems that overcommit memory grant a reservation of any size.
const MAX_GAMES: usize = 1_000_000;

/// Games of one variant, which are played at the same time. A game ends by the rules, or after a number of plies.
#[pyclass(name = "Batch", module = "taflbase")]
pub(crate) struct PyBatch {
    rules: Arc<CompiledVariant>,
    games: Vec<Game>,
    max_plies: u32,
    rng: Rng,
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (variant, count, max_plies = 512, seed = 0))]
    fn new(variant: &Bound<'_, PyAny>, count: i64, max_plies: u32, seed: u64) -> PyResult<PyBatch> {
        let rules = rules_of(variant)?;
        let count = usize::try_from(count).ok().filter(|count| *count <= MAX_GAMES).ok_or_else(|| {
            PyValueError::new_err(format!("count is {count}; expected 0 to {MAX_GAMES} games"))
        })?;
        let mut games = Vec::new();
        games
            .try_reserve_exact(count)
            .map_err(|_| PyMemoryError::new_err(format!("not enough memory for {count} games")))?;
        games.resize(count, Game::new(&rules.book));
        Ok(PyBatch { rules, games, max_plies, rng: Rng::new(seed) })
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Returns the position of a game.
    fn position(&self, number: usize) -> PyResult<PyPosition> {
        let game = self.games.get(number).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no game {number}; the batch has {}", self.games.len()))
        })?;
        Ok(PyPosition { rules: Arc::clone(&self.rules), game: game.clone() })
    }

    /// Starts all games again.
    fn reset(&mut self) {
        self.games.iter_mut().for_each(Game::restart);
    }

    /// Plays an action in each game, or none if one of them is illegal. The actions are a list or an array of integers. A game
    /// that is over ignores its action, or starts again.
    #[pyo3(signature = (actions, restart = false))]
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>, restart: bool) -> PyResult<()> {
        let actions = actions::read(actions, self.games.len())?;
        py.detach(|| self.play(&actions, restart)).map_err(|error| to_python(py, error))
    }

    /// Returns a random legal action of each game; 0 for games that are over.
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let sampled = py.detach(|| {
            let (max_plies, rng) = (self.max_plies, &mut self.rng);
            let choose = |game: &Game| match legal(game, max_plies) {
                moves if moves.is_empty() => 0,
                moves => action(moves[rng.below(moves.len())], game.shape().n_cells()),
            };
            self.games.iter().map(choose).collect::<Vec<i32>>()
        });
        PyArray1::from_vec(py, sampled)
    }

    /// Returns the observations, as `planes` does.
    fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray4<u8>> {
        let all = py.detach(|| {
            let (n_ranks, n_files) = plane_shape(self.rules.book.shape());
            let mut all = Array4::<u8>::zeros([self.games.len(), PLANES, n_ranks, n_files]);
            for (game, planes) in self.games.iter().zip(all.axis_iter_mut(Axis(0))) {
                fill(game, planes);
            }
            all
        });
        PyArray4::from_owned_array(py, all)
    }

    /// Returns which actions are legal: one row for each game, without any for games that are over.
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        let all = py.detach(|| {
            let n_cells = self.rules.book.shape().n_cells();
            let mut all = Array2::from_elem([self.games.len(), n_cells * n_cells], false);
            for (game, mut row) in self.games.iter().zip(all.axis_iter_mut(Axis(0))) {
                for mv in legal(game, self.max_plies) {
                    row[action(mv, n_cells) as usize] = true;
                }
            }
            all
        });
        PyArray2::from_owned_array(py, all)
    }

    /// Returns the player to move in each game: 0 for the attackers, and 1 for the defenders.
    fn current_player<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let player = |game: &Game| i32::from(game.to_move() == Side::Defenders);
        PyArray1::from_iter(py, self.games.iter().map(player))
    }

    /// Returns the number of plies of each game.
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        PyArray1::from_iter(py, self.games.iter().map(|game| game.n_plies() as i32))
    }

    /// Returns which games have ended by the rules.
    fn terminated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, self.games.iter().map(|game| game.outcome().is_some()))
    }

    /// Returns which games have not ended by the rules, but have the maximum number of plies.
    fn truncated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let is_cut = |game: &Game| game.outcome().is_none() && game.n_plies() >= self.max_plies;
        PyArray1::from_iter(py, self.games.iter().map(is_cut))
    }

    /// Returns the results: for each game, 1 for the player who won, -1 for the other, and 0 otherwise.
    fn returns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        let mut all = Array2::<f32>::zeros([self.games.len(), 2]);
        for (game, mut row) in self.games.iter().zip(all.axis_iter_mut(Axis(0))) {
            let result = match game.outcome().and_then(|outcome| outcome.winner) {
                Some(Side::Attackers) => 1.0,
                Some(Side::Defenders) => -1.0,
                None => 0.0,
            };
            row.assign(&Array1::from_vec(vec![result, -result]));
        }
        PyArray2::from_owned_array(py, all)
    }
}

impl PyBatch {
    /// Plays all actions, or none if one of them is illegal.
    fn play(&mut self, actions: &[i64], restart: bool) -> Result<(), Error> {
        let mut moves = Vec::with_capacity(actions.len());
        for (number, (game, action)) in self.games.iter().zip(actions).enumerate() {
            moves.push(if is_over(game, self.max_plies) {
                None
            } else {
                let bad =
                    |words: String| Error::new(ErrorKind::IllegalMove, format!("game {number}: {words}"));
                Some(checked_move(game, *action).map_err(bad)?)
            });
        }
        for (game, mv) in self.games.iter_mut().zip(moves) {
            match mv {
                Some(mv) => _ = game.play(mv).expect("the move was checked"),
                None if restart => game.restart(),
                None => {}
            }
        }
        Ok(())
    }
}

/// Returns the move of an action, or the reason why it is not legal.
fn checked_move(game: &Game, action: i64) -> Result<Move, String> {
    let shape = game.shape();
    let mv = move_of_action(action, shape.n_cells())?;
    match game.check(mv) {
        Ok(()) => Ok(mv),
        Err(why) => Err(format!("action {action}: {}", why.describe(shape, mv))),
    }
}

/// Returns the rules that an argument names or is.
fn rules_of(variant: &Bound<'_, PyAny>) -> PyResult<Arc<CompiledVariant>> {
    if let Ok(rules) = variant.cast::<PyRules>() {
        return Ok(Arc::clone(&rules.get().0));
    }
    let Ok(name) = variant.extract::<String>() else {
        let message = format!(
            "variant is a {}; expected the name of one variant, a rules string, or Rules",
            variant.get_type().name()?
        );
        return Err(PyTypeError::new_err(message));
    };
    PyRules::new(variant.py(), name, Vec::new()).map(|rules| rules.0)
}

fn is_over(game: &Game, max_plies: u32) -> bool {
    game.outcome().is_some() || game.n_plies() >= max_plies
}

fn legal(game: &Game, max_plies: u32) -> Vec<Move> {
    if is_over(game, max_plies) { Vec::new() } else { game.moves() }
}
