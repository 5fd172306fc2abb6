//! The writer of rules strings.

use std::fmt;

use super::values::ZONE_KEYS;
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::*;
use crate::shape::Cell;
use crate::side::Side;

/// Writes the shortest rules string: `dim` first, `start` last, and between them only the keys that
/// differ from the defaults.
impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = RuleSet::with_defaults(self.start.clone());
        write!(f, "dim:{}", self.shape().side())?;
        if self.shape().is_hex() {
            write!(f, " xtopo:hex")?;
        }
        if let Some(name) = &self.name {
            write!(f, " name:{}", name.split_whitespace().collect::<Vec<_>>().join("_"))?;
        }
        let mut keys = RuleKeys(Vec::new());
        keys.general(self, &default);
        keys.before_play(self);
        keys.zones(self, &default);
        keys.movement(self, &default);
        keys.captures(self, &default);
        keys.ends(self, &default);
        keys.0.iter().try_for_each(|key| write!(f, " {key}"))?;
        self.unknown.iter().try_for_each(|word| write!(f, " {word}"))?;
        write!(f, " start:{}", self.start)
    }
}

/// The words of a rules string between `dim` and `start`.
struct RuleKeys(Vec<String>);

impl RuleKeys {
    fn add(&mut self, key: &str, value: impl fmt::Display) {
        self.0.push(format!("{key}:{value}"));
    }

    fn general(&mut self, rules: &RuleSet, default: &RuleSet) {
        match &rules.goals.defenders {
            Goal::Edge => self.add("esc", "e"),
            Goal::Corners | Goal::None | Goal::Cells(_) => {}
        }
        if rules.encirclement == Encirclement::None {
            self.add("surf", "n");
        }
        if rules.first_mover != default.first_mover {
            self.add("atkf", "n");
        }
        if let Some(letter) = repetition_letter(&rules.repetition).filter(|letter| *letter != 'd') {
            self.add("tfr", letter);
        }
        if rules.king_arming != default.king_arming {
            let letter = match rules.king_arming {
                Arming::Armed => 'y',
                Arming::Anvil => 'a',
                Arming::Hammer => 'h',
                Arming::Unarmed => 'n',
            };
            self.add("ka", letter);
        }
        if rules.king_capture != default.king_capture {
            match rules.king_capture {
                KingCapture::STRONG_AT_THRONE => self.add("ks", 'c'),
                KingCapture::CONFINED => self.add("ks", 'm'),
                KingCapture::WEAK => self.add("ks", 'w'),
                _ => {}
            }
        }
    }

    fn before_play(&mut self, rules: &RuleSet) {
        let cells = |side: Side| match &rules.rearrangement[side] {
            Rearrangement::None => None,
            Rearrangement::Cells(cells) if cells.is_empty() => None,
            Rearrangement::Anywhere => Some("any".to_owned()),
            Rearrangement::Near(steps) => Some(format!("near{steps}")),
            Rearrangement::Far(steps) => Some(format!("far{steps}")),
            Rearrangement::Cells(cells) => Some(cell_names(rules, cells)),
        };
        let parts = Side::ALL.into_iter().filter_map(|side| {
            Some(format!("{}={}", if side == Side::Attackers { 'a' } else { 'd' }, cells(side)?))
        });
        let parts: Vec<String> = parts.collect();
        if !parts.is_empty() {
            self.add("xarr", parts.join(";"));
        }
        if let Some(plies) = rules.swap {
            self.add("xswap", plies);
        }
    }

