//! The check of a proof that was written down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Certificate, CheckError, CheckedCertificate, Nodes, check_certificate_until};

use crate::{App, Error, ErrorKind, Job, Request, Result};

/// The maximum number of moves that are played.
const MAX_MOVES: Nodes = Nodes(4_000_000_000);

/// Check a proof with nothing but the rules
///
/// # Examples
///
/// ```
/// use taflbase::engine::{CheckProofRequest, SolveRequest};
/// use taflbase::{App, Job, Request, SideName};
///
/// let mut request = SolveRequest::default();
/// request.position.rules.variant = Some("brandubh7".into());
/// request.position.position = Some("/7/t5t/7/3K3/3T3/1t5/7/".into());
/// request.position.side = Some(SideName::Defenders);
/// let (app, job) = (App::new(), Job::default());
/// let proof = request.solve(true, &app, &job)?.certificate().expect("the king is at the edge in one move");
/// assert!(CheckProofRequest { proof: proof.to_string() }.run(&app, &job)?.holds);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckProofRequest {
    /// The text of the certificate.
    pub proof: String,
}

/// Whether a proof holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckProofAnswer {
    /// Whether it holds.
    pub holds: bool,
    /// The side that wins according to the proof.
    pub wins: &'static str,
    /// The number of plies within which it wins according to the proof.
    pub plies: u16,
    /// The number of steps of the proof.
    pub steps: usize,
    /// The rules string.
    pub rules: String,
    /// The number of moves that were played to check it.
    pub moves_played: Option<u64>,
    /// The reason why the proof is wrong.
    pub error: Option<String>,
    /// The number of steps that were needed.
    #[serde(skip)]
    pub steps_used: Option<u64>,
}

impl CheckProofRequest {
    /// The maximum size of a certificate in bytes: twice that of the largest one that is written.
    pub const MAX_BYTES: u64 = 1 << 30;
}

impl Request for CheckProofRequest {
    type Answer = CheckProofAnswer;

    fn run(self, _: &App, job: &Job) -> Result<CheckProofAnswer> {
        let certificate = Certificate::parse(&self.proof)
            .map_err(|error| Error::new(ErrorKind::BadRecord, error.to_string()).of("proof"))?;
        let found: Result<CheckedCertificate, CheckError> =
            check_certificate_until(&certificate, MAX_MOVES, &|| job.is_over());
        job.check()?;
        let checked = found.as_ref().ok();
        Ok(CheckProofAnswer {
            holds: found.is_ok(),
            wins: certificate.proof.side.as_str(),
            plies: certificate.proof.plies,
            steps: certificate.proof.steps.len(),
            rules: certificate.rules.to_string(),
            moves_played: checked.map(|checked| checked.plies.0),
            error: found.as_ref().err().map(ToString::to_string),
            steps_used: checked.map(|checked| checked.steps as u64),
        })
    }
}
