//! Curves as data: which there are, from what they were fitted, how well they fit.

use std::fmt::{self, Write as _};

use tafl_rules::{BySide, Side};

use super::expect::{Curve, Expectation, N_TERMS, Phase};
use crate::score::PovScore;

/// The version of files of curves.
pub const CURVES_VERSION: u32 = 1;

/// The first word of a file of curves.
const MAGIC: &str = "tafl-curves";

/// The curves that come with the program.
const BUILT_IN: &str = include_str!("../../data/curves.txt");

/// The name that stands for all variants together.
pub const POOLED: &str = "pooled";

/// A number with an interval that holds 95 of 100 times.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CurveEstimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How well a curve fits games that it was not fitted on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CurveFit {
    /// How many games.
    pub games: u64,
    /// How many positions of them.
    pub positions: u64,
    /// The Brier score: the mean square of the error, from 0 (right) to 1; saying one half always gives 0.25.
    pub brier: CurveEstimate,
    /// The Brier score of somebody who knows only how often each side wins.
    pub brier_of_base: f64,
    /// The expected calibration error: by how much expectations and results differ on average, in ten groups.
    pub ece: CurveEstimate,
}

/// The curve of a variant for one side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedCurve {
    /// The curve.
    pub curve: Curve,
    /// How well it fits.
    pub reliability: CurveFit,
}

/// The curves of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantCurves {
    /// The variant, or [`POOLED`].
    pub variant: String,
    /// The curve for each side to move.
    pub by: BySide<FittedCurve>,
}

/// A set of curves: one for each variant with enough games, and one for all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The engine whose scores they are for.
    pub engine: String,
    /// How deep it looked, such as `nodes 2000`.
    pub limits: String,
    /// From which games they were fitted.
    pub source: String,
    /// The pooled curve first, then those of the variants.
    variants: Vec<VariantCurves>,
}

/// The curves that are used for a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveChoice<'c> {
    curves: &'c VariantCurves,
}

/// Why a text is no set of curves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CurvesError {
    /// The text does not begin as one.
    #[error("this is no file of curves: the first line is not `{MAGIC} {CURVES_VERSION}`")]
    NoCurves,
    /// Another version.
    #[error("the file of curves has version {found}; this program reads version {CURVES_VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// A line that cannot be read.
    #[error("line {line} of the file of curves: expected {expected}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A variant with a curve for one side to move only.
    #[error("line {line} of the file of curves: `{variant}` has no curve for the {missing} to move")]
    OneSide {
        /// The line of the curve that it has, counted from 1.
        line: usize,
        /// The variant.
        variant: String,
        /// The side that has no curve.
        missing: Side,
    },
    /// The same curve twice.
    #[error("line {line} of the file of curves: `{variant}` has two curves for the {side} to move")]
    Twice {
        /// The line of the second, counted from 1.
        line: usize,
        /// The variant.
        variant: String,
        /// The side that has two curves.
        side: Side,
    },
    /// Curves are missing.
    #[error("the file of curves has no curve `{POOLED}` for both sides to move")]
    NoPooled,
}

impl Curves {
    /// Returns the curves that come with the program.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file that is built in.
    pub fn built_in() -> Curves {
        Curves::read(BUILT_IN).expect("a test reads the curves that are built in")
    }

    /// Returns a set of curves; nothing without a pooled one.
    pub fn new(
        engine: String,
        limits: String,
        source: String,
        mut variants: Vec<VariantCurves>,
    ) -> Option<Curves> {
        let pooled = variants.iter().position(|curves| curves.variant == POOLED)?;
        variants[..=pooled].rotate_right(1);
        Some(Curves { engine, limits, source, variants })
    }

