//! The colors of pictures.

use super::marks::HighlightKind;
use super::scene::{Color, Paint};

/// The colors of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Wood and bone on a white page.
    Light,
    /// For dark screens.
    Dark,
    /// Black and white with patterns instead of colors, for printers and color-blind readers.
    Print,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Print];

    /// Returns the name of the theme: `light`, `dark`, or `print`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Print => "print",
        }
    }

    pub(crate) const fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
            Theme::Print => &PRINT,
        }
    }
}

/// The colors of the pieces of one side.
#[derive(Debug)]
pub(crate) struct Coat {
    /// The fill of men.
    pub(crate) body: Color,
    /// The fill of the king.
    pub(crate) king: Color,
    /// The border.
    pub(crate) edge: Color,
    /// The ring engraved on a man.
    pub(crate) ring: Color,
    /// Crowns, stars, and other emblems.
    pub(crate) emblem: Color,
}

/// The colors of highlighted cells of one kind.
#[derive(Debug)]
pub(crate) struct Tint {
    pub(crate) fill: Paint,
    pub(crate) pattern: Paint,
}

/// All colors of a theme.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) page: Color,
    pub(crate) text: Color,
    pub(crate) frame: Color,
    pub(crate) ground: Color,
    pub(crate) line: Color,
    pub(crate) special: Color,
    pub(crate) camp: Color,
    pub(crate) fort: Color,
    /// Lines in camps and forts.
    pub(crate) hatch: Paint,
    /// Ornaments of the throne, the corners, and the goals.
    pub(crate) ornament: Color,
    pub(crate) attackers: Coat,
    pub(crate) defenders: Coat,
    /// The cells of the last move.
    pub(crate) trace: Paint,
    pub(crate) arrow: Paint,
    pub(crate) cross: Color,
    /// The outline of crosses, which makes them visible on any piece.
    pub(crate) cross_rim: Paint,
    /// The heat map, and the letters on its strongest cells.
    pub(crate) heat: Color,
    pub(crate) on_heat: Color,
    pub(crate) room: Tint,
    pub(crate) wall: Tint,
    pub(crate) breach: Tint,
    pub(crate) note: Tint,
}

impl Palette {
    pub(crate) const fn tint(&self, kind: HighlightKind) -> &Tint {
        match kind {
            HighlightKind::Room => &self.room,
            HighlightKind::Wall => &self.wall,
            HighlightKind::Breach => &self.breach,
            HighlightKind::Note => &self.note,
        }
    }
}

const fn tint(fill: u32, fill_opacity: f32, pattern: u32, pattern_opacity: f32) -> Tint {
    Tint {
        fill: Paint::thin(Color::hex(fill), fill_opacity),
        pattern: Paint::thin(Color::hex(pattern), pattern_opacity),
    }
}

// The highlight colors are those of Okabe and Ito, which can be distinguished with all common kinds of color
// blindness.
const LIGHT: Palette = Palette {
    page: Color::hex(0xffffff),
    text: Color::hex(0x33291f),
    frame: Color::hex(0x6a4727),
    ground: Color::hex(0xf0deb8),
    line: Color::hex(0xb08d5b),
    special: Color::hex(0xdcb981),
    camp: Color::hex(0xe0c494),
    fort: Color::hex(0xf7ecd2),
    hatch: Paint::thin(Color::hex(0x8a6536), 0.45),
    ornament: Color::hex(0x85592c),
    attackers: Coat {
        body: Color::hex(0x352c28),
        king: Color::hex(0x352c28),
        edge: Color::hex(0x15110f),
        ring: Color::hex(0x8d7d70),
        emblem: Color::hex(0xf4c95d),
    },
    defenders: Coat {
        body: Color::hex(0xfffbf0),
        king: Color::hex(0xf6cf6a),
        edge: Color::hex(0x3d2b19),
        ring: Color::hex(0xbfa67f),
        emblem: Color::hex(0x5d1f12),
    },
    trace: Paint::thin(Color::hex(0xf5d90a), 0.45),
    arrow: Paint::thin(Color::hex(0x0f6b8f), 0.9),
    cross: Color::hex(0xc4201a),
    cross_rim: Paint::thin(Color::hex(0xffffff), 0.85),
    heat: Color::hex(0x0072b2),
    on_heat: Color::hex(0xffffff),
    room: tint(0x56b4e9, 0.5, 0x0b5c8c, 0.75),
    wall: tint(0x009e73, 0.38, 0x00694c, 1.0),
    breach: tint(0xd55e00, 0.5, 0x8f3d00, 0.85),
    note: tint(0xcc79a7, 0.45, 0x8c3766, 0.7),
};

