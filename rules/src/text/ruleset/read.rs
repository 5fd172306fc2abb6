//! The parser of rules strings.

use std::collections::HashSet;
use std::str::FromStr;

use super::values::{Word, ZonePart, limit, piece_set, pieces, repetitions, words, yes, zone_key};
use super::{RuleNotice, RuleNoticeKind, RuleSetError, RuleSetErrorKind};
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::*;
use crate::setup::Setup;
use crate::shape::{Cell, Coord, Shape};
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
        let wall = Shieldwall { corner_closes: true, flank_move: true, both_ways: true };
        let rules = RuleSet::with_defaults(start);
        let mut reader = RuleSetReader { rules, notices: Vec::new(), options, walls: false, wall };
        let mut seen: HashSet<&str> = HashSet::new();
        for word in &words {
            // Both keys set the start position.
            let key = word.key.map(|key| if key == "starti" { "start" } else { key });
            if let Some(key) = key.filter(|key| !seen.insert(*key)) {
                let kind = RuleSetErrorKind::Twice { key: key.to_owned() };
                return Err(RuleSetError { span: word.span, kind });
            }
        }
        // Keys that refine other keys are applied after them, regardless of their order in the
        // text.
        for late in [false, true] {
            for word in words.iter().filter(|word| LATE_KEYS.contains(&word.name()) == late) {
                reader.take(word)?;
            }
        }
        reader.finish();
        Ok((reader.rules, reader.notices))
    }
}

/// The keys that override other keys.
const LATE_KEYS: [&str; 6] = ["xenc", "xgoal", "xking", "xkh", "xrep", "xmove"];

/// Returns the longest move in cells, or `None` if it exceeds every board.
fn longest_move(cells: i16) -> Option<u8> {
    u8::try_from(cells).ok().filter(|cells| *cells <= 21)
}

