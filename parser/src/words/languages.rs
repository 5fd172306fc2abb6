//! Words of games in languages other than English: the names of the sides, and what people write about the end.

use tafl_rules::Side;

/// Words for a win after the name of a side.
pub(crate) const WINS: [&str; 45] = [
    "gewinnt",
    "gewinnen",
    "gewann",
    "siegt",
    "gagne",
    "gagnent",
    "gana",
    "ganan",
    "ganó",
    "guanya",
    "guanyen",
    "vince",
    "vincono",
    "vence",
    "vencem",
    "wint",
    "winnen",
    "vinder",
    "vinner",
    "vant",
    "vann",
    "voittaa",
    "voitti",
    "vinnur",
    "võidab",
    "wygrywa",
    "wygrywają",
    "vyhrává",
    "vyhráva",
    "vyhrál",
    "pobjeđuje",
    "pobeđuje",
    "выиграли",
    "выигрывают",
    "перемогли",
    "nyer",
    "nyert",
    "câștigă",
    "κερδίζει",
    "κερδίζουν",
    "kazandı",
    "kazanır",
    "勝ち",
    "胜",
    "获胜",
];

/// Words for a draw. Longer ones come before their beginnings.
pub(crate) const DRAWS: [&str; 27] = [
    "unentschieden",
    "partie nulle",
    "gelijkspel",
    "neriješeno",
    "beraberlik",
    "match nul",
    "jafntefli",
    "döntetlen",
    "pareggio",
    "uavgjort",
    "oavgjort",
    "tasapeli",
    "ισοπαλία",
    "tablas",
    "taules",
    "empate",
    "remíza",
    "remiză",
    "remis",
    "nulle",
    "patta",
    "ничья",
    "нічия",
    "viik",
    "引き分け",
    "nul",
    "和棋",
];

/// Words for a resignation, mostly after the name of a side. Longer ones come before their beginnings.
pub(super) const RESIGNS: [&str; 96] = [
    "haben aufgegeben",
    "heeft opgegeven",
    "hat aufgegeben",
    "ont abandonné",
    "overgiver sig",
    "εγκαταλείπουν",
    "es rendeixen",
    "si arrendono",
    "har gett upp",
    "εγκαταλείπει",
    "παραιτούνται",
    "abandonnent",
    "a abandonné",
    "abbandonano",
    "luovuttavat",
    "poddaje się",
    "poddają się",
    "poddali się",
    "se vzdávají",
    "abandonează",
    "παραιτείται",
    "terk ediyor",
    "aufgegeben",
    "es rendeix",
    "si arrende",
    "gefast upp",
    "annab alla",
    "poddał się",
    "predaje se",
    "geben auf",
    "gaben auf",
    "abandonne",
    "abandonan",
    "se rinden",
    "abandonen",
    "abandonam",
    "abbandona",
    "opgegeven",
    "luovuttaa",
    "gefst upp",
    "gafst upp",
    "vzdává se",
    "se vzdává",
    "sa vzdáva",
    "vzdáva sa",
    "terk etti",
    "terk eder",
    "gibt auf",
    "abandona",
    "abandonó",
    "se rinde",
    "desistem",
    "geeft op",
    "geven op",
    "giver op",
    "luovutti",
    "se vzdal",
    "sa vzdal",
    "здаються",
    "здається",
    "feladták",
    "pes etti",
    "pes eder",
    "gab auf",
    "desiste",
    "opgiver",
    "gir opp",
    "gav opp",
    "ger upp",
    "gav upp",
    "alistub",
    "predaje",
    "сдаются",
    "сдаётся",
    "сдается",
    "сдались",
    "сдалась",
    "здалися",
    "feladja",
    "feladta",
    "cedează",
    "gaf op",
    "gav op",
    "ga opp",
    "loobub",
    "vzdává",
    "vzdáva",
    "predao",
    "сдался",
    "здався",
    "投了しました",
    "vzdal",
    "投了",
    "认输",
    "認輸",
    "投降",
];

/// Words for a loss on time. Longer ones come before their beginnings.
pub(super) const TIMES_OUT: [&str; 46] = [
    "verliert durch zeitüberschreitung",
    "verlor durch zeitüberschreitung",
    "hat auf zeit verloren",
    "időtúllépéssel veszít",
    "perdono per il tempo",
    "проиграли по времени",
    "przegrywają na czas",
    "verliert nach zeit",
    "zeitüberschreitung",
    "pierden por tiempo",
    "perde per il tempo",
    "verliert auf zeit",
    "perd à la pendule",
    "pierde por tiempo",
    "przegrywa na czas",
    "програли за часом",
    "perdent au temps",
    "perden per temps",
    "perdem por tempo",
    "verliest op tijd",
    "просрочили время",
    "χάνουν στο χρόνο",
    "süreden kaybetti",
    "süreden kaybeder",
    "verlor auf zeit",
    "perde por tempo",
    "verloor op tijd",
    "förlorar på tid",
    "prohrává na čas",
    "prehráva na čas",
    "gubi na vrijeme",
    "χάνει στο χρόνο",
    "perd per temps",
    "perde al tempo",
    "pierde la timp",
    "perd au temps",
    "häviää ajalla",
    "hävisi ajalla",
    "fellur á tíma",
    "gubi na vreme",
    "taber på tid",
    "taper på tid",
    "kaotab ajaga",
    "時間切れ",
    "超时",
    "超時",
];

/// Articles before the name of a side.
const ARTICLES: [&str; 20] = [
    "der", "die", "das", "les", "le", "la", "las", "los", "el", "els", "il", "i", "gli", "o", "os", "as",
    "de", "het", "az", "a",
];

