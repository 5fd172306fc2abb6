//! Actions as Python gives them: lists, tuples, and arrays of any integer type.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Reads one action for each game.
pub(super) fn read(actions: &Bound<'_, PyAny>, n_games: usize) -> PyResult<Vec<i64>> {
    // The type of `sample`, which needs no conversion.
    if let Ok(array) = actions.cast::<PyArray1<i32>>() {
        let array = array.readonly();
        let actions: Vec<i64> = array.as_array().iter().map(|action| i64::from(*action)).collect();
        return of_games(actions, n_games);
    }
    let numpy = actions.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?.cast_into::<PyUntypedArray>()?;
    // An empty list is an array of floats.
    if !matches!(array.dtype().kind(), b'i' | b'u') && !array.is_empty() {
        let kind = array.dtype().str()?;
        return Err(PyTypeError::new_err(format!("the actions are of the type {kind}; expected integers")));
    }
    if array.ndim() != 1 {
        let shape = format!("{:?}", array.shape());
        return Err(PyValueError::new_err(format!(
            "the actions have the shape {shape}; expected one for each of {n_games} games"
        )));
    }
    let array = numpy.call_method1("asarray", (array, "int64"))?.cast_into::<PyArray1<i64>>()?;
    of_games(array.readonly().as_array().to_vec(), n_games)
}

fn of_games(actions: Vec<i64>, n_games: usize) -> PyResult<Vec<i64>> {
    if actions.len() == n_games {
        return Ok(actions);
    }
    let message = format!("there are {} actions; expected one for each of {n_games} games", actions.len());
    Err(PyValueError::new_err(message))
}
