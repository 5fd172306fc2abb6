//! Sets of curves, with their provenance and reliability, and their file format.

use std::fmt::{self, Write as _};

use tafl_rules::{BySide, Side};

use super::expect::{Curve, Expectation, N_CURVE_TERMS, Phase};
use crate::score::PovScore;

/// The version of the file format.
pub const CURVES_VERSION: u32 = 1;

/// The first word of a curve file.
const MAGIC: &str = "tafl-curves";

/// The built-in curves.
const BUILT_IN: &str = include_str!("../../data/curves.txt");

/// The name of the curves for all variants together.
pub const POOLED: &str = "pooled";

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CurveEstimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The quality of a curve on games that it was not fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CurveFit {
    /// The number of games.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The Brier score: the mean squared error, from 0 (perfect) to 1; always predicting one half
    /// gives 0.25.
    pub brier: CurveEstimate,
    /// The Brier score of always predicting the mean result.
    pub brier_of_base: f64,
    /// The expected calibration error: the mean difference between predictions and results over ten
    /// bins. It includes the noise of the results, and is thus never 0.
    pub ece: CurveEstimate,
    /// The calibration error expected by chance if the predictions were perfectly calibrated, for the same games and bins;
    /// `None` if the file of curves does not have it.
    pub ece_by_chance: Option<f64>,
}

impl CurveFit {
    /// Returns how much the calibration error exceeds the one expected by chance, or `None` if the latter is unknown. If the
    /// interval contains 0, the curve can't be told from a perfectly calibrated one.
    pub fn ece_beyond_chance(&self) -> Option<CurveEstimate> {
        let CurveEstimate { value, low, high } = self.ece;
        self.ece_by_chance.map(|chance| CurveEstimate {
            value: value - chance,
            low: low - chance,
            high: high - chance,
        })
    }
}

/// The curve of a variant for one side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedCurve {
    /// The curve.
    pub curve: Curve,
    /// Its quality.
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
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Curves, Phase, Score};
/// use tafl_rules::{RuleSet, Side};
///
/// let curves = Curves::built_in();
/// let curve = curves.of(Some("copenhagen11"));
/// let start = RuleSet::named("copenhagen11")?.start;
/// let expect = |score: i32| {
///     let score = Score::evaluation(score).of(Side::Attackers);
///     curve.expect(Side::Attackers, score, Phase::of(&start, &start, 0)).for_side(Side::Attackers)
/// };
/// assert!(expect(300) > expect(-300));
/// # Ok::<(), tafl_rules::catalog::UnknownVariant>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The engine whose scores the curves convert.
    pub engine: String,
    /// The limits of its searches, such as `nodes 2000`.
    pub limits: String,
    /// The games to which the curves were fitted.
    pub source: String,
    /// The pooled curves first, followed by those of the variants.
    variants: Vec<VariantCurves>,
}

/// The curves used for a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveChoice<'c> {
    curves: &'c VariantCurves,
}

/// The reason why a text is not a curve file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CurvesError {
    /// The text does not begin with the file's magic word and version.
    #[error("not a curve file: the first line is not `{MAGIC} {CURVES_VERSION}`")]
    NotACurveFile,
    /// The file has another version.
    #[error("unsupported version {found} of the curve file; expected version {CURVES_VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// A line cannot be parsed.
    #[error("line {line} of the curve file: expected {expected}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The expected content.
        expected: &'static str,
    },
    /// A variant has a curve for one side to move only.
    #[error("line {line} of the curve file: `{variant}` has no curve for the {missing} to move")]
    OneSide {
        /// The line of the existing curve, counted from 1.
        line: usize,
        /// The variant.
        variant: String,
        /// The side without a curve.
        missing: Side,
    },
    /// A variant has two curves for the same side to move.
    #[error("line {line} of the curve file: `{variant}` has two curves for the {side} to move")]
    Duplicate {
        /// The line of the second curve, counted from 1.
        line: usize,
        /// The variant.
        variant: String,
        /// The side with two curves.
        side: Side,
    },
    /// The pooled curves are missing.
    #[error("the curve file has no `{POOLED}` curves")]
    NoPooled,
}

