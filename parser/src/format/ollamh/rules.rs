//! Ollamh's variants and rule options, as names of the catalog and rules strings.

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, Findings, HeaderFinding};
use crate::source::Source;

/// The start of all its variants.
const START: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

/// Returns the catalog's name of a variant: `wtf`, the rules of the federation, or `walker`.
///
/// Accepts the displayed names and common short forms, as the program does.
pub(super) fn variant(text: &str) -> Option<&'static str> {
    let text = text.trim().to_lowercase();
    if text.contains("world tafl") || text.contains("wtf") {
        Some("brandubh7")
    } else if text.contains("walker") || text.contains("cyningstan") {
        Some("brandub7-opentafl")
    } else {
        None
    }
}

/// The options of a custom set of rules; the defaults are the federation's rules.
#[derive(Debug, Clone, Copy)]
struct OllamhOptions {
    armed_king: bool,
    throne_hostile_to_soldiers: bool,
    throne_hostile_to_king: bool,
    king_may_reoccupy_throne: bool,
    soldiers_pass_through_throne: bool,
    corners_hostile: bool,
    strong_king_on_throne: bool,
    strong_king_adjacent_to_throne: bool,
    shieldwall_capture: bool,
    encirclement_win: bool,
    /// The value of the key `xrep`.
    repetition: &'static str,
}

impl Default for OllamhOptions {
    fn default() -> Self {
        OllamhOptions {
            armed_king: true,
            throne_hostile_to_soldiers: true,
            throne_hostile_to_king: true,
            king_may_reoccupy_throne: true,
            soldiers_pass_through_throne: true,
            corners_hostile: true,
            strong_king_on_throne: true,
            strong_king_adjacent_to_throne: true,
            shieldwall_capture: false,
            encirclement_win: true,
            repetition: "pos3def",
        }
    }
}

impl OllamhOptions {
    /// Sets an option. Returns whether its name and value are known.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let name = name.to_ascii_lowercase();
        if name == "repetitionresult" {
            self.repetition = match value {
                "none" => "none",
                "draw" => "pos3draw",
                "loss_for_defenders" => "pos3def",
                _ => return false,
            };
            return true;
        }
        let is_on = match &*value.to_ascii_lowercase() {
            "1" | "true" | "yes" | "on" => true,
            "0" | "false" | "no" | "off" => false,
            _ => return false,
        };
        let option = match &*name {
            "armedking" => &mut self.armed_king,
            "thronehostiletosoldiers" => &mut self.throne_hostile_to_soldiers,
            "thronehostiletoking" => &mut self.throne_hostile_to_king,
            "kingmayreoccupythrone" => &mut self.king_may_reoccupy_throne,
            "soldierspassthroughthrone" => &mut self.soldiers_pass_through_throne,
            "cornershostile" => &mut self.corners_hostile,
            "strongkingonthrone" => &mut self.strong_king_on_throne,
            "strongkingadjacenttothrone" => &mut self.strong_king_adjacent_to_throne,
            "shieldwallcapture" => &mut self.shieldwall_capture,
            "encirclementwin" => &mut self.encirclement_win,
            _ => return false,
        };
        *option = is_on;
        true
    }

    /// Returns the rules string.
    fn rules(self) -> String {
        let mut keys = vec!["dim:7 name:Ollamh_custom".to_owned()];
        let mut key = |condition: bool, text: &str| {
            if condition {
                keys.push(text.to_owned());
            }
        };
        key(!self.encirclement_win, "surf:n");
        // The program lets an unarmed king be the anvil of a capture.
        key(!self.armed_king, "ka:a");
        match (self.strong_king_on_throne, self.strong_king_adjacent_to_throne) {
            (true, true) => key(true, "ks:c"),
            (false, false) => key(true, "ks:w"),
            (true, false) => key(true, "ks:c xking:all4/custodian/custodian/custodian"),
            (false, true) => key(true, "ks:c xking:custodian/all4/custodian/custodian"),
        }
        key(!self.corners_hostile, "corh:");
        key(!self.soldiers_pass_through_throne, "cenp:K");
        key(!self.king_may_reoccupy_throne, "cens:");
        // The throne with the king on it is exactly as hostile as the king himself.
        match (self.throne_hostile_to_soldiers, self.throne_hostile_to_king) {
            (true, true) => {}
            (true, false) => key(true, "cenhe:tT"),
            (false, true) => key(true, "cenh: cenhe:K"),
            (false, false) => key(true, "cenh: cenhe:"),
        }
        key(self.shieldwall_capture && self.corners_hostile, "sw:s swf:n");
        key(self.shieldwall_capture && !self.corners_hostile, "sw:w swf:n");
        format!("{} xrep:{} start:{START}", keys.join(" "), self.repetition)
    }
}

