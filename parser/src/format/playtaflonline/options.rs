//! PlayTaflOnline's options and layouts as keys of a rules string.
//!
//! The numbers and the layouts are those of OpenTafl's translator.

/// An option of a game, with the rules string keys for each of its values.
pub(super) struct NumberedOption {
    /// The name of the field.
    pub(super) field: &'static str,
    /// The keys for the value n.
    pub(super) keys: &'static [&'static str],
    /// The accepted values, for diagnostics.
    pub(super) expected: &'static str,
    /// The value if the field is missing; `None` if the field is required.
    pub(super) default: Option<usize>,
}

/// All options, in the order of the rules string.
pub(super) const CHOICES: [NumberedOption; 9] = [
    NumberedOption {
        field: "Objective",
        keys: &["esc:e cor:", "esc:c"],
        expected: "0 for the edge or 1 for the corners",
        default: None,
    },
    NumberedOption {
        field: "KingCapture",
        keys: &["ks:w", "ks:c", "ks:s", "ks:m"],
        expected: "0 custodian, 1 flexible, 2 enclosed or 3 confined",
        default: None,
    },
    NumberedOption {
        field: "KingStrength",
        keys: &["ka:y", "ka:n", "ka:h", "ka:a"],
        expected: "0 armed, 1 weaponless, 2 hammer or 3 anvil",
        default: None,
    },
    NumberedOption {
        field: "Throne",
        keys: &[
            "cen: cens:tcnkTCNK cenp:tcnkTCNK",
            "cens:K cenp:tcnkTCNK",
            "cens: cenp:tcnkTCNK",
            "cens: cenp:K",
            "cens: cenp:",
        ],
        expected: "0 none, 1 exclusive, 2 forbidden, 3 closed to men or 4 closed to all",
        default: None,
    },
    NumberedOption {
        field: "Hostile",
        keys: &["cenh: cenhe:", "cenh:tcnk cenhe:tcnkTCNK"],
        expected: "0 none or 1 throne",
        default: None,
    },
    NumberedOption {
        field: "Speed",
        keys: &["", "xmove:K=1", "xmove:tcnTCN=1", "spd:1"],
        expected: "0 unlimited, 1 slow king, 2 slow men or 3 all slow",
        default: None,
    },
    NumberedOption {
        field: "Surround",
        keys: &["surf:y", "surf:n"],
        expected: "0 when it wins or 1 when it does not",
        default: Some(0),
    },
    NumberedOption {
        field: "ExitFort",
        keys: &["efe:n", "efe:y"],
        expected: "0 without or 1 with exit forts",
        default: None,
    },
    NumberedOption {
        field: "ShieldWall",
        keys: &["sw:n", "sw:s swf:y"],
        expected: "0 without or 1 with shieldwalls",
        default: None,
    },
];

/// Returns the number of cells per side and the start of a layout, rank 1 first; names are case-insensitive.
pub(super) fn layout(name: &str) -> Option<(u8, &'static str)> {
    let name = name.to_ascii_lowercase();
    LAYOUTS
        .iter()
        .find(|layout| layout.names.contains(&name.as_str()))
        .map(|layout| (layout.side, layout.start))
}

/// Returns the number of cells per side and the start of every layout.
#[cfg(test)]
pub(super) fn all_layouts() -> impl Iterator<Item = (u8, &'static str)> {
    LAYOUTS.iter().map(|layout| (layout.side, layout.start))
}

struct KnownLayout {
    names: &'static [&'static str],
    side: u8,
    start: &'static str,
}

const fn layout_of(names: &'static [&'static str], side: u8, start: &'static str) -> KnownLayout {
    KnownLayout { names, side, start }
}

