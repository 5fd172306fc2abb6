//! Certificates: proofs as text, with everything that is needed to check them.
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
//! `start` is the arrangement and the side to move, `moves` what was played from there, `claim` who wins and within how
//! many plies. A step says within how many plies the winner wins from a position, what he plays there, and the position.
//! `symmetry rules` lets a step stand for the mirror images of its position, `symmetry none` does not.

use std::fmt::Write as _;

use tafl_rules::text::ruleset::ReadOptions;
use tafl_rules::{Coord, Move, RuleSet, Setup, Shape, Side};

use super::proof::{Proof, ProofStep};

/// The version of the format.
pub const VERSION: u32 = 1;

/// The most plies of a claim, so that a check cannot run too deep.
pub const MOST_PLIES: u16 = 1000;

/// Where a proof begins: an arrangement and what was played from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The arrangement.
    pub start: Setup,
    /// Who was to move in it.
    pub to_move: Side,
    /// The moves that led to the position of the proof.
    pub moves: Vec<Move>,
}

/// A proof together with the rules and the game that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The rules.
    pub rules: RuleSet,
    /// The game before the proof.
    pub origin: Origin,
    /// The claim and its steps. The line is not part of the text.
    pub proof: Proof,
}

/// Why a text is no certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct CertificateError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub kind: CertificateErrorKind,
}

/// What is wrong with a line of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateErrorKind {
    /// The text is of another kind.
    #[error("this is no certificate: the first line is not `taflbase certificate 1`")]
    NoCertificate,
    /// A version that this program does not know.
    #[error("this is a certificate of version {0}; this program reads version {VERSION}")]
    OtherVersion(u32),
    /// The text ends too early.
    #[error("the text ends before the certificate does")]
    Truncated,
    /// A line that should be about something else.
    #[error("expected a line that begins with `{0}`")]
    Expected(&'static str),
    /// The rules string is broken.
    #[error("the rules cannot be read: {0}")]
    Rules(String),
    /// A position that does not fit the board.
    #[error("`{0}` is no position of this board")]
    Position(String),
    /// A move that does not fit the board.
    #[error("`{0}` is no move on this board")]
    Move(String),
    /// A side, a number or a word that nobody knows.
    #[error("`{0}` is not understood here")]
    Word(String),
    /// A claim that is too long to be checked.
    #[error("a win within {0} plies is more than can be checked; the most are {MOST_PLIES}")]
    TooLong(u32),
    /// Something follows the end.
    #[error("something follows the end")]
    Trailing,
}

impl Certificate {
    /// Returns the text of the certificate.
    pub fn text(&self) -> String {
        let shape = self.rules.shape();
        let Proof { side, plies, is_symmetric, steps, .. } = &self.proof;
        let moves: String = self.origin.moves.iter().map(|mv| format!(" {}", mv.text(shape))).collect();
        let mut out = format!("taflbase certificate {VERSION}\nrules {}\n", self.rules);
        let _ = writeln!(out, "start {} {}", self.origin.start, self.origin.to_move);
        let _ = writeln!(out, "moves{moves}");
        let _ = writeln!(out, "claim {side} {plies}");
        let _ = writeln!(out, "symmetry {}", if *is_symmetric { "rules" } else { "none" });
        let _ = writeln!(out, "steps {}", steps.len());
        for step in steps {
            let _ = writeln!(out, "{} {} {}", step.plies, step.mv.text(shape), step.place);
        }
        out.push_str("end\n");
        out
    }

