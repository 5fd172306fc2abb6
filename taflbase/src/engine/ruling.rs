//! Rulings: claims about a position, decided by the rules, with the rule and the evidence.

mod game_end;
mod last_move;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{GoalState, Nodes, ProofVerdict, check_certificate};
use tafl_rules::{Reason, Side, counted, explain_ply, rules_sheet};

use super::solve::{SolveRequest, SolveResult};
use crate::board::move_on;
use crate::{
    App, Error, Job, PlayedPosition, PositionRequest, Request, Result, RulesSheetSection, SideName, read_turn,
};
use game_end::{game_over, no_move, of_end, repetition};

/// The maximum number of moves that are played to check a proof.
const MAX_CHECK: Nodes = Nodes(100_000_000);

/// Decide a claim about a position by the rules
///
/// # Examples
///
/// ```
/// use taflbase::engine::{RulingClaim, RulingRequest};
/// use taflbase::{App, Job, Request};
///
/// let mut request = RulingRequest { mv: Some("d1-e2".into()), ..RulingRequest::of(RulingClaim::Legal) };
/// request.position.rules.variant = Some("brandubh7".into());
/// let ruling = request.run(&App::new(), &Job::default())?;
/// assert_eq!((ruling.verdict, ruling.rule), ("no", Some("not-in-line")));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RulingRequest {
    /// The claim
    #[cfg_attr(feature = "clap", arg(value_name = "CLAIM"))]
    pub claim: RulingClaim,
    /// The position, and the moves that led there.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub position: PositionRequest,
    /// The move, for `legal` and `captures`
    #[serde(rename = "move")]
    #[cfg_attr(feature = "clap", arg(long = "move", value_name = "MOVE", allow_hyphen_values = true))]
    pub mv: Option<String>,
    /// The side that wins, for `forced-win` [default: the side to move]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIDE"))]
    pub winner: Option<SideName>,
    /// Search N positions for a proof, for `forced-win` [default: 2,000,000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub nodes: Option<u64>,
}

/// A claim about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum RulingClaim {
    /// The move (`--move`) may be played
    Legal,
    /// The move (`--move`) captures something
    Captures,
    /// The king is captured
    KingCaptured,
    /// The king is safe in an exit fort
    ExitFort,
    /// The attackers enclose all defenders
    Encirclement,
    /// The side to move has no legal move
    NoMove,
    /// A repetition rule applies; needs the moves
    Repetition,
    /// The game is over
    GameOver,
    /// A side (`--winner`) can force a win
    ForcedWin,
}

/// The decision on a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulingAnswer {
    /// The claim.
    pub claim: RulingClaim,
    /// `yes`, `no`, or `undecided`.
    pub verdict: &'static str,
    /// The decision as a sentence, without initial capital and final period.
    pub sentence: String,
    /// The stable name of the rule or of the reason that decides, such as `blocked` or `exit fort`.
    pub rule: Option<&'static str>,
    /// The sections of the rules sheet that the decision applies.
    pub rules_sections: Vec<RulesSheetSection>,
    /// The evidence, in sentences.
    pub evidence: Vec<String>,
    /// The cells that show it, with their meaning.
    pub cells: Vec<RulingCell>,
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move.
    pub side: &'static str,
    /// The proof of a forced win, as `tafl solve --check` reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

/// A cell with its meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulingCell {
    /// The cell.
    pub cell: String,
    /// `king`, `inside`, `wall`, or `ring`.
    pub meaning: &'static str,
}

/// What is decided, before it is put into an answer.
#[derive(Debug, Default)]
struct RulingDecision {
    verdict: Verdict,
    sentence: String,
    rule: Option<&'static str>,
    evidence: Vec<String>,
    cells: Vec<RulingCell>,
    proof: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Verdict {
    Yes,
    #[default]
    No,
    Undecided,
}

impl Verdict {
    const fn as_str(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Undecided => "undecided",
        }
    }
}

impl RulingRequest {
    /// Returns the request for a claim, without rules and without a position.
    pub fn of(claim: RulingClaim) -> RulingRequest {
        RulingRequest { claim, position: PositionRequest::default(), mv: None, winner: None, nodes: None }
    }
}

impl Request for RulingRequest {
    type Answer = RulingAnswer;

    fn run(self, app: &App, job: &Job) -> Result<RulingAnswer> {
        let played = self.position.play(app)?;
        let last_mover = self.position.side.map(|to_move| Side::from(to_move).other());
        let of_end = |mover, reason| of_end(&played, mover, last_mover, reason);
        let decision = match self.claim {
            RulingClaim::Legal | RulingClaim::Captures => self.about_move(&played)?,
            RulingClaim::KingCaptured => of_end(Side::Attackers, Reason::KingCaptured),
            RulingClaim::ExitFort => of_end(Side::Defenders, Reason::ExitFort),
            RulingClaim::Encirclement => of_end(Side::Attackers, Reason::Encirclement),
            RulingClaim::NoMove => no_move(&played),
            RulingClaim::Repetition => repetition(&played)?,
            RulingClaim::GameOver => game_over(&played, last_mover),
            RulingClaim::ForcedWin => self.forced_win(&played, app, job)?,
        };
        let variant = &played.rules.variant;
        let sections = rules_sheet(&variant.rules, variant.sides()).into_iter();
        let titles = self.claim.sections();
        Ok(RulingAnswer {
            claim: self.claim,
            verdict: decision.verdict.as_str(),
            sentence: decision.sentence,
            rule: decision.rule,
            rules_sections: sections
                .filter(|section| titles.contains(&section.title))
                .map(RulesSheetSection::from)
                .collect(),
            evidence: decision.evidence,
            cells: decision.cells,
            variant: variant.catalog_name(),
            rules: variant.rules.to_string(),
            position: played.game.setup().to_string(),
            side: played.game.to_move().as_str(),
            proof: decision.proof,
        })
    }
}