const DARK: Palette = Palette {
    page: Color::hex(0x17191d),
    text: Color::hex(0xd9dde3),
    frame: Color::hex(0x8d98a6),
    ground: Color::hex(0x5a6472),
    line: Color::hex(0x7d8897),
    special: Color::hex(0x736f66),
    camp: Color::hex(0x434a55),
    fort: Color::hex(0x6f7b8b),
    hatch: Paint::thin(Color::hex(0xa9b3c0), 0.55),
    ornament: Color::hex(0xd3bd8c),
    attackers: Coat {
        body: Color::hex(0x14161a),
        king: Color::hex(0x14161a),
        edge: Color::hex(0xb9c2ce),
        ring: Color::hex(0x66707d),
        emblem: Color::hex(0xf4c95d),
    },
    defenders: Coat {
        body: Color::hex(0xf2f4f7),
        king: Color::hex(0xf6cf6a),
        edge: Color::hex(0x14161a),
        ring: Color::hex(0xa3acb8),
        emblem: Color::hex(0x5d1f12),
    },
    trace: Paint::thin(Color::hex(0xf0e442), 0.32),
    arrow: Paint::thin(Color::hex(0x7fd4f7), 0.9),
    cross: Color::hex(0xff6b52),
    cross_rim: Paint::thin(Color::hex(0x17191d), 0.85),
    heat: Color::hex(0x56b4e9),
    on_heat: Color::hex(0x14161a),
    room: tint(0x56b4e9, 0.5, 0xbfe4fb, 0.8),
    wall: tint(0x009e73, 0.5, 0x4fe0b6, 1.0),
    breach: tint(0xd55e00, 0.6, 0xffc08a, 0.9),
    note: tint(0xcc79a7, 0.5, 0xf5c3de, 0.75),
};

const PRINT: Palette = Palette {
    page: Color::hex(0xffffff),
    text: Color::hex(0x000000),
    frame: Color::hex(0x000000),
    ground: Color::hex(0xffffff),
    line: Color::hex(0x6e6e6e),
    special: Color::hex(0xe4e4e4),
    camp: Color::hex(0xeeeeee),
    fort: Color::hex(0xffffff),
    hatch: Paint::thin(Color::hex(0x808080), 1.0),
    ornament: Color::hex(0x000000),
    attackers: Coat {
        body: Color::hex(0x1a1a1a),
        king: Color::hex(0x1a1a1a),
        edge: Color::hex(0x000000),
        ring: Color::hex(0xffffff),
        emblem: Color::hex(0xffffff),
    },
    defenders: Coat {
        body: Color::hex(0xffffff),
        king: Color::hex(0xffffff),
        edge: Color::hex(0x000000),
        ring: Color::hex(0xffffff),
        emblem: Color::hex(0x000000),
    },
    trace: Paint::thin(Color::hex(0xdadada), 1.0),
    arrow: Paint::thin(Color::hex(0x000000), 1.0),
    cross: Color::hex(0x000000),
    cross_rim: Paint::thin(Color::hex(0xffffff), 1.0),
    heat: Color::hex(0x404040),
    on_heat: Color::hex(0xffffff),
    room: tint(0xffffff, 1.0, 0x000000, 1.0),
    wall: tint(0xffffff, 1.0, 0x000000, 1.0),
    breach: tint(0xffffff, 1.0, 0x000000, 1.0),
    note: tint(0xffffff, 1.0, 0x000000, 1.0),
};