    fn zones(&mut self, rules: &RuleSet, default: &RuleSet) {
        // The order of OpenTafl's specification.
        let kinds = [ZoneKind::Corner, ZoneKind::Throne, ZoneKind::Camp, ZoneKind::Fort];
        let zones = kinds.map(|kind| (kind, &rules.zones[kind], &default.zones[kind]));
        for (kind, zone, plain) in zones {
            if zone.cells != plain.cells {
                self.add(ZONE_KEYS[kind], cell_names(rules, &zone.cells));
            }
        }
        for (kind, zone, plain) in zones {
            let (name, throne) = (ZONE_KEYS[kind], kind == ZoneKind::Throne);
            if throne && rules.throne_hostile_occupied != default.throne_hostile_occupied {
                self.add("cenh", rules.throne_hostile_occupied);
            }
            let hostile = if throne { "cenhe".to_owned() } else { format!("{name}h") };
            let sets: [(String, PieceSet, PieceSet); 4] = [
                (hostile, zone.hostile, plain.hostile),
                (format!("{name}p"), zone.pass, plain.pass),
                (format!("{name}s"), zone.stop, plain.stop),
                (format!("{name}re"), zone.reenter, plain.reenter),
            ];
            for (key, set, usual) in sets {
                if set != usual {
                    self.add(&key, set);
                }
            }
        }
        if rules.camps_apart {
            self.add("xcamp", "same");
        }
        if !rules.camps_spared.is_empty() {
            self.add("xcampx", cell_names(rules, &rules.camps_spared));
        }
    }

    fn movement(&mut self, rules: &RuleSet, default: &RuleSet) {
        for role in [Role::King, Role::Knight, Role::Commander, Role::Mercenary, Role::Guard] {
            let piece = Piece::new(Side::Defenders, role);
            if rules.movement[piece].jump != default.movement[piece].jump {
                let letter = match rules.movement[piece].jump {
                    Jump::None => 'n',
                    Jump::Restricted => 'r',
                    Jump::Plain => 'j',
                    Jump::Capturing => 'c',
                };
                self.add(&format!("{}j", role.letter()), letter);
            }
        }
        let limit =
            |piece: Piece| rules.movement[piece].max.map_or_else(|| "-1".to_owned(), |max| max.to_string());
        let limits: Vec<String> = Piece::all().map(limit).collect();
        if limits.iter().all(|limit| *limit == limits[0]) {
            if limits[0] != "-1" {
                self.add("spd", &limits[0]);
            }
        } else {
            self.add("spd", limits.join(","));
        }
        let queens: Vec<Piece> =
            Piece::all().filter(|piece| rules.movement[*piece].directions == Directions::Queen).collect();
        if !queens.is_empty() {
            // `xmove` sets directions and longest move together, so pieces with the same limit
            // share a part.
            let mut parts: Vec<(Option<u8>, PieceSet)> = Vec::new();
            for piece in queens {
                let max = rules.movement[piece].max;
                match parts.iter_mut().find(|(limit, _)| *limit == max) {
                    Some((_, set)) => *set = set.union(PieceSet::of(piece)),
                    None => parts.push((max, PieceSet::of(piece))),
                }
            }
            let parts: Vec<String> = parts
                .into_iter()
                .map(|(max, set)| format!("{set}=q{}", max.map_or_else(String::new, |max| max.to_string())))
                .collect();
            self.add("xmove", parts.join(";"));
        }
    }