fn read_start(text: &str, words: &[Word<'_>]) -> Result<Setup, RuleSetError> {
    let find = |key: &str| words.iter().find(|word| word.is_own(key));
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
    walls: bool,
    wall: Shieldwall,
}

impl RuleSetReader {
    fn take(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    fn repetition_letter(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        let wins = |wins: bool| {
            let wins = wins == (self.options.tfr == TfrReading::Specification);
            if wins { RepetitionEffect::MoverWins } else { RepetitionEffect::MoverLoses }
        };
        let effect = match word.value {
            "i" => {
                self.rules.repetition = Vec::new();
                return Ok(());
            }
            "d" => RepetitionEffect::Draw,
            "w" => wins(true),
            "l" => wins(false),
            _ => return Err(word.bad("`d`, `i`, `w`, or `l`")),
        };
        self.rules.repetition = vec![RepetitionRule::counted(RepetitionScope::Position, 3, effect)];
        if effect != RepetitionEffect::Draw {
            let letter = if word.value == "w" { 'w' } else { 'l' };
            let specified = if letter == 'w' { "wins" } else { "loses" };
            let kind = RuleNoticeKind::RepetitionReversed { letter, specified };
            self.notices.push(RuleNotice { span: word.span, kind });
        }
        Ok(())
    }

    fn shieldwall(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        match (word.name(), word.value) {
            ("sw", "n") => self.walls = false,
            ("sw", "w") => (self.walls, self.wall.corner_closes) = (true, false),
            ("sw", "s") => (self.walls, self.wall.corner_closes) = (true, true),
            ("swf", _) => self.wall.flank_move = yes(word)?,
            ("xsw", "one") => self.wall.both_ways = false,
            ("xsw", "both") => self.wall.both_ways = true,
            ("sw", _) => return Err(word.bad("`n`, `w` (corners do not close), or `s` (corners close)")),
            _ => return Err(word.bad("`one` or `both`")),
        }
        Ok(())
    }

    fn speeds(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        const EXPECTED: &str = "1, 2, 8, 10, or 12 numbers separated by commas; -1 means no limit";
        let numbers: Vec<Option<u8>> = word
            .value
            .trim_end_matches(',')
            .split(',')
            .map(|number| match number.parse::<i16>() {
                Ok(-1) => Ok(None),
                Ok(max @ 1..) => Ok(longest_move(max)),
                Ok(_) | Err(_) => Err(word.bad(EXPECTED)),
            })
            .collect::<Result<_, _>>()?;
        // The number of roles in each side's list, in the order t c n k m g.
        let roles_listed = match numbers.len() {
            1 | 2 => 0,
            8 => 4,
            10 => 5,
            12 => 6,
            _ => return Err(word.bad(EXPECTED)),
        };
        for piece in Piece::all() {
            let limit = match numbers.len() {
                1 => Some(numbers[0]),
                2 => Some(numbers[piece.side.index()]),
                _ if (piece.role as usize) < roles_listed => {
                    Some(numbers[piece.side.index() * roles_listed + piece.role as usize])
                }
                _ => None,
            };
            if let Some(limit) = limit {
                self.rules.movement[piece].max = limit;
            }
        }
        Ok(())
    }

    fn jumps(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        let jump = match word.value {
            "n" => Jump::None,
            "r" => Jump::Restricted,
            "j" => Jump::Plain,
            "c" => Jump::Capturing,
            _ => return Err(word.bad("`n`, `r`, `j`, or `c`")),
        };
        let role = Role::from_letter(word.name().chars().next().unwrap_or('k')).unwrap_or(Role::King);
        for side in Side::ALL {
            self.rules.movement[Piece::new(side, role)].jump = jump;
        }
        Ok(())
    }

    fn chain(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        for part in word.value.split('+') {
            match part {
                "free" => self.rules.chain.may_decline = true,
                "jump" => self.rules.chain.after_jumps = true,
                _ => {
                    return Err(word.bad("`free` (a player may decline to continue), `jump`, or `free+jump`"));
                }
            }
        }
        Ok(())
    }

    fn jumped_over(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        let (letters, own) = match word.value.split_once('+') {
            Some((letters, "own")) => (letters, true),
            Some(_) => {
                return Err(
                    word.bad("letters of pieces, followed by `+own` if own pieces may also be jumped over")
                );
            }
            None => (word.value, false),
        };
        let roles: Option<Vec<Role>> = letters.chars().map(Role::from_letter).collect();
        let mut roles = roles.ok_or_else(|| word.bad("letters of pieces: t c n k m g"))?;
        roles.sort_unstable();
        roles.dedup();
        (self.rules.jumped, self.rules.jump_own) = (roles, own);
        Ok(())
    }

    fn zone(&mut self, word: &Word<'_>, zone: ZoneKind, part: ZonePart) -> Result<(), RuleSetError> {
        let cells = match part {
            ZonePart::Cells if word.value == "default" => return Ok(()),
            ZonePart::Cells => Some(self.cells(word, word.value)?),
            ZonePart::Hostile | ZonePart::Pass | ZonePart::Stop | ZonePart::Reenter => None,
        };
        let zone = &mut self.rules.zones[zone];
        match (part, cells) {
            (_, Some(cells)) => zone.cells = cells,
            (ZonePart::Hostile, _) => zone.hostile = pieces(word)?,
            (ZonePart::Pass, _) => zone.pass = pieces(word)?,
            (ZonePart::Stop, _) => zone.stop = pieces(word)?,
            (ZonePart::Reenter, _) => zone.reenter = pieces(word)?,
            (ZonePart::Cells, None) => {}
        }
        Ok(())
    }

    /// Parses a list of cells separated by commas; a trailing comma is allowed.
    fn cells(&self, word: &Word<'_>, list: &str) -> Result<Vec<Cell>, RuleSetError> {
        let mut cells = Vec::new();
        for name in list.split(',').filter(|name| !name.is_empty()) {
            let cell = name.parse::<Coord>().ok().and_then(|coord| self.rules.shape().cell(coord));
            let Some(cell) = cell else {
                let kind = RuleSetErrorKind::BadCell { key: word.name().to_owned(), cell: name.to_owned() };
                return Err(RuleSetError { span: word.value_span(name), kind });
            };
            cells.push(cell);
        }
        cells.sort_unstable();
        cells.dedup();
        Ok(cells)
    }

    fn king_capture(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        const EXPECTED: &str = "on/near/edge/else, each of them custodian, all4, confine, alt3 or any3 (hexagonal boards only), or never";
        let hex = self.rules.shape().is_hex();
        let modes = word
            .value
            .split('/')
            .map(|name| name.parse().ok().filter(|mode: &CaptureMode| hex || !mode.is_for_hexes()))
            .collect::<Option<Vec<_>>>();
        let Some(&[on_throne, next_to_throne, on_edge, elsewhere]) = modes.as_deref() else {
            return Err(word.bad(EXPECTED));
        };
        self.rules.king_capture = KingCapture { on_throne, next_to_throne, on_edge, elsewhere };
        Ok(())
    }

    fn king_hostility(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        if !word.value.chars().all(|letter| "tcf".contains(letter)) {
            return Err(word.bad("any of `t` (throne), `c` (corners), and `f` (fortresses)"));
        }
        for kind in ZoneKind::ALL {
            let letter = match kind {
                ZoneKind::Throne => 't',
                ZoneKind::Corner => 'c',
                ZoneKind::Camp | ZoneKind::Fort => 'f',
            };
            let zone = &mut self.rules.zones[kind];
            zone.hostile = match word.value.contains(letter) {
                true => zone.hostile.union(PieceSet::KINGS),
                false => zone.hostile.without(PieceSet::KINGS),
            };
        }
        Ok(())
    }

    fn moves(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        const EXPECTED: &str = "pieces=move;..., where move is o, q (square boards only), or h (hexagonal boards only), a number, or both";
        let hex = self.rules.shape().is_hex();
        for part in word.value.split(';').filter(|part| !part.is_empty()) {
            let (letters, value) = part.split_once('=').ok_or_else(|| word.bad(EXPECTED))?;
            let pieces = piece_set(letters).ok_or_else(|| word.bad(EXPECTED))?;
            let (directions, number) = match value.chars().next() {
                Some('o') => (Directions::Axes, &value[1..]),
                Some('h') if hex => (Directions::Axes, &value[1..]),
                Some('q') if !hex => (Directions::Queen, &value[1..]),
                _ => (Directions::Axes, value),
            };
            let max = match number {
                "" if !value.is_empty() => None,
                number => match number.parse::<i16>() {
                    Ok(max @ 1..) => longest_move(max),
                    Ok(_) | Err(_) => return Err(word.bad(EXPECTED)),
                },
            };
            for piece in pieces.iter() {
                let movement = &mut self.rules.movement[piece];
                *movement = Movement { directions, max, jump: movement.jump };
            }
        }
        Ok(())
    }

    fn goals(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        const EXPECTED: &str =
            "a=goal;d=goal, where goal is a list of cells separated by commas, `corners`, `edge`, or `none`";
        for part in word.value.split(';').filter(|part| !part.is_empty()) {
            let side = match part.split_once('=') {
                Some(("a", _)) => Side::Attackers,
                Some(("d", _)) => Side::Defenders,
                _ => return Err(word.bad(EXPECTED)),
            };
            self.rules.goals[side] = match &part[2..] {
                "corners" => Goal::Corners,
                "edge" => Goal::Edge,
                "none" => Goal::None,
                "" => return Err(word.bad(EXPECTED)),
                cells => match self.cells(word, cells)? {
                    none if none.is_empty() => return Err(word.bad(EXPECTED)),
                    cells => Goal::Cells(cells),
                },
            };
        }
        Ok(())
    }

    /// Combines the values of keys that belong together.
    fn finish(&mut self) {
        self.rules.shieldwall = self.walls.then_some(self.wall);
    }
}
