//! The rules, starts, seats, and labels of Abstract Play's games and variants.

use tafl_rules::{Coord, Setup, Shape, Side};

/// A game of Abstract Play, as named in its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AbstractPlayGame {
    /// The side of the first seat, which also moves first.
    pub(super) first_seat: Side,
    /// The name of the variant for the record.
    pub(super) variant: String,
    /// The rules, if the variant is known and no other name implies them.
    pub(super) rules: Option<String>,
    /// The start, if the variant is known and the rules don't include it.
    pub(super) start: Option<Setup>,
    /// The number of cells per side of a hexagonal board, whose labels differ from ours.
    pub(super) hex_side: Option<i16>,
}

impl AbstractPlayGame {
    /// Returns the game with a name and variants, or `None` if it is not a tafl game.
    pub(super) fn named(name: &str, variants: &[&str]) -> Option<AbstractPlayGame> {
        match name.to_ascii_lowercase().as_str() {
            "hexentafl" => Some(AbstractPlayGame::hexentafl(variants)),
            "hnefatafl" | "tafl" => Some(AbstractPlayGame::tafl(variants)),
            _ => None,
        }
    }

    /// HeXentafl: attackers first; four cells per side unless the variant has five.
    fn hexentafl(variants: &[&str]) -> AbstractPlayGame {
        let is_five = variants.iter().any(|variant| variant.to_ascii_lowercase().contains("size-5"));
        let (side, defenders) = if is_five {
            (5, ["d4", "d5", "e4", "e6", "f4", "f5"].as_slice())
        } else {
            (4, ["c3", "d5", "e3"].as_slice())
        };
        let attackers = if is_five {
            ["a1", "a5", "e1", "e9", "i1", "i5", "b2", "b5", "e2", "e8", "h2", "h5"].as_slice()
        } else {
            ["a1", "a4", "d1", "d7", "g1", "g4"].as_slice()
        };
        AbstractPlayGame {
            first_seat: Side::Attackers,
            variant: format!("hexentafl{side}"),
            rules: None,
            start: hex_start(side, attackers, defenders),
            hex_side: Some(i16::from(side)),
        }
    }

    /// The square games: the variant's name encodes rules, board, start, and first mover.
    fn tafl(variants: &[&str]) -> AbstractPlayGame {
        const DEFAULT: &str = "linnaean-9x9-tcross-w";
        let name = variants.iter().copied().find(|variant| !variant.is_empty()).unwrap_or(DEFAULT);
        let mut words = name.split('-');
        let (family, board, layout) = (words.next(), words.next(), words.next());
        let first_seat = if words.next() == Some("w") { Side::Defenders } else { Side::Attackers };
        let rules = || {
            let side = board?.split('x').next()?.parse().ok()?;
            let (keys, rows) = (keys(family?)?, rows(side, layout?)?);
            let first = if first_seat == Side::Defenders { "n" } else { "y" };
            let label = name.replace(char::is_whitespace, "_");
            // Abstract Play writes the top rank first.
            Some(format!("dim:{side} name:{label} atkf:{first} {keys} starti:{rows}"))
        };
        AbstractPlayGame { first_seat, variant: name.to_owned(), rules: rules(), start: None, hex_side: None }
    }

    /// Converts a label of Abstract Play to our coordinates.
    ///
    /// On its hexagons the letter is a row, counted from the bottom, and the number is a position in that
    /// row, from the left.
    pub(super) fn coord(&self, label: Coord) -> Coord {
        match self.hex_side {
            None => label,
            Some(side) => hex_coord(side, label),
        }
    }
}

fn hex_coord(side: i16, label: Coord) -> Coord {
    Coord::new(label.file, label.rank.saturating_add((label.file - (side - 1)).max(0)))
}

fn hex_start(side: u8, attackers: &[&str], defenders: &[&str]) -> Option<Setup> {
    use tafl_rules::{Piece, Role};
    let shape = Shape::hex(side)?;
    let mut setup = Setup::empty(shape);
    let men = [(attackers, Side::Attackers), (defenders, Side::Defenders)];
    for (labels, owner) in men {
        for label in labels {
            let coord = hex_coord(i16::from(side), label.parse().ok()?);
            setup.put(shape.cell(coord)?, Some(Piece::new(owner, Role::Soldier)));
        }
    }
    setup.put(shape.center()?, Some(Piece::new(Side::Defenders, Role::King)));
    Some(setup)
}

