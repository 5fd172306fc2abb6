//! The JSON API: a file for each subject, with its routes.

pub mod analysis;
pub mod info;
pub mod position;