/// Returns the rules string for a list of options such as `armedKing=1 repetitionResult=draw`. Unknown options
/// are reported; options that are not listed have the value of the federation's rules.
pub(super) fn custom(source: &Source<'_>, span: Span, diagnostics: &mut Findings) -> String {
    let mut options = OllamhOptions::default();
    let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
    for pair in source.at(span).split(is_gap).filter(|pair| !pair.is_empty()) {
        let is_known = pair.split_once('=').is_some_and(|(name, value)| options.set(name, value));
        if !is_known {
            let kind = HeaderFinding::BadTag { tag: "Rules", expected: "options such as `armedKing=1`" };
            diagnostics.push(Diagnostic::new(source.span_of(pair).unwrap_or(span), kind));
        }
    }
    options.rules()
}

#[cfg(test)]
mod tests {
    use tafl_rules::{RuleSet, catalog};

    use super::*;

    fn rules(text: &str) -> (RuleSet, usize) {
        let mut diagnostics = Findings::default();
        let rules = custom(&Source::new(text), Span::new(0, text.len()), &mut diagnostics);
        (rules.parse().unwrap(), diagnostics.len())
    }

    fn named(name: &str) -> RuleSet {
        catalog::find(name).unwrap().rules()
    }

    #[test]
    fn the_defaults_are_the_rules_of_the_federation() {
        assert_eq!(rules("").0.canonical(), named("brandubh7").canonical());
        for text in ["wtf", "WTF", "Brandubh · World Tafl Federation"] {
            assert_eq!(variant(text), Some("brandubh7"));
        }
    }

    #[test]
    fn walkers_options_are_those_of_the_named_variant() {
        let (walker, unknown) = rules(
            "armedKing=1 throneHostileToSoldiers=0 throneHostileToKing=0 kingMayReoccupyThrone=1 \
             soldiersPassThroughThrone=1 cornersHostile=1 strongKingOnThrone=0 strongKingAdjacentToThrone=0 \
             shieldwallCapture=0 encirclementWin=0 repetitionResult=draw",
        );
        assert_eq!((walker.canonical(), unknown), (named("brandub7-opentafl").canonical(), 0));
        assert_eq!(variant("Brandubh · Walker"), Some("brandub7-opentafl"));
    }

    #[test]
    fn every_option_gives_rules_without_unknown_keys() {
        let names = [
            "armedKing",
            "throneHostileToSoldiers",
            "throneHostileToKing",
            "kingMayReoccupyThrone",
            "soldiersPassThroughThrone",
            "cornersHostile",
            "strongKingOnThrone",
            "strongKingAdjacentToThrone",
            "shieldwallCapture",
            "encirclementWin",
        ];
        let plain = rules("").0.canonical();
        for name in names {
            let value = u8::from(name == "shieldwallCapture");
            let (changed, unknown) = rules(&format!("{name}={value}"));
            assert_eq!((changed.unknown.len(), unknown), (0, 0), "{name}");
            assert_ne!(changed.canonical(), plain, "{name}");
        }
        assert_eq!(rules("armedKing=2, fly=1; x").1, 3);
    }
}
