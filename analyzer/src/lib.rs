//! The analyzer: evaluates, solves, plays, and annotates games of every rule set.
//!
//! An [`Engine`] searches a position and returns its best lines with their scores:
//!
//! ```
//! use tafl_analyzer::engine::Options;
//! use tafl_analyzer::{Engine, Limits};
//! use tafl_rules::{AnyRulebook, Game, catalog};
//!
//! let book = AnyRulebook::compile(&catalog::find("copenhagen").unwrap().rules()).unwrap();
//! let game = Game::new(&book);
//! let mut engine = Engine::new(&book, Options::default());
//! let report = engine.search(&game, &Limits::nodes(1_000)).unwrap();
//! let best = &report.lines[0];
//! println!("{} {}", best.score.for_side(game.to_move()), best.moves[0].text(game.shape()));
//! # assert!(game.check(best.moves[0]).is_ok());
//! ```
//!
//! | module | subject |
//! |---|---|
//! | [`engine`] | the search |
//! | [`annotate`] | expectations, judgements, and accuracy of games; puzzles |
//! | [`solver`] | proofs, certificates, tablebases |
//! | [`play`] | players, matches, self-play, sequential tests |
//! | [`learn`], [`net`] | training of weights and networks |
//! | [`mod@bench`] | the engine's signature and speed |
//!
//! The crate does not know any variant: rules are a [`tafl_rules::RuleSet`], and weights are data.

pub mod annotate;
pub mod bench;
pub mod engine;
mod eval;
mod facts;
mod hash;
pub mod learn;
mod limits;
pub mod net;
pub mod play;
mod position_error;
mod score;
mod setting;
pub mod solver;
mod table;

pub use annotate::{Annotator, Curves, Expectation, Judgement};
pub use engine::{Engine, Identity, Line, Params, SearchReport};
pub use eval::Weights;
pub use limits::{Depth, Limits, Nodes};
pub use position_error::{PositionError, check_position};
pub use score::{Bound, PovScore, Score};
pub use setting::SettingError;