impl Curves {
    /// Returns the built-in curves.
    ///
    /// # Panics
    ///
    /// Never panics: a test reads the built-in file.
    pub fn built_in() -> Curves {
        Curves::read(BUILT_IN).expect("a test reads the built-in curves")
    }

    /// Returns a set of curves, or `None` without pooled curves.
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

    /// Returns the curves of a variant, or the pooled ones if it has none.
    pub fn of(&self, variant: Option<&str>) -> CurveChoice<'_> {
        let own = variant.and_then(|name| self.variants.iter().find(|curves| curves.variant == name));
        CurveChoice { curves: own.unwrap_or(&self.variants[0]) }
    }

    /// Returns the identity of these curves: a hash in sixteen hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}", super::evaluation::hash(self.to_string().as_bytes()))
    }

    /// Returns the curves of all variants, the pooled ones first.
    pub fn variants(&self) -> &[VariantCurves] {
        &self.variants
    }

    /// Parses a curve file.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text, see [`CurvesError`].
    pub fn read(text: &str) -> Result<Curves, CurvesError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        let first = lines.next().and_then(|(_, line)| line.trim().strip_prefix(MAGIC));
        let version = first.and_then(|rest| rest.trim().parse().ok()).ok_or(CurvesError::NotACurveFile)?;
        if version != CURVES_VERSION {
            return Err(CurvesError::Version { found: version });
        }
        let (mut engine, mut limits, mut source) = (String::new(), String::new(), String::new());
        let mut side_curves: Vec<SideCurve> = Vec::new();
        for (number, line) in lines {
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "engine" => engine = rest.to_owned(),
                "limits" => limits = rest.to_owned(),
                "source" => source = rest.to_owned(),
                "curve" => {
                    let side_curve = read_curve(number, rest);
                    side_curves
                        .push(side_curve.map_err(|expected| CurvesError::Line { line: number, expected })?);
                }
                _ => {
                    let expected = "`engine`, `limits`, `source`, or `curve`";
                    return Err(CurvesError::Line { line: number, expected });
                }
            }
        }
        Curves::new(engine, limits, source, both_sides(&side_curves)?).ok_or(CurvesError::NoPooled)
    }
}

/// Writes a curve file, which [`Curves::read`] reads.
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
    /// Returns the variant to which the curves were fitted, or [`POOLED`].
    pub fn name(&self) -> &str {
        &self.curves.variant
    }

    /// Returns the expectation of a position with the given side to move.
    pub fn expect(&self, to_move: Side, score: PovScore, phase: Phase) -> Expectation {
        self.curves.by[to_move].curve.expect(score, phase)
    }

    /// Returns the quality of the curve for a side to move.
    pub fn reliability(&self, to_move: Side) -> CurveFit {
        self.curves.by[to_move].reliability
    }
}

fn curve_line(variant: &str, side: Side, fitted: &FittedCurve) -> String {
    let CurveFit { games, positions, brier, brier_of_base, ece, ece_by_chance } = fitted.reliability;
    let mut line = format!("curve {variant} {} games {games} positions {positions}", side.as_str());
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
    // At the end, where 0.1.0 ignores it.
    if let Some(chance) = ece_by_chance {
        let _ = write!(line, " chance {chance:.4}");
    }
    line
}

/// The curve of a variant for one side to move, as in a line of the file.
struct SideCurve {
    /// The line, counted from 1.
    line: usize,
    variant: String,
    side: Side,
    fitted: FittedCurve,
}

