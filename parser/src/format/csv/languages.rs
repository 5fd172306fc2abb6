//! Words of columns and results in languages other than English, besides the names in [`super::columns`].

use tafl_rules::Side;

use super::columns::{CsvColumn, common_column, words_of};
use crate::record::{WrittenVerdict, tag};

/// Words for a player, which stand before or after the side: `Spieler Schwarz`, `Weiß (Spieler)`.
const PLAYER: [&str; 14] = [
    "spieler",
    "joueur",
    "jugador",
    "spelare",
    "spiller",
    "speler",
    "pelaaja",
    "giocatore",
    "jogador",
    "gracz",
    "hráč",
    "leikmaður",
    "игрок",
    "játékos",
];

/// Words for a win after the name of a side.
const WINS: [&str; 20] = [
    "gewinnt",
    "gewann",
    "siegt",
    "gagne",
    "gagnent",
    "gana",
    "ganan",
    "vince",
    "vincono",
    "vence",
    "vencem",
    "wint",
    "vinder",
    "vinner",
    "vant",
    "vann",
    "voittaa",
    "voitti",
    "wygrywa",
    "выиграли",
];

/// Words for a draw.
const DRAWS: [&str; 20] = [
    "remis",
    "unentschieden",
    "nulle",
    "nul",
    "match nul",
    "partie nulle",
    "tablas",
    "empate",
    "patta",
    "pareggio",
    "gelijkspel",
    "uavgjort",
    "oavgjort",
    "tasapeli",
    "remíza",
    "jafntefli",
    "ничья",
    "нічия",
    "döntetlen",
    "beraberlik",
];

/// Returns the column with a name in one of the languages that FORMATS.md lists, or with a word for a player.
pub(super) fn column(name: &str) -> CsvColumn {
    let found = common_column(name);
    if found != CsvColumn::Other {
        return found;
    }
    let words = words_of(name);
    match &*words {
        "lépések" | "ходи" | "hamleler" | "mutări" | "κινήσεις" | "käigud" | "ťahy" | "potezi" | "棋譜"
        | "棋谱" | "着法" => CsvColumn::Moves,
        "fekete" | "sötét" | "támadók" | "támadó" | "чорні" | "siyah" | "negru" | "μαύρα" | "must"
        | "čierny" | "útočník" | "crni" | "negres" | "黒" | "黑方" => CsvColumn::Attackers,
        "fehér" | "világos" | "védők" | "védő" | "білі" | "beyaz" | "alb" | "λευκά" | "valge" | "biely"
        | "obranca" | "bijeli" | "beli" | "blanques" | "白" | "白方" => CsvColumn::Defenders,
        "eredmény"
        | "győztes"
        | "переможець"
        | "sonuç"
        | "kazanan"
        | "rezultat"
        | "câștigător"
        | "αποτέλεσμα"
        | "νικητής"
        | "tulemus"
        | "võitja"
        | "výsledok"
        | "víťaz"
        | "pobjednik"
        | "guanyador"
        | "sejrherre"
        | "結果"
        | "勝者"
        | "结果"
        | "胜者" => CsvColumn::Result,
        "dátum" | "tarih" | "ημερομηνία" | "kuupäev" | "日付" | "日期" => CsvColumn::Date,
        "verseny" | "tornaj" | "turnaj" | "turnaus" | "turniej" | "toernooi" | "турнир" | "турнір" => {
            CsvColumn::Tag(tag::EVENT)
        }
        _ => {
            let side = PLAYER.iter().find_map(|word| {
                let side = words.strip_prefix(word).or_else(|| words.strip_suffix(word))?;
                Some(column(side)).filter(CsvColumn::is_side)
            });
            side.unwrap_or(CsvColumn::Other)
        }
    }
}

/// Returns the result that words in any of the languages stand for: `Weiß`, `Schwarz gewinnt`, `Remis`.
pub(super) fn verdict(text: &str) -> Option<WrittenVerdict> {
    let text = text.trim().to_lowercase();
    if DRAWS.contains(&text.as_str()) {
        return Some(WrittenVerdict::Draw);
    }
    let (winner, rest) = text.split_once(' ').unwrap_or((&text, ""));
    if !rest.is_empty() && !WINS.contains(&rest) {
        return None;
    }
    match column(winner) {
        CsvColumn::Attackers => Some(WrittenVerdict::Win(Side::Attackers)),
        CsvColumn::Defenders => Some(WrittenVerdict::Win(Side::Defenders)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_players_are_no_part_of_the_side() {
        for (name, expected) in [
            ("Spieler Schwarz", CsvColumn::Attackers),
            ("Weiß (Spieler)", CsvColumn::Defenders),
            ("joueur noir", CsvColumn::Attackers),
            ("Fehér játékos", CsvColumn::Defenders),
            ("Spieler", CsvColumn::Other),
            ("Spieler Datum", CsvColumn::Other),
        ] {
            assert_eq!(column(name), expected, "{name}");
        }
    }

    #[test]
    fn results_in_the_languages_of_the_columns_are_read() {
        let (black, white) = (WrittenVerdict::Win(Side::Attackers), WrittenVerdict::Win(Side::Defenders));
        for (text, expected) in [
            ("Weiß", Some(white)),
            ("Schwarz gewinnt", Some(black)),
            ("blancs", Some(white)),
            ("Angreifer", Some(black)),
            ("Remis", Some(WrittenVerdict::Draw)),
            ("Match nul", Some(WrittenVerdict::Draw)),
            ("Schwarz gibt auf", None),
            ("Datum", None),
            ("", None),
        ] {
            assert_eq!(verdict(text), expected, "{text}");
        }
    }
}