    fn captures(&mut self, rules: &RuleSet, default: &RuleSet) {
        if let Some(shieldwall) = rules.shieldwall {
            self.add("sw", if shieldwall.corner_closes { 's' } else { 'w' });
            if !shieldwall.flank_move {
                self.add("swf", 'n');
            }
            if !shieldwall.both_ways {
                self.add("xsw", "one");
            }
        }
        if rules.linnaean {
            self.add("linc", 'y');
        }
        if rules.royal != default.royal {
            self.add("xroyal", rules.royal);
        }
        let known =
            [KingCapture::STRONG, KingCapture::STRONG_AT_THRONE, KingCapture::CONFINED, KingCapture::WEAK];
        if !known.contains(&rules.king_capture) {
            let KingCapture { on_throne, next_to_throne, on_edge, elsewhere } = rules.king_capture;
            let words = [on_throne, next_to_throne, on_edge, elsewhere].map(CaptureMode::as_str);
            self.add("xking", words.join("/"));
        }
        if rules.piercing != default.piercing {
            self.add("xpierce", rules.piercing);
        }
        if rules.edge_hostile != default.edge_hostile {
            self.add("xedge", rules.edge_hostile);
        }
        if rules.forced_capture {
            self.add("xforce", 'y');
        }
        if rules.hex_corner_capture {
            self.add("xhcc", "rim");
        }
        match rules.berserk {
            Berserk::None => {}
            Berserk::Capture => self.add("ber", 'c'),
            Berserk::AnyMove => self.add("ber", 'm'),
        }
        match (rules.chain.may_decline, rules.chain.after_jumps) {
            (false, false) => {}
            (true, false) => self.add("xber", "free"),
            (false, true) => self.add("xber", "jump"),
            (true, true) => self.add("xber", "free+jump"),
        }
        if rules.jumped != default.jumped || rules.jump_own {
            let letters: String = rules.jumped.iter().map(|role| role.letter()).collect();
            self.add("xover", format!("{letters}{}", if rules.jump_own { "+own" } else { "" }));
        }
        if rules.dux != default.dux {
            self.add("xdux", rules.dux);
        }
    }

    fn ends(&mut self, rules: &RuleSet, default: &RuleSet) {
        if rules.exit_fort {
            self.add("efe", 'y');
        }
        if rules.encirclement == Encirclement::Secure {
            self.add("xenc", "secure");
        }
        match rules.no_moves {
            NoMoves::Lose => {}
            NoMoves::Draw => self.add("xnom", "draw"),
            NoMoves::Ignore => self.add("xnom", "none"),
        }
        self.goals(rules, default);
        if repetition_letter(&rules.repetition).is_none() {
            let words: Vec<String> = rules.repetition.iter().map(ToString::to_string).collect();
            self.add("xrep", words.join("+"));
        }
        if let Some(plies) = rules.ply_limit {
            self.add("xlim", plies);
        }
        if let Some(plies) = rules.captureless_limit {
            self.add("xlimc", plies);
        }
    }

    fn goals(&mut self, rules: &RuleSet, default: &RuleSet) {
        let word = |goal: &Goal| match goal {
            Goal::None => "none".to_owned(),
            Goal::Corners => "corners".to_owned(),
            Goal::Edge => "edge".to_owned(),
            Goal::Cells(cells) => cell_names(rules, cells),
        };
        let mut parts = Vec::new();
        if rules.goals.attackers != default.goals.attackers {
            parts.push(format!("a={}", word(&rules.goals.attackers)));
        }
        if let goal @ (Goal::None | Goal::Cells(_)) = &rules.goals.defenders {
            parts.push(format!("d={}", word(goal)));
        }
        if !parts.is_empty() {
            self.add("xgoal", parts.join(";"));
        }
    }
}

/// Returns the names of cells, separated by commas.
fn cell_names(rules: &RuleSet, cells: &[Cell]) -> String {
    let shape = rules.shape();
    cells.iter().map(|cell| shape.name(*cell)).collect::<Vec<_>>().join(",")
}

/// Returns the equivalent letter of `tfr`, or `None` if only `xrep` can express the rules.
fn repetition_letter(rules: &[RepetitionRule]) -> Option<char> {
    match rules {
        [] => Some('i'),
        [RepetitionRule::Counted { scope: RepetitionScope::Position, count: 3, effect }] => match effect {
            RepetitionEffect::Draw => Some('d'),
            RepetitionEffect::MoverWins => Some('w'),
            // `xrep:pos3lose` would avoid the ambiguity of `tfr:l`, but the letter is part of
            // OpenTafl's own notation.
            RepetitionEffect::MoverLoses => Some('l'),
            RepetitionEffect::DefendersLose | RepetitionEffect::Claim => None,
        },
        _ => None,
    }
}
