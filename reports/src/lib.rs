//! Documents and pictures: reports on the balance of variants, plots, and boards.
//!
//! From games to a report:
//!
//! ```no_run
//! use tafl_corpus::Corpus;
//! use tafl_reports::document::{Provenance, content};
//! use tafl_reports::measure::{BalanceOptions, Chosen, balance, load};
//!
//! let corpus = Corpus::open("games.corpus".as_ref())?;
//! let games = load(&corpus, Chosen::All)?;
//! let findings = balance(&games, &BalanceOptions::default());
//! let report = content::balance_report(&findings, &content::Mores::new(), Provenance::of("0.1.0"));
//! std::fs::write("balance.html", report.to_html()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From a position to a picture:
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
//!
//! [`board`], [`tree`], [`plot`], and [`document`] write pictures and documents. [`measure`] has the figures
//! of a report as structs, for programs that display them in their own way, and [`stats`] has the mathematics
//! behind them, which is independent of games.

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