/// Pairs the curves of every variant, in the order of the attackers' curves.
fn both_sides(side_curves: &[SideCurve]) -> Result<Vec<VariantCurves>, CurvesError> {
    let mut variants = Vec::new();
    for (at, side_curve) in side_curves.iter().enumerate() {
        let (line, variant, side) = (side_curve.line, side_curve.variant.clone(), side_curve.side);
        if side_curves[..at].iter().any(|other| other.variant == variant && other.side == side) {
            return Err(CurvesError::Duplicate { line, variant, side });
        }
        let Some(other) = side_curves.iter().find(|other| other.variant == variant && other.side != side)
        else {
            return Err(CurvesError::OneSide { line, variant, missing: side.other() });
        };
        if side == Side::Attackers {
            let by = BySide { attackers: side_curve.fitted, defenders: other.fitted };
            variants.push(VariantCurves { variant, by });
        }
    }
    Ok(variants)
}

/// Parses the text after the word `curve`. An error is a description of the expected text.
fn read_curve(line: usize, text: &str) -> Result<SideCurve, &'static str> {
    let mut words = text.split_ascii_whitespace();
    let variant = words.next().ok_or("the name of a variant")?.to_owned();
    let side = words.next().and_then(|side| side.parse().ok());
    let side = side.ok_or("`attackers` or `defenders`")?;
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
    let terms: [f64; N_CURVE_TERMS] = numbers("terms", N_CURVE_TERMS)?.try_into().map_err(|_| "six terms")?;
    let curve = Curve::new(terms).ok_or("a curve that increases with the score")?;
    let ece_by_chance = match numbers("chance", 1) {
        Ok(numbers) => Some(numbers[0]),
        // Files of 0.1.0 end before this word.
        Err("chance") => None,
        Err(expected) => return Err(expected),
    };
    let reliability = CurveFit { games, positions, brier, brier_of_base, ece, ece_by_chance };
    Ok(SideCurve { line, variant, side, fitted: FittedCurve { curve, reliability } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn the_built_in_curves_can_be_parsed() {
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
    fn curves_round_trip() {
        let curves = Curves::built_in();
        assert_eq!(Curves::read(&curves.to_string()).unwrap(), curves);
    }

    #[test]
    fn the_error_by_chance_round_trips() {
        let mut curves = Curves::built_in();
        curves.variants[0].by.attackers.reliability.ece_by_chance = Some(0.0125);
        let read = Curves::read(&curves.to_string()).unwrap();
        assert_eq!(read, curves);
        let fit = read.of(None).reliability(Side::Attackers);
        assert!((fit.ece_beyond_chance().unwrap().value - (fit.ece.value - 0.0125)).abs() < 1e-12);
        let broken = curves.to_string().replace("chance 0.0125", "chance");
        assert_eq!(Curves::read(&broken), Err(CurvesError::Line { line: 5, expected: "a number" }));
    }

    #[test]
    fn errors_in_curve_files_are_reported() {
        assert_eq!(Curves::read(""), Err(CurvesError::NotACurveFile));
        assert_eq!(Curves::read("tafl-curves 9\n"), Err(CurvesError::Version { found: 9 }));
        assert_eq!(Curves::read("tafl-curves 1\n"), Err(CurvesError::NoPooled));
        let text = "tafl-curves 1\ncurve pooled neither\n";
        assert_eq!(
            Curves::read(text),
            Err(CurvesError::Line { line: 2, expected: "`attackers` or `defenders`" })
        );
        // A file that does not name an engine can be written and read again.
        let bare = Curves { engine: String::new(), limits: String::new(), ..Curves::built_in() };
        assert_eq!(Curves::read(&bare.to_string()), Ok(bare));
        let endless = "tafl-curves 1\ncurve pooled attackers games 1 positions 1 brier nan 0 0";
        assert_eq!(Curves::read(endless), Err(CurvesError::Line { line: 2, expected: "a number" }));
        let falling = "tafl-curves 1\ncurve pooled attackers games 1 positions 1 brier 0 0 0 base 0 ece 0 0 0 terms 0 -1 0 0 0 0";
        let expected = "a curve that increases with the score";
        assert_eq!(Curves::read(falling), Err(CurvesError::Line { line: 2, expected }));
    }

    #[test]
    fn a_variant_with_one_curve_or_three_is_rejected() {
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
        assert_eq!(read(again), Err(CurvesError::Duplicate { line: 6, variant: variant(), side }));
    }
}
