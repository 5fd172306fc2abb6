//! The parser of rules strings.

mod keys;

use std::collections::HashSet;
use std::str::FromStr;

use super::values::{Word, limit, pieces, plies_played, repetitions, words, yes, zone_key};
use super::{RuleNotice, RuleNoticeKind, RuleSetError, RuleSetErrorKind};
use crate::piece::PieceSet;
use crate::ruleset::*;
use crate::setup::Setup;
use crate::shape::Shape;
use crate::side::Side;
use crate::text::Span;
use crate::text::setup::RowOrder;

/// The interpretation of ambiguous keys of rules strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RulesReadOptions {
    /// The interpretation of `tfr:w` and `tfr:l`.
    pub tfr: TfrReading,
}

/// The two interpretations of `tfr:w` and `tfr:l`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TfrReading {
    /// As in the specification: the player who causes the third occurrence wins with `w` and loses
    /// with `l`.
    #[default]
    Specification,
    /// As in OpenTafl's program: the opposite.
    OpenTafl,
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Parses a rules string. Drops notices, see [`RuleSet::read`].
    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        RuleSet::read(text, RulesReadOptions::default()).map(|(rules, _)| rules)
    }
}

impl RuleSet {
    /// Parses a rules string and returns the rules together with remarks.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text, see [`RuleSetErrorKind`]. Unknown keys are not errors:
    /// they are kept in [`RuleSet::unknown`] and reported as notices.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::RuleSet;
    ///
    /// let text = "dim:7 name:Brandubh ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    /// let rules: RuleSet = text.parse().unwrap();
    /// assert_eq!(rules.to_string(), text);
    /// ```
    pub fn read(text: &str, options: RulesReadOptions) -> Result<(RuleSet, Vec<RuleNotice>), RuleSetError> {
        let words = words(text);
        let start = read_start(text, &words)?;
        let shieldwall = Shieldwall { corner_closes: true, flank_move: true, both_ways: true };
        let rules = RuleSet::with_defaults(start);
        let mut reader =
            RuleSetReader { rules, notices: Vec::new(), options, has_shieldwall: false, shieldwall };
        let mut seen: HashSet<&str> = HashSet::new();
        for word in &words {
            // Both keys set the start position.
            let key = word.key.map(|key| if key == "starti" { "start" } else { key });
            if let Some(key) = key.filter(|key| !seen.insert(*key)) {
                let kind = RuleSetErrorKind::DuplicateKey { key: key.to_owned() };
                return Err(RuleSetError { span: word.span, kind });
            }
        }
        // Keys that refine other keys are applied after them, regardless of their order in the
        // text.
        for late in [false, true] {
            for word in words.iter().filter(|word| LATE_KEYS.contains(&word.name()) == late) {
                reader.read_key(word)?;
            }
        }
        reader.finish();
        Ok((reader.rules, reader.notices))
    }
}

/// The keys that override other keys.
const LATE_KEYS: [&str; 6] = ["xenc", "xgoal", "xking", "xkh", "xrep", "xmove"];

