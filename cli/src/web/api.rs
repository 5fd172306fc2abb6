//! The routes of the JSON API: those of the server, and those about games, a file for each subject.

pub(crate) mod annotation;
pub(crate) mod explore;
pub(crate) mod game;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod upload;

use tafl_web::RouteTable;
use tafl_web::api::{analysis, info, position};

/// The routes of all subjects, in the order of the documentation.
pub(crate) const ROUTES: RouteTable = &[
    info::ROUTES,
    position::ROUTES,
    explore::ROUTES,
    search::ROUTES,
    game::ROUTES,
    analysis::ROUTES,
    annotation::ROUTES,
    report::ROUTES,
    upload::ROUTES,
];
