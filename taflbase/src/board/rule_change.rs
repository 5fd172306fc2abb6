//! Rules with single keys changed: `sw=w`, `xnom=draw`, `king_h_corner=on`.

use tafl_rules::{PieceSet, RuleSet, RuleSetError};

use crate::escape::escape;
use crate::{Error, ErrorKind};

/// The reason why a rule cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// No `=` between key and value.
    #[error("`{}` is not a change of a rule; write KEY=VALUE, such as `sw=w`", escape(.0))]
    NoValue(String),
    /// A key that rules strings do not have.
    #[error("unknown rule key or option `{}`", escape(.0))]
    UnknownKey(String),
    /// An option that is on or off has another value.
    #[error("`{}` is neither `on` nor `off` for `{key}`", escape(value))]
    NotASwitch {
        /// The option.
        key: String,
        /// The written text.
        value: String,
    },
    /// The value does not fit the key.
    #[error("{0}")]
    BadValue(#[from] RuleSetError),
}

impl From<ChangeError> for Error {
    fn from(error: ChangeError) -> Error {
        Error::new(ErrorKind::BadRules, error.to_string())
    }
}

/// Returns rules with some keys of their rules string changed, one after another.
///
/// A change is `KEY=VALUE` or `KEY:VALUE`. Besides the keys of rules strings there are words for them, such as
/// `no_moves`, and switches that combine several keys, such as `king_h_corner`.
///
/// # Errors
///
/// Returns the first change that cannot be made.
pub fn change_rules(rules: RuleSet, changes: &[String]) -> Result<RuleSet, ChangeError> {
    changes.iter().try_fold(rules, |rules, change| {
        let (key, value) =
            change.split_once(['=', ':']).ok_or_else(|| ChangeError::NoValue(change.clone()))?;
        match switch(key) {
            Some(switch) => Ok(set_switch(rules, switch, setting(key, value)?)),
            None => set(&rules, key_of(key), value),
        }
    })
}

/// Words for keys of rules strings.
const WORDS: [(&str, &str); 17] = [
    ("no_moves", "xnom"),
    ("repetition", "xrep"),
    ("encirclement", "xenc"),
    ("shieldwall", "sw"),
    ("flank_move", "swf"),
    ("exit_fort", "efe"),
    ("linnaean", "linc"),
    ("berserk", "ber"),
    ("king_armed", "ka"),
    ("king_capture", "ks"),
    ("escape", "esc"),
    ("attackers_first", "atkf"),
    ("ply_limit", "xlim"),
    ("captureless_limit", "xlimc"),
    ("forced_capture", "xforce"),
    ("swap", "xswap"),
    ("rearrangement", "xarr"),
];

/// Keys that a key replaces: their previous values would hide or contradict the new one.
const REPLACES: [(&str, &[&str]); 11] = [
    ("ks", &["xking"]),
    ("xking", &["ks"]),
    ("tfr", &["xrep"]),
    ("xrep", &["tfr"]),
    ("surf", &["xenc"]),
    ("xenc", &["surf"]),
    ("esc", &["xgoal"]),
    ("spd", &["xmove"]),
    ("start", &["starti"]),
    ("starti", &["start"]),
    ("xgoal", &["esc"]),
];

fn key_of(word: &str) -> &str {
    WORDS.iter().find(|(name, _)| *name == word).map_or(word, |(_, key)| key)
}

fn set(rules: &RuleSet, key: &str, value: &str) -> Result<RuleSet, ChangeError> {
    let value = match (key, value) {
        // Yes and no, as options in JSON and people write them.
        ("sw", "true" | "on" | "yes") => "s",
        ("sw", "false" | "off" | "no") => "n",
        ("xenc", "true" | "on" | "yes") => "plain",
        ("xenc", "false" | "off" | "no") => "none",
        (_, "true" | "on" | "yes") => "y",
        (_, "false" | "off" | "no") => "n",
        (_, value) => value,
    };
    let replaced = REPLACES.iter().find(|(name, _)| *name == key).map_or(&[][..], |(_, keys)| keys);
    let text = rules.to_string();
    let kept = text.split(' ').filter(|word| {
        let name = word.split(':').next().unwrap_or(word);
        name != key && !replaced.contains(&name)
    });
    let mut words: Vec<&str> = kept.collect();
    let word = format!("{key}:{value}");
    words.push(&word);
    let changed: RuleSet = words.join(" ").parse()?;
    if changed.unknown.contains(&word) {
        return Err(ChangeError::UnknownKey(key.to_owned()));
    }
    Ok(changed)
}

/// A switch that no single key has.
#[derive(Clone, Copy)]
enum Switch {
    /// The empty throne is hostile to men.
    ThroneAgainstMen,
    /// The throne with a king on it is hostile to men of both sides.
    OccupiedThroneAgainstMen,
    /// Empty corners are hostile to men.
    CornersAgainstMen,
    /// The empty throne counts against kings.
    ThroneAgainstKings,
    /// Empty corners count against kings.
    CornersAgainstKings,
    /// Camps and fortresses count against kings.
    FortressesAgainstKings,
    /// Men may pass over the empty throne.
    MenPassThrone,
    /// Only kings may stop on corners.
    CornersForKings,
}

