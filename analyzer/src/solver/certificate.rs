//! Certificates: proofs as text, with everything needed to check them.
//!
//! ```text
//! taflbase certificate 1
//! rules dim:7 ks:c ... start:/3t3/.../
//! start /3t3/3t3/.../ attackers
//! moves d2-f2 d3-c3
//! claim defenders 23
//! symmetry rules
//! steps 2
//! 23 d4-d6 /3t3/.../
//! 21 ...
//! end
//! ```
//!
//! `start` has the arrangement and the side to move, `moves` the moves played from there, and
//! `claim` the winner and the number of plies within which he wins. A step has the number of plies
//! within which the winner wins from a position, his move there, and the position. With `symmetry
//! rules`, a step also stands for the mirror images of its position; with `symmetry none`, it does
//! not.

use std::fmt;

use tafl_rules::{Coord, Move, RuleSet, RulesReadOptions, Setup, Shape, Side};

use super::proof::{Proof, ProofStep};

/// The first words of a certificate, before the version.
const MAGIC: &str = "taflbase certificate";

/// The version of the format.
pub const VERSION: u32 = 1;

/// The maximum number of plies of a claim, which limits the depth of a check.
pub const MAX_PLIES: u16 = 1000;

/// The position from which a proof starts, as an arrangement and the moves played from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateOrigin {
    /// The arrangement.
    pub start: Setup,
    /// The side to move.
    pub to_move: Side,
    /// The moves that led to the position of the proof.
    pub moves: Vec<Move>,
}

/// A proof with the rules and the game to which it applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The rules.
    pub rules: RuleSet,
    /// The game before the proof.
    pub origin: CertificateOrigin,
    /// The claim and its steps. The text does not contain the line.
    pub proof: Proof,
}

/// The error for a text that is not a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct CertificateError {
    /// The line, counted from 1.
    pub line: usize,
    /// The kind of error.
    pub kind: CertificateErrorKind,
}

/// The kinds of errors in certificates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateErrorKind {
    /// The text does not begin with the first line of a certificate.
    #[error("not a certificate: the first line is not `{MAGIC} {VERSION}`")]
    NotACertificate,
    /// The version is unknown.
    #[error("unsupported version {0} of the certificate; expected version {VERSION}")]
    OtherVersion(u32),
    /// The text ends before the certificate is complete.
    #[error("the certificate is truncated")]
    Truncated,
    /// The line should have begun with another word.
    #[error("expected a line that begins with `{0}`")]
    Expected(&'static str),
    /// The rules string is invalid.
    #[error("invalid rules: {0}")]
    Rules(String),
    /// A position is invalid for the board.
    #[error("`{0}` is not a position of this board")]
    Position(String),
    /// A move is invalid for the board.
    #[error("`{0}` is not a move on this board")]
    Move(String),
    /// A word is not a valid side, number, or keyword.
    #[error("unexpected `{0}`")]
    Word(String),
    /// The claim has too many plies.
    #[error("the claim of a win within {0} plies is too long to check; the maximum is {MAX_PLIES}")]
    TooLong(u32),
    /// There is text after the end.
    #[error("unexpected text after the end")]
    Trailing,
}

impl Certificate {
    /// Parses a certificate. Does not check whether the proof is correct, see [`check_certificate`](crate::check_certificate).
    ///
    /// # Errors
    ///
    /// Returns the first error.
    pub fn parse(text: &str) -> Result<Certificate, CertificateError> {
        let mut lines = LineCursor { lines: text.lines().collect(), at: 0 };
        lines.head()?;
        let rules = lines.value("rules")?;
        let (rules, _) = RuleSet::read(rules, RulesReadOptions::default())
            .map_err(|error| lines.error_here(CertificateErrorKind::Rules(error.to_string())))?;
        let shape = rules.shape();
        let start = lines.value("start")?;
        let (start, to_move) = start
            .split_once(' ')
            .ok_or_else(|| lines.error_here(CertificateErrorKind::Position(start.to_owned())))?;
        let to_move = lines.side(to_move)?;
        let start = Setup::parse(shape, start)
            .map_err(|_| lines.error_here(CertificateErrorKind::Position(start.to_owned())))?;
        let moves = lines.value("moves")?.split_whitespace();
        let moves = moves.map(|word| lines.mv(shape, word)).collect::<Result<Vec<Move>, _>>()?;
        let claim = lines.value("claim")?;
        let (side, plies) = claim
            .split_once(' ')
            .ok_or_else(|| lines.error_here(CertificateErrorKind::Word(claim.to_owned())))?;
        let (side, plies) = (lines.side(side)?, lines.plies(plies)?);
        let is_symmetric = match lines.value("symmetry")? {
            "rules" => true,
            "none" => false,
            other => return Err(lines.error_here(CertificateErrorKind::Word(other.to_owned()))),
        };
        let count = lines.value("steps")?;
        let count: usize =
            count.parse().map_err(|_| lines.error_here(CertificateErrorKind::Word(count.to_owned())))?;
        let mut steps = Vec::new();
        for _ in 0..count {
            steps.push(lines.step(shape)?);
        }
        lines.end()?;
        let proof = Proof { side, plies, is_symmetric, steps, line: Vec::new() };
        Ok(Certificate { rules, origin: CertificateOrigin { start, to_move, moves }, proof })
    }
}

