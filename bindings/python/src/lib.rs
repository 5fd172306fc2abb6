//! The library as a Python module. `python/taflbase` is the package around it, with the types and the documentation.

mod batch;
mod corpus;
mod error;
mod planes;
mod position;
mod records;
mod requests;

use std::sync::OnceLock;

use pyo3::prelude::*;
use taflbase::App;

/// Returns the state that all calls share.
fn app() -> &'static App {
    static APP: OnceLock<App> = OnceLock::new();
    APP.get_or_init(|| App::new().with_rules_files())
}

#[pymodule]
mod _taflbase {
    use super::error::TaflError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch::PyBatch;
    #[pymodule_export]
    use super::corpus::{import_games, report, table};
    #[pymodule_export]
    use super::planes::planes;
    #[pymodule_export]
    use super::position::{PyPosition, PyRules};
    #[pymodule_export]
    use super::records::records;
    #[pymodule_export]
    use super::requests::{picture, request};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("TaflError", module.py().get_type::<TaflError>())
    }
}