impl RulingClaim {
    /// Returns the titles of the sections of the rules sheet that a decision applies.
    const fn sections(self) -> &'static [&'static str] {
        match self {
            RulingClaim::Legal => &["Moves", "Special cells"],
            RulingClaim::Captures => &["Capturing men", "Capturing a king", "Special captures"],
            RulingClaim::KingCaptured => &["Capturing a king"],
            RulingClaim::ExitFort | RulingClaim::Encirclement | RulingClaim::ForcedWin => &["Winning"],
            RulingClaim::NoMove | RulingClaim::GameOver => &["Winning", "Draws and repetition"],
            RulingClaim::Repetition => &["Draws and repetition"],
        }
    }
}

impl RulingRequest {
    /// Decides whether the move is legal, or whether it captures.
    fn about_move(&self, played: &PlayedPosition) -> Result<RulingDecision> {
        let Some(text) = &self.mv else {
            return Err(Error::parameter("move", "the claim is about a move, but none is given")
                .with_help("name it with --move, such as --move d1-d3"));
        };
        let mut game = played.enforced();
        let shape = game.shape();
        let mut evidence = Vec::new();
        let mut captured = Vec::new();
        for written in &read_turn(text)?.main().moves {
            let mv = move_on(shape, written.from, written.to)?;
            match explain_ply(&game, mv) {
                Err(why) => {
                    return Ok(RulingDecision {
                        sentence: format!("`{}` is illegal: {}", mv.display(shape), why.describe(shape, mv)),
                        rule: Some(why.name()),
                        ..RulingDecision::default()
                    });
                }
                Ok(explanation) => {
                    evidence.extend(explanation.lines(shape));
                    captured.extend(explanation.captures.iter().map(|cause| shape.name(cause.cell)));
                    // The move was just explained, so it is legal.
                    let _ = game.play(mv);
                }
            }
        }
        let text = crate::escape::escape(text);
        Ok(match self.claim {
            RulingClaim::Captures if captured.is_empty() => RulingDecision {
                sentence: format!("`{text}` captures nothing"),
                evidence,
                ..RulingDecision::default()
            },
            RulingClaim::Captures => RulingDecision {
                verdict: Verdict::Yes,
                sentence: format!("`{text}` captures on {}", captured.join(", ")),
                evidence,
                ..RulingDecision::default()
            },
            _ => RulingDecision {
                verdict: Verdict::Yes,
                sentence: format!("`{text}` is legal"),
                evidence,
                ..RulingDecision::default()
            },
        })
    }

    /// Decides by a proof whether a side can force a win.
    fn forced_win(&self, played: &PlayedPosition, app: &App, job: &Job) -> Result<RulingDecision> {
        let winner = self.winner.map_or_else(|| played.game.to_move(), Side::from);
        let request =
            SolveRequest { position: self.position.clone(), nodes: self.nodes, ..SolveRequest::default() };
        let solved = request.solve(true, app, job)?;
        let SolveResult::Search { solution, .. } = &solved.result else {
            return Err(Error::parameter("winner", "the search for a proof gave no result"));
        };
        let shape = played.game.shape();
        Ok(match solution.verdict {
            ProofVerdict::Win { side, plies } => {
                let proof = solved.certificate();
                let checked = proof.as_ref().is_some_and(|proof| check_certificate(proof, MAX_CHECK).is_ok());
                let line = solution.proof.iter().flat_map(|proof| &proof.line);
                let line: Vec<String> = line.map(|mv| mv.display(shape).to_string()).collect();
                let mut evidence = vec![format!("a longest line of the proof: {}", line.join(" "))];
                if checked {
                    evidence.push("the proof was checked with the rules alone".to_owned());
                }
                RulingDecision {
                    verdict: if side == winner { Verdict::Yes } else { Verdict::No },
                    sentence: format!(
                        "the {side} win within {} against every defense",
                        counted(plies.into(), "ply", "plies")
                    ),
                    evidence,
                    proof: proof.map(|proof| proof.to_string()),
                    ..RulingDecision::default()
                }
            }
            ProofVerdict::WinByRepetition(side) => RulingDecision {
                verdict: if side == winner { Verdict::Yes } else { Verdict::No },
                sentence: format!("the {side} win, because the {} can only repeat positions", side.other()),
                ..RulingDecision::default()
            },
            ProofVerdict::Draw => RulingDecision {
                sentence: "neither side can force a win".to_owned(),
                ..RulingDecision::default()
            },
            ProofVerdict::Unknown if solution.goals[winner].state == GoalState::Refuted => RulingDecision {
                sentence: format!("the {winner} cannot force a win"),
                ..RulingDecision::default()
            },
            ProofVerdict::Unknown => RulingDecision {
                verdict: Verdict::Undecided,
                sentence: format!("no proof was found in {} positions", solution.nodes.0),
                ..RulingDecision::default()
            },
        })
    }
}