/// The layouts by size. Names with `hh` belong to the site's "H.H." games.
static LAYOUTS: [KnownLayout; 28] = [
    layout_of(&["hhbrandubh", "brandubh", "hhardri", "magpie"], 7, "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"),
    layout_of(&["ardri"], 7, "/2ttt2/3t3/t1TTT1t/ttTKTtt/t1TTT1t/3t3/2ttt2/"),
    layout_of(&["ballinderry2"], 7, "/2t1t2/7/t2T2t/2TKT2/t2T2t/7/2t1t2/"),
    layout_of(&["ballinderry3"], 7, "/3t3/1t3t1/3T3/t1TKT1t/3T3/1t3t1/3t3/"),
    layout_of(&["ballinderry4"], 7, "/3tt2/4t2/tt1T3/tTTKTTt/3T1tt/2t4/2tt3/"),
    layout_of(&["ballinderry6"], 7, "/1tt1tt1/t2T2t/t2T2t/1TTKTT1/t2T2t/t2T2t/1tt1tt1/"),
    layout_of(&["ballinderry7"], 7, "/t1ttt1t/3T3/t2T2t/tTTKTTt/t2T2t/3T3/t1ttt1t/"),
    layout_of(&["ballinderry8"], 7, "/2ttt2/7/t2T2t/t1TKT1t/t2T2t/7/2ttt2/"),
    layout_of(&["ballinderry9"], 7, "/2ttt2/7/t1TTT1t/t1TKT1t/t1TTT1t/7/2ttt2/"),
    layout_of(
        &["hhtablut", "tablut", "seabattletablut"],
        9,
        "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    ),
    layout_of(
        &["seabattlecircle", "jarlshofcircle"],
        9,
        "/3ttt3/1t5t1/4T4/t3T3t/t1TTKTT1t/t3T3t/4T4/1t5t1/3ttt3/",
    ),
    layout_of(&["jarlshof3"], 9, "/3ttt3/9/4T4/t3T3t/t1TTKTT1t/t3T3t/4T4/9/3ttt3/"),
    layout_of(&["papillon"], 9, "/3ttt3/4t4/9/t2TTT2t/tt1TKT1tt/t2TTT2t/9/4t4/3ttt3/"),
    layout_of(
        &["hhtawlbwrdd", "tawlbwrdd"],
        11,
        "/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
    ),
    layout_of(
        &["hhlewiscross", "lewiscross"],
        11,
        "/4ttt4/4ttt4/5T5/5T5/tt3T3tt/ttTTTKTTTtt/tt3T3tt/5T5/5T5/4ttt4/4ttt4/",
    ),
    layout_of(
        &["fetlar", "copenhagen", "hnefatafl"],
        11,
        "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    layout_of(
        &["seabattlecross", "trondheimcross"],
        11,
        "/3ttttt3/5t5/5T5/t4T4t/t4T4t/ttTTTKTTTtt/t4T4t/t4T4t/5T5/5t5/3ttttt3/",
    ),
    layout_of(
        &["toftanes1"],
        13,
        "/4ttttt4/6t6/13/6T6/t5T5t/t5T5t/tt1TTTKTTT1tt/t5T5t/t5T5t/6T6/13/6t6/4ttttt4/",
    ),
    layout_of(
        &["toftanes2"],
        13,
        "/4ttttt4/6t6/13/13/t5T5t/t4TTT4t/tt2TTKTT2tt/t4TTT4t/t5T5t/13/13/6t6/4ttttt4/",
    ),
    layout_of(
        &["gokstad1"],
        13,
        "/3ttttttt3/6t6/6T6/t5T5t/t5T5t/t5T5t/ttTTTTKTTTTtt/t5T5t/t5T5t/t5T5t/6T6/6t6/3ttttttt3/",
    ),
    layout_of(
        &["hhgokstad", "seabattlegokstad", "gokstad2"],
        13,
        "/4ttttt4/5t1t5/6t6/6T6/t3T3T3t/tt3TTT3tt/t1tT1TKT1Tt1t/tt3TTT3tt/t3T3T3t/6T6/6t6/5t1t5/4ttttt4/",
    ),
    layout_of(
        &["gokstad3"],
        13,
        "/3ttttttt3/6t6/13/t5T5t/t5T5t/t4TTT4t/tt1TTTKTTT1tt/t4TTT4t/t5T5t/t5T5t/13/6t6/3ttttttt3/",
    ),
    layout_of(
        &["gokstad4"],
        13,
        "/4ttttt4/5t1t5/6t6/6T6/t5T5t/tt3TTT3tt/t1tTTTKTTTt1t/tt3TTT3tt/t5T5t/6T6/6t6/5t1t5/4ttttt4/",
    ),
    layout_of(
        &["coppergate1"],
        15,
        "/3ttttttttt3/7t7/7T7/t6T6t/t6T6t/t6T6t/t6T6t/ttTTTTTKTTTTTtt/t6T6t/t6T6t/t6T6t/t6T6t/7T7/7t7/3ttttttttt3/",
    ),
    layout_of(
        &["hhcoppergate", "coppergate2"],
        15,
        "/5ttttt5/6ttt6/7t7/7t7/7T7/t5TTT5t/tt3T1T1T3tt/ttttTTTKTTTtttt/tt3T1T1T3tt/t5TTT5t/7T7/7t7/7t7/6ttt6/5ttttt5/",
    ),
    layout_of(
        &["alfheim1"],
        17,
        "/5ttttttt5/7ttt7/8t8/8t8/8T8/t7T7t/t5T1T1T5t/tt5TTT5tt/ttttTTTTKTTTTtttt/tt5TTT5tt/t5T1T1T5t/t7T7t/8T8/8t8/8t8/7ttt7/5ttttttt5/",
    ),
    layout_of(
        &["alfheim2"],
        17,
        "/6ttttt6/6t1t1t6/7t1t7/8t8/8t8/8T8/tt5TTT5tt/t1t3TTTTT3t1t/tt1ttTTTKTTTtt1tt/t1t3TTTTT3t1t/tt5TTT5tt/8T8/8t8/8t8/7t1t7/6t1t1t6/6ttttt6/",
    ),
    layout_of(
        &["aleaevangelii"],
        19,
        "/2t2t7t2t2/19/t4t7t4t/7t1t1t7/6t1T1T1t6/t1t2t7t2t1t/4t4T4t4/3t4T1T4t3/4T2T1T1T2T4/3t2T1TKT1T2t3/4T2T1T1T2T4/3t4T1T4t3/4t4T4t4/t1t2t7t2t1t/6t1T1T1t6/7t1t1t7/t4t7t4t/19/2t2t7t2t2/",
    ),
];