/// Names of the sides in scripts without blanks. Longer ones come before their beginnings.
const WITHOUT_BLANKS: [(&str, Side); 8] = [
    ("黒番", Side::Attackers),
    ("黑方", Side::Attackers),
    ("黒", Side::Attackers),
    ("黑", Side::Attackers),
    ("白番", Side::Defenders),
    ("白方", Side::Defenders),
    ("白棋", Side::Defenders),
    ("白", Side::Defenders),
];

/// Returns the side that a word in lower case stands for in one of the languages that FORMATS.md lists.
pub(crate) fn side_in_any_language(word: &str) -> Option<Side> {
    match word {
        "zwart"
        | "aanvallers"
        | "musta"
        | "hyökkääjät"
        | "nero"
        | "attaccanti"
        | "preto"
        | "pretas"
        | "czarne"
        | "atakujący"
        | "černý"
        | "útočníci"
        | "svartur"
        | "sækjendur"
        | "черные"
        | "чёрные"
        | "нападающие"
        | "schwarz"
        | "angreifer"
        | "noir"
        | "noirs"
        | "attaquants"
        | "negro"
        | "negras"
        | "atacantes"
        | "sort"
        | "svart"
        | "angribere"
        | "angripere"
        | "angripare"
        | "fekete"
        | "sötét"
        | "támadók"
        | "támadó"
        | "чорні"
        | "siyah"
        | "negru"
        | "μαύρα"
        | "must"
        | "čierny"
        | "útočník"
        | "crni"
        | "negres"
        | "黒"
        | "黑方"
        | "mustad"
        | "černí"
        | "čierni"
        | "noires"
        | "negre" => Some(Side::Attackers),
        "wit" | "verdedigers" | "valkoinen" | "puolustajat" | "bianco" | "difensori" | "branco"
        | "brancas" | "białe" | "obrońcy" | "bílý" | "obránci" | "hvítur" | "verjendur" | "белые"
        | "защитники" | "weiß" | "weiss" | "verteidiger" | "blanc" | "blancs" | "défenseurs"
        | "defenseurs" | "blanco" | "blancas" | "defensores" | "hvid" | "hvit" | "vit" | "forsvarere"
        | "försvarare" | "fehér" | "világos" | "védők" | "védő" | "білі" | "beyaz" | "alb" | "λευκά"
        | "valge" | "biely" | "obranca" | "bijeli" | "beli" | "blanques" | "白" | "白方" | "valged"
        | "bílí" | "bieli" | "blanches" => Some(Side::Defenders),
        _ => None,
    }
}

/// The name of a side at the start of a text, with an article or a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SideSubject {
    pub(super) side: Side,
    /// The length in bytes.
    pub(super) length: usize,
    /// Whether a verb may follow without a blank, as in Chinese and Japanese.
    pub(super) may_join_verb: bool,
}

/// Reads the name of a side at the start of a text.
pub(super) fn read_side(text: &str) -> Option<SideSubject> {
    let with_blank = |side: Side, length: usize| SideSubject { side, length, may_join_verb: false };
    if let Some((name, side)) = WITHOUT_BLANKS.iter().find(|(name, _)| text.starts_with(name)) {
        let particle = ["が", "の", "は"].iter().find(|particle| text[name.len()..].starts_with(**particle));
        let length = name.len() + particle.map_or(0, |particle| particle.len());
        return Some(SideSubject { side: *side, length, may_join_verb: true });
    }
    let word = |at: usize| {
        let rest = &text[at..];
        &rest[..rest.find(|symbol: char| !symbol.is_alphabetic()).unwrap_or(rest.len())]
    };
    // No name of a side is longer.
    const MAX_LENGTH: usize = 24;
    let side_of = |word: &str| {
        if word.is_empty() || word.len() > MAX_LENGTH {
            None
        } else {
            side_in_any_language(&word.to_lowercase())
        }
    };
    let first = word(0);
    if let Some(side) = side_of(first) {
        return Some(with_blank(side, first.len()));
    }
    let is_article = ARTICLES.iter().any(|article| first.eq_ignore_ascii_case(article));
    let second = (is_article && text[first.len()..].starts_with(' ')).then(|| word(first.len() + 1))?;
    Some(with_blank(side_of(second)?, first.len() + 1 + second.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_words_come_before_their_beginnings() {
        for words in [&DRAWS[..], &RESIGNS[..], &TIMES_OUT[..]] {
            for (nth, word) in words.iter().enumerate() {
                assert!(words[nth + 1..].iter().all(|later| !later.starts_with(word)), "{word}");
            }
        }
    }

    #[test]
    fn sides_are_read_with_articles_and_in_scripts_without_blanks() {
        for (text, expected) in [
            ("Schwarz gibt auf", Some((Side::Attackers, 7, false))),
            ("Les noirs abandonnent", Some((Side::Attackers, 9, false))),
            ("WEISS gewinnt", Some((Side::Defenders, 5, false))),
            ("Las blancas ganan", Some((Side::Defenders, 11, false))),
            ("黒が投了", Some((Side::Attackers, 6, true))),
            ("白方认输", Some((Side::Defenders, 6, true))),
            ("schwarzer König", None),
            ("die Partie", None),
            ("", None),
        ] {
            let expected =
                expected.map(|(side, length, may_join_verb)| SideSubject { side, length, may_join_verb });
            assert_eq!(read_side(text), expected, "{text}");
        }
    }
}