/// Writes the text of the certificate, which [`Certificate::parse`] reads.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.rules.shape();
        let Proof { side, plies, is_symmetric, steps, .. } = &self.proof;
        let moves: String = self.origin.moves.iter().map(|mv| format!(" {}", mv.display(shape))).collect();
        writeln!(f, "{MAGIC} {VERSION}\nrules {}", self.rules)?;
        writeln!(f, "start {} {}", self.origin.start, self.origin.to_move)?;
        writeln!(f, "moves{moves}")?;
        writeln!(f, "claim {side} {plies}")?;
        writeln!(f, "symmetry {}", if *is_symmetric { "rules" } else { "none" })?;
        writeln!(f, "steps {}", steps.len())?;
        for step in steps {
            writeln!(f, "{} {} {}", step.plies, step.mv.display(shape), step.position)?;
        }
        f.write_str("end\n")
    }
}

/// A cursor over the lines of a text.
struct LineCursor<'t> {
    lines: Vec<&'t str>,
    at: usize,
}

impl<'t> LineCursor<'t> {
    fn error_here(&self, kind: CertificateErrorKind) -> CertificateError {
        CertificateError { line: self.at, kind }
    }

    fn next(&mut self) -> Result<&'t str, CertificateError> {
        let line = self.lines.get(self.at).copied();
        self.at += 1;
        line.ok_or_else(|| self.error_here(CertificateErrorKind::Truncated))
    }

    fn head(&mut self) -> Result<(), CertificateError> {
        let line = self.next()?;
        let version = line
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.strip_prefix(' '))
            .and_then(|version| version.parse::<u32>().ok())
            .ok_or_else(|| self.error_here(CertificateErrorKind::NotACertificate))?;
        if version == VERSION {
            Ok(())
        } else {
            Err(self.error_here(CertificateErrorKind::OtherVersion(version)))
        }
    }

    /// Returns the text after a word at the start of the next line.
    fn value(&mut self, word: &'static str) -> Result<&'t str, CertificateError> {
        let line = self.next()?;
        let rest =
            line.strip_prefix(word).ok_or_else(|| self.error_here(CertificateErrorKind::Expected(word)))?;
        Ok(rest.trim())
    }

    fn side(&self, word: &str) -> Result<Side, CertificateError> {
        word.parse().map_err(|_| self.error_here(CertificateErrorKind::Word(word.to_owned())))
    }

    fn plies(&self, word: &str) -> Result<u16, CertificateError> {
        let plies: u32 =
            word.parse().map_err(|_| self.error_here(CertificateErrorKind::Word(word.to_owned())))?;
        let few = u16::try_from(plies).ok().filter(|plies| *plies <= MAX_PLIES);
        few.ok_or_else(|| self.error_here(CertificateErrorKind::TooLong(plies)))
    }

    fn mv(&self, shape: Shape, word: &str) -> Result<Move, CertificateError> {
        let cell = |name: &str| name.parse::<Coord>().ok().and_then(|coord| shape.cell(coord));
        let cells = word.split_once('-').and_then(|(from, to)| Some((cell(from)?, cell(to)?)));
        let (from, to) = cells.ok_or_else(|| self.error_here(CertificateErrorKind::Move(word.to_owned())))?;
        Ok(Move::new(from, to))
    }

    fn step(&mut self, shape: Shape) -> Result<ProofStep, CertificateError> {
        let line = self.next()?;
        let mut words = line.split(' ');
        let (Some(plies), Some(mv), Some(position), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(self.error_here(CertificateErrorKind::Word(line.to_owned())));
        };
        let record = position.split('+').next().unwrap_or(position);
        if Setup::parse(shape, record).is_err() {
            return Err(self.error_here(CertificateErrorKind::Position(position.to_owned())));
        }
        Ok(ProofStep { plies: self.plies(plies)?, mv: self.mv(shape, mv)?, position: position.to_owned() })
    }

    fn end(&mut self) -> Result<(), CertificateError> {
        if self.next()? != "end" {
            return Err(self.error_here(CertificateErrorKind::Expected("end")));
        }
        if self.at < self.lines.len() {
            self.at += 1;
            return Err(self.error_here(CertificateErrorKind::Trailing));
        }
        Ok(())
    }
}
