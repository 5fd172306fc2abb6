//! The analyzer: evaluates, solves, plays, and annotates games of every rule set.
//!
//! An [`Engine`] searches a position and returns its best lines with their scores:
//!
//! ```
//! use tafl_analyzer::{Engine, Limits, SearchOptions};
//! use tafl_rules::{AnyRulebook, Game, catalog};
//!
//! let book = AnyRulebook::compile(&catalog::find("copenhagen").unwrap().rules()).unwrap();
//! let game = Game::new(&book);
//! let mut engine = Engine::new(&book, SearchOptions::default());
//! let report = engine.search(&game, &Limits::nodes(1_000)).unwrap();
//! let best = &report.lines[0];
//! println!("{} {}", best.score.for_side(game.to_move()), best.moves[0].display(game.shape()));
//! # assert!(game.check(best.moves[0]).is_ok());
//! ```
//!
//! | begin with | subject |
//! |---|---|
//! | [`Engine`] | the search |
//! | [`Annotator`], [`find_puzzle`] | expectations, judgements, and accuracy of games; puzzles |
//! | [`solve`], [`Certificate`], [`Tablebases`] | proofs, certificates, tablebases |
//! | [`play_game`], [`SelfPlay`], [`Sprt`] | players, matches, self-play, sequential tests |
//! | [`tune`], [`train`], [`Network`] | training of weights and networks |
//! | [`run_bench`] | the engine's signature and speed |
//!
//! The crate does not know any variant: rules are a [`tafl_rules::RuleSet`], and weights are data.

mod annotate;
mod bench;
mod distance;
mod engine;
mod eval;
mod eval_term;
mod facts;
mod hash;
mod learn;
mod level;
mod limits;
mod net;
mod normal;
mod play;
mod position_error;
mod score;
mod setting;
mod solver;
mod table;

pub use annotate::{
    ACCURACY_DECAY, Accuracy, AnnotateError, AnnotateSettings, Annotator, BLUNDER_LOSS, CALIBRATION_PLIES,
    CURVES_VERSION, Calibration, CalibrationBin, CalibrationOrigin, CalibrationSample, Confirm, Curve,
    CurveChoice, CurveEstimate, CurveFit, Curves, CurvesError, Difficulty, ErrorCounts, EvalContext, EvalKey,
    EvalLog, Evaluation, Expectation, FittedCurve, FoundWin, GameNotes, GameToAnnotate, HeldOutReliability,
    INACCURACY_LOSS, Judgement, KnownResult, LOG_VERSION, LogError, MIN_CALIBRATION_GAMES, MIN_GRADUAL_LOSS,
    MISTAKE_LOSS, Motif, MotifKind, N_CALIBRATION_BINS, N_CURVE_TERMS, NoSearchReason, ONLY_MOVE_MARGIN,
    OnlyMove, POOLED, Phase, PlyNote, PositionNote, Puzzle, PuzzleCriteria, PuzzleTheme, SearchCounts,
    SideSummary, StopReason, Thresholds, ThresholdsError, VariantCurves, Verification, Voice, calibrate,
    find_puzzle, is_notable, limits_text, motifs_of_move,
};
pub use bench::{BenchLine, run_bench};
pub use engine::{
    Engine, EngineError, EvaluationId, Identity, NetChoice, Params, SearchLine, SearchOptions, SearchReport,
};
pub use eval::Weights;
pub use learn::{
    DataGen, DataGenConfig, EpochReport, LabelConfig, Labeler, SampleError, ScoreCurve, TrainConfig,
    TrainError, TrainMetrics, TrainingGame, TrainingSample, TuneConfig, TuneResult, read_samples,
    read_whole_games, train, tune, write_sample_header,
};
pub use level::{LEVELS, Level};
pub use limits::{Depth, Limits, Nodes};
pub use net::{NetError, Network, builtin_network};
pub use play::{
    BalanceCounts, BalanceProgress, BalanceSearch, BalanceSettings, BalancedOpening, Connect, Decision,
    EloInterval, EnginePlayer, GamePair, MatchEnding, MatchGame, MatchPly, MatchTerms, Opening, OpeningSet,
    OpeningSetError, OpeningSets, Openings, PairScore, PairSetup, Pentanomial, Player, PlayerChoice,
    PlayerError, PlayerView, Players, Proofs, Protocol, RandomPlayer, RemotePlayer, RemoteProcess, SelfPlay,
    Sprt, SprtError, SprtVerdict, Temperature, Wire, immediate_win, openings_from_games, play_game,
    play_pair, play_pairs, run_jobs, wins_within_three_plies,
};
pub use position_error::{PositionError, check_position};
pub use score::{Bound, PovScore, Score};
pub use setting::SettingError;
pub use solver::{
    CERTIFICATE_VERSION, Certificate, CertificateError, CertificateErrorKind, CertificateOrigin, CheckError,
    CheckedCertificate, Dtm, GoalReport, GoalState, MAX_PLIES, PieceCounts, Proof, ProofStep, ProofVerdict,
    ShortestProof, Solution, SolveBudget, SolveError, TablebaseError, TablebaseFileError,
    TablebaseFileErrorKind, TablebaseStats, Tablebases, check_certificate, check_certificate_until, prove,
    prove_win, shortest_proof, solve, solve_with_progress,
};