/// Returns the rules string keys of a family of rules.
fn keys(family: &str) -> Option<&'static str> {
    Some(match family {
        "linnaean" | "historical" => "esc:e ks:c cor: xrep:pos3def",
        "simple" => "esc:e ks:w cor: cen: xrep:pos3def",
        "fetlar" => "ks:s xrep:pos3draw",
        "copenhagen" => "ks:s sw:s swf:y efe:y xrep:pos3def",
        "old" => "ks:m xrep:pos3def",
        "seabattle" => "esc:e ka:n ks:s cor: cen: xrep:pos3def",
        "berserk" => "ks:s surf:n kj:r nj:c cj:j ber:c xrep:pos3def",
        "total" => "ks:s surf:n nj:c cj:j ber:c sw:s swf:y efe:y xrep:pos3draw",
        "tyr" => "esc:e ks:w surf:n cor: cen: ber:c xrep:pos3def",
        "magpie" => "ks:m xmove:K=1 xrep:pos3def",
        _ => return None,
    })
}

/// Returns the start of a layout, with the top rank first.
fn rows(side: u8, layout: &str) -> Option<&'static str> {
    Some(match (side, layout) {
        (7, "cross") => "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        (9, "tcross") => "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
        (9, "starsquare") => "/4t4/1t2t2t1/2t3t2/3TTT3/tt1TKT1tt/3TTT3/2t3t2/1t2t2t1/4t4/",
        (11, "tdiamond") => "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
        (11, "belldiamond") => "/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
        (11, "tcross") => "/3ttttt3/5t5/5T5/t4T4t/t4T4t/ttTTTKTTTtt/t4T4t/t4T4t/5T5/5t5/3ttttt3/",
        (11, "lewiscross") => "/4ttt4/4ttt4/5T5/5T5/tt3T3tt/ttTTTKTTTtt/tt3T3tt/5T5/5T5/4ttt4/4ttt4/",
        (11, "tdiamondberserk") => "/3ttttt3/5c5/11/t4T4t/t3NTT3t/tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/",
        (11, "tyr") => "/t2t3t2t/11/2t2t2t2/t2t1T1t2t/4TTT4/2tTTKTTt2/4TTT4/t2t1T1t2t/2t2t2t2/11/t2t3t2t/",
        (15, "tyr") => {
            "/t2t3t3t2t/15/2t2t3t2t2/t2t2t1t2t2t/4T2T2T4/2t3T1T3t2/3t1T1T1T1t3/t3T1TKT1T3t/\
             3t1T1T1T1t3/2t3T1T3t2/4T2T2T4/t2t2t1t2t2t/2t2t3t2t2/15/t2t3t3t2t/"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::RuleSet;

    use super::*;

    #[test]
    fn the_rules_of_every_variant_can_be_read() {
        let names = [
            "linnaean-9x9-tcross-w",
            "linnaean-11x11-belldiamond-w",
            "linnaean-11x11-lewiscross-w",
            "historical-9x9-tcross-w",
            "copenhagen-11x11-tdiamond",
            "berserk-11x11-tdiamondberserk",
            "total-11x11-tdiamond",
            "tyr-11x11-tyr",
            "tyr-15x15-tyr",
            "seabattle-9x9-starsquare-w",
            "seabattle-11x11-tcross-w",
            "magpie-7x7-cross",
        ];
        for name in names {
            let game = AbstractPlayGame::named("Hnefatafl", &[name]).unwrap();
            let rules: RuleSet = game.rules.as_deref().unwrap_or_else(|| panic!("{name}")).parse().unwrap();
            assert_eq!(rules.unknown, [""; 0], "{name}");
            assert_eq!(rules.first_mover, game.first_seat, "{name}");
            let kings =
                rules.start.pieces().filter(|(_, piece)| piece.role == tafl_rules::Role::King).count();
            assert_eq!(kings, 1, "{name}");
        }
    }

    #[test]
    fn an_unknown_family_or_layout_has_no_rules() {
        let game = AbstractPlayGame::named("Hnefatafl", &["lunar-11x11-tdiamond"]).unwrap();
        assert_eq!((game.rules, game.variant.as_str()), (None, "lunar-11x11-tdiamond"));
        assert_eq!(AbstractPlayGame::named("Hnefatafl", &["copenhagen-11x11-spiral"]).unwrap().rules, None);
        assert_eq!(AbstractPlayGame::named("Chess", &[]), None);
    }

    #[test]
    fn hexes_are_relabelled() {
        let game = AbstractPlayGame::named("heXentafl", &[]).unwrap();
        let ours = |label: &str| game.coord(label.parse().unwrap()).to_string();
        assert_eq!(
            [ours("c3"), ours("d5"), ours("e3"), ours("g1"), ours("g4")],
            ["c3", "d5", "e4", "g4", "g7"]
        );
        assert_eq!(game.start.unwrap().to_string(), "/t2t/5/2T3/t2KT1t/2T3/5/t2t/");
        let five = AbstractPlayGame::named("heXentafl", &["size-5"]).unwrap();
        assert_eq!(five.start.unwrap().to_string(), "/t3t/1t2t1/7/3TT3/tt1TKT1tt/3TT3/7/1t2t1/t3t/");
    }
}
