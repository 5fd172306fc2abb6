//! Annotated games as JSON. `docs/annotate.md` documents it.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::GameNotes;
use tafl_parser::{ReasonSource, tag};
use tafl_rules::{Shape, Side};

use super::super::eval::line_moves;
use super::super::games::PlayedGame;
use super::findings::{GameFindings, PlyFinding, PlyRemark, PositionFinding};
use super::{AnnotatedGame, AnnotationProvenance, remarks};

/// The version of the answers.
const VERSION: u32 = 1;

/// An annotated game.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnnotationAnswer {
    /// The version of the answer, 1.
    pub taflbase_annotation: u32,
    /// The file, as it is named.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The ID of the game in the corpus.
    pub number: Option<String>,
    /// The record's own name.
    pub id: Option<String>,
    /// The player of the attackers.
    pub attackers: Option<String>,
    /// The player of the defenders.
    pub defenders: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// The variant.
    pub variant: String,
    /// The rules string.
    pub rules: Option<String>,
    /// The start as a position record.
    pub start: String,
    /// `attackers`, `defenders` or `draw`; null without a result.
    pub winner: Option<&'static str>,
    /// The reason of the end.
    pub reason: Option<&'static str>,
    /// The source of the reason: `board`, `record`, or `inference`; null if the reason is unknown.
    pub reason_source: Option<&'static str>,
    /// The engine that evaluated.
    pub engine: String,
    /// The parameters of the annotation besides the engine.
    #[serde(flatten)]
    pub provenance: AnnotationProvenance,
    /// The curve that expectations come from: a variant or `pooled`.
    pub curve: String,
    /// The findings.
    #[serde(flatten)]
    pub findings: GameFindings,
    /// The reason why the annotation ends before the record.
    pub stopped: Option<String>,
}

/// A game whose rules are unknown, or that can't be read.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UnknownRulesAnswer {
    /// The version of the answer, 1.
    pub taflbase_annotation: u32,
    /// The file, as it is named.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// Always null.
    pub rules: Option<String>,
    /// Always empty.
    pub positions: Vec<PositionFinding>,
    /// Always empty.
    pub plies: Vec<PlyFinding>,
    /// The reason why the game has no annotation.
    pub stopped: String,
}

/// The source of evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnnotationOrigin {
    /// The table of evaluations of a corpus, which does not keep everything.
    Corpus,
    /// An engine that has just searched.
    Engine,
}

/// The findings about a game with sentences for people.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvaluatedGame {
    /// The findings, with a remark on each ply.
    #[serde(flatten)]
    pub findings: GameFindings,
    /// The source of the evaluations.
    pub from: AnnotationOrigin,
    /// The engine.
    pub engine: String,
    /// The parameters of the annotation besides the engine.
    #[serde(flatten)]
    pub provenance: AnnotationProvenance,
    /// The curve that expectations come from: a variant or `pooled`; null if it is unknown.
    pub curve: Option<String>,
    /// Sentences.
    pub words: GameSentences,
    /// The reason why the annotation ends before the game.
    pub stopped: Option<String>,
}

/// Sentences about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameSentences {
    /// About the attackers.
    pub attackers: String,
    /// About the defenders.
    pub defenders: String,
    /// About the decisive ply.
    pub decided: Option<String>,
}

impl AnnotatedGame {
    /// Returns the game as JSON has it.
    pub fn answer(&self, provenance: &AnnotationProvenance) -> AnnotationAnswer {
        let AnnotatedGame { game, notes, start } = self;
        let record = &game.replayed.record;
        let end = game.replayed.replay.sourced_result();
        let result = end.map(|end| end.outcome);
        let tag_of = |name| record.tag(name).map(str::to_owned);
        AnnotationAnswer {
            taflbase_annotation: VERSION,
            file: game.file.clone(),
            game: game.ordinal,
            number: game.id.map(|id| id.to_string()),
            id: tag_of(tag::ID),
            attackers: tag_of(tag::ATTACKERS),
            defenders: tag_of(tag::DEFENDERS),
            date: tag_of(tag::DATE),
            variant: game.replayed.variant().to_owned(),
            rules: self.rules(),
            start: start.to_string(),
            winner: result.map(|outcome| outcome.winner_name()),
            reason: result.map(|outcome| outcome.reason.as_str()),
            reason_source: end.and_then(|end| end.source).map(ReasonSource::as_str),
            engine: notes.engine.clone(),
            provenance: provenance.clone(),
            curve: notes.curve.clone(),
            findings: GameFindings::of(start.shape(), notes),
            stopped: self.early_end(),
        }
    }
}

impl UnknownRulesAnswer {
    /// Returns the answer about a game.
    pub fn of(game: &PlayedGame) -> UnknownRulesAnswer {
        UnknownRulesAnswer {
            taflbase_annotation: VERSION,
            file: game.file.clone(),
            game: game.ordinal,
            id: game.replayed.record.tag(tag::ID).map(str::to_owned),
            rules: None,
            positions: Vec::new(),
            plies: Vec::new(),
            stopped: game.obstacle().to_owned(),
        }
    }
}

impl EvaluatedGame {
    /// Returns the findings with sentences. What a corpus does not keep is null, not what its absence would mean.
    pub fn of(
        shape: Shape,
        notes: &GameNotes,
        from: AnnotationOrigin,
        provenance: AnnotationProvenance,
    ) -> EvaluatedGame {
        let mut findings = GameFindings::of(shape, notes);
        for (nth, ply) in findings.plies.iter_mut().enumerate() {
            let (note, before) = (&notes.plies[nth], &notes.positions[nth]);
            let best =
                before.evaluation().map(|evaluation| line_moves(shape, before.chain, evaluation.best()));
            ply.remark = Some(PlyRemark {
                best: best.and_then(|moves| moves.into_iter().next()),
                sign: note.loss.map(|_| note.judgement.sign()),
                words: remarks::remark(shape, note, before),
            });
        }
        if from == AnnotationOrigin::Corpus {
            findings.forget_unknown();
        }
        let summary = |side: Side| remarks::summary(&notes.sides[side]);
        EvaluatedGame {
            findings,
            from,
            engine: notes.engine.clone(),
            provenance,
            curve: (from == AnnotationOrigin::Engine).then(|| notes.curve.clone()),
            words: GameSentences {
                attackers: summary(Side::Attackers),
                defenders: summary(Side::Defenders),
                decided: remarks::decided(notes, shape),
            },
            stopped: notes.stopped.map(|stopped| stopped.to_string()),
        }
    }
}
