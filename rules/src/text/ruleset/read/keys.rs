//! The keys of rules strings whose values have several parts.

use super::{RuleSetReader, TfrReading};
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::*;
use crate::shape::{Cell, Coord};
use crate::side::Side;
use crate::text::ruleset::values::{Word, ZonePart, piece_set, pieces, yes};
use crate::text::ruleset::{RuleNotice, RuleNoticeKind, RuleSetError, RuleSetErrorKind};

/// Returns the longest move in cells, or `None` if it exceeds every board.
fn longest_move(cells: i16) -> Option<u8> {
    u8::try_from(cells).ok().filter(|cells| *cells <= 21)
}

impl RuleSetReader {
    pub(super) fn repetition_letter(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn shieldwall(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        match (word.name(), word.value) {
            ("sw", "n") => self.has_shieldwall = false,
            ("sw", "w") => (self.has_shieldwall, self.shieldwall.corner_closes) = (true, false),
            ("sw", "s") => (self.has_shieldwall, self.shieldwall.corner_closes) = (true, true),
            ("swf", _) => self.shieldwall.flank_move = yes(word)?,
            ("xsw", "one") => self.shieldwall.both_ways = false,
            ("xsw", "both") => self.shieldwall.both_ways = true,
            ("sw", _) => return Err(word.bad("`n`, `w` (corners do not close), or `s` (corners close)")),
            _ => return Err(word.bad("`one` or `both`")),
        }
        Ok(())
    }

    pub(super) fn speeds(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn jumps(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn chain(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn jumped_over(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn zone(
        &mut self,
        word: &Word<'_>,
        zone: ZoneKind,
        part: ZonePart,
    ) -> Result<(), RuleSetError> {
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
    pub(super) fn cells(&self, word: &Word<'_>, list: &str) -> Result<Vec<Cell>, RuleSetError> {
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

    pub(super) fn king_capture(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn king_hostility(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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
            zone.hostile = if word.value.contains(letter) {
                zone.hostile.union(PieceSet::KINGS)
            } else {
                zone.hostile.without(PieceSet::KINGS)
            };
        }
        Ok(())
    }

    pub(super) fn moves(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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

    pub(super) fn rearrangement(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
        const EXPECTED: &str = "a=cells;d=cells, where cells is a list of cells separated by commas, `any`, `none`, or, on boards with a middle cell, `nearN` or `farN` with a number of files and ranks";
        for part in word.value.split(';').filter(|part| !part.is_empty()) {
            let side = match part.split_once('=') {
                Some(("a", _)) => Side::Attackers,
                Some(("d", _)) => Side::Defenders,
                _ => return Err(word.bad(EXPECTED)),
            };
            let number = |number: &str| {
                let steps = number.parse::<u8>().ok().filter(|_| self.rules.shape().center().is_some());
                steps.ok_or_else(|| word.bad(EXPECTED))
            };
            let value = &part[2..];
            self.rules.rearrangement[side] = match value {
                "none" => Rearrangement::None,
                "any" => Rearrangement::Anywhere,
                "" => return Err(word.bad(EXPECTED)),
                _ => match (value.strip_prefix("near"), value.strip_prefix("far")) {
                    (Some(steps), _) => Rearrangement::Near(number(steps)?),
                    (_, Some(steps)) => Rearrangement::Far(number(steps)?),
                    (None, None) => match self.cells(word, value)? {
                        none if none.is_empty() => return Err(word.bad(EXPECTED)),
                        cells => Rearrangement::Cells(cells),
                    },
                },
            };
        }
        Ok(())
    }

    pub(super) fn goals(&mut self, word: &Word<'_>) -> Result<(), RuleSetError> {
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
}