    /// Returns the curves of a variant, the pooled ones where it has none.
    pub fn of(&self, variant: Option<&str>) -> CurveChoice<'_> {
        let own = variant.and_then(|name| self.variants.iter().find(|curves| curves.variant == name));
        CurveChoice { curves: own.unwrap_or(&self.variants[0]) }
    }

    /// Returns a name for exactly these curves: sixteen hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}", super::evaluation::hash(self.to_string().as_bytes()))
    }

    /// Returns the curves of all variants, the pooled ones first.
    pub fn variants(&self) -> &[VariantCurves] {
        &self.variants
    }

    /// Reads a file of curves.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text, see [`CurvesError`].
    pub fn read(text: &str) -> Result<Curves, CurvesError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        let first = lines.next().and_then(|(_, line)| line.trim().strip_prefix(MAGIC));
        let version = first.and_then(|rest| rest.trim().parse().ok()).ok_or(CurvesError::NoCurves)?;
        if version != CURVES_VERSION {
            return Err(CurvesError::Version { found: version });
        }
        let (mut engine, mut limits, mut source) = (String::new(), String::new(), String::new());
        let mut halves: Vec<Half> = Vec::new();
        for (number, line) in lines {
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "engine" => engine = rest.to_owned(),
                "limits" => limits = rest.to_owned(),
                "source" => source = rest.to_owned(),
                "curve" => {
                    let half = read_curve(number, rest);
                    halves.push(half.map_err(|expected| CurvesError::Line { line: number, expected })?);
                }
                _ => {
                    let expected = "engine, limits, source or curve";
                    return Err(CurvesError::Line { line: number, expected });
                }
            }
        }
        Curves::new(engine, limits, source, both_sides(&halves)?).ok_or(CurvesError::NoPooled)
    }
}

/// Writes the file that [`Curves::read`] reads.
impl fmt::Display for Curves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        writeln!(f, "{MAGIC} {CURVES_VERSION}")?;
        writeln!(f, "engine {}", one_line(&self.engine))?;
        writeln!(f, "limits {}", one_line(&self.limits))?;
        writeln!(f, "source {}", one_line(&self.source))?;
        for curves in &self.variants {
            for side in Side::ALL {
                writeln!(f, "{}", curve_line(&curves.variant, side, &curves.by[side]))?;
            }
        }
        Ok(())
    }
}

impl CurveChoice<'_> {
    /// Returns the variant that the curves were fitted for, or [`POOLED`].
    pub fn name(&self) -> &str {
        &self.curves.variant
    }

    /// Returns what may be expected of a position with a side to move.
    pub fn expect(&self, to_move: Side, score: PovScore, phase: Phase) -> Expectation {
        self.curves.by[to_move].curve.expect(score, phase)
    }

    /// Returns how well the curve for a side to move fits.
    pub fn reliability(&self, to_move: Side) -> CurveFit {
        self.curves.by[to_move].reliability
    }
}

fn curve_line(variant: &str, side: Side, fitted: &FittedCurve) -> String {
    let CurveFit { games, positions, brier, brier_of_base, ece } = fitted.reliability;
    let mut line = format!("curve {variant} {} games {games} positions {positions}", side.word());
    let estimate = |name: &str, of: CurveEstimate, line: &mut String| {
        let _ = write!(line, " {name} {:.4} {:.4} {:.4}", of.value, of.low, of.high);
    };
    estimate("brier", brier, &mut line);
    let _ = write!(line, " base {brier_of_base:.4}");
    estimate("ece", ece, &mut line);
    line.push_str(" terms");
    for number in fitted.curve.coefficients() {
        let _ = write!(line, " {number:.4}");
    }
    line
}

/// The curve of a variant for one side to move, as a line has it.
struct Half {
    /// The line, counted from 1.
    line: usize,
    variant: String,
    side: Side,
    fitted: FittedCurve,
}

/// Returns the curves of every variant, in the order of those for the attackers.
fn both_sides(halves: &[Half]) -> Result<Vec<VariantCurves>, CurvesError> {
    let mut variants = Vec::new();
    for (at, half) in halves.iter().enumerate() {
        let (line, variant, side) = (half.line, half.variant.clone(), half.side);
        if halves[..at].iter().any(|other| other.variant == variant && other.side == side) {
            return Err(CurvesError::Twice { line, variant, side });
        }
        let Some(other) = halves.iter().find(|other| other.variant == variant && other.side != side) else {
            return Err(CurvesError::OneSide { line, variant, missing: side.other() });
        };
        if side == Side::Attackers {
            let by = BySide { attackers: half.fitted, defenders: other.fitted };
            variants.push(VariantCurves { variant, by });
        }
    }
    Ok(variants)
}