fn switch(key: &str) -> Option<Switch> {
    Some(match key {
        "h_throne" => Switch::ThroneAgainstMen,
        "h_throne_occupied" => Switch::OccupiedThroneAgainstMen,
        "h_corner" => Switch::CornersAgainstMen,
        "king_h_throne" => Switch::ThroneAgainstKings,
        "king_h_corner" => Switch::CornersAgainstKings,
        "king_h_camp" => Switch::FortressesAgainstKings,
        "men_pass_throne" => Switch::MenPassThrone,
        "corners_king_only" => Switch::CornersForKings,
        _ => return None,
    })
}

/// The state of a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SwitchState {
    On,
    Off,
}

fn setting(key: &str, value: &str) -> Result<SwitchState, ChangeError> {
    match value {
        "on" | "y" | "yes" | "true" => Ok(SwitchState::On),
        "off" | "n" | "no" | "false" => Ok(SwitchState::Off),
        _ => Err(ChangeError::NotASwitch { key: key.to_owned(), value: value.to_owned() }),
    }
}

fn set_switch(mut rules: RuleSet, switch: Switch, setting: SwitchState) -> RuleSet {
    let men = PieceSet::ALL.without(PieceSet::KINGS);
    let (sets, pieces): (Vec<&mut PieceSet>, PieceSet) = match switch {
        Switch::ThroneAgainstMen => (vec![&mut rules.zones.throne.hostile], men),
        Switch::OccupiedThroneAgainstMen => (vec![&mut rules.throne_hostile_occupied], men),
        Switch::CornersAgainstMen => (vec![&mut rules.zones.corners.hostile], men),
        Switch::ThroneAgainstKings => (vec![&mut rules.zones.throne.hostile], PieceSet::KINGS),
        Switch::CornersAgainstKings => (vec![&mut rules.zones.corners.hostile], PieceSet::KINGS),
        Switch::FortressesAgainstKings => {
            (vec![&mut rules.zones.camps.hostile, &mut rules.zones.forts.hostile], PieceSet::KINGS)
        }
        Switch::MenPassThrone => (vec![&mut rules.zones.throne.pass], men),
        Switch::CornersForKings => return with_corners_for(rules, setting),
    };
    for set in sets {
        *set = match setting {
            SwitchState::On => set.union(pieces),
            SwitchState::Off => set.without(pieces),
        };
    }
    rules
}

/// Admits only kings to the corners, or all pieces. If the rules have no corner zone, the corners of the board become one.
fn with_corners_for(mut rules: RuleSet, setting: SwitchState) -> RuleSet {
    if rules.zones.corners.cells.is_empty() {
        rules.zones.corners.cells = rules.shape().corners();
        rules.zones.corners.hostile = PieceSet::EMPTY;
    }
    rules.zones.corners.stop = match setting {
        SwitchState::On => PieceSet::KINGS,
        SwitchState::Off => PieceSet::ALL,
    };
    rules.zones.corners.pass = rules.zones.corners.stop;
    rules
}

#[cfg(test)]
mod tests {
    use tafl_rules::{CaptureMode, Encirclement, NoMoves, Piece, catalog};

    use super::*;

    fn changed(variant: &str, changes: &[&str]) -> Result<RuleSet, ChangeError> {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        change_rules(catalog::find(variant).unwrap().rules(), &changes)
    }

    #[test]
    fn a_key_replaces_the_previous_value() {
        let rules = changed("copenhagen11", &["sw=w", "xenc=secure", "no_moves=draw"]).unwrap();
        assert!(!rules.shieldwall.unwrap().corner_closes);
        assert_eq!((rules.encirclement, rules.no_moves), (Encirclement::Secure, NoMoves::Draw));
        let rules = changed("hexentafl4", &["ks=w"]).unwrap();
        assert_eq!(rules.king_capture.on_throne, CaptureMode::Custodian);
        assert_eq!(changed("copenhagen11", &["surf:n"]).unwrap().encirclement, Encirclement::None);
    }

    #[test]
    fn a_switch_equals_several_keys() {
        let king = Piece::from_letter('K').unwrap();
        assert!(changed("sca11", &["king_h_corner=on"]).unwrap().zones.corners.hostile.contains(king));
        assert!(!changed("brandubh7", &["king_h_corner=off"]).unwrap().zones.corners.hostile.contains(king));
        let parked = changed("cyngesheall7", &["corners_king_only=on"]).unwrap();
        assert!(!parked.zones.corners.stop.contains(Piece::from_letter('t').unwrap()));
        assert_eq!(parked.zones.corners.cells.len(), 4);
    }

    #[test]
    fn invalid_changes_are_named() {
        assert!(matches!(changed("sca11", &["sw"]), Err(ChangeError::NoValue(_))));
        assert!(matches!(changed("sca11", &["swx=1"]), Err(ChangeError::UnknownKey(_))));
        assert!(matches!(changed("sca11", &["sw=x"]), Err(ChangeError::BadValue(_))));
        assert!(matches!(changed("sca11", &["h_throne=2"]), Err(ChangeError::NotASwitch { .. })));
        assert!(matches!(changed("sca11", &["start=/3/"]), Err(ChangeError::BadValue(_))));
    }
}
