//! Documents and pictures: reports on the balance of variants, plots, and boards.
//!
//! From games to a report:
//!
//! ```no_run
//! use tafl_corpus::Corpus;
//! use tafl_reports::{BalanceOptions, DetailsByVariant, GamesToLoad, Provenance, balance, balance_report, load_games};
//!
//! let corpus = Corpus::open("games.corpus".as_ref())?;
//! let games = load_games(&corpus, GamesToLoad::All)?;
//! let findings = balance(&games, &BalanceOptions::default());
//! let report = balance_report(&findings, &DetailsByVariant::new(), Provenance::of("0.2.0"));
//! std::fs::write("balance.html", report.to_html()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From a position to a picture:
//!
//! ```
//! use tafl_reports::{BoardPicture, Ink};
//! use tafl_rules::RuleSet;
//!
//! let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
//! let picture = BoardPicture::of(&rules);
//! assert!(picture.to_text(Ink::Plain).starts_with(" 7 # . . t . . #\n"));
//! assert!(picture.to_svg().starts_with("<svg "));
//! ```
//!
//! [`load_games`] reads games; functions such as [`balance`] and [`compare_selections`] return figures as structs, for
//! programs that display them in their own way; functions such as [`balance_report`] make a [`Report`] of them, which
//! can be written as HTML, Markdown, CSV, JSON, and Parquet. [`stats`] contains the mathematics, which is independent of
//! games. [`BoardPicture`], [`Animation`], [`tree_svg`], and [`Plot`] draw pictures.
//!
//! The feature `database`, which is on by default, adds figures and documents. Without it, there are boards, trees,
//! plots, and the mathematics.

mod board;
#[cfg(feature = "database")]
mod document;
mod markup;
#[cfg(feature = "database")]
mod measure;
mod percent;
mod plot;
pub mod stats;
mod tree;

pub use board::{
    Animation, BoardLayout, BoardPicture, Captured, CellMark, ContactSheet, Coordinates, Frame, Heat,
    Highlight, HighlightKind, Ink, LegendEntry, Marks, PictureError, RankOne, Theme, Timing, View, Zones,
};
pub use markup::{Escaped, is_unsafe};
pub use percent::percent_text;
pub use plot::{
    Axis, BarLayer, Bars, Chart, CurvePlot, Dendrogram, DendrogramJoin, Forest, ForestRow, Line, PlanePlot,
    PlanePoint, Plot, PlotCurve, PlotError, PlotLabel, Point, Reliability, ReliabilityBin, ScaleKind, Unit,
    Whisker,
};
pub use tree::{PictureNode, tree_svg};

#[cfg(feature = "database")]
pub use document::{
    Block, BoardBlock, Column, DetailsByVariant, Fact, FigureDifference, HtmlError, NumberFormat,
    ParquetError, Provenance, ReadError, Report, ReportDocument, Row, Section, StoredReport, Table,
    TableCell, VariantDetails, accuracy_report, balance_report, balance_sheet, compare_report,
    crosstable_report, design_report, health_report, lengths_report, map_report, openings_report,
    plan_report, player_report, players_report, rule_comparison_report,
};
#[cfg(feature = "database")]
pub use measure::{
    AdjustedAdvantage, AdvantageTrend, Agreement, ArmFindings, BalanceBetweenEquals, BalanceFindings,
    BalanceOptions, BalanceSlice, BehaviorMetric, BehaviorTable, BehaviorValue, BoardFindings, BoardOptions,
    BranchingFindings, CommonAdvantage, CompareOptions, ControlFindings, ControlVariant, Crosstable,
    CrosstableCell, CrosstableLine, CrosstableOptions, Departure, DepartureFindings, DesignTarget,
    EXPERIENCED, Ending, EngineGames, EngineOptions, ErrorFindings, EvalFindings, EvaluatedGames,
    EvenArrangements, Exclusion, ExpectedScore, ExpectedScores, FAIR_MARGIN, Fairness, FairnessDecision,
    FeatureEffect, GameDate, GameFacts, GameGroup, GameSource, GameStartKind, GameTally, Games, GamesToLoad,
    GroupTable, HealthCause, HealthFindings, HeatMap, HeatMapKind, HeatMaps, HumanBalance, ImpossibleData,
    ImpossibleKind, KingEscape, LabeledRules, LengthBin, LengthFindings, LineScore, MAX_SOURCES, MapOptions,
    MapView, MaterialPoint, MetricScale, MotifCount, NameIndex, NameNumber, NoSolver, NodesTrend,
    OpeningLine, OtherStarts, PlanFindings, PlanRow, PlanSpec, PlanTable, PlayedVariant, PlayerBreakdown,
    PlayerFigures, PlayerGame, PlayerOpening, PlayerProfile, PlayerReportFindings, PlayerScore, PlayerTable,
    PlayerTally, PlyLimit, Preparation, PublishedBalance, PublishedCheck, PublishedComparison,
    PublishedFigure, RECORDED_CONDITIONS, Rating, RecordLocation, RejectedCounts, RejectedFindings,
    RuleChangeEffect, RuleComparisonEnd, RuleComparisonFindings, RuleComparisonProgress, RuleComparisonSpec,
    RulePoints, RuleSearchFinalist, RuleSearchFindings, RuleSearchProgress, RuleSearchRound, RuleSearchSpec,
    SelectionComparison, SelfplayGame, SelfplayLevel, Sensitivity, SequentialFindings, SideAccuracy,
    SolverMeter, SourceDisagreement, StrengthGap, TargetDecision, TieBreak, TieBreakValue, TimeOrder,
    TournamentGroups, UnlistedGames, UntimedGames, VariantFindings, VariantMap, WinLength, WinMeter,
    activity_of, adjusted_advantage, balance, balance_until, board_findings, branching, check_published,
    compare_rules, compare_selections, conditions_of, control_variants, crosstable, disagreement,
    eval_findings, expected_scores, games_hash, games_per_player, health, heat_maps, human_balances,
    human_balances_of, load_games, load_games_until, plan, player_findings, player_table, published_balances,
    record_tags, run_control, search_rules, standings, variant_map,
};