fn read_start(text: &str, words: &[Word<'_>]) -> Result<Setup, RuleSetError> {
    let find = |key: &str| words.iter().find(|word| word.has_key(key));
    let Some(dim) = find("dim") else {
        return Err(RuleSetError {
            span: Span::new(0, text.ceil_char_boundary(1)),
            kind: RuleSetErrorKind::NoDimension,
        });
    };
    let hex = match find("xtopo") {
        None => false,
        Some(word) if word.value == "hex" => true,
        Some(word) if word.value == "square" => false,
        Some(word) => return Err(word.bad("`hex` or `square`")),
    };
    let side = dim.value.parse::<u8>().ok();
    let Some(shape) = side.and_then(if hex { Shape::hex } else { Shape::square }) else {
        let kind = RuleSetErrorKind::BadDimension { value: dim.value.to_owned() };
        return Err(RuleSetError { span: dim.span, kind });
    };
    let (word, order) = match (find("start"), find("starti")) {
        (Some(word), _) => (word, RowOrder::Rising),
        (None, Some(word)) => (word, RowOrder::Falling),
        (None, None) => {
            return Err(RuleSetError { span: Span::at(text.len()), kind: RuleSetErrorKind::NoStart });
        }
    };
    Setup::parse_in(shape, word.value, order).map_err(|error| RuleSetError {
        span: error.span.shift(word.span.end as usize - word.value.len()),
        kind: RuleSetErrorKind::Start(error.kind),
    })
}

struct RuleSetReader {
    rules: RuleSet,
    notices: Vec<RuleNotice>,
    options: RulesReadOptions,
    has_shieldwall: bool,
    shieldwall: Shieldwall,
}

impl RuleSetReader {
    fn read_key(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        match word.name() {
            "dim" | "xtopo" | "start" | "starti" => {}
            "name" => self.rules.name = Some(word.value.to_owned()).filter(|name| !name.is_empty()),
            "atkf" => self.rules.first_mover = if yes(word)? { Side::Attackers } else { Side::Defenders },
            "esc" => {
                self.rules.goals.defenders = match word.value {
                    "c" => Goal::Corners,
                    "e" => Goal::Edge,
                    _ => return Err(word.bad("`c` (corners) or `e` (edge)")),
                }
            }
            "surf" => {
                self.rules.encirclement = if yes(word)? { Encirclement::Plain } else { Encirclement::None };
            }
            "tfr" => self.repetition_letter(word)?,
            "ka" => {
                self.rules.king_arming = match word.value {
                    "y" => Arming::Armed,
                    "n" => Arming::Unarmed,
                    "a" => Arming::Anvil,
                    "h" => Arming::Hammer,
                    _ => return Err(word.bad("`y`, `n`, `a` (anvil only), or `h` (hammer only)")),
                }
            }
            "ks" => {
                self.rules.king_capture = match word.value {
                    "s" | "y" => KingCapture::STRONG,
                    "c" => KingCapture::STRONG_AT_THRONE,
                    "m" => KingCapture::CONFINED,
                    "w" | "n" => KingCapture::WEAK,
                    _ => return Err(word.bad("`s`, `c`, `m`, or `w`")),
                }
            }
            "linc" => self.rules.linnaean = yes(word)?,
            "efe" => self.rules.exit_fort = yes(word)?,
            "ber" => {
                self.rules.berserk = match word.value {
                    "n" => Berserk::None,
                    "c" => Berserk::Capture,
                    "m" => Berserk::AnyMove,
                    _ => return Err(word.bad("`n`, `c`, or `m`")),
                }
            }
            "sw" | "swf" | "xsw" => self.shieldwall(word)?,
            "spd" => self.speeds(word)?,
            "kj" | "nj" | "cj" | "mj" | "gj" => self.jumps(word)?,
            "cenhe" => self.rules.zones.throne.hostile = pieces(word)?,
            "cenh" => self.rules.throne_hostile_occupied = pieces(word)?,
            "xedge" => self.rules.edge_hostile = pieces(word)?,
            "xroyal" => self.rules.royal = pieces(word)?.intersection(PieceSet::KINGS),
            "xpierce" => self.rules.piercing = pieces(word)?.intersection(PieceSet::COMMANDERS),
            "xcamp" => {
                self.rules.camps_apart = match word.value {
                    "same" => true,
                    "all" => false,
                    _ => return Err(word.bad("`same` or `all`")),
                }
            }
            "xcampx" => self.rules.camps_spared = self.cells(word, word.value)?,
            "xhcc" => {
                self.rules.hex_corner_capture = match word.value {
                    "rim" => true,
                    "none" => false,
                    _ => return Err(word.bad("`rim` or `none`")),
                }
            }
            "xenc" => {
                self.rules.encirclement = match word.value {
                    "none" => Encirclement::None,
                    "plain" => Encirclement::Plain,
                    "secure" => Encirclement::Secure,
                    _ => return Err(word.bad("`none`, `plain`, or `secure`")),
                }
            }
            "xnom" => {
                self.rules.no_moves = match word.value {
                    "lose" => NoMoves::Lose,
                    "draw" => NoMoves::Draw,
                    "none" => NoMoves::Ignore,
                    _ => return Err(word.bad("`lose`, `draw`, or `none`")),
                }
            }
            "xber" => self.chain(word)?,
            "xover" => self.jumped_over(word)?,
            "xdux" => self.rules.dux = pieces(word)?.without(PieceSet::KINGS),
            "xlim" => self.rules.ply_limit = Some(limit(word)?),
            "xforce" => self.rules.forced_capture = yes(word)?,
            "xswap" => self.rules.swap = Some(plies_played(word)?),
            "xarr" => self.rearrangement(word)?,
            "xlimc" => self.rules.captureless_limit = Some(limit(word)?),
            "xking" => self.king_capture(word)?,
            "xkh" => self.king_hostility(word)?,
            "xmove" => self.moves(word)?,
            "xgoal" => self.goals(word)?,
            "xrep" => self.rules.repetition = repetitions(word)?,
            name => match zone_key(name) {
                Some((zone, part)) => self.zone(word, zone, part)?,
                None => self.unknown(word),
            },
        }
        Ok(())
    }

    fn unknown(&mut self, word: &Word<'_>) {
        let text = match word.key {
            Some(key) => format!("{key}:{}", word.value),
            None => word.value.to_owned(),
        };
        self.rules.unknown.push(text.clone());
        self.notices.push(RuleNotice { span: word.span, kind: RuleNoticeKind::Unknown { word: text } });
    }

    /// Combines the values of keys that belong together.
    fn finish(&mut self) {
        self.rules.shieldwall = self.has_shieldwall.then_some(self.shieldwall);
    }
}