/// Reads what stands behind the word `curve`; an error is what was expected.
fn read_curve(line: usize, text: &str) -> Result<Half, &'static str> {
    let mut words = text.split_ascii_whitespace();
    let variant = words.next().ok_or("the name of a variant")?.to_owned();
    let side = words.next().and_then(Side::from_word);
    let side = side.ok_or("attackers or defenders")?;
    let mut numbers = |name: &'static str, count: usize| -> Result<Vec<f64>, &'static str> {
        if words.next() != Some(name) {
            return Err(name);
        }
        let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
        (0..count).map(|_| words.next().and_then(number).ok_or("a number")).collect()
    };
    let estimate = |of: Vec<f64>| CurveEstimate { value: of[0], low: of[1], high: of[2] };
    let games = numbers("games", 1)?[0] as u64;
    let positions = numbers("positions", 1)?[0] as u64;
    let brier = estimate(numbers("brier", 3)?);
    let brier_of_base = numbers("base", 1)?[0];
    let ece = estimate(numbers("ece", 3)?);
    let terms: [f64; N_TERMS] = numbers("terms", N_TERMS)?.try_into().map_err(|_| "six terms")?;
    let curve = Curve::new(terms).ok_or("a curve that rises with the score")?;
    let reliability = CurveFit { games, positions, brier, brier_of_base, ece };
    Ok(Half { line, variant, side, fitted: FittedCurve { curve, reliability } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn the_curves_that_are_built_in_can_be_read() {
        let curves = Curves::built_in();
        assert_eq!(curves.of(None).name(), POOLED);
        assert_eq!(curves.of(Some("no such variant")).name(), POOLED);
        for variant in curves.variants() {
            let up = Score::evaluation(200).of(Side::Attackers);
            let down = Score::evaluation(-200).of(Side::Attackers);
            let phase = Phase { left: 0.9, ply: 20 };
            for side in Side::ALL {
                let expect = |score| variant.by[side].curve.expect(score, phase).for_side(Side::Attackers);
                assert!(expect(up) > expect(down), "{} {side}", variant.variant);
            }
        }
    }

    #[test]
    fn curves_are_read_as_they_were_written() {
        let curves = Curves::built_in();
        assert_eq!(Curves::read(&curves.to_string()).unwrap(), curves);
    }

    #[test]
    fn what_is_no_file_of_curves_is_named() {
        assert_eq!(Curves::read(""), Err(CurvesError::NoCurves));
        assert_eq!(Curves::read("tafl-curves 9\n"), Err(CurvesError::Version { found: 9 }));
        assert_eq!(Curves::read("tafl-curves 1\n"), Err(CurvesError::NoPooled));
        let text = "tafl-curves 1\ncurve pooled nobody\n";
        assert_eq!(
            Curves::read(text),
            Err(CurvesError::Line { line: 2, expected: "attackers or defenders" })
        );
        // A file without a word of the engine can be written, and read again.
        let bare = Curves { engine: String::new(), limits: String::new(), ..Curves::built_in() };
        assert_eq!(Curves::read(&bare.to_string()), Ok(bare));
        let endless = "tafl-curves 1\ncurve pooled attackers games 1 positions 1 brier nan 0 0";
        assert_eq!(Curves::read(endless), Err(CurvesError::Line { line: 2, expected: "a number" }));
        let falling = "tafl-curves 1\ncurve pooled attackers games 1 positions 1 brier 0 0 0 base 0 ece 0 0 0 terms 0 -1 0 0 0 0";
        let expected = "a curve that rises with the score";
        assert_eq!(Curves::read(falling), Err(CurvesError::Line { line: 2, expected }));
    }

    #[test]
    fn a_variant_with_one_curve_or_three_is_refused() {
        let line = |side: &str| {
            format!("curve odd7 {side} games 1 positions 1 brier 0 0 0 base 0 ece 0 0 0 terms 0 1 0 0 0 0\n")
        };
        let pooled: String =
            ["attackers", "defenders"].map(|side| line(side).replace("odd7", POOLED)).concat();
        let read = |rest: String| Curves::read(&format!("tafl-curves 1\n{pooled}{rest}"));
        let both = line("attackers") + &line("defenders");
        assert_eq!(read(both.clone()).unwrap().of(Some("odd7")).name(), "odd7");
        let variant = || "odd7".to_owned();
        let missing = Side::Attackers;
        assert_eq!(
            read(line("defenders")),
            Err(CurvesError::OneSide { line: 4, variant: variant(), missing })
        );
        let side = Side::Attackers;
        let again = both + &line("attackers");
        assert_eq!(read(again), Err(CurvesError::Twice { line: 6, variant: variant(), side }));
    }
}
