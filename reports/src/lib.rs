//! Answers as documents and pictures.
//!
//! ```
//! use tafl_reports::board::{BoardPicture, Ink};
//! use tafl_rules::RuleSet;
//!
//! let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
//! let picture = BoardPicture::of(&rules);
//! assert!(picture.to_text(Ink::Plain).starts_with(" 7 # . . t . . #\n"));
//! assert!(picture.to_svg().starts_with("<svg "));
//! ```

pub mod board;
#[cfg(feature = "database")]
pub mod document;
pub mod markup;
#[cfg(feature = "database")]
pub mod measure;
pub mod plot;
pub mod stats;
pub mod tree;

pub use board::BoardPicture;