    /// Reads a certificate. That it can be read says nothing of whether it holds: see [`super::check`].
    ///
    /// # Errors
    ///
    /// Returns the first line that is wrong.
    pub fn parse(text: &str) -> Result<Certificate, CertificateError> {
        let mut lines = Lines { lines: text.lines().collect(), at: 0 };
        lines.head()?;
        let rules = lines.value("rules")?;
        let (rules, _) = RuleSet::read(rules, ReadOptions::default())
            .map_err(|error| lines.wrong(CertificateErrorKind::Rules(error.to_string())))?;
        let shape = rules.shape();
        let start = lines.value("start")?;
        let (start, to_move) = start
            .split_once(' ')
            .ok_or_else(|| lines.wrong(CertificateErrorKind::Position(start.to_owned())))?;
        let to_move = lines.side(to_move)?;
        let start = Setup::parse(shape, start)
            .map_err(|_| lines.wrong(CertificateErrorKind::Position(start.to_owned())))?;
        let moves = lines.value("moves")?.split_whitespace();
        let moves = moves.map(|word| lines.mv(shape, word)).collect::<Result<Vec<Move>, _>>()?;
        let claim = lines.value("claim")?;
        let (side, plies) =
            claim.split_once(' ').ok_or_else(|| lines.wrong(CertificateErrorKind::Word(claim.to_owned())))?;
        let (side, plies) = (lines.side(side)?, lines.plies(plies)?);
        let is_symmetric = match lines.value("symmetry")? {
            "rules" => true,
            "none" => false,
            other => return Err(lines.wrong(CertificateErrorKind::Word(other.to_owned()))),
        };
        let count = lines.value("steps")?;
        let count: usize =
            count.parse().map_err(|_| lines.wrong(CertificateErrorKind::Word(count.to_owned())))?;
        let mut steps = Vec::new();
        for _ in 0..count {
            steps.push(lines.step(shape)?);
        }
        lines.end()?;
        let proof = Proof { side, plies, is_symmetric, steps, line: Vec::new() };
        Ok(Certificate { rules, origin: Origin { start, to_move, moves }, proof })
    }
}

/// The lines of a text, and how far they are read.
struct Lines<'t> {
    lines: Vec<&'t str>,
    at: usize,
}

impl<'t> Lines<'t> {
    fn wrong(&self, kind: CertificateErrorKind) -> CertificateError {
        CertificateError { line: self.at, kind }
    }

    fn next(&mut self) -> Result<&'t str, CertificateError> {
        let line = self.lines.get(self.at).copied();
        self.at += 1;
        line.ok_or_else(|| self.wrong(CertificateErrorKind::Truncated))
    }

    fn head(&mut self) -> Result<(), CertificateError> {
        let line = self.next()?;
        let version = line
            .strip_prefix("taflbase certificate ")
            .and_then(|version| version.parse::<u32>().ok())
            .ok_or_else(|| self.wrong(CertificateErrorKind::NoCertificate))?;
        if version == VERSION { Ok(()) } else { Err(self.wrong(CertificateErrorKind::OtherVersion(version))) }
    }

    /// Returns what follows a word at the beginning of the next line.
    fn value(&mut self, word: &'static str) -> Result<&'t str, CertificateError> {
        let line = self.next()?;
        let rest = line.strip_prefix(word).ok_or_else(|| self.wrong(CertificateErrorKind::Expected(word)))?;
        Ok(rest.trim())
    }

    fn side(&self, word: &str) -> Result<Side, CertificateError> {
        let found = Side::from_word(word);
        found.ok_or_else(|| self.wrong(CertificateErrorKind::Word(word.to_owned())))
    }

    fn plies(&self, word: &str) -> Result<u16, CertificateError> {
        let plies: u32 = word.parse().map_err(|_| self.wrong(CertificateErrorKind::Word(word.to_owned())))?;
        let few = u16::try_from(plies).ok().filter(|plies| *plies <= MOST_PLIES);
        few.ok_or_else(|| self.wrong(CertificateErrorKind::TooLong(plies)))
    }

    fn mv(&self, shape: Shape, word: &str) -> Result<Move, CertificateError> {
        let cell = |name: &str| name.parse::<Coord>().ok().and_then(|coord| shape.cell(coord));
        let cells = word.split_once('-').and_then(|(from, to)| Some((cell(from)?, cell(to)?)));
        let (from, to) = cells.ok_or_else(|| self.wrong(CertificateErrorKind::Move(word.to_owned())))?;
        Ok(Move::new(from, to))
    }

    fn step(&mut self, shape: Shape) -> Result<ProofStep, CertificateError> {
        let line = self.next()?;
        let mut words = line.split(' ');
        let (Some(plies), Some(mv), Some(place), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(self.wrong(CertificateErrorKind::Word(line.to_owned())));
        };
        let record = place.split('+').next().unwrap_or(place);
        if Setup::parse(shape, record).is_err() {
            return Err(self.wrong(CertificateErrorKind::Position(place.to_owned())));
        }
        Ok(ProofStep { plies: self.plies(plies)?, mv: self.mv(shape, mv)?, place: place.to_owned() })
    }

    fn end(&mut self) -> Result<(), CertificateError> {
        if self.next()? != "end" {
            return Err(self.wrong(CertificateErrorKind::Expected("end")));
        }
        if self.at < self.lines.len() {
            self.at += 1;
            return Err(self.wrong(CertificateErrorKind::Trailing));
        }
        Ok(())
    }
}
